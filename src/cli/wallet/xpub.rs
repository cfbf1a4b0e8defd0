//! `wallet xpub`: what a wallet is watched by.

use super::failure::Failure;
use super::flags::Flags;
use super::words::{self, Secret};
use headless_wallet::api::XpubAnswer;
use headless_wallet::keys::{AccountKeys, Mnemonic};

/// Of words that are given here: no server and no network is asked.
pub fn of_words(flags: &Flags) -> Result<String, Failure> {
    let words = match words::secret(&flags.words)? {
        Secret::Words(words) => words,
        Secret::Key(_) | Secret::Xpub(_) => {
            return Err(Failure::Usage(
                "the xpub is computed from words: give --seed-file, or type them; for words that a server keeps sealed, use \
                 `headless-wallet seeds xpub`"
                    .to_owned(),
            ));
        }
    };
    let passphrase = words::passphrase(&flags.words)?;
    let xpub = account(&words, passphrase.as_ref().map_or("", |text| text.as_str()));
    if !flags.json {
        return Ok(xpub);
    }
    Ok(serde_json::to_string(&XpubAnswer(xpub)).expect("an answer is JSON"))
}

/// That of the account of a wallet of one key.
pub fn account(words: &Mnemonic, passphrase: &str) -> String {
    AccountKeys::from_mnemonic(words, passphrase).public().to_xpub()
}
