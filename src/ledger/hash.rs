//! The two hashes of the ledger.

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// SHA-256 applied twice.
pub fn sha256d(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(bytes)).into()
}

/// What stands behind the bytes of an address or key, so that slips are seen: the first of their [`sha256d`].
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = sha256d(bytes);
    [a, b, c, d]
}

/// RIPEMD-160 of SHA-256: what addresses hold of a key or script.
pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}
