//! Secrets sealed with a password, for places that others may read, such as a browser's storage.
//!
//! Argon2id (RFC 9106) derives the key from the password and a salt; XChaCha20-Poly1305 seals the secret. The
//! secret is padded, so that its length reveals nothing. Everything that [`open`] needs besides the password
//! is in the text, is authenticated, and is bounded before memory is used for it.
//!
//! ```text
//! base64( 1 version | 4 memory in KiB | 4 passes | 16 salt | 24 nonce | n sealed | 16 tag )      integers big-endian
//! ```

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

const VERSION: u8 = 1;
/// The second recommendation of RFC 9106 with one lane: 64 MiB, three passes.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
/// Bounds the memory that a changed text can make us use.
const MAX_MEMORY_KIB: u32 = 256 * 1024;
const MAX_PASSES: u32 = 10;

const SALT: std::ops::Range<usize> = 9..25;
const NONCE: std::ops::Range<usize> = 25..49;
const HEADER: usize = NONCE.end;
/// Secrets are padded with zero bytes to a multiple of this: 24 words and a passphrase of 60 letters fit into
/// one.
const BLOCK: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// A secret that ends in a zero byte is not distinguishable from its padding.
    #[error("the secret ends in a zero byte")]
    Secret,
    #[error("no randomness from the system")]
    Randomness,
    #[error("there is not enough memory to make the key: close other programs and try again")]
    Memory,
    /// The text was not made by [`seal`], or by an unknown version.
    #[error("what was stored can't be read: it is damaged, or of another version")]
    Unreadable,
    #[error("the password is wrong, or what was stored was changed")]
    WrongPassword,
}

/// Seals a secret with a password, on purpose in some tenths of a second. The text differs each time.
///
/// ```
/// use headless_wallet::keys::{open_vault, seal_vault};
/// let sealed = seal_vault("avocado spot town", "a long password")?;
/// assert_eq!(*open_vault(&sealed, "a long password")?, "avocado spot town");
/// # Ok::<(), headless_wallet::keys::VaultError>(())
/// ```
pub fn seal(secret: &str, password: &str) -> Result<String, VaultError> {
    seal_for(secret, password, "")
}

/// Seals for `whose` alone, so that nobody can pass one seal off as another one's.
pub fn seal_for(secret: &str, password: &str, whose: &str) -> Result<String, VaultError> {
    if secret.ends_with('\0') {
        return Err(VaultError::Secret);
    }
    let mut text = Vec::with_capacity(HEADER);
    text.push(VERSION);
    text.extend(MEMORY_KIB.to_be_bytes());
    text.extend(PASSES.to_be_bytes());
    text.resize(HEADER, 0);
    getrandom::fill(&mut text[SALT.start..]).map_err(|_| VaultError::Randomness)?;

    let mut padded = Zeroizing::new(vec![0; secret.len().next_multiple_of(BLOCK).max(BLOCK)]);
    padded[..secret.len()].copy_from_slice(secret.as_bytes());
    let known = [&text, whose.as_bytes()].concat();
    let payload = Payload { msg: &padded, aad: &known };
    let sealed = cipher(&text, password)?.encrypt(&nonce(&text), payload).map_err(|_| VaultError::Memory)?;
    text.extend(sealed);
    Ok(STANDARD.encode(text))
}

pub fn open(sealed: &str, password: &str) -> Result<Zeroizing<String>, VaultError> {
    open_for(sealed, password, "")
}

pub fn open_for(sealed: &str, password: &str, whose: &str) -> Result<Zeroizing<String>, VaultError> {
    let text = STANDARD.decode(sealed.trim()).map_err(|_| VaultError::Unreadable)?;
    let (header, sealed) = text.split_at_checked(HEADER).ok_or(VaultError::Unreadable)?;
    let (cipher, nonce) = (cipher(header, password)?, nonce(header));
    let known = [header, whose.as_bytes()].concat();
    let opened = cipher.decrypt(&nonce, Payload { msg: sealed, aad: &known });
    let padded = opened.map(Zeroizing::new).map_err(|_| VaultError::WrongPassword)?;
    let end = padded.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let secret = std::str::from_utf8(&padded[..end]).map_err(|_| VaultError::Unreadable)?;
    Ok(Zeroizing::new(secret.to_owned()))
}

/// The cipher for a header and a password.
fn cipher(header: &[u8], password: &str) -> Result<XChaCha20Poly1305, VaultError> {
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    let (memory, passes) = (number(1), number(5));
    if header[0] != VERSION || memory > MAX_MEMORY_KIB || passes > MAX_PASSES {
        return Err(VaultError::Unreadable);
    }
    let params = Params::new(memory, passes, 1, None).map_err(|_| VaultError::Unreadable)?;
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(password.as_bytes(), &header[SALT], key.as_mut_slice())
        .map_err(|_| VaultError::Memory)?;
    Ok(XChaCha20Poly1305::new(&Key::from(*key)))
}

fn nonce(header: &[u8]) -> XNonce {
    XNonce::try_from(&header[NONCE]).expect("the range has its length")
}
