//! A wallet's account: the change-level key `m/44'/280'/0'/0`, whose children are its addresses.

use super::bip32::{self, PrivateNode, PublicNode};
use super::signature::{message_signature, signature_by};
use super::{Mnemonic, MultisigKeys, Signature};
use crate::ledger::{InputData, hash160, sha256d};
use crate::rt;
use k256::ecdsa::SigningKey;
use std::ops::Range;
use zeroize::Zeroizing;

/// Indexes from 2^31 on are hardened, and no account derives hardened keys.
pub const ADDRESS_INDEXES: u32 = 1 << 31;

const ACCOUNT_DEPTH: u8 = 3;
const CHANGE_DEPTH: u8 = 4;
/// More addresses take some milliseconds to derive.
const WORTH_A_THREAD: u32 = 250;

/// The private side. Wiped when dropped; prints as `<redacted>`.
///
/// ```
/// use headless_wallet::keys::{AccountKeys, Mnemonic, MnemonicError, verify_digest};
/// use headless_wallet::ledger::InputData;
///
/// let keys = AccountKeys::from_mnemonic(&Mnemonic::generate()?, "");
/// let digest = [7; 32];
/// let InputData::P2pkh { signature, public_key } = keys.sign(0, &digest) else { unreachable!() };
/// assert_eq!(public_key, keys.public().public_key(0));
/// assert!(verify_digest(&public_key, &digest, &signature));
/// # Ok::<(), MnemonicError>(())
/// ```
#[derive(Clone)]
pub struct AccountKeys {
    change: PrivateNode,
}

pub const ACCOUNT_PATH: &str = "m/44'/280'/0'";

impl AccountKeys {
    /// Derives `m/44'/280'/0'/0`, with the reference wallet's unpadded hardened steps.
    pub fn from_mnemonic(words: &Mnemonic, passphrase: &str) -> Self {
        let root = PrivateNode::root(&words.seed(passphrase));
        Self { change: root.hardened_child(44).hardened_child(280).hardened_child(0).child(0) }
    }

    pub fn public(&self) -> AccountPublic {
        AccountPublic { change: self.change.public().clone() }
    }

    /// `index` is below [`ADDRESS_INDEXES`].
    pub fn sign(&self, index: u32, digest: &[u8; 32]) -> InputData {
        let signature = self.signature(index, digest, b"");
        InputData::P2pkh { signature: signature.to_der(), public_key: signature.public_key }
    }

    /// As numbers, which differ for each `salt`: so otherwise equal transactions differ.
    pub(super) fn signature(&self, index: u32, digest: &[u8; 32], salt: &[u8]) -> Signature {
        signature_by(&self.signing_key(index), digest, salt)
    }

    /// As [`sign_message`](super::sign_message); `index` is below [`ADDRESS_INDEXES`].
    pub fn sign_message(&self, index: u32, message: &str) -> String {
        message_signature(&self.signing_key(index), message)
    }

    fn signing_key(&self, index: u32) -> SigningKey {
        SigningKey::from(*self.change.child_key(index))
    }
}

impl std::fmt::Debug for AccountKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccountKeys(<redacted>)")
    }
}

/// The public side: it can watch, not sign. Prints as its wallet id, because the xpub reveals every address.
#[derive(Clone, PartialEq)]
pub struct AccountPublic {
    change: PublicNode,
}

impl AccountPublic {
    /// From an xpub of the account (depth 3) or of the change level (depth 4).
    pub fn from_xpub(xpub: &str) -> Result<Self, KeyError> {
        let node = bip32::read_public(xpub).ok_or(KeyError::InvalidXpub)?;
        match node.place().depth {
            ACCOUNT_DEPTH => Ok(Self { change: node.child(0) }),
            CHANGE_DEPTH => Ok(Self { change: node }),
            depth => Err(KeyError::Depth(depth)),
        }
    }

    pub fn to_xpub(&self) -> String {
        bip32::write_public(&self.change)
    }

    /// The wallet id of the reference wallet: double SHA-256 of the change-level xpub's text.
    pub fn wallet_id(&self) -> [u8; 32] {
        sha256d(self.to_xpub().as_bytes())
    }

    /// Compressed; `index` is below [`ADDRESS_INDEXES`].
    pub fn public_key(&self, index: u32) -> [u8; 33] {
        *self.change.child(index).compressed()
    }

    /// The public key hashes of `range` (below [`ADDRESS_INDEXES`]), derived in batches that share one
    /// inversion, many of them on all cores.
    pub fn key_hashes(&self, range: Range<u32>) -> Vec<[u8; 20]> {
        rt::parallel_map(range, WORTH_A_THREAD, |part| {
            self.change.child_keys(part).iter().map(|key| hash160(key)).collect()
        })
    }
}

impl std::fmt::Debug for AccountPublic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AccountPublic({})", hex::encode(self.wallet_id()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not an xpub: alphabet, length, checksum, prefix, or a point that is not on the curve.
    #[error("Invalid xpub")]
    InvalidXpub,
    #[error("Invalid xpub: expected depth 3 (account) or 4 (change level), found {0}")]
    Depth(u8),
}

/// A seed phrase with its passphrase, if it has one. Wiped when dropped; prints as `<redacted>`.
#[derive(Clone)]
pub struct Seed {
    words: Mnemonic,
    passphrase: Zeroizing<String>,
}

impl Seed {
    /// An empty passphrase stands for none.
    pub fn new(words: Mnemonic, passphrase: &str) -> Self {
        Self { words, passphrase: Zeroizing::new(passphrase.to_owned()) }
    }

    pub const fn words(&self) -> &Mnemonic {
        &self.words
    }

    pub fn passphrase(&self) -> &str {
        &self.passphrase
    }

    pub fn account(&self) -> AccountKeys {
        AccountKeys::from_mnemonic(&self.words, &self.passphrase)
    }

    pub fn participant(&self) -> MultisigKeys {
        MultisigKeys::from_mnemonic(&self.words, &self.passphrase)
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(<redacted>)")
    }
}
