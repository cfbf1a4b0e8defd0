//! The 24 words.

use crate::rt;
use bip39::Language;
use std::borrow::Cow;
use zeroize::{Zeroize, Zeroizing};

const WORDS: usize = 24;

/// 24 valid English words, cleaned: lower case, one space between them. Wiped when dropped; prints as `<redacted>`.
///
/// ```
/// use headless_wallet::keys::{Mnemonic, MnemonicError};
///
/// let words = Mnemonic::generate()?;
/// let shouted = words.words().to_uppercase().replace(' ', ", ");
/// assert_eq!(Mnemonic::parse(&shouted)?.words(), words.words());
/// assert_eq!(format!("{words:?}"), "Mnemonic(<redacted>)");
/// # Ok::<(), MnemonicError>(())
/// ```
#[derive(Clone)]
pub struct Mnemonic {
    text: Zeroizing<String>,
    parsed: bip39::Mnemonic,
}

impl Mnemonic {
    /// Cleans and checks the words. Everything but ASCII letters and digits separates words.
    ///
    /// # Errors
    /// [`MnemonicError::Count`], then [`MnemonicError::UnknownWords`], then [`MnemonicError::Checksum`].
    pub fn parse(text: &str) -> Result<Self, MnemonicError> {
        let text = clean(text);
        let WordsCheck { count, unknown } = WordsCheck::of(&text);
        if count != WORDS {
            return Err(MnemonicError::Count);
        }
        if !unknown.is_empty() {
            return Err(MnemonicError::UnknownWords { positions: unknown });
        }
        let parsed = bip39::Mnemonic::parse_in_normalized(Language::English, &text)
            .map_err(|_| MnemonicError::Checksum)?;
        Ok(Self { text, parsed })
    }

    /// Looks at words that are still being typed.
    pub fn check_words(text: &str) -> WordsCheck {
        WordsCheck::of(&clean(text))
    }

    /// The English list that the words are taken from, in its order.
    pub fn word_list() -> &'static [&'static str; 2048] {
        Language::English.word_list()
    }

    /// 24 new words from the system's randomness.
    ///
    /// # Errors
    /// [`MnemonicError::Randomness`] if the system has none to give.
    pub fn generate() -> Result<Self, MnemonicError> {
        let mut entropy = Zeroizing::new([0; 32]);
        getrandom::fill(entropy.as_mut_slice()).map_err(|_| MnemonicError::Randomness)?;
        let parsed = bip39::Mnemonic::from_entropy_in(Language::English, entropy.as_slice())
            .expect("32 bytes of entropy make 24 words");
        let longest = Language::English.word_list().iter().map(|word| word.len()).max().unwrap_or(0);
        let mut text = Zeroizing::new(String::with_capacity(WORDS * (longest + 1)));
        for word in parsed.words() {
            push_word(&mut text, word);
        }
        Ok(Self { text, parsed })
    }

    /// The words themselves: a secret.
    pub fn words(&self) -> &str {
        &self.text
    }

    /// The BIP39 seed: 2,048 rounds of PBKDF2 with HMAC-SHA512. The passphrase is a part of it, and is normalised
    /// (NFKD) first.
    pub fn seed(&self, passphrase: &str) -> Zeroizing<[u8; 64]> {
        let passphrase = rt::nfkd(passphrase);
        let seed = Zeroizing::new(self.parsed.to_seed_normalized(&passphrase));
        if let Cow::Owned(mut copy) = passphrase {
            copy.zeroize();
        }
        seed
    }
}

impl std::fmt::Debug for Mnemonic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mnemonic(<redacted>)")
    }
}

/// What there is of words that are being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsCheck {
    /// How many there are.
    pub count: usize,
    /// The places, counted from 0, of those that are not in the English list.
    pub unknown: Vec<usize>,
}

impl WordsCheck {
    fn of(clean: &str) -> Self {
        let words = || clean.split_whitespace();
        let unknown = words()
            .enumerate()
            .filter(|(_, word)| Language::English.find_word(word).is_none())
            .map(|(position, _)| position)
            .collect();
        Self { count: words().count(), unknown }
    }
}

/// The words as they are checked and hashed: lower case, with one space between them.
fn clean(text: &str) -> Zeroizing<String> {
    // Room for all of it at once: a string that grows leaves copies of the secret behind.
    let mut clean = Zeroizing::new(String::with_capacity(text.len()));
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        push_word(&mut clean, word);
    }
    clean.make_ascii_lowercase();
    clean
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Why words are refused. The texts are those of the reference wallet, without its `Invalid seed: ` prefix, and never
/// hold the words: even a wrong one may be a typing error in a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MnemonicError {
    /// Not 24 of them.
    #[error("Must have 24 words.")]
    Count,
    /// Some are not in the English list.
    #[error("Invalid words.")]
    UnknownWords {
        /// Their places, counted from 0.
        positions: Vec<usize>,
    },
    /// All are in the list, and the checksum in the last one doesn't match.
    #[error("Invalid sequence of words.")]
    Checksum,
    /// The system gave no randomness to make words from.
    #[error("no randomness from the system")]
    Randomness,
}
