//! `[signers.name]`: signers in processes of their own, and the seeds whose keys they have.

use super::misspelled::unknown;
use super::{ConfigError, Origin};
use crate::signer::SignerPlace;
use std::collections::BTreeMap;
use std::path::PathBuf;

const FIELDS: [&str; 6] = ["socket", "address", "ca", "certificate", "key", "seeds"];
const MUST: &str = "a table of `seeds` and either `socket`, or `address`, `ca`, `certificate` and `key`: [signers.name] socket = \"/run/…\", seeds = [\"…\"]";

/// Where a signer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerSettings {
    /// A socket in the file system.
    Socket(PathBuf),
    /// A host and port, and the files (PEM) by which both sides know each other.
    #[allow(missing_docs)]
    Tls { address: String, ca: PathBuf, certificate: PathBuf, key: PathBuf },
}

impl SignerSettings {
    /// The place itself; files are read each time, so that renewed ones hold.
    ///
    /// # Errors
    /// What can't be used, and why.
    pub fn place(&self) -> Result<SignerPlace, String> {
        match self {
            Self::Socket(path) => Ok(SignerPlace::Socket(path.clone())),
            Self::Tls { address, ca, certificate, key } => SignerPlace::tls(address, ca, certificate, key),
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
                (_, toml::Value::String(text)) => drop(texts.insert(known, text)),
                _ => return Err(refuse(&place, "a text")),
            }
        }
        if names.is_empty() {
            return Err(refuse(".seeds", "a list of seed keys"));
        }
        let mut take = |field: &str| texts.remove(field);
        let signer = match (take("socket"), take("address"), take("ca"), take("certificate"), take("key")) {
            (Some(socket), None, None, None, None) => Self::Socket(socket.into()),
            (None, Some(address), Some(ca), Some(certificate), Some(key)) => {
                Self::Tls { address, ca: ca.into(), certificate: certificate.into(), key: key.into() }
            }
            _ => return Err(refuse("", MUST)),
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
