//! How proposals are encrypted for the swap service: as OpenSSL does with a password, which is what the
//! crypto-js of wallet-lib writes. `Salted__`, eight bytes of salt, then AES-256 in CBC mode with a key and
//! an initialization vector that MD5 makes of password and salt; all in base64.

use aes::Aes256;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use md5::{Digest, Md5};
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"Salted__";
const SALT: usize = 8;

/// Encrypts a text with a salt that is new for each.
pub(super) fn encrypt(text: &str, password: &str, salt: [u8; SALT]) -> String {
    let key = derived(password, &salt);
    let (key, iv) = key.split_at(32);
    let cipher = cbc::Encryptor::<Aes256>::new_from_slices(key, iv).expect("32 and 16 bytes");
    let encrypted = cipher.encrypt_padded_vec::<Pkcs7>(text.as_bytes());
    STANDARD.encode([MAGIC.as_slice(), &salt, &encrypted].concat())
}

/// What was encrypted; `None` if the password is another one, or it was not encrypted like that.
pub(super) fn decrypt(encrypted: &str, password: &str) -> Option<String> {
    let bytes = STANDARD.decode(encrypted).ok()?;
    let (salt, encrypted) = bytes.strip_prefix(MAGIC)?.split_at_checked(SALT)?;
    let key = derived(password, salt);
    let (key, iv) = key.split_at(32);
    let cipher = cbc::Decryptor::<Aes256>::new_from_slices(key, iv).expect("32 and 16 bytes");
    String::from_utf8(cipher.decrypt_padded_vec::<Pkcs7>(encrypted).ok()?).ok()
}

/// Key and initialization vector (OpenSSL: `EVP_BytesToKey` with MD5 and one round).
fn derived(password: &str, salt: &[u8]) -> Zeroizing<[u8; 48]> {
    let mut derived = Zeroizing::new([0; 48]);
    let mut last: &[u8] = &[];
    for block in derived.chunks_exact_mut(16) {
        let digest = Md5::new().chain_update(last).chain_update(password).chain_update(salt).finalize();
        block.copy_from_slice(&digest);
        last = block;
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::{decrypt, encrypt};

    /// Of `CryptoJS.AES.encrypt('PartialTx|0001||', 'abc123')` of crypto-js 4.2, as wallet-lib calls it.
    const ENCRYPTED: &str = "U2FsdGVkX19zd2Fwc2FsdLwGr9vPEgMmZSVwW37gJu0pb71Y8K/SCZGS4LMyDjLR";

    #[test]
    fn what_the_library_encrypts_is_read_and_written() {
        assert_eq!(decrypt(ENCRYPTED, "abc123").as_deref(), Some("PartialTx|0001||"));
        let salt = *b"swapsalt";
        assert_eq!(encrypt("PartialTx|0001||", "abc123", salt), ENCRYPTED);
        assert_ne!(decrypt(ENCRYPTED, "abc124").as_deref(), Some("PartialTx|0001||"));
        for wrong in ["", "U2FsdGVkX18=", "U2FsdGVkX1", "U2FsdGVkX19h", "%%%"] {
            assert_eq!(decrypt(wrong, "abc123"), None, "{wrong}");
        }
    }
}
