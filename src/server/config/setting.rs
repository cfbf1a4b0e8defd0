//! All settings, by name, with what `serve --help` and docs/settings.md say of them.

use super::misspelled::{instead_of, nearest};

/// A setting as it is documented.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its name in the file: lower case with underscores.
    pub name: &'static str,
    /// What its flag's value is called, if it has a flag; empty for a flag without a value.
    pub flag: Option<&'static str>,
    /// In Markdown.
    pub default: &'static str,
    /// What it sets, in plain text.
    pub about: &'static str,
    /// What else there is to know, in Markdown.
    pub more: &'static str,
}

/// States each setting once.
macro_rules! settings {
    ($($Setting:ident $name:literal { $($described:tt)* })+) => {
        /// A setting, by its one name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Setting {
            $($Setting,)+
        }

        impl Setting {
            /// All settings, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$Setting),+];
            pub(super) const NAMES: &[&str] = &[$($name),+];

            /// What is documented of it.
            pub const fn described(self) -> Described {
                match self {
                    $(Self::$Setting => Described { name: $name, $($described)* },)+
                }
            }

            /// Its name in the file.
            pub const fn name(self) -> &'static str {
                self.described().name
            }
        }
    };
}

settings! {
    HttpBind "http_bind" {
        flag: Some("ADDR"),
        default: "`127.0.0.1`",
        about: "Host name or address to listen at.",
        more: "",
    }
    HttpPort "http_port" {
        flag: Some("N"),
        default: "`8000`",
        about: "Port to listen at; 0 for any free port.",
        more: "",
    }
    HttpHosts "http_hosts" {
        flag: Some("NAMES"),
        default: "none",
        about: "Host names of the server, besides localhost, IP addresses and http_bind. Without an API key, \
         requests for any other Host are refused.",
        more: "This is against web pages whose domain points here (DNS rebinding).",
    }
    HttpMaxConnections "http_max_connections" {
        flag: None,
        default: "`1024`",
        about: "Maximum number of connections at a time, at least 3.",
        more: "Beyond it, the connection whose request has been incomplete longest (at least 0.05 s) is closed; a \
         request in progress is answered. At most a quarter may be event streams, a quarter may wait for \
         another server, and half for anything (node, mining service, change, another server); more get 503 and \
         `Retry-After`. A named key gets at most half of each.",
    }
    ApiKey "api_key" {
        flag: Some("KEY"),
        default: "none",
        about: "The value that every request must have in the header X-API-KEY; this key may do everything. \
         Better in the environment: other users of this machine can see flags.",
        more: "",
    }
    Keys "keys" {
        flag: None,
        default: "none",
        about: "API keys with names, which may do only what is listed for them.",
        more: "`hash`, `rights`, `wallets`, `networks`, `until`, `per_second`, `limits`; `headless-wallet \
         keys` keeps them in `data_dir` or `store` ([custody.md](custody.md)).",
    }
    Limits "limits" {
        flag: None,
        default: "none",
        about: "Spending limits of wallets, by wallet id; `\"*\"` for wallets without limits of \
         their own.",
        more: "`shop = [\"spend 10.00 HTR per day\"]` \
         ([custody.md](custody.md#limits-on-spending)).",
    }
    AllowUnauthenticated "allow_unauthenticated" {
        flag: Some(""),
        default: "`false`",
        about: "Listens without an API key at an address that other machines can reach: something else must \
         keep them out.",
        more: "",
    }
    Network "network" {
        flag: Some("NAME"),
        default: "`mainnet`",
        about: "The network: mainnet, testnet or privatenet.",
        more: "",
    }
    Server "server" {
        flag: Some("NODE_URL"),
        default: "public node of the network",
        about: "The full node, such as http://127.0.0.1:8080/v1a/.",
        more: "",
    }
    TxMiningUrl "tx_mining_url" {
        flag: Some("URL"),
        default: "public service of the network",
        about: "The service that does the proof of work.",
        more: "",
    }
    TxMiningApiKey "tx_mining_api_key" {
        flag: None,
        default: "none",
        about: "API key sent to that service.",
        more: "",
    }
    AtomicSwapService "atomic_swap_service" {
        flag: None,
        default: "none",
        about: "Service that stores atomic swap proposals, encrypted, on request.",
        more: "Applies to wallets started from then on.",
    }
    AtomicSwapServiceWs "atomic_swap_service_ws" {
        flag: None,
        default: "WebSocket of `atomic_swap_service`",
        about: "The address of its events, if it is another one: `ws://` or `wss://`.",
        more: "",
    }
    Mining "mining" {
        flag: Some("WHO"),
        default: "`service`",
        about: "Who does the proof of work: service, local (this machine) or service-then-local.",
        more: "This machine always does it if the timestamp must be in the future.",
    }
    DataDir "data_dir" {
        flag: Some("DIR"),
        default: "none",
        about: "Directory that keeps wallets between starts; seed phrases only if they are sealed \
         (headless-wallet seeds).",
        more: "Also the `Idempotency-Key`s of their sends for a day, and locked outputs. Without it each \
         start loads everything again.",
    }
    Store "store" {
        flag: Some("URL"),
        default: "none",
        about: "PostgreSQL database that keeps wallets, in place of data_dir: postgres://user@host/database. \
         With a password, better in the environment: other users of this machine can see flags.",
        more: "Version 13 or later; several servers can share one ([cluster.md](cluster.md)).",
    }
    AdvertiseUrl "advertise_url" {
        flag: Some("URL"),
        default: "where it listens",
        about: "Where the other servers on store reach this one: http://10.0.0.1:8000.",
        more: "Needed where http_bind is no address that they can reach.",
    }
    ClusterSecret "cluster_secret" {
        flag: None,
        default: "none",
        about: "At least 32 characters, the same at all servers on store: they forward requests to the one that \
         runs the wallet.",
        more: "Without it, such requests get status 503 ([cluster.md](cluster.md)).",
    }
    CorsOrigins "cors_origins" {
        flag: None,
        default: "none",
        about: "Pages of these origins may use the server; requests from other origins, except its own, are \
         refused.",
        more: "",
    }
    Seeds "seeds" {
        flag: None,
        default: "none",
        about: "Seed phrases by seed key, in plain text.",
        more: "In the environment `HEADLESS_SEEDS=\"a b\"`, `HEADLESS_SEED_A=…`, `HEADLESS_SEED_B=…`. \
         `headless-wallet seeds` keeps them sealed instead ([custody.md](custody.md#sealed-seed-phrases)).",
    }
    Signers "signers" {
        flag: None,
        default: "none",
        about: "Seeds whose keys are held by another process or a PKCS#11 token.",
        more: "`socket`, or `address`, `ca`, `certificate` and `key`; or `module`, `token` or `slot`, \
         `pin_file`, `pin_env` or `pin_credential`; and `seeds`. Only in the file \
         ([signer.md](signer.md)).",
    }
    FireblocksUrl "fireblocks_url" {
        flag: None,
        default: "none",
        about: "The signing service of wallets of `POST /fireblocks/start`.",
        more: "Applies to wallets started from then on ([signer.md](signer.md)).",
    }
    FireblocksApiKey "fireblocks_api_key" {
        flag: None,
        default: "none",
        about: "API key for that service.",
        more: "",
    }
    FireblocksApiSecret "fireblocks_api_secret" {
        flag: None,
        default: "none",
        about: "Private key that signs requests to that service.",
        more: "",
    }
    FireblocksApiSecretFile "fireblocks_api_secret_file" {
        flag: None,
        default: "none",
        about: "File with that private key.",
        more: "",
    }
    Multisig "multisig" {
        flag: None,
        default: "none",
        about: "Participants of a multisig wallet.",
        more: "`total`, `num_signatures`, `pubkeys` (answers of `POST /multisig-pubkey`); in the \
         environment `HEADLESS_MULTISIG_SEED_A_MAX_SIGNATURES`, `…_NUM_SIGNATURES`, `…_PUBKEYS` \
         ([multisig.md](multisig.md)).",
    }
    GapLimit "gap_limit" {
        flag: Some("N"),
        default: "`20`",
        about: "Number of unused addresses watched after the last used one.",
        more: "",
    }
    ConnectionTimeout "connection_timeout" {
        flag: None,
        default: "`5000`",
        about: "Timeout for connecting to the full node, in milliseconds.",
        more: "",
    }
    AllowPassphrase "allow_passphrase" {
        flag: None,
        default: "`false`",
        about: "Whether `POST /start` takes a passphrase.",
        more: "",
    }
    ConfirmFirstAddress "confirm_first_address" {
        flag: None,
        default: "`false`",
        about: "Whether requests must show the wallet's first address in `X-First-Address`.",
        more: "",
    }
    HistorySyncMode "history_sync_mode" {
        flag: Some("MODE"),
        default: "`auto`",
        about: "How wallets load their history: auto, polling_http_api, xpub_stream_ws or manual_stream_ws.",
        more: "`auto` streams by addresses, or reads pages where that is faster. `xpub_stream_ws`, the \
         default of hathor-wallet-headless, gives the full node the xpub, and with it all future \
         addresses; the other modes send only the watched addresses.",
    }
    WaitForChange "wait_for_change" {
        flag: None,
        default: "`true`",
        about: "Whether a send without enough funds waits for the change of sends in progress, for five \
         minutes at most.",
        more: "",
    }
    TasksAtOnce "tasks_at_once" {
        flag: None,
        default: "`8`",
        about: "Number of tasks of a wallet that run in parallel.",
        more: "See [tasks.md](tasks.md).",
    }
    TasksMaxWaiting "tasks_max_waiting" {
        flag: None,
        default: "`1000`",
        about: "Number of tasks of a wallet that may wait; more are refused.",
        more: "",
    }
    DrainSeconds "drain_seconds" {
        flag: None,
        default: "`0`",
        about: "Seconds for which requests are still accepted after SIGTERM (with `store`, answered with 503), while \
         `/health/ready` already answers 503.",
        more: "Behind a load balancer, set some seconds.",
    }
    Webhooks "webhooks" {
        flag: None,
        default: "none",
        about: "Where payments and sends are reported by HTTP.",
        more: "`url`, `secret`, `events`, `wallets`, `allow_private`; only in the file \
         ([events.md](events.md)).",
    }
    EventsConfirmations "events_confirmations" {
        flag: None,
        default: "`6`",
        about: "Number of blocks that must follow a transaction's own block before `deposit.confirmed` or \
         `send.confirmed`.",
        more: "Applies to wallets started from then on.",
    }
    EnabledPlugins "enabled_plugins" {
        flag: None,
        default: "none",
        about: "Further ways to deliver events: `ws`, `rabbitmq`.",
        more: "See [events.md](events.md).",
    }
    PluginWsPort "plugin_ws_port" {
        flag: None,
        default: "`8008`",
        about: "Port of the plugin `ws`.",
        more: "",
    }
    PluginRabbitmqUrl "plugin_rabbitmq_url" {
        flag: None,
        default: "none",
        about: "Broker of the plugin `rabbitmq`: an `amqp://` or `amqps://` URL.",
        more: "",
    }
    PluginRabbitmqQueue "plugin_rabbitmq_queue" {
        flag: None,
        default: "none",
        about: "Queue to publish to; or `plugin_rabbitmq_exchange`.",
        more: "",
    }
    PluginRabbitmqExchange "plugin_rabbitmq_exchange" {
        flag: None,
        default: "none",
        about: "Exchange to publish to; or `plugin_rabbitmq_queue`.",
        more: "",
    }
    PluginRabbitmqRoutingKey "plugin_rabbitmq_routing_key" {
        flag: None,
        default: "empty",
        about: "Routing key for that exchange.",
        more: "",
    }
    AuditLog "audit_log" {
        flag: None,
        default: "`false`",
        about: "Whether every request beyond reading is logged, and refused if it can't be logged.",
        more: "Needs `data_dir` or `store` ([custody.md](custody.md)).",
    }
    TokenUid "token_uid" {
        flag: None,
        default: "none",
        about: "Accepted but not used, as in hathor-wallet-headless.",
        more: "",
    }
    WarnIsUnhealthy "consider_healthcheck_warn_as_unhealthy" {
        flag: None,
        default: "`true`",
        about: "Whether `/health` answers 503 when the node or the mining service says `warn`.",
        more: "",
    }
    ConsoleLevel "console_level" {
        flag: None,
        default: "`info`",
        about: "How much is logged: `error`, `warn`, `info`, `debug` or `trace`.",
        more: "",
    }
    LogFormat "log_format" {
        flag: None,
        default: "`text`",
        about: "How log lines are written: `text`, or `json` for one object a line.",
        more: "Lines of a request have its `request_id`, `operation`, `wallet` and the `key`'s name.",
    }
    HttpLogFormat "http_log_format" {
        flag: None,
        default: "`combined`",
        about: "`none` logs no requests.",
        more: "",
    }
    HttpStatus "http_status" {
        flag: None,
        default: "`documented`",
        about: "`real`: errors have a code, and the HTTP status of that code instead of 200.",
        more: "See [errors.md](errors.md#http-statuses). Not with `compat = \"0.39\"`.",
    }
    Compat "compat" {
        flag: Some("WHOM"),
        default: "the documented interface",
        about: "What to follow where hathor-wallet-headless 0.39 differs from the documented interface: 0.39 \
         or documented.",
        more: "See [compatibility.md](compatibility.md).",
    }
}

impl Setting {
    /// The setting that a key means, however it is spelled; also by its name in hathor-wallet-headless.
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
