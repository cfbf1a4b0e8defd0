//! Settings as texts, each with where it came from: one layer for the file, one for the environment, one for
//! flags.

use super::misspelled::unknown;
use super::multisig::{FromEnvironment, MultisigSettings};
use super::setting::{Setting, is_no_setting};
use super::webhooks::WebhookSettings;
use super::{ConfigError, SignerSettings, keys, limits};
use crate::limits::Rule;
use crate::server::access::StoredKey;
use crate::store::PostgresUrl;
use crate::trusted_file;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Whether other users of this machine than the file's owner can read it.
fn others_can_read(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o004 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Environment variables of `headless-wallet wallet`, after `HEADLESS_`: no settings, and no mistakes either.
const OF_THE_COMMAND_LINE: [&str; 4] = ["URL", "WALLET_ID", "FIRST_ADDRESS", "PROFILE"];

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A key of the configuration file.
    File {
        path: String,
        key: String,
    },
    Environment(String),
    /// A flag of the command line, with its dashes.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, key } => write!(f, "`{key}` in {path}"),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Some settings as given in one place. Values never print.
#[derive(Clone, Default)]
pub struct Layer {
    pub(super) values: BTreeMap<Setting, (String, Origin)>,
    pub(super) seeds: BTreeMap<String, (SecretString, Origin)>,
    pub(super) multisig: BTreeMap<String, MultisigSettings>,
    pub(super) signers: BTreeMap<String, SignerSettings>,
    pub(super) keys: BTreeMap<String, StoredKey>,
    pub(super) limits: BTreeMap<String, Arc<[Rule]>>,
    pub(super) webhooks: Vec<WebhookSettings>,
    /// What whoever runs the server should know of it: variables that are no settings, secrets that are not
    /// as safe as they look.
    pub warnings: Vec<String>,
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values.iter().map(|(setting, (_, origin))| (setting, origin))).finish()
    }
}

impl Layer {
    /// The configuration file. Keys that are not known are refused.
    ///
    /// # Errors
    /// [`ConfigError::Unreadable`] if there is no such file or it can't be read; else what [`Layer::toml`]
    /// finds wrong.
    pub fn file(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        // There may be words in it.
        let text = trusted_file::read(path)
            .map_err(|source| ConfigError::Unreadable { path: name.clone(), source })?;
        let mut layer = Self::toml(&name, &text)?;
        let has_secrets = !layer.seeds.is_empty()
            || !layer.webhooks.is_empty()
            || layer.get(Setting::ApiKey).is_some()
            || layer.get(Setting::ClusterSecret).is_some()
            || layer.get(Setting::PluginRabbitmqUrl).is_some()
            || layer.get(Setting::FireblocksApiSecret).is_some()
            || layer.has_password_of_store();
        if has_secrets && others_can_read(path) {
            layer.warnings.push(format!(
                "other users of this machine can read {name}, and the secrets in it: chmod 600 {name}"
            ));
        }
        Ok(layer)
    }

    /// The text of a configuration file called `path`.
    ///
    /// # Errors
    /// [`ConfigError::NotToml`] with the place but not the line, which may hold a seed;
    /// [`ConfigError::Value`] for a key that is not known, comes twice or has a value that it can't have.
    pub fn toml(path: &str, text: &str) -> Result<Self, ConfigError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| ConfigError::NotToml {
            path: path.to_owned(),
            // Not its Display, which shows the line: it may hold a seed.
            message: format!("{}{}", error.message(), position(text, error.span())),
        })?;
        let mut layer = Self::default();
        for (key, value) in table {
            let origin = Origin::File { path: path.to_owned(), key: key.clone() };
            if let Some((_, first)) = Setting::of_key(&key).and_then(|setting| layer.get(setting)) {
                return Err(ConfigError::Value(format!(
                    "{first} and {origin} are one setting: leave one out"
                )));
            }
            match (Setting::of_key(&key), value) {
                (None, _) => {
                    return Err(unknown(&origin, &key, "settings", Setting::NAMES));
                }
                (Some(Setting::Seeds), toml::Value::Table(seeds)) => layer.add_seeds(path, seeds)?,
                (Some(Setting::Seeds), _) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must be a table of seed keys and their 24 words: [seeds] default = \"…\""
                    )));
                }
                (Some(Setting::Multisig), toml::Value::Table(wallets)) => {
                    for (key, value) in wallets {
                        let settings = MultisigSettings::toml(path, &key, value)?;
                        layer.multisig.insert(key, settings);
                    }
                }
                (Some(Setting::Multisig), _) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must have a table for each wallet: [multisig.key] total = 3, num_signatures = 2, pubkeys = [\"xpub…\", …]"
                    )));
                }
                (Some(Setting::Signers), toml::Value::Table(tables)) => {
                    for (name, value) in tables {
                        SignerSettings::toml(path, &name, value, &mut layer.signers)?;
                    }
                }
                (Some(Setting::Signers), _) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must have a table for each signer: [signers.name] socket = \"/run/…\", seeds = [\"…\"]"
                    )));
                }
                (Some(Setting::Keys), toml::Value::Table(tables)) => {
                    for (name, value) in tables {
                        let key = keys::toml(path, &name, value)?;
                        layer.keys.insert(name, key);
                    }
                }
                (Some(Setting::Keys), _) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must have a table for each key: [keys.name] hash = \"…\", rights = [\"read\"], wallets = [\"…\"]"
                    )));
                }
                (Some(Setting::Limits), toml::Value::Table(wallets)) => {
                    for (id, value) in wallets {
                        let rules = limits::toml(path, &id, value)?;
                        layer.limits.insert(id, rules);
                    }
                }
                (Some(Setting::Limits), _) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must have an array of texts for each wallet's id: [limits] shop = [\"spend 10.00 HTR per day\"]"
                    )));
                }
                (Some(Setting::Webhooks), webhooks) => {
                    layer.webhooks = WebhookSettings::toml(path, webhooks)?;
                }
                (Some(setting), toml::Value::String(text)) => layer.set(setting, text, origin),
                (Some(setting), toml::Value::Integer(number)) => {
                    layer.set(setting, number.to_string(), origin)
                }
                (Some(setting), toml::Value::Boolean(yes)) => layer.set(setting, yes.to_string(), origin),
                (
                    Some(setting @ (Setting::CorsOrigins | Setting::HttpHosts | Setting::EnabledPlugins)),
                    toml::Value::Array(texts),
                ) if texts.iter().all(toml::Value::is_str) => {
                    let texts: Vec<_> = texts.iter().filter_map(toml::Value::as_str).collect();
                    layer.set(setting, texts.join(" "), origin);
                }
                // `compat = 0.39` without quotation marks is a number to TOML.
                (Some(Setting::Compat), toml::Value::Float(number)) => {
                    layer.set(Setting::Compat, number.to_string(), origin);
                }
                (Some(_), other) => {
                    return Err(ConfigError::Value(format!(
                        "{origin} must be a text, a whole number, true or false, and is of type {}",
                        other.type_str()
                    )));
                }
            }
        }
        Ok(layer)
    }

    fn add_seeds(&mut self, path: &str, seeds: toml::Table) -> Result<(), ConfigError> {
        for (key, words) in seeds {
            let origin = Origin::File { path: path.to_owned(), key: format!("seeds.{key}") };
            let toml::Value::String(words) = words else {
                return Err(ConfigError::Value(format!("{origin} must be a text of 24 words")));
            };
            self.seeds.insert(key, (words.into(), origin));
        }
        Ok(())
    }

    /// The `HEADLESS_*` variables among `variables`; empty ones count as not given.
    ///
    /// # Errors
    /// [`ConfigError::Value`] if `HEADLESS_SEEDS` and the variables with the words do not name the same keys,
    /// or a variable of a multisig wallet is missing or wrong.
    pub fn environment(variables: impl IntoIterator<Item = (String, String)>) -> Result<Self, ConfigError> {
        let mut layer = Self::default();
        let mut words = BTreeMap::new();
        let mut multisig = FromEnvironment::default();
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix("HEADLESS_") else { continue };
            if value.is_empty() {
                if Setting::of_key(name) == Some(Setting::ApiKey) {
                    layer
                        .warnings
                        .push(format!("environment variable {variable} is empty, which asks for no key"));
                }
                continue;
            }
            let origin = Origin::Environment(variable.clone());
            if name.strip_prefix("MULTISIG_SEED_").is_some_and(|rest| multisig.take(rest, &value)) {
                continue;
            } else if let Some(key) = name.strip_prefix("SEED_") {
                words.insert(key.to_ascii_lowercase(), (SecretString::from(value), origin));
            } else if let Some(setting) =
                Setting::of_key(name).filter(|s| s.name().eq_ignore_ascii_case(name)).filter(|s| {
                    !matches!(
                        s,
                        Setting::Multisig
                            | Setting::Signers
                            | Setting::Keys
                            | Setting::Limits
                            | Setting::Webhooks
                    )
                })
            {
                layer.set(setting, value, origin);
            } else if !OF_THE_COMMAND_LINE.contains(&name) {
                layer.warnings.push(is_no_setting(&variable, name));
            }
        }
        let listed = layer.values.remove(&Setting::Seeds).map(|(keys, _)| keys);
        for key in listed.as_deref().unwrap_or_default().split_whitespace() {
            let seed = words.remove(&key.to_ascii_lowercase()).ok_or_else(|| {
                let variable = format!("HEADLESS_SEED_{}", key.to_ascii_uppercase());
                ConfigError::Value(format!(
                    "HEADLESS_SEEDS lists the key `{key}`, and environment variable {variable} is not set: \
                     set it to the 24 words"
                ))
            })?;
            layer.seeds.insert(key.to_owned(), seed);
        }
        if listed.is_none() {
            layer.seeds.extend(words.remove_entry("default"));
        }
        if let Some((key, (_, origin))) = words.pop_first() {
            return Err(ConfigError::Value(format!(
                "{origin} is set, and HEADLESS_SEEDS does not list its key: add `{key}` to HEADLESS_SEEDS \
                 (keys separated by spaces)"
            )));
        }
        layer.multisig = multisig.settings(layer.seeds.keys())?;
        Ok(layer)
    }

    pub fn set(&mut self, setting: Setting, value: impl Into<String>, origin: Origin) {
        self.values.insert(setting, (value.into(), origin));
    }

    /// Gives the words of a seed key.
    pub fn set_seed(&mut self, key: &str, words: SecretString, origin: Origin) {
        self.seeds.insert(key.to_owned(), (words, origin));
    }

    /// A setting as given here, and where it came from.
    pub fn get(&self, setting: Setting) -> Option<(&str, &Origin)> {
        self.values.get(&setting).map(|(text, origin)| (text.as_str(), origin))
    }

    fn has_password_of_store(&self) -> bool {
        let url = self.get(Setting::Store).and_then(|(text, _)| text.parse().ok());
        url.is_some_and(|url: PostgresUrl| url.has_password())
    }

    pub(super) fn extend(&mut self, later: Self) {
        self.values.extend(later.values);
        self.seeds.extend(later.seeds);
        self.multisig.extend(later.multisig);
        self.signers.extend(later.signers);
        self.keys.extend(later.keys);
        self.limits.extend(later.limits);
        self.webhooks.extend(later.webhooks);
    }
}

/// ` at line 3` of the first byte of `span`.
fn position(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    span.and_then(|span| text.get(..span.start))
        .map(|before| format!(" at line {}", before.matches('\n').count() + 1))
        .unwrap_or_default()
}
