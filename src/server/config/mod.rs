//! Settings: a TOML file, then `HEADLESS_*` environment variables, then flags; what comes later wins.
//! [`Setting::ALL`] describes each of them.
//!
//! Keys of the file may be written in any of the spellings in use: `gap_limit`, `gapLimit`, `gap-limit`.

mod fireblocks;
mod keys;
mod layer;
mod limits;
mod misspelled;
mod multisig;
mod plugins;
mod setting;
mod signers;
mod value;
mod webhooks;

pub use fireblocks::FireblocksSettings;
pub use layer::{Layer, Origin};
pub use multisig::MultisigSettings;
pub use plugins::{Plugins, RabbitMqSettings};
pub use setting::{Described, Setting};
pub use signers::SignerSettings;
pub use value::ServiceUrl;
pub use webhooks::{WebhookSecret, WebhookSettings};

use super::access::StoredKey;
use super::cors::Origins;
use super::cross_site::Hosts;
use crate::api::Compat;
use crate::keys::Mnemonic;
use crate::ledger::Network;
use crate::limits::Rule;
use crate::net::host::is_loopback;
use crate::node::Mining;
use crate::operations::MAX_GAP_LIMIT;
use crate::service::{EVENTS_CONFIRMATIONS, SyncMode};
use crate::store::PostgresUrl;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use value::SettingValue;

/// All settings of the server. Secrets print as redacted.
#[derive(Clone, Debug)]
pub struct Config {
    /// Host name or address to listen at.
    pub http_bind: String,
    /// Port to listen at; 0 for any that is free.
    pub http_port: u16,
    /// Names that it is known by, besides `localhost`, addresses and `http_bind`.
    pub http_hosts: Hosts,
    /// Most connections at a time.
    pub http_max_connections: usize,
    /// What `X-API-KEY` must say, if anything.
    pub api_key: Option<SecretString>,
    /// Whether it may listen where others reach it without a key.
    pub allow_unauthenticated: bool,
    pub network: Network,
    /// The full node, ending in `/v1a/`.
    pub server: ServiceUrl,
    /// The tx-mining service; `None` where this machine does the proof of work and none is given.
    pub tx_mining_url: Option<ServiceUrl>,
    /// Sent to the tx-mining service.
    pub tx_mining_api_key: Option<SecretString>,
    /// Who keeps proposals of atomic swaps, if somebody does.
    pub atomic_swap_service: Option<ServiceUrl>,
    /// Its WebSocket, if that is elsewhere.
    pub atomic_swap_service_ws: Option<ServiceUrl>,
    /// Who does the proof of work.
    pub mining: Mining,
    /// Words by the key that `/start` names them with.
    pub seeds: BTreeMap<String, Mnemonic>,
    /// Participants of multisig wallets by the key that `/start` names them with.
    pub multisig: BTreeMap<String, MultisigSettings>,
    /// Signers by the seed keys that they have the keys of.
    pub signers: BTreeMap<String, SignerSettings>,
    /// Who signs wallets of `POST /fireblocks/start`, if somebody does.
    pub fireblocks: Option<FireblocksSettings>,
    /// API keys with names; the store may have more.
    pub keys: Vec<StoredKey>,
    /// Limits on spending of wallets, by their ids; `*` for those that have none of their own.
    pub limits: BTreeMap<String, Arc<[Rule]>>,
    /// Who is told of events by HTTP.
    pub webhooks: Vec<WebhookSettings>,
    pub plugins: Plugins,
    /// Unused addresses watched past the last used one.
    pub gap_limit: u32,
    /// How long a connection to the full node may take to come about.
    pub connection_timeout: Duration,
    /// Whether `/start` takes a passphrase.
    pub allow_passphrase: bool,
    /// Whether requests must show the wallet's first address.
    pub confirm_first_address: bool,
    /// How wallets load their history, where the caller doesn't say.
    pub history_sync_mode: SyncMode,
    /// Whether a send of more than the wallet holds waits for the change of sends under way.
    pub wait_for_change: bool,
    /// Tasks of a wallet that are carried out side by side.
    pub tasks_at_once: usize,
    /// Most tasks of a wallet that wait.
    pub tasks_max_waiting: usize,
    /// How long requests are still taken once the server is asked to end, so that load balancers find out.
    pub drain: Duration,
    /// Blocks that must have come after a transaction's own before it is told as confirmed.
    pub events_confirmations: u32,
    /// How much is logged.
    pub console_level: tracing::Level,
    pub log_format: LogFormat,
    /// Whether requests are logged.
    pub log_requests: bool,
    pub compat: Compat,
    /// Whether refusals have a code, and its status.
    pub real_statuses: bool,
    /// Whose pages may use the server.
    pub cors_origins: Origins,
    /// Whether a health check fails because of a warning.
    pub warn_is_unhealthy: bool,
    /// Whether what is asked and what comes of it is written down.
    pub audit_log: bool,
    /// The directory where wallets are kept.
    pub data_dir: Option<std::path::PathBuf>,
    /// The database where wallets are kept, in the place of a directory.
    pub store: Option<PostgresUrl>,
    /// Where the other servers on the database reach this one, if not where it listens.
    pub advertise_url: Option<ServiceUrl>,
    /// What proves to a server that another one on the database has forwarded a request.
    pub cluster_secret: Option<SecretString>,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    #[default]
    Text,
    /// One object a line.
    Json,
}

/// Why the server doesn't start. Each text names the setting, where it came from, and what it may be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}")]
    Value(String),
    /// A seed that is none.
    #[error("{0}")]
    Seed(String),
    #[error("can't read the configuration file {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("the configuration file {path} is not valid TOML: {message}")]
    NotToml { path: String, message: String },
}

impl Config {
    /// Whether a plugin is told of transactions that the node tells of again: release 0.39 does.
    pub fn tells_plugins_of_repeated(&self) -> bool {
        let has_plugins = self.plugins.ws.is_some() || self.plugins.rabbitmq.is_some();
        has_plugins && self.compat.tells_plugins_as_0_39()
    }

    /// Refuses to let everybody in who reaches the server, unless that is wanted.
    ///
    /// # Errors
    /// [`ConfigError::Value`] if other machines can reach the server, there is no API key, and
    /// `allow_unauthenticated` is not set.
    pub fn check_exposure(&self) -> Result<(), ConfigError> {
        let has_key = self.api_key.is_some() || !self.keys.is_empty();
        if has_key || self.allow_unauthenticated || is_loopback(&self.http_bind) {
            return Ok(());
        }
        Err(ConfigError::Value(format!(
            "other machines can reach {}, and whoever reaches the server can spend from its wallets: set an `api_key`, \
             or `http_bind` to 127.0.0.1, or `allow_unauthenticated` to true where something else keeps others out",
            self.http_bind
        )))
    }

    /// Reads the settings; later layers win.
    ///
    /// # Errors
    /// [`ConfigError::Value`] for the first setting with a value that it can't have, [`ConfigError::Seed`]
    /// for words that are no seed.
    pub fn from_layers(layers: impl IntoIterator<Item = Layer>) -> Result<Self, ConfigError> {
        let mut merged = Layer::default();
        for layer in layers {
            merged.extend(layer);
        }
        let get = |setting| SettingValue::new(&merged, setting);
        let network = get(Setting::Network).parse(Network::Mainnet, |text| {
            text.parse().map_err(|_| "mainnet, testnet or privatenet".to_owned())
        })?;
        let mining = get(Setting::Mining).parse(Mining::default(), |text| {
            text.parse().map_err(|()| "service, local or service-then-local".to_owned())
        })?;
        let config = Self {
            http_bind: get(Setting::HttpBind).text().unwrap_or("127.0.0.1").to_owned(),
            http_port: get(Setting::HttpPort).integer(8000, 0..=u16::MAX)?,
            http_hosts: get(Setting::HttpHosts).parse(Hosts::default(), Hosts::parse)?,
            http_max_connections: get(Setting::HttpMaxConnections).integer(1024, 3..=1_000_000)?,
            api_key: get(Setting::ApiKey).secret(),
            allow_unauthenticated: get(Setting::AllowUnauthenticated).boolean()?,
            network,
            server: value::node_url(get(Setting::Server), network)?,
            tx_mining_url: value::mining_url(get(Setting::TxMiningUrl), network, mining)?,
            mining,
            atomic_swap_service: value::optional_url(get(Setting::AtomicSwapService))?,
            atomic_swap_service_ws: value::socket_url(get(Setting::AtomicSwapServiceWs))?,
            tx_mining_api_key: get(Setting::TxMiningApiKey).secret(),
            gap_limit: get(Setting::GapLimit).integer(20, 1..=MAX_GAP_LIMIT)?,
            connection_timeout: Duration::from_millis(
                get(Setting::ConnectionTimeout).integer(5_000, 1..=3_600_000u64)?,
            ),
            allow_passphrase: get(Setting::AllowPassphrase).boolean()?,
            confirm_first_address: get(Setting::ConfirmFirstAddress).boolean()?,
            history_sync_mode: get(Setting::HistorySyncMode)
                .parse(SyncMode::default(), |text| text.parse().map_err(|()| SyncMode::NAMES.to_owned()))?,
            tasks_at_once: get(Setting::TasksAtOnce).integer(8, 1..=1_000)?,
            tasks_max_waiting: get(Setting::TasksMaxWaiting).integer(1_000, 1..=100_000)?,
            drain: Duration::from_secs(get(Setting::DrainSeconds).integer(0, 0..=3_600)? as u64),
            events_confirmations: get(Setting::EventsConfirmations)
                .integer(EVENTS_CONFIRMATIONS, 0..=1_000_000)?,
            wait_for_change: get(Setting::WaitForChange).boolean_or(true)?,
            console_level: get(Setting::ConsoleLevel).parse(tracing::Level::INFO, value::level)?,
            log_format: get(Setting::LogFormat).parse(LogFormat::default(), value::lines)?,
            log_requests: get(Setting::HttpLogFormat).parse(true, value::log_format)?,
            compat: get(Setting::Compat).parse(Compat::Documented, |text| {
                text.parse().map_err(|_| "0.39, or documented".to_owned())
            })?,
            real_statuses: value::real_statuses(&get(Setting::HttpStatus), &get(Setting::Compat))?,
            data_dir: get(Setting::DataDir).text().map(Into::into),
            audit_log: value::audit_log(&merged)?,
            store: value::store(&get(Setting::Store), &get(Setting::DataDir))?,
            advertise_url: value::advertise_url(&get(Setting::AdvertiseUrl))?,
            cluster_secret: value::cluster_secret(&get(Setting::ClusterSecret))?,
            cors_origins: get(Setting::CorsOrigins).parse(Origins::default(), Origins::parse)?,
            warn_is_unhealthy: get(Setting::WarnIsUnhealthy).boolean_or(true)?,
            plugins: Plugins::of(&merged)?,
            seeds: value::seeds(&merged)?,
            fireblocks: value::fireblocks(&merged)?,
            signers: value::signers(&mut merged)?,
            multisig: merged.multisig,
            keys: merged.keys.into_values().collect(),
            limits: merged.limits,
            webhooks: merged.webhooks,
        };
        Ok(config)
    }
}
