//! ECDSA over secp256k1: RFC 6979, low S, DER, no hash-type byte.

/// Signs `digest` with a private key; DER.
pub fn sign_digest(private_key: &[u8; 32], digest: &[u8; 32]) -> Result<Vec<u8>, SignatureError> {
    todo!("{} {digest:?}", private_key.len())
}
/// Whether `signature` (DER; high S is accepted, as by the node) is of `digest` by `public_key` (33 bytes).
pub fn verify_digest(public_key: &[u8], digest: &[u8; 32], signature: &[u8]) -> bool {
    todo!("{public_key:?}{digest:?}{signature:?}")
}
/// Signs a text; 65-byte compact recoverable signature in base64.
pub fn sign_message(private_key: &[u8; 32], message: &str) -> Result<String, SignatureError> {
    todo!("{} {message}", private_key.len())
}
/// Whether `signature` (base64) is of `message` by the key whose hash is `key_hash`.
pub fn verify_message(key_hash: &[u8; 20], message: &str, signature: &str) -> bool {
    todo!("{key_hash:?}{message}{signature}")
}

/// A private key that is zero or past the group order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a private key")]
pub struct SignatureError;
