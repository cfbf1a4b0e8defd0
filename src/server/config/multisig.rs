//! The participants of multisig wallets, by the key that `/start` names them with.

use super::misspelled::unknown;
use super::{ConfigError, Origin};
use crate::keys::{MultisigError, MultisigPublic};
use std::collections::BTreeMap;

/// One multisig wallet, as configured. Whether it can be is looked at when it is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultisigSettings {
    /// How many participants there are.
    pub total: u8,
    /// How many must sign.
    pub num_signatures: u8,
    /// The account xpub of each, as `POST /multisig-pubkey` answers it.
    pub pubkeys: Vec<String>,
}

impl MultisigSettings {
    /// The participants; `None` if the numbers are missing or don't fit each other.
    pub fn participants(&self) -> Option<Result<MultisigPublic, MultisigError>> {
        let fits = self.total > 0
            && self.num_signatures > 0
            && self.pubkeys.len() == usize::from(self.total)
            && self.num_signatures <= self.total;
        fits.then(|| MultisigPublic::new(&self.pubkeys, self.num_signatures))
    }

    /// A table of the file: `[multisig.key]`.
    pub(super) fn toml(path: &str, key: &str, value: toml::Value) -> Result<Self, ConfigError> {
        let origin =
            |field: &str| Origin::File { path: path.to_owned(), key: format!("multisig.{key}{field}") };
        let refuse =
            |field: &str, must: &str| ConfigError::Value(format!("{} must be {must}", origin(field)));
        let toml::Value::Table(table) = value else {
            return Err(refuse("", "a table of `total`, `num_signatures` and `pubkeys`"));
        };
        let mut settings = Self::default();
        for (name, value) in table {
            let field = format!(".{name}");
            let number = |value: &toml::Value| {
                let number = value.as_integer().and_then(|number| u8::try_from(number).ok());
                number.ok_or_else(|| refuse(&field, "a whole number from 0 to 255"))
            };
            match name.replace(['_', '-'], "").to_ascii_lowercase().as_str() {
                "total" => settings.total = number(&value)?,
                "numsignatures" => settings.num_signatures = number(&value)?,
                "pubkeys" => {
                    let texts =
                        value.as_array().map(|list| list.iter().map(|key| key.as_str().map(str::to_owned)));
                    settings.pubkeys = texts
                        .and_then(Iterator::collect::<Option<_>>)
                        .ok_or_else(|| refuse(&field, "an array of xpubs"))?;
                }
                _ => {
                    let known = ["total", "num_signatures", "pubkeys"];
                    return Err(unknown(&origin(&field), &name, "settings of a multisig wallet", &known));
                }
            }
        }
        Ok(settings)
    }
}

/// What the environment says of multisig wallets, while it is being read.
#[derive(Default)]
pub(super) struct FromEnvironment(BTreeMap<String, BTreeMap<&'static str, String>>);

/// What the names of a wallet's variables end in.
const ENDINGS: [&str; 3] = ["_MAX_SIGNATURES", "_NUM_SIGNATURES", "_PUBKEYS"];

impl FromEnvironment {
    /// Takes a variable whose name goes on so after `HEADLESS_MULTISIG_SEED_`; `false` if it is none of
    /// these.
    pub(super) fn take(&mut self, name: &str, value: &str) -> bool {
        let found = ENDINGS.into_iter().find_map(|ending| Some((name.strip_suffix(ending)?, ending)));
        let Some((key, ending)) = found else { return false };
        self.0.entry(key.to_ascii_lowercase()).or_default().insert(ending, value.to_owned());
        true
    }

    /// The settings by key, spelled as the seeds' keys are where they are the same.
    pub(super) fn settings<'a>(
        self,
        seeds: impl Iterator<Item = &'a String> + Clone,
    ) -> Result<BTreeMap<String, MultisigSettings>, ConfigError> {
        let mut all = BTreeMap::new();
        for (key, values) in self.0 {
            let name = |ending| format!("HEADLESS_MULTISIG_SEED_{}{ending}", key.to_ascii_uppercase());
            let text = |ending| {
                values.get(ending).ok_or_else(|| {
                    let names = ENDINGS.map(name).join(", ");
                    ConfigError::Value(format!(
                        "environment variable {} is not set: set all of {names}",
                        name(ending)
                    ))
                })
            };
            let number = |ending| {
                text(ending)?.parse().map_err(|_| {
                    let origin = Origin::Environment(name(ending));
                    ConfigError::Value(format!("{origin} must be a whole number from 0 to 255"))
                })
            };
            let [total, num_signatures, pubkeys] = ENDINGS;
            let settings = MultisigSettings {
                total: number(total)?,
                num_signatures: number(num_signatures)?,
                pubkeys: text(pubkeys)?.split_whitespace().map(str::to_owned).collect(),
            };
            let key = seeds.clone().find(|seed| seed.eq_ignore_ascii_case(&key)).cloned().unwrap_or(key);
            all.insert(key, settings);
        }
        Ok(all)
    }
}
