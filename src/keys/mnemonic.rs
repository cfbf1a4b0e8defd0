//! The 24 words of BIP39.

use crate::rt;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};
use std::borrow::Cow;
use zeroize::{Zeroize, Zeroizing};

const WORDS: usize = 24;
/// Bits per word.
const WORD_BITS: usize = 11;
const ENTROPY_BYTES: usize = 32;
/// Of PBKDF2.
const ROUNDS: usize = 2048;
/// BIP39's English list: 2,048 words in alphabetical order, one per line.
const LIST: &str = include_str!("english.txt");

/// 24 valid English words, cleaned: lower case, one space between them. Wiped when dropped; prints as
/// `<redacted>`.
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
pub struct Mnemonic(Zeroizing<String>);

impl Mnemonic {
    /// Cleans and checks the words. Everything but ASCII letters and digits separates words.
    ///
    /// # Errors
    /// [`MnemonicError::Count`], then [`MnemonicError::UnknownWords`], then [`MnemonicError::Checksum`].
    pub fn parse(text: &str) -> Result<Self, MnemonicError> {
        let text = clean(text);
        if text.split_ascii_whitespace().count() != WORDS {
            return Err(MnemonicError::Count);
        }
        let Read { check, bits } = read(&text);
        if !check.unknown.is_empty() {
            return Err(MnemonicError::UnknownWords { positions: check.unknown });
        }
        let (entropy, sum) = bits.split_at(ENTROPY_BYTES);
        if sum[0] != checksum(entropy) {
            return Err(MnemonicError::Checksum);
        }
        Ok(Self(text))
    }

    /// Checks words that are still being typed.
    pub fn check_words(text: &str) -> WordsCheck {
        read(&clean(text)).check
    }

    /// In alphabetical order.
    pub fn word_list() -> impl Iterator<Item = &'static str> {
        LIST.lines()
    }

    /// 24 new words from the system's randomness.
    pub fn generate() -> Result<Self, MnemonicError> {
        let mut bits = Bits::new([0; ENTROPY_BYTES + 1]);
        let (entropy, sum) = bits.split_at_mut(ENTROPY_BYTES);
        getrandom::fill(entropy).map_err(|_| MnemonicError::Randomness)?;
        sum[0] = checksum(entropy);
        let longest = Self::word_list().map(str::len).max().unwrap_or(0);
        let mut text = Zeroizing::new(String::with_capacity(WORDS * (longest + 1)));
        for place in 0..WORDS {
            let word =
                Self::word_list().nth(number_at(&bits, place)).expect("11 bits are a number below 2,048");
            push_word(&mut text, word);
        }
        Ok(Self(text))
    }

    /// A secret.
    pub fn words(&self) -> &str {
        &self.0
    }

    /// The BIP39 seed: 2,048 rounds of PBKDF2 with HMAC-SHA512. The passphrase is normalized (NFKD) and part
    /// of it.
    pub fn seed(&self, passphrase: &str) -> Zeroizing<[u8; 64]> {
        let passphrase = rt::nfkd(passphrase);
        let keyed =
            Hmac::<Sha512>::new_from_slice(self.0.as_bytes()).expect("HMAC takes a key of any length");
        // PBKDF2's only block is as long as the seed.
        let first = keyed.clone().chain_update("mnemonic").chain_update(passphrase.as_bytes());
        let mut round =
            Zeroizing::new(<[u8; 64]>::from(first.chain_update(1u32.to_be_bytes()).finalize().into_bytes()));
        let mut seed = round.clone();
        for _ in 1..ROUNDS {
            *round = keyed.clone().chain_update(*round).finalize().into_bytes().into();
            for (sum, byte) in seed.iter_mut().zip(round.iter()) {
                *sum ^= byte;
            }
        }
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsCheck {
    pub count: usize,
    /// Indexes of unknown words, from 0.
    pub unknown: Vec<usize>,
}

/// The words' numbers, one after the other: entropy, and a byte of checksum.
type Bits = Zeroizing<[u8; ENTROPY_BYTES + 1]>;

/// Words looked up in the list; the bits are complete if there are 24 and all are known.
struct Read {
    check: WordsCheck,
    bits: Bits,
}

fn read(clean: &str) -> Read {
    let mut check = WordsCheck { count: 0, unknown: Vec::new() };
    let mut bits = Bits::new([0; ENTROPY_BYTES + 1]);
    for (place, word) in clean.split_ascii_whitespace().enumerate() {
        check.count += 1;
        match LIST.lines().position(|known| known == word) {
            Some(number) if place < WORDS => set_number(&mut bits, place, number),
            Some(_) => {}
            None => check.unknown.push(place),
        }
    }
    Read { check, bits }
}

fn number_at(bits: &Bits, place: usize) -> usize {
    let bit = |i: usize| usize::from(bits[i / 8] >> (7 - i % 8) & 1);
    (0..WORD_BITS).fold(0, |number, i| number << 1 | bit(place * WORD_BITS + i))
}

fn set_number(bits: &mut Bits, place: usize, number: usize) {
    for i in (0..WORD_BITS).filter(|i| number >> (WORD_BITS - 1 - i) & 1 == 1) {
        let at = place * WORD_BITS + i;
        bits[at / 8] |= 1 << (7 - at % 8);
    }
}

/// A bit of checksum for every 32 of entropy.
fn checksum(entropy: &[u8]) -> u8 {
    Sha256::digest(entropy)[0]
}
/// The words as they are checked and hashed: lower case, with one space between them.
fn clean(text: &str) -> Zeroizing<String> {
    // Allocated once: a string that grows leaves copies of the secret behind.
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

/// The texts are those of the reference wallet, without its `Invalid seed: ` prefix, and never contain words:
/// even an unknown one may be a typo in a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MnemonicError {
    #[error("Must have 24 words.")]
    Count,
    #[error("Invalid words.")]
    UnknownWords {
        /// From 0.
        positions: Vec<usize>,
    },
    /// All words are in the list, but the checksum in the last one doesn't match.
    #[error("Invalid sequence of words.")]
    Checksum,
    #[error("no randomness from the system")]
    Randomness,
}
