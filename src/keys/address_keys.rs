//! The keys of a wallet's addresses: one account, a list of keys, or the participants of a multisig wallet.

use super::{ADDRESS_INDEXES, AccountPublic, MultisigPublic};
use crate::ledger::{Address, AddressKind, Network, hash160, sha256d};
use k256::PublicKey;
use k256::elliptic_curve::sec1::ToSec1Point;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Longest signature (DER) with its push.
const SIGNATURE_BYTES: usize = 1 + 72;
/// A compressed public key with its push.
const PUBLIC_KEY_BYTES: usize = 1 + 33;

/// The public side of a wallet of any kind.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a wallet has one")]
pub enum AddressKeys {
    Account(AccountPublic),
    /// One key per address, and no more addresses than keys.
    List(KeyList),
    /// Several keys per address, of which some must sign.
    Multisig(MultisigPublic),
}

impl AddressKeys {
    pub const fn kind(&self) -> AddressKind {
        match self {
            Self::Account(_) | Self::List(_) => AddressKind::P2pkh,
            Self::Multisig(_) => AddressKind::P2sh,
        }
    }

    pub const fn address(&self, network: Network, hash: [u8; 20]) -> Address {
        match self.kind() {
            AddressKind::P2pkh => Address::p2pkh(network, hash),
            AddressKind::P2sh => Address::p2sh(network, hash),
        }
    }

    /// The largest possible number of addresses.
    pub fn count(&self) -> u32 {
        match self {
            Self::List(list) => list.count(),
            Self::Account(_) | Self::Multisig(_) => ADDRESS_INDEXES,
        }
    }

    /// Compressed; `None` if the address has several keys or does not exist.
    pub fn public_key(&self, index: u32) -> Option<[u8; 33]> {
        match self {
            Self::Account(account) => (index < ADDRESS_INDEXES).then(|| account.public_key(index)),
            Self::List(list) => list.public_key(index),
            Self::Multisig(_) => None,
        }
    }

    /// The hashes of the addresses of `range` (below [`Self::count`]), derived in batches.
    pub fn hashes(&self, range: Range<u32>) -> Vec<[u8; 20]> {
        match self {
            Self::Account(account) => account.key_hashes(range),
            Self::List(list) => list.key_hashes(range),
            Self::Multisig(participants) => participants.script_hashes(range),
        }
    }

    pub fn wallet_id(&self) -> [u8; 32] {
        match self {
            Self::Account(account) => account.wallet_id(),
            Self::List(list) => list.wallet_id(),
            Self::Multisig(participants) => participants.wallet_id(),
        }
    }

    /// The change-level xpub, whose children have the addresses; `None` for lists and multisig wallets.
    pub fn xpub(&self) -> Option<String> {
        match self {
            Self::Account(account) => Some(account.to_xpub()),
            Self::List(_) | Self::Multisig(_) => None,
        }
    }

    /// The most bytes that signing adds to an input.
    pub fn signed_input_bytes(&self) -> usize {
        match self {
            Self::Account(_) | Self::List(_) => SIGNATURE_BYTES + PUBLIC_KEY_BYTES,
            Self::Multisig(participants) => {
                // The redeem script: its push, the two counts, the keys, the opcode.
                let script = 2 + 2 + participants.len() * PUBLIC_KEY_BYTES + 1;
                usize::from(participants.num_signatures()) * SIGNATURE_BYTES + script
            }
        }
    }
}

impl From<AccountPublic> for AddressKeys {
    fn from(account: AccountPublic) -> Self {
        Self::Account(account)
    }
}

impl From<KeyList> for AddressKeys {
    fn from(list: KeyList) -> Self {
        Self::List(list)
    }
}

impl From<MultisigPublic> for AddressKeys {
    fn from(participants: MultisigPublic) -> Self {
        Self::Multisig(participants)
    }
}

// Keys that are not derived from each other: each was made separately, on a device that keeps it.

/// At least one, in the order of the addresses. Prints as the wallet's id.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyList(Arc<[[u8; 33]]>);

impl KeyList {
    /// Compressed keys, in the order of the addresses; `None` without any.
    pub fn new(keys: Vec<[u8; 33]>) -> Option<Self> {
        (!keys.is_empty()).then(|| Self(keys.into()))
    }

    /// `None` if it is not on the curve.
    pub fn compressed(point: &[u8]) -> Option<[u8; 33]> {
        let key = PublicKey::from_sec1_bytes(point).ok()?;
        key.to_sec1_point(true).as_bytes().try_into().ok()
    }

    pub fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub fn public_key(&self, index: u32) -> Option<[u8; 33]> {
        self.0.get(index as usize).copied()
    }

    /// Those of `range` that exist.
    pub fn key_hashes(&self, range: Range<u32>) -> Vec<[u8; 20]> {
        range.map_while(|index| self.public_key(index)).map(|key| hash160(&key)).collect()
    }

    /// The id of the first key's wallet, so that a list that grows stays the same wallet.
    pub fn wallet_id(&self) -> [u8; 32] {
        sha256d(&[b"a list of keys", &self.0[0][..]].concat())
    }
}

impl fmt::Debug for KeyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyList({}; {})", hex::encode(self.wallet_id()), self.count())
    }
}
