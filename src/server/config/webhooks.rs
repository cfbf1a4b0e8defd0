//! `[[webhooks]]`: who is told of events by HTTP.

use super::misspelled::unknown;
use super::{ConfigError, Origin, ServiceUrl};
use crate::ledger::sha256d;
use crate::net::{Reach, Url};
use crate::store::EventKind;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;
use std::fmt;
use zeroize::Zeroizing;

/// What stands before the base64 of a secret, as Standard Webhooks has it.
const SECRET_PREFIX: &str = "whsec_";
/// Bytes that a secret may have.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
const FIELDS: [&str; 5] = ["url", "secret", "events", "wallets", "allow_private"];

#[derive(Clone, Debug)]
pub struct WebhookSettings {
    /// Where events are posted to.
    pub url: ServiceUrl,
    /// What they are signed with.
    pub secret: WebhookSecret,
    /// Which are told; `None` for all.
    pub events: Option<BTreeSet<EventKind>>,
    /// Of which wallets, by their ids; `None` for all.
    pub wallets: Option<BTreeSet<String>>,
    /// Where it may be.
    pub reach: Reach,
}

/// The bytes of a secret. Prints as redacted.
#[derive(Clone)]
pub struct WebhookSecret(Zeroizing<Vec<u8>>);

impl WebhookSecret {
    /// Not for printing.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(STANDARD.decode(text.strip_prefix(SECRET_PREFIX)?).ok()?);
        SECRET_BYTES.contains(&bytes.len()).then_some(Self(bytes))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[REDACTED]")
    }
}

impl WebhookSettings {
    /// Whether it is told of a kind of events.
    pub fn wants(&self, kind: EventKind) -> bool {
        self.events.as_ref().is_none_or(|events| events.contains(&kind))
    }

    /// Whether it is told of a wallet's events.
    pub fn is_for(&self, wallet_id: &str) -> bool {
        self.wallets.as_ref().is_none_or(|wallets| wallets.contains(wallet_id))
    }

    /// The address, for who asks: the whole path to the server's owner alone.
    pub fn url_for(&self, is_owner: bool) -> String {
        if is_owner { self.url.to_string() } else { self.url.url().shortened() }
    }

    /// Stands for it where it is kept how far it has got with a wallet.
    pub fn key(&self, wallet_id: &str) -> [u8; 16] {
        let hash = sha256d(format!("{}\n{wallet_id}", self.url.as_str()).as_bytes());
        *hash.first_chunk().expect("a hash has 32 bytes")
    }

    /// All of the file. What is wrong is said without a word of the secrets.
    pub(in crate::server) fn toml(path: &str, given: toml::Value) -> Result<Vec<Self>, ConfigError> {
        let origin = |place: &str| Origin::File { path: path.to_owned(), key: format!("webhooks{place}") };
        let toml::Value::Array(tables) = given else {
            return Err(ConfigError::Value(format!(
                "{} must be a list of tables: [[webhooks]] url = \"https://…\", secret = \"whsec_…\"",
                origin("")
            )));
        };
        let mut all: Vec<Self> = Vec::new();
        for (number, table) in (1..).zip(tables) {
            let of = |field: &str| origin(&format!("[{number}]{field}"));
            let webhook = Self::of_table(table, &of)?;
            if all.iter().any(|other| other.url == webhook.url) {
                let place = of(".url");
                return Err(ConfigError::Value(format!(
                    "{place} is that of another webhook: one is told once"
                )));
            }
            all.push(webhook);
        }
        Ok(all)
    }

    fn of_table(given: toml::Value, of: &impl Fn(&str) -> Origin) -> Result<Self, ConfigError> {
        let refuse = |field: &str, must: &str| ConfigError::Value(format!("{} must be {must}", of(field)));
        let toml::Value::Table(table) = given else { return Err(refuse("", "a table")) };
        let (mut url, mut secret, mut events, mut wallets, mut reach) =
            (None, None, None, None, Reach::World);
        for (name, value) in table {
            let field = format!(".{name}");
            match name.replace(['_', '-'], "").to_ascii_lowercase().as_str() {
                "url" => url = value.as_str().and_then(|text| text.parse::<Url>().ok()),
                "secret" => {
                    let toml::Value::String(text) = value else { return Err(refuse(&field, SECRET)) };
                    let text = Zeroizing::new(text);
                    secret = Some(WebhookSecret::parse(&text).ok_or_else(|| refuse(&field, SECRET))?);
                }
                "events" => {
                    let names = texts(&value).ok_or_else(|| refuse(&field, &kinds()))?;
                    let kind = |name: &String| EventKind::ALL.into_iter().find(|kind| kind.name() == name);
                    let kinds = names.iter().map(kind).collect::<Option<_>>();
                    events = Some(kinds.ok_or_else(|| refuse(&field, &self::kinds()))?);
                }
                "wallets" => {
                    let ids = texts(&value).ok_or_else(|| refuse(&field, "a list of ids of wallets"))?;
                    wallets = Some(ids.into_iter().collect());
                }
                "allowprivate" => {
                    let allowed = value.as_bool().ok_or_else(|| refuse(&field, "true or false"))?;
                    reach = if allowed { Reach::Anywhere } else { Reach::World };
                }
                _ => return Err(unknown(&of(&field), &name, "settings of a webhook", &FIELDS)),
            }
        }
        let url = url.ok_or_else(|| refuse(".url", "a URL"))?;
        reach.check(&url).map_err(|must| refuse(".url", must))?;
        let secret = secret.ok_or_else(|| refuse(".secret", SECRET))?;
        Ok(Self { url: url.into(), secret, events, wallets, reach })
    }
}

const SECRET: &str =
    "`whsec_` and the base64 of 24 to 64 bytes, such as: echo \"whsec_$(openssl rand -base64 32)\"";

fn kinds() -> String {
    format!("a list of some of {}", EventKind::ALL.map(EventKind::name).join(", "))
}

fn texts(value: &toml::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
