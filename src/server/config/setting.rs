//! All settings, by name.

use super::misspelled::{instead_of, nearest};

/// States each setting with its name in the file: lower case with underscores.
macro_rules! settings {
    ($($Setting:ident $name:literal,)+) => {
        /// A setting, by its one name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Setting {
            $($Setting,)+
        }

        impl Setting {
            pub(super) const ALL: &[Self] = &[$(Self::$Setting),+];
            pub(super) const NAMES: &[&str] = &[$($name),+];

            /// Its name in the file, in lower case with underscores.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    };
}

settings! {
    HttpBind "http_bind",
    HttpPort "http_port",
    HttpHosts "http_hosts",
    HttpMaxConnections "http_max_connections",
    ApiKey "api_key",
    AllowUnauthenticated "allow_unauthenticated",
    Network "network",
    Server "server",
    TxMiningUrl "tx_mining_url",
    TxMiningApiKey "tx_mining_api_key",
    AtomicSwapService "atomic_swap_service",
    AtomicSwapServiceWs "atomic_swap_service_ws",
    Mining "mining",
    Seeds "seeds",
    Multisig "multisig",
    Signers "signers",
    FireblocksUrl "fireblocks_url",
    FireblocksApiKey "fireblocks_api_key",
    FireblocksApiSecret "fireblocks_api_secret",
    FireblocksApiSecretFile "fireblocks_api_secret_file",
    Keys "keys",
    Limits "limits",
    Webhooks "webhooks",
    GapLimit "gap_limit",
    ConnectionTimeout "connection_timeout",
    AllowPassphrase "allow_passphrase",
    ConfirmFirstAddress "confirm_first_address",
    HistorySyncMode "history_sync_mode",
    WaitForChange "wait_for_change",
    TasksAtOnce "tasks_at_once",
    TasksMaxWaiting "tasks_max_waiting",
    DrainSeconds "drain_seconds",
    EventsConfirmations "events_confirmations",
    EnabledPlugins "enabled_plugins",
    PluginWsPort "plugin_ws_port",
    PluginRabbitmqUrl "plugin_rabbitmq_url",
    PluginRabbitmqQueue "plugin_rabbitmq_queue",
    PluginRabbitmqExchange "plugin_rabbitmq_exchange",
    PluginRabbitmqRoutingKey "plugin_rabbitmq_routing_key",
    ConsoleLevel "console_level",
    HttpLogFormat "http_log_format",
    TokenUid "token_uid",
    Compat "compat",
    DataDir "data_dir",
    Store "store",
    CorsOrigins "cors_origins",
    WarnIsUnhealthy "consider_healthcheck_warn_as_unhealthy",
    AuditLog "audit_log",
}

impl Setting {
    /// The setting that a key means, however it is spelled; the existing service's names are known too.
    pub(super) fn of_key(key: &str) -> Option<Self> {
        let plain = |text: &str| text.replace(['_', '-'], "").to_ascii_lowercase();
        match plain(key).as_str() {
            "httpbindaddress" => Some(Self::HttpBind),
            "httpapikey" => Some(Self::ApiKey),
            key => Self::ALL.iter().copied().find(|setting| plain(setting.name()) == key),
        }
    }
}

/// What is said of an environment variable that looks like a setting and is none.
pub(super) fn is_no_setting(variable: &str, name: &str) -> String {
    if let Some(instead) = instead_of(name) {
        return format!("environment variable {variable} is not a setting and is ignored: {instead}");
    }
    let likely = nearest(&name.to_ascii_lowercase(), Setting::NAMES);
    let hint = likely.map(|meant| format!(": did you mean HEADLESS_{}?", meant.to_ascii_uppercase()));
    format!("environment variable {variable} is not a setting and is ignored{}", hint.unwrap_or_default())
}
