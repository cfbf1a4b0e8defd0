//! The two hashes of the ledger.

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// SHA-256 applied twice.
pub fn sha256d(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(bytes)).into()
}

/// RIPEMD-160 of SHA-256: what addresses hold of a key or script.
pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}
