//! API keys with names that stand in the settings: `[keys.name]`.

use super::misspelled::unknown;
use super::{ConfigError, Origin};
use crate::operations::is_key_name;
use crate::server::access::{Grant, StoredKey, Texts, parse_hash};

const KNOWN: [&str; 7] = ["hash", "rights", "wallets", "networks", "until", "per_second", "limits"];

/// A table of the file.
pub(super) fn toml(path: &str, name: &str, value: toml::Value) -> Result<StoredKey, ConfigError> {
    let origin = |field: &str| Origin::File { path: path.to_owned(), key: format!("keys.{name}{field}") };
    let refuse = |field: &str, must: &str| ConfigError::Value(format!("{} must be {must}", origin(field)));
    if !is_key_name(name) {
        return Err(refuse("", "called by 1 to 64 of a-z, 0-9, '.', '_' and '-', and not begin with '.'"));
    }
    let toml::Value::Table(table) = value else {
        return Err(refuse("", "a table of `hash`, `rights` and `wallets`"));
    };
    let (mut hash, mut texts) = (None, Texts::default());
    for (field, value) in table {
        let place = format!(".{field}");
        let list = |value: toml::Value| match value {
            toml::Value::String(one) => Ok(vec![one]),
            value => value.try_into::<Vec<String>>().map_err(|_| refuse(&place, "an array of texts")),
        };
        match (field.replace('-', "_").to_ascii_lowercase().as_str(), value) {
            ("hash", toml::Value::String(text)) => hash = parse_hash(&text),
            ("hash", _) => {}
            ("rights", value) => texts.rights = list(value)?,
            ("wallets", value) => texts.wallets = list(value)?,
            ("networks", value) => texts.networks = list(value)?,
            ("limits", value) => texts.limits = list(value)?,
            ("until", toml::Value::String(text)) => texts.until = Some(text),
            ("until", toml::Value::Datetime(time)) => texts.until = Some(time.to_string()),
            ("until", _) => return Err(refuse(&place, "a date as \"2027-12-31\"")),
            ("per_second" | "persecond", value) => {
                let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
                texts.per_second =
                    Some(number.ok_or_else(|| refuse(&place, "a whole number from 1 to 1000000"))?);
            }
            _ => return Err(unknown(&origin(&place), &field, "settings of a key", &KNOWN)),
        }
    }
    let hash = hash.ok_or_else(|| {
        refuse(
            ".hash",
            "the 64 hexadecimal digits that `headless-wallet keys add` prints, the SHA-256 of the key",
        )
    })?;
    let grant =
        Grant::try_from(texts).map_err(|error| ConfigError::Value(format!("{}: {error}", origin(""))))?;
    Ok(StoredKey { name: name.to_owned(), hash, before: None, grant, created: 0, revoked: None })
}
