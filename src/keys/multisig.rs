//! Multisig accounts: the participants' account xpubs and how many must sign.

use super::bip32::{PrivateNode, PublicNode};
use super::signature::signature_by;
use super::{Mnemonic, Signature, bip32};
use crate::ledger::{RedeemScript, hash160, sha256d};
use k256::ecdsa::SigningKey;
use litemap::LiteMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A redeem script of 8 keys is too long for input data, so its address could never be spent from.
const MAX_KEYS: usize = 7;
const ACCOUNT_DEPTH: u8 = 3;

/// One participant's private side, `m/45'/280'/0'`. Wiped when dropped; prints as `<redacted>`.
#[derive(Clone)]
pub struct MultisigKeys {
    account: PublicNode,
    change: PrivateNode,
}

pub const MULTISIG_ACCOUNT_PATH: &str = "m/45'/280'/0'";

impl MultisigKeys {
    /// Derives `m/45'/280'/0'`, with the reference wallet's unpadded hardened steps.
    pub fn from_mnemonic(words: &Mnemonic, passphrase: &str) -> Self {
        let account = PrivateNode::root(&words.seed(passphrase))
            .hardened_child(45)
            .hardened_child(280)
            .hardened_child(0);
        Self { account: account.public().clone(), change: account.child(0) }
    }

    pub fn account_xpub(&self) -> String {
        bip32::write_public(&self.account)
    }

    /// The compressed account public key, which identifies signatures ([`MultisigSignatures::account_key`]).
    pub fn account_key(&self) -> [u8; 33] {
        *self.account.compressed()
    }

    /// In DER.
    pub fn sign(&self, index: u32, digest: &[u8; 32]) -> Vec<u8> {
        self.signature(index, digest, b"").to_der()
    }

    pub(super) fn signature(&self, index: u32, digest: &[u8; 32], salt: &[u8]) -> Signature {
        signature_by(&SigningKey::from(*self.change.child_key(index)), digest, salt)
    }
}

impl fmt::Debug for MultisigKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MultisigKeys(<redacted>)")
    }
}

/// The participants, in the order of their account keys.
#[derive(Clone, PartialEq)]
pub struct MultisigPublic {
    num_signatures: u8,
    /// In the order of their compressed keys.
    accounts: Vec<PublicNode>,
    /// Change-level keys, in the order of the account keys for every address.
    participants: Vec<PublicNode>,
}

impl MultisigPublic {
    pub const MAX_KEYS: usize = MAX_KEYS;

    /// From the account-level xpubs (`m/45'/280'/0'`), in any order.
    ///
    /// # Errors
    /// [`MultisigError::Count`] unless 1 ≤ `num_signatures` ≤ keys ≤ 7; [`MultisigError::InvalidXpub`].
    pub fn new(xpubs: &[String], num_signatures: u8) -> Result<Self, MultisigError> {
        let keys = xpubs.len();
        if keys > MAX_KEYS || num_signatures == 0 || usize::from(num_signatures) > keys {
            return Err(MultisigError::Count { num_signatures, keys });
        }
        let mut accounts = Vec::with_capacity(keys);
        for (position, xpub) in xpubs.iter().enumerate() {
            let account = read_account(xpub).ok_or(MultisigError::InvalidXpub(position))?;
            let place =
                accounts.partition_point(|other: &PublicNode| other.compressed() <= account.compressed());
            accounts.insert(place, account);
        }
        Ok(Self {
            num_signatures,
            participants: accounts.iter().map(|account| account.child(0)).collect(),
            accounts,
        })
    }

    pub const fn num_signatures(&self) -> u8 {
        self.num_signatures
    }

    #[allow(clippy::len_without_is_empty, reason = "there is always one")]
    pub const fn len(&self) -> usize {
        self.participants.len()
    }

    /// The index of a participant's key in every redeem script, by its account key; `None` if it is no
    /// participant's.
    pub fn position(&self, account_key: &[u8; 33]) -> Option<usize> {
        self.accounts.iter().position(|account| account.compressed() == account_key)
    }

    /// Whether these keys are a participant's. The chain code counts, too: with another one the same account
    /// key derives other keys.
    pub fn is_of(&self, keys: &MultisigKeys) -> bool {
        let of = |node: &PublicNode| (*node.compressed(), *node.chain_code());
        self.accounts.iter().any(|account| of(account) == of(&keys.account))
    }

    /// In the order of their keys.
    pub fn account_xpubs(&self) -> Vec<String> {
        self.accounts.iter().map(bip32::write_public).collect()
    }

    /// Identifies the wallet: the double SHA-256 of the number of signatures and the account keys in order.
    pub fn wallet_id(&self) -> [u8; 32] {
        let keys: Vec<_> = self.accounts.iter().flat_map(|account| *account.compressed()).collect();
        sha256d(&[&[self.num_signatures], &keys[..]].concat())
    }

    pub fn redeem_script(&self, index: u32) -> RedeemScript {
        let public_keys = self.participants.iter().map(|node| *node.child(index).compressed()).collect();
        RedeemScript { num_signatures: self.num_signatures, public_keys }
    }

    /// Derived in batches.
    pub fn redeem_scripts(&self, range: Range<u32>) -> Vec<RedeemScript> {
        let mut scripts = vec![
            RedeemScript {
                num_signatures: self.num_signatures,
                public_keys: Vec::with_capacity(self.participants.len()),
            };
            range.len()
        ];
        for participant in &self.participants {
            for (script, key) in scripts.iter_mut().zip(participant.child_keys(range.clone())) {
                script.public_keys.push(key);
            }
        }
        scripts
    }

    pub fn script_hashes(&self, range: Range<u32>) -> Vec<[u8; 20]> {
        let bytes = |script: &RedeemScript| script.to_bytes().expect("1 to 7 keys were counted");
        self.redeem_scripts(range).iter().map(|script| hash160(&bytes(script))).collect()
    }
}

/// `None` for an invalid xpub.
pub fn account_key_of(xpub: &str) -> Option<[u8; 33]> {
    read_account(xpub).map(|account| *account.compressed())
}

fn read_account(xpub: &str) -> Option<PublicNode> {
    bip32::read_public(xpub).filter(|node| node.place().depth == ACCOUNT_DEPTH)
}

impl fmt::Debug for MultisigPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MultisigPublic({} of {})", self.num_signatures, self.participants.len())
    }
}

/// One participant's signatures of a transaction, as participants send them to each other: `<account
/// key>|<input>:<signature>|…`, keys and signatures in hex. Sorted, these texts are in the order of redeem
/// scripts' keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MultisigSignatures {
    pub account_key: [u8; 33],
    /// In DER, by the inputs' indexes.
    pub signatures: LiteMap<u8, Vec<u8>>,
}

impl fmt::Display for MultisigSignatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.account_key))?;
        self.signatures.iter().try_for_each(|(input, der)| write!(f, "|{input}:{}", hex::encode(der)))
    }
}

impl FromStr for MultisigSignatures {
    type Err = ParseSignaturesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split('|');
        let mut account_key = [0; 33];
        hex::decode_to_slice(parts.next().unwrap_or_default(), &mut account_key)
            .map_err(|_| ParseSignaturesError::AccountKey)?;
        let mut signatures = LiteMap::new();
        for (place, part) in parts.enumerate() {
            let (input, der) = part.split_once(':').ok_or(ParseSignaturesError::Signature(place))?;
            let input = input.parse().map_err(|_| ParseSignaturesError::Signature(place))?;
            let der = hex::decode(der).map_err(|_| ParseSignaturesError::Signature(place))?;
            if signatures.insert(input, der).is_some() {
                return Err(ParseSignaturesError::Repeated(input));
            }
        }
        Ok(Self { account_key, signatures })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MultisigError {
    /// Not an xpub, or not of an account (depth 3). Counted from 0.
    #[error("Invalid xpub of participant {0}")]
    InvalidXpub(usize),
    /// Too many keys for a redeem script that can be spent from, or more signatures than keys, or none.
    #[error("{num_signatures} of {keys}: multisig takes 1 to 7 keys and no more signatures than keys")]
    Count { num_signatures: u8, keys: usize },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSignaturesError {
    /// It doesn't start with a compressed public key in hex.
    #[error("Invalid signatures: the first part must be the participant's public key (33 bytes in hex)")]
    AccountKey,
    /// A part isn't `<input>:<hex>`. Counted from 0.
    #[error(
        "Invalid signatures: part {0} after the public key is not of the form <input>:<signature in hex>"
    )]
    Signature(usize),
    #[error("Invalid signatures: input {0} has two")]
    Repeated(u8),
}
