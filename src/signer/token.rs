//! Where a token is, and what can be wrong with it: each text names the setting that is at fault and the way
//! out.

use crate::trusted_file;
use secrecy::SecretString;
use std::env;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A token, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPlace {
    /// Who says so, at the beginning of errors: `[signers.vault]`.
    pub given_by: String,
    /// The PKCS#11 library of the token's vendor.
    pub module: PathBuf,
    pub token: TokenName,
    pub pin: PinSource,
}

/// Which of a module's tokens is meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenName {
    Label(String),
    /// The number of the slot that it is in.
    Slot(u64),
}

/// Where the PIN of a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinSource {
    /// In a file; `/dev/fd/3` is the file descriptor 3.
    File(PathBuf),
    /// In a variable of the environment.
    Variable(String),
    /// In the directory that systemd has for the service's credentials.
    Credential(String),
}

/// Why a token does not do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It can't be used as it is.
    #[error("{0}")]
    Unusable(String),
    /// The PIN is not right, or not accepted any more.
    #[error("{0}")]
    Pin(String),
    /// It has no keys of the name.
    #[error(
        "{given_by}: the token has no keys labelled {label:?}: `headless-wallet signer token-keys add` makes some"
    )]
    NoKeys { given_by: String, label: String },
    /// Its keys are not those of a wallet.
    #[error("{0}")]
    Keys(String),
    /// It takes longer than it may.
    #[error("{0}")]
    Slow(String),
}

impl TokenPlace {
    pub(super) fn unusable(&self, what: impl std::fmt::Display) -> TokenError {
        TokenError::Unusable(format!("{}: {what}", self.given_by))
    }

    /// The PIN as it stands there.
    pub(super) fn read_pin(&self) -> Result<SecretString, TokenError> {
        let read = |path: &Path| trusted_file::read(path).map_err(|error| error.to_string());
        let text = match &self.pin {
            PinSource::File(path) => read(path),
            PinSource::Variable(name) => {
                env::var(name).map(Zeroizing::new).map_err(|_| "it is not set".to_owned())
            }
            PinSource::Credential(name) => match env::var_os("CREDENTIALS_DIRECTORY") {
                Some(directory) => read(&Path::new(&directory).join(name)),
                None => Err("systemd gave no credentials: the service lacks LoadCredential".to_owned()),
            },
        };
        let mut text = text.map_err(|error| self.no_pin(&error))?;
        let length = text.trim_end_matches(['\r', '\n']).len();
        text.truncate(length);
        match &**text {
            "" => Err(self.no_pin("it is empty")),
            pin => Ok(SecretString::from(pin)),
        }
    }

    fn no_pin(&self, why: &str) -> TokenError {
        TokenError::Pin(format!("{}: the PIN can't be read from {}: {why}", self.given_by, self.pin.told()))
    }

    pub(super) fn wrong_pin(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: the token refuses the PIN, and it is not tried again, since that would lock the token: put the right one at {}",
            self.given_by,
            self.pin.told()
        ))
    }

    pub(super) fn locked(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: the token's PIN is locked after wrong ones: have its security officer set a new one, and put that at {}",
            self.given_by,
            self.pin.told()
        ))
    }

    pub(super) fn final_try(&self) -> TokenError {
        TokenError::Pin(format!(
            "{}: after another wrong PIN the token locks itself, so none is tried: log in by its vendor's tool with the right one, \
             and put that at {}",
            self.given_by,
            self.pin.told()
        ))
    }
}

impl PinSource {
    /// By the names of settings.
    fn told(&self) -> String {
        match self {
            Self::File(path) => format!("`pin_file` {}", path.display()),
            Self::Variable(name) => format!("`pin_env` {name}"),
            Self::Credential(name) => format!("`pin_credential` {name}"),
        }
    }
}

impl std::fmt::Display for TokenName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Label(label) => write!(f, "`token` {label:?}"),
            Self::Slot(slot) => write!(f, "`slot` {slot}"),
        }
    }
}
