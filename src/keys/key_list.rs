//! Keys of one wallet that nothing derives: each was made by itself, on a device that keeps it.

use crate::ledger::{hash160, sha256d};
use k256::PublicKey;
use k256::elliptic_curve::sec1::ToSec1Point;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Public keys in the order of the addresses: at least one. Prints as the wallet's id.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyList(Arc<[[u8; 33]]>);

impl KeyList {
    /// Compressed keys, in the order of the addresses; `None` without any.
    pub fn new(keys: Vec<[u8; 33]>) -> Option<Self> {
        (!keys.is_empty()).then(|| Self(keys.into()))
    }

    /// A point of the curve, compressed; `None` if it is none.
    pub fn compressed(point: &[u8]) -> Option<[u8; 33]> {
        let key = PublicKey::from_sec1_bytes(point).ok()?;
        key.to_sec1_point(true).as_bytes().try_into().ok()
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The compressed key at an index.
    pub fn public_key(&self, index: u32) -> Option<[u8; 33]> {
        self.0.get(index as usize).copied()
    }

    /// The public key hashes of that part of `range` that there is.
    pub fn key_hashes(&self, range: Range<u32>) -> Vec<[u8; 20]> {
        range.map_while(|index| self.public_key(index)).map(|key| hash160(&key)).collect()
    }

    /// Tells the wallet from others. It is that of the first key, so that a list that grows stays the same
    /// wallet.
    pub fn wallet_id(&self) -> [u8; 32] {
        sha256d(&[b"a list of keys", &self.0[0][..]].concat())
    }
}

impl fmt::Debug for KeyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyList({}; {})", hex::encode(self.wallet_id()), self.count())
    }
}
