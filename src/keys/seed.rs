//! What all keys of a wallet come from.

use super::{AccountKeys, Mnemonic, MultisigKeys};
use zeroize::Zeroizing;

/// Words, and the passphrase that goes with them, if there is one. Wiped when dropped; prints as
/// `<redacted>`.
#[derive(Clone)]
pub struct Seed {
    words: Mnemonic,
    passphrase: Zeroizing<String>,
}

impl Seed {
    /// Without a passphrase, `""` is what takes its place.
    pub fn new(words: Mnemonic, passphrase: &str) -> Self {
        Self { words, passphrase: Zeroizing::new(passphrase.to_owned()) }
    }

    /// Secret.
    pub const fn words(&self) -> &Mnemonic {
        &self.words
    }

    /// Secret.
    pub fn passphrase(&self) -> &str {
        &self.passphrase
    }

    /// The keys of its wallet of one key.
    pub fn account(&self) -> AccountKeys {
        AccountKeys::from_mnemonic(&self.words, &self.passphrase)
    }

    /// Its keys as a participant in wallets of several.
    pub fn participant(&self) -> MultisigKeys {
        MultisigKeys::from_mnemonic(&self.words, &self.passphrase)
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(<redacted>)")
    }
}
