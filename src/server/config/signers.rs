//! `[signers.name]`: signers in processes of their own and tokens of PKCS#11, and the seeds whose keys they
//! have.

use super::misspelled::unknown;
use super::{ConfigError, Origin};
use crate::signer::{PinSource, SignerPlace, TokenName, TokenPlace};
use std::collections::BTreeMap;
use std::path::PathBuf;

const FIELDS: [&str; 12] = [
    "socket",
    "address",
    "ca",
    "certificate",
    "key",
    "module",
    "token",
    "slot",
    "pin_file",
    "pin_env",
    "pin_credential",
    "seeds",
];
const MUST: &str = "a table of `seeds` and either `socket`, or `address`, `ca`, `certificate` and `key`, or `module`, `token` and `pin_file`: \
     [signers.name] socket = \"/run/…\", seeds = [\"…\"]";
const TOKEN_MUST: &str = "a table of `module`, one of `token` and `slot`, one of `pin_file`, `pin_env` and `pin_credential`, and `seeds`, the \
     labels of its keys";

/// Where a signer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerSettings {
    /// A socket in the file system.
    Socket(PathBuf),
    /// A host and port, and the files (PEM) by which both sides know each other.
    Tls { address: String, ca: PathBuf, certificate: PathBuf, key: PathBuf },
    /// A token, whose keys have the seeds' names as labels.
    Token(TokenPlace),
}

impl SignerSettings {
    /// The place of another process; files are read each time, so that renewed ones hold.
    ///
    /// # Errors
    /// What can't be used, and why. A token is no process.
    pub fn place(&self) -> Result<SignerPlace, String> {
        match self {
            Self::Socket(path) => Ok(SignerPlace::Socket(path.clone())),
            Self::Tls { address, ca, certificate, key } => SignerPlace::tls(address, ca, certificate, key),
            Self::Token(_) => Err("a token is no signer's process".to_owned()),
        }
    }

    /// A token, if it is one.
    pub const fn token(&self) -> Option<&TokenPlace> {
        match self {
            Self::Token(place) => Some(place),
            Self::Socket(_) | Self::Tls { .. } => None,
        }
    }

    /// A table of the file: the seeds, each with the signer that has its keys.
    pub(super) fn toml(
        path: &str,
        name: &str,
        value: toml::Value,
        seeds: &mut BTreeMap<String, Self>,
    ) -> Result<(), ConfigError> {
        let origin =
            |field: &str| Origin::File { path: path.to_owned(), key: format!("signers.{name}{field}") };
        let refuse =
            |field: &str, must: &str| ConfigError::Value(format!("{} must be {must}", origin(field)));
        let toml::Value::Table(table) = value else { return Err(refuse("", MUST)) };
        let (mut texts, mut names) = (BTreeMap::new(), Vec::new());
        for (field, value) in table {
            let place = format!(".{field}");
            let Some(known) = FIELDS.into_iter().find(|known| *known == field) else {
                return Err(unknown(&origin(&place), &field, "settings of a signer", &FIELDS));
            };
            match (known, value) {
                ("seeds", value) => {
                    let list = value.try_into::<Vec<String>>();
                    names = list.map_err(|_| refuse(&place, "a list of seed keys"))?;
                }
                ("slot", toml::Value::Integer(number)) => drop(texts.insert(known, number.to_string())),
                ("slot", _) => return Err(refuse(&place, "the number of a slot")),
                (_, toml::Value::String(text)) => drop(texts.insert(known, text)),
                _ => return Err(refuse(&place, "a text")),
            }
        }
        if names.is_empty() {
            return Err(refuse(".seeds", "a list of seed keys"));
        }
        let signer = match texts.contains_key("module") {
            true => token(name, texts).map(Self::Token).ok_or_else(|| refuse("", TOKEN_MUST))?,
            false => process(texts).ok_or_else(|| refuse("", MUST))?,
        };
        for seed in names {
            if seeds.insert(seed.clone(), signer.clone()).is_some() {
                let place = origin(".seeds");
                return Err(ConfigError::Value(format!(
                    "{place} has the seed key {seed:?}, which another signer has"
                )));
            }
        }
        Ok(())
    }
}

type Texts = BTreeMap<&'static str, String>;

fn process(mut texts: Texts) -> Option<SignerSettings> {
    let given = ["socket", "address", "ca", "certificate", "key"].map(|field| texts.remove(field));
    match given {
        _ if !texts.is_empty() => None,
        [Some(socket), None, None, None, None] => Some(SignerSettings::Socket(socket.into())),
        [None, Some(address), Some(ca), Some(certificate), Some(key)] => Some(SignerSettings::Tls {
            address,
            ca: ca.into(),
            certificate: certificate.into(),
            key: key.into(),
        }),
        _ => None,
    }
}

fn token(name: &str, mut texts: Texts) -> Option<TokenPlace> {
    let [module, label, slot] = ["module", "token", "slot"].map(|field| texts.remove(field));
    let pin = ["pin_file", "pin_env", "pin_credential"].map(|field| texts.remove(field));
    Some(TokenPlace {
        given_by: format!("[signers.{name}]"),
        module: module?.into(),
        token: match (label, slot) {
            (Some(label), None) => TokenName::Label(label),
            (None, Some(slot)) => TokenName::Slot(slot.parse().ok()?),
            _ => return None,
        },
        pin: match pin {
            _ if !texts.is_empty() => return None,
            [Some(file), None, None] => PinSource::File(file.into()),
            [None, Some(variable), None] => PinSource::Variable(variable),
            [None, None, Some(name)] => PinSource::Credential(name),
            _ => return None,
        },
    })
}
