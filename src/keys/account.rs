//! A wallet's account: the change-level key `m/44'/280'/0'/0`, whose children are its addresses.

use super::Mnemonic;
use crate::ledger::InputData;

/// The private side. Wiped when dropped; prints as `<redacted>`.
#[derive(Clone)]
pub struct AccountKeys {/* change-level private key and chain code */}

impl AccountKeys {
    /// Derives `m/44'/280'/0'/0`, with the reference wallet's unpadded hardened steps.
    pub fn from_mnemonic(words: &Mnemonic, passphrase: &str) -> Self {
        todo!("{words:?} {}", passphrase.len())
    }
    /// The public side.
    pub fn public(&self) -> AccountPublic {
        todo!()
    }
    /// Signs a digest with the key of the address at `index`.
    pub fn sign(&self, index: u32, digest: &[u8; 32]) -> InputData {
        todo!("{index} {digest:?}")
    }
}
impl std::fmt::Debug for AccountKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccountKeys(<redacted>)")
    }
}

/// The public side: it can watch, not sign.
#[derive(Clone, Debug)]
pub struct AccountPublic {/* change-level public key and chain code */}

impl AccountPublic {
    /// From an xpub of the account (depth 3) or of the change level (depth 4).
    pub fn from_xpub(xpub: &str) -> Result<Self, KeyError> {
        todo!("{xpub}")
    }
    /// The change-level xpub.
    pub fn to_xpub(&self) -> String {
        todo!()
    }
    /// The wallet id of the reference wallet: double SHA-256 of the change-level xpub's text.
    pub fn wallet_id(&self) -> [u8; 32] {
        todo!()
    }
    /// The compressed public key at `index` (not hardened).
    pub fn public_key(&self, index: u32) -> [u8; 33] {
        todo!("{index}")
    }
    /// The public key hashes of `range`, derived in one batch (one inversion for all).
    pub fn key_hashes(&self, range: std::ops::Range<u32>) -> Vec<[u8; 20]> {
        todo!("{range:?}")
    }
}

/// Why a key can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum KeyError {
    #[error("Invalid xpub")]
    InvalidXpub,
    #[error("Invalid xpub: expected depth 3 (account) or 4 (change level), found {0}")]
    Depth(u8),
}
