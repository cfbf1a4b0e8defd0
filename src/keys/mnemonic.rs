//! The 24 words.

use zeroize::Zeroizing;

/// 24 valid English words, cleaned: lower case, one space between them. Wiped when dropped; prints as `<redacted>`.
#[derive(Clone)]
pub struct Mnemonic(Zeroizing<String>);

impl Mnemonic {
    /// Cleans and checks the words.
    pub fn parse(text: &str) -> Result<Self, MnemonicError> {
        todo!("{}", text.len())
    }
    /// 24 new words from the system's randomness.
    pub fn generate() -> Result<Self, MnemonicError> {
        todo!()
    }
    /// The words themselves: a secret.
    pub fn words(&self) -> &str {
        &self.0
    }
    /// The BIP39 seed.
    pub fn seed(&self, passphrase: &str) -> Zeroizing<[u8; 64]> {
        todo!("{}", passphrase.len())
    }
}
impl std::fmt::Debug for Mnemonic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mnemonic(<redacted>)")
    }
}

/// Why words are refused. The texts are those of the reference wallet, without its `Invalid seed: ` prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MnemonicError {
    /// Carries how many words are not in the list, never the words themselves.
    #[error("Must have 24 words.")]
    Count,
    #[error("Invalid words.")]
    #[allow(missing_docs)]
    UnknownWords {
        /// Places (from 0) of the words that are not in the list: the words themselves may be typos of a secret.
        positions: Vec<usize>,
    },
    #[error("Invalid sequence of words.")]
    #[allow(missing_docs)]
    Checksum,
    #[error("no randomness from the system")]
    #[allow(missing_docs)]
    Randomness,
}
