//! Settings from texts to their types, with errors that name the setting, its origin and what it may be.

use super::fireblocks::{FireblocksSecret, FireblocksSettings};
use super::{ConfigError, Layer, LogFormat, Origin, Setting, SignerSettings};
use crate::api::Compat;
use crate::keys::Mnemonic;
use crate::ledger::Network;
use crate::net::Url;
use crate::node::{FullNode, Mining, MiningService};
use crate::store::PostgresUrl;
use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;
use tracing::Level;

/// Fewest characters of a `cluster_secret`.
const LEAST_CLUSTER_SECRET: usize = 32;

/// A setting as given, if it is. Empty texts count as not given.
pub(super) struct SettingValue<'a> {
    setting: Setting,
    value: Option<(&'a str, &'a Origin)>,
}

impl<'a> SettingValue<'a> {
    pub fn new(layer: &'a Layer, setting: Setting) -> Self {
        Self { setting, value: layer.get(setting).filter(|(text, _)| !text.is_empty()) }
    }
    pub fn text(&self) -> Option<&'a str> {
        self.value.map(|(text, _)| text)
    }
    pub fn secret(&self) -> Option<SecretString> {
        self.text().map(SecretString::from)
    }
    /// The value as `read` understands it; where it doesn't, it says what is allowed.
    pub fn parse<T>(
        &self,
        default: T,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, ConfigError> {
        let Some((text, origin)) = self.value else { return Ok(default) };
        read(text).map_err(|allowed| {
            // What stands before the `@` of a URL is a password, or may be one.
            let text = text.rsplit_once('@').map_or(text.to_owned(), |(_, rest)| format!("…@{rest}"));
            ConfigError::Value(format!(
                "setting `{}` ({origin}) is {text:?}, and must be {allowed}",
                self.setting.name()
            ))
        })
    }
    pub fn integer<T>(&self, default: T, range: RangeInclusive<T>) -> Result<T, ConfigError>
    where
        T: FromStr + PartialOrd + Display,
    {
        self.parse(default, |text| {
            let number = text.parse().ok().filter(|number| range.contains(number));
            number.ok_or_else(|| format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }
    pub fn boolean(&self) -> Result<bool, ConfigError> {
        self.boolean_or(false)
    }
    pub fn boolean_or(&self, default: bool) -> Result<bool, ConfigError> {
        self.parse(default, |text| match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err("true, 1, false or 0".to_owned()),
        })
    }
}

/// The address of a service. Prints without user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceUrl(Url);

impl ServiceUrl {
    /// The whole address, credentials included: not for printing.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
    pub fn url(&self) -> Url {
        self.0.clone()
    }
}

impl From<Url> for ServiceUrl {
    fn from(url: Url) -> Self {
        Self(url)
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.printable())
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

pub(super) fn node_url(given: SettingValue<'_>, network: Network) -> Result<ServiceUrl, ConfigError> {
    http_url(&given, FullNode::public_url(network))?.ok_or_else(|| {
        ConfigError::Value(
            "Network privatenet doesn't have a full node url. You should set it explicitly: setting `server`, for example \
             http://127.0.0.1:8080/v1a/"
                .to_owned(),
        )
    })
}

/// `None` only where this machine does the work.
pub(super) fn mining_url(
    given: SettingValue<'_>,
    network: Network,
    mining: Mining,
) -> Result<Option<ServiceUrl>, ConfigError> {
    let url = http_url(&given, MiningService::public_url(network))?;
    if url.is_none() && mining != Mining::Local {
        return Err(ConfigError::Value(
            "Network privatenet doesn't have a correspondent tx mining service url. You should set it explicitly: setting \
             `tx_mining_url`, for example http://127.0.0.1:8035/"
                .to_owned(),
        ));
    }
    Ok(url)
}

/// Of a service without which most goes.
pub(super) fn optional_url(given: SettingValue<'_>) -> Result<Option<ServiceUrl>, ConfigError> {
    http_url(&given, None)
}

/// Of a WebSocket, as it stands.
pub(super) fn socket_url(given: SettingValue<'_>) -> Result<Option<ServiceUrl>, ConfigError> {
    given.parse(None, |text| {
        let url = text.parse().ok().filter(|url: &Url| matches!(url.scheme(), "ws" | "wss"));
        url.map(|url| Some(ServiceUrl(url)))
            .ok_or_else(|| "a URL that begins with ws:// or wss://".to_owned())
    })
}

/// A database, unless wallets are kept in a directory. What is wrong with it is said without a word of it:
/// there may be a password anywhere.
pub(super) fn store(
    given: &SettingValue<'_>,
    data_dir: &SettingValue<'_>,
) -> Result<Option<PostgresUrl>, ConfigError> {
    let Some((text, origin)) = given.value else { return Ok(None) };
    if let Some((_, other)) = data_dir.value {
        return Err(ConfigError::Value(format!(
            "both `data_dir` ({other}) and `store` ({origin}) say where wallets are kept: leave one out"
        )));
    }
    let url = text
        .parse()
        .map_err(|expected| ConfigError::Value(format!("setting `store` ({origin}) must be {expected}")))?;
    Ok(Some(url))
}

/// Whether refusals have real statuses. Release 0.39 has none, nor codes.
pub(super) fn real_statuses(
    given: &SettingValue<'_>,
    compat: &SettingValue<'_>,
) -> Result<bool, ConfigError> {
    let is_real = given.parse(false, |text| match text {
        "real" => Ok(true),
        "documented" => Ok(false),
        _ => Err("real, or documented".to_owned()),
    })?;
    match compat.value.filter(|(text, _)| is_real && text.parse() == Ok(Compat::V0_39)) {
        Some((_, other)) => Err(ConfigError::Value(format!(
            "`http_status` is `real`, and `compat` ({other}) follows hathor-wallet-headless 0.39, which answers refusals with 200: \
             leave one out"
        ))),
        None => Ok(is_real),
    }
}

/// A server: nothing but scheme, host and port, as paths of requests follow.
pub(super) fn advertise_url(given: &SettingValue<'_>) -> Result<Option<ServiceUrl>, ConfigError> {
    given.parse(None, |text| {
        let url = text.parse().ok().filter(Url::is_server);
        url.map(|url| Some(ServiceUrl(url)))
            .ok_or_else(|| "http:// or https://, a host, and a port, as http://10.0.0.1:8000".to_owned())
    })
}

/// Its HMACs can be tried against guesses by whoever sees one.
pub(super) fn cluster_secret(given: &SettingValue<'_>) -> Result<Option<SecretString>, ConfigError> {
    match given.value {
        Some((text, origin)) if text.len() < LEAST_CLUSTER_SECRET => Err(ConfigError::Value(format!(
            "setting `cluster_secret` ({origin}) must have {LEAST_CLUSTER_SECRET} characters at least: \
             make one by `openssl rand -hex 32`"
        ))),
        _ => Ok(given.secret()),
    }
}

/// Whether there is an audit log, and somewhere to keep it.
pub(super) fn audit_log(layer: &Layer) -> Result<bool, ConfigError> {
    let given = SettingValue::new(layer, Setting::AuditLog);
    let is_kept =
        [Setting::DataDir, Setting::Store].map(|place| SettingValue::new(layer, place).text().is_some());
    match given.boolean()? {
        true if is_kept == [false, false] => Err(ConfigError::Value(
            "setting `audit_log` is true, and there is nowhere to keep it: set `data_dir` or `store`"
                .to_owned(),
        )),
        is_on => Ok(is_on),
    }
}

/// A base URL, ending in a slash so that paths can be joined to it.
fn http_url(given: &SettingValue<'_>, default: Option<&str>) -> Result<Option<ServiceUrl>, ConfigError> {
    let read = |text: &str| {
        let slashed = if text.ends_with('/') { text.to_owned() } else { format!("{text}/") };
        let url = slashed.parse().ok().filter(|url: &Url| matches!(url.scheme(), "http" | "https"));
        url.map(|url| Some(ServiceUrl(url)))
            .ok_or_else(|| "a URL that begins with http:// or https://".to_owned())
    };
    match default {
        Some(default) if given.text().is_none() => read(default).map_err(ConfigError::Value),
        _ => given.parse(None, read),
    }
}

/// The log levels of hathor-wallet-headless, of which there are more.
pub(super) fn level(text: &str) -> Result<Level, String> {
    match text {
        "error" => Ok(Level::ERROR),
        "warn" => Ok(Level::WARN),
        "info" | "http" => Ok(Level::INFO),
        "verbose" | "debug" => Ok(Level::DEBUG),
        "silly" | "trace" => Ok(Level::TRACE),
        _ => Err("error, warn, info, http, verbose, debug or silly".to_owned()),
    }
}

/// The log formats of hathor-wallet-headless, which are all one line a request here.
pub(super) fn lines(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("text, or json".to_owned()),
    }
}

pub(super) fn log_format(text: &str) -> Result<bool, String> {
    match text {
        "combined" | "common" | "dev" | "short" | "tiny" => Ok(true),
        "none" => Ok(false),
        _ => Err("combined, common, dev, short, tiny or none".to_owned()),
    }
}

/// Who signs for Fireblocks' wallets: nobody, unless address, key and secret are given.
pub(super) fn fireblocks(layer: &Layer) -> Result<Option<FireblocksSettings>, ConfigError> {
    let get = |setting| SettingValue::new(layer, setting);
    let url = optional_url(get(Setting::FireblocksUrl))?;
    let file = get(Setting::FireblocksApiSecretFile).text().map(|path| FireblocksSecret::File(path.into()));
    let secret = file.or_else(|| get(Setting::FireblocksApiSecret).secret().map(FireblocksSecret::Text));
    let given = (url, get(Setting::FireblocksApiKey).text(), secret);
    let (Some(url), Some(api_key), Some(secret)) = given else { return Ok(None) };
    Ok(Some(FireblocksSettings { url, api_key: api_key.to_owned(), secret }))
}

/// Seeds at signers: none of them has its words here as well.
pub(super) fn signers(layer: &mut Layer) -> Result<BTreeMap<String, SignerSettings>, ConfigError> {
    if let Some(key) = layer.signers.keys().find(|key| layer.seeds.contains_key(*key)) {
        return Err(ConfigError::Value(format!(
            "the words of the seed {key:?} stand in the settings, and a signer has it: leave one of the two out"
        )));
    }
    Ok(std::mem::take(&mut layer.signers))
}

/// Seeds, their words checked; empty ones count as not given.
pub(super) fn seeds(layer: &Layer) -> Result<BTreeMap<String, Mnemonic>, ConfigError> {
    let given = layer.seeds.iter().filter(|(_, (words, _))| !words.expose_secret().trim().is_empty());
    given
        .map(|(key, (words, origin))| match Mnemonic::parse(words.expose_secret()) {
            Ok(mnemonic) => Ok((key.clone(), mnemonic)),
            Err(error) => Err(ConfigError::Seed(format!(
                "the seed `{key}` ({origin}) is not one: {error} It must be the 24 English words of a wallet"
            ))),
        })
        .collect()
}
