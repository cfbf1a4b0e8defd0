//! Words, passphrases and xpubs that a caller gave.

use super::failure::Failure;
use super::js_arg::JsArg;
use crate::keys::{AccountKeys, AccountPublic, Mnemonic};

/// The keys of an account, or what is public of them.
pub(super) enum Keys {
    Signing(AccountKeys),
    Public(AccountPublic),
}

impl Keys {
    pub(super) fn public(self) -> AccountPublic {
        match self {
            Self::Signing(keys) => keys.public(),
            Self::Public(public) => public,
        }
    }
}

/// Keys from words and perhaps a passphrase, or from an xpub.
pub(super) fn keys_of(seed: JsArg, xpub: JsArg, passphrase: JsArg) -> Result<Keys, Failure> {
    match (seed.given(), xpub.given(), passphrase.given()) {
        (Some(seed), None, passphrase) => keys(&seed, passphrase).map(Keys::Signing),
        (None, Some(xpub), None) => public(&xpub).map(Keys::Public),
        (None, Some(_), Some(passphrase)) => {
            Err(passphrase.refuse("belongs to a seed, and there is an xpub"))
        }
        (Some(_), Some(xpub), _) => {
            Err(xpub.refuse("must be left out where there is a seed: give one of the two"))
        }
        (None, None, _) => Err(Failure::input("seed", "or xpub must be given")),
    }
}

/// The keys of 24 words and perhaps a passphrase.
pub(super) fn keys(seed: &JsArg, passphrase: Option<JsArg>) -> Result<AccountKeys, Failure> {
    let words = words(seed)?;
    let passphrase = passphrase.map(|passphrase| passphrase.secret()).transpose()?;
    Ok(AccountKeys::from_mnemonic(&words, passphrase.as_deref().map_or("", String::as_str)))
}

/// 24 words.
pub(super) fn words(seed: &JsArg) -> Result<Mnemonic, Failure> {
    Mnemonic::parse(&seed.secret()?)
        .map_err(|error| seed.refuse(format!("must be 24 words of the English list: {error}")))
}

/// The keys of an xpub.
pub(super) fn public(xpub: &JsArg) -> Result<AccountPublic, Failure> {
    AccountPublic::from_xpub(&xpub.text()?)
        .map_err(|error| xpub.refuse(format!("must be an xpub of the account or its change level: {error}")))
}
