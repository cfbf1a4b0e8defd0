//! Settings: where they come from, which wins, and what is refused.

use headless_wallet::api::Compat;
use headless_wallet::ledger::Network;
use headless_wallet::node::Mining;
use headless_wallet::server::{Config, Layer, MultisigSettings, Origin, Setting};
use headless_wallet::service::SyncMode;
use secrecy::ExposeSecret;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

use super::support::GENESIS_WORDS;

fn file(text: &str) -> Layer {
    Layer::toml("wallet.toml", text).unwrap()
}

fn environment(variables: &[(&str, &str)]) -> Layer {
    let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Layer::environment(owned).unwrap()
}

fn flag(setting: Setting, flag: &str, value: &str) -> Layer {
    let mut layer = Layer::default();
    layer.set(setting, value, Origin::Flag(flag.to_owned()));
    layer
}

fn refused(layers: impl IntoIterator<Item = Layer>) -> String {
    Config::from_layers(layers).unwrap_err().to_string()
}

#[test]
fn defaults() {
    let config = Config::from_layers([]).unwrap();
    assert_eq!((config.http_bind.as_str(), config.http_port), ("127.0.0.1", 8000));
    assert_eq!(config.network, Network::Mainnet);
    assert_eq!(config.server.as_str(), "https://node1.mainnet.hathor.network/v1a/");
    assert_eq!(config.tx_mining_url.as_ref().unwrap().as_str(), "https://txmining.mainnet.hathor.network/");
    assert_eq!(config.mining, Mining::Service);
    assert_eq!(config.gap_limit, 20);
    assert_eq!(config.connection_timeout, Duration::from_secs(5));
    assert_eq!(config.compat, Compat::Documented);
    assert_eq!(config.history_sync_mode, SyncMode::Auto);
    assert!(config.wait_for_change);
    assert!(config.api_key.is_none() && config.tx_mining_api_key.is_none() && config.seeds.is_empty());
    assert!(!config.allow_passphrase && !config.confirm_first_address && config.log_requests);
    let config = Config::from_layers([file("network = 'testnet'")]).unwrap();
    assert_eq!(config.server.as_str(), "https://node1.testnet.hathor.network/v1a/");
    assert_eq!(config.tx_mining_url.as_ref().unwrap().as_str(), "https://txmining.testnet.hathor.network/");
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let layers = |with_flag| {
        let mut layers = vec![
            file("http_port = 1\ngapLimit = 2\ncompat = 0.39"),
            environment(&[("HEADLESS_HTTP_PORT", "3")]),
        ];
        if with_flag {
            layers.push(flag(Setting::HttpPort, "--http-port", "4"));
        }
        Config::from_layers(layers).unwrap()
    };
    assert_eq!(layers(false).http_port, 3);
    assert_eq!(layers(true).http_port, 4);
    assert_eq!((layers(true).gap_limit, layers(true).compat), (2, Compat::V0_39));
}

#[test]
fn every_environment_name_is_known() {
    let layer = environment(&[
        ("HEADLESS_HTTP_BIND", "0.0.0.0"),
        ("HEADLESS_HTTP_PORT", "1"),
        ("HEADLESS_NETWORK", "privatenet"),
        ("HEADLESS_SERVER", "http://node/v1a"),
        ("HEADLESS_TX_MINING_URL", "http://mining"),
        ("HEADLESS_TX_MINING_API_KEY", "k1"),
        ("HEADLESS_API_KEY", "k2"),
        ("HEADLESS_SEEDS", "one two"),
        ("HEADLESS_SEED_ONE", GENESIS_WORDS),
        ("HEADLESS_SEED_two", GENESIS_WORDS),
        ("HEADLESS_MINING", "service-then-local"),
        ("HEADLESS_GAP_LIMIT", "7"),
        ("HEADLESS_CONNECTION_TIMEOUT", "9"),
        ("HEADLESS_ALLOW_PASSPHRASE", "1"),
        ("HEADLESS_CONFIRM_FIRST_ADDRESS", "true"),
        ("HEADLESS_HISTORY_SYNC_MODE", "polling_http_api"),
        ("HEADLESS_CONSOLE_LEVEL", "silly"),
        ("HEADLESS_HTTP_LOG_FORMAT", "none"),
        ("HEADLESS_TOKEN_UID", "00"),
        ("HEADLESS_WAIT_FOR_CHANGE", "0"),
        ("HEADLESS_COMPAT", "0.39"),
        ("HEADLESS_DATA_DIR", "/data"),
        ("HEADLESS_ENABLED_PLUGINS", "ws rabbitmq"),
        ("HEADLESS_PLUGIN_WS_PORT", "8009"),
        ("HEADLESS_PLUGIN_RABBITMQ_URL", "amqp://mq.example"),
        ("HEADLESS_PLUGIN_RABBITMQ_EXCHANGE", "payments"),
        ("HEADLESS_PLUGIN_RABBITMQ_ROUTING_KEY", "shop"),
        ("HEADLESS_AWS_REGION", "eu-central-1"),
        ("PATH", "/bin"),
    ]);
    assert_eq!(layer.warnings, ["environment variable HEADLESS_AWS_REGION is not a setting and is ignored"]);
    let config = Config::from_layers([layer]).unwrap();
    assert_eq!(config.plugins.ws, Some(8009));
    assert_eq!(
        config.plugins.rabbitmq.unwrap().to_string(),
        "mq.example:5672, exchange \"payments\", routing key \"shop\""
    );
    assert_eq!(config.server.as_str(), "http://node/v1a/");
    assert_eq!(config.tx_mining_url.as_ref().unwrap().as_str(), "http://mining/");
    assert_eq!(config.mining, Mining::ServiceThenLocal);
    assert_eq!(config.api_key.unwrap().expose_secret(), "k2");
    assert_eq!(config.seeds.keys().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(config.console_level, tracing::Level::TRACE);
    assert_eq!(config.history_sync_mode, SyncMode::Pages);
    assert!(config.allow_passphrase && config.confirm_first_address && !config.log_requests);
    assert!(!config.wait_for_change);
    assert_eq!(config.data_dir.as_deref(), Some(Path::new("/data")));
}

#[test]
fn wrong_values_name_the_setting_its_origin_and_what_it_may_be() {
    let from_file = |text: &str| refused([file(text)]);
    assert_eq!(
        refused([environment(&[("HEADLESS_HTTP_PORT", "80x")])]),
        "setting `http_port` (environment variable HEADLESS_HTTP_PORT) is \"80x\", and must be a whole number from 0 to 65535"
    );
    assert_eq!(
        from_file("gapLimit = 0"),
        "setting `gap_limit` (`gapLimit` in wallet.toml) is \"0\", and must be a whole number from 1 to 100000"
    );
    assert_eq!(
        from_file("allow_passphrase = 'yes'"),
        "setting `allow_passphrase` (`allow_passphrase` in wallet.toml) is \"yes\", and must be true, 1, false or 0"
    );
    assert_eq!(
        refused([flag(Setting::Network, "--network", "moonnet")]),
        "setting `network` (flag --network) is \"moonnet\", and must be mainnet, testnet or privatenet"
    );
    assert_eq!(
        from_file("server = 'node1'"),
        "setting `server` (`server` in wallet.toml) is \"node1\", and must be a URL that begins with http:// or https://"
    );
    assert_eq!(
        from_file("atomic_swap_service_ws = 'https://swap.example'"),
        "setting `atomic_swap_service_ws` (`atomic_swap_service_ws` in wallet.toml) is \"https://swap.example\", and must be a URL \
         that begins with ws:// or wss://"
    );
    assert_eq!(
        from_file("server = 'me:hush@node1'"),
        "setting `server` (`server` in wallet.toml) is \"…@node1\", and must be a URL that begins with http:// or https://"
    );
    assert_eq!(
        from_file("history_sync_mode = 'fast'"),
        "setting `history_sync_mode` (`history_sync_mode` in wallet.toml) is \"fast\", and must be auto, \
         polling_http_api, xpub_stream_ws or manual_stream_ws"
    );
    assert_eq!(
        from_file("mining = 'gpu'"),
        "setting `mining` (`mining` in wallet.toml) is \"gpu\", and must be service, local or service-then-local"
    );
    assert_eq!(
        from_file("compat = '0.40'"),
        "setting `compat` (`compat` in wallet.toml) is \"0.40\", and must be 0.39, or documented"
    );
    assert_eq!(
        from_file("network = 'privatenet'\nserver = 'http://node/v1a/'"),
        "Network privatenet doesn't have a correspondent tx mining service url. You should set it explicitly: setting `tx_mining_url`, for example http://127.0.0.1:8035/"
    );
    assert_eq!(
        from_file("network = 'privatenet'\ntx_mining_url = 'http://mining/'"),
        "Network privatenet doesn't have a full node url. You should set it explicitly: setting `server`, for example \
         http://127.0.0.1:8080/v1a/"
    );
}

#[test]
fn who_mines_alone_needs_no_mining_service() {
    let settings = "network = 'privatenet'\nserver = 'http://node/v1a/'\nmining = 'local'";
    let config = Config::from_layers([file(settings)]).unwrap();
    assert_eq!((config.mining, config.tx_mining_url), (Mining::Local, None));
}

#[test]
fn wallets_are_kept_in_a_directory_or_in_a_database() {
    let config =
        Config::from_layers([environment(&[("HEADLESS_STORE", "postgres://anna:hush@db/w")])]).unwrap();
    assert_eq!(config.store.as_ref().unwrap().to_string(), "db/w");
    assert!(!format!("{config:?}").contains("hush"));
    assert_eq!(
        refused([file("data_dir = '/data'"), flag(Setting::Store, "--store", "postgres://anna:hush@db/w")]),
        "both `data_dir` (`data_dir` in wallet.toml) and `store` (flag --store) say where wallets are kept: leave one out"
    );
    assert_eq!(
        refused([environment(&[("HEADLESS_STORE", "anna:hush@db/w")])]),
        "setting `store` (environment variable HEADLESS_STORE) must be a URL such as postgres://user:password@host:5432/database"
    );
}

#[test]
fn files_that_can_not_be_meant_are_refused() {
    let refused = |text: &str| Layer::toml("wallet.toml", text).unwrap_err().to_string();
    assert_eq!(
        refused("gap_limit = 1\ngapLimit = 2"),
        "`gapLimit` in wallet.toml and `gap_limit` in wallet.toml are one setting: leave one out"
    );
    assert_eq!(
        refused("http_prot = 1"),
        "unknown setting `http_prot` in wallet.toml: did you mean `http_port`? The settings are http_bind, http_port, http_hosts, \
         http_max_connections, api_key, keys, limits, allow_unauthenticated, network, server, tx_mining_url, tx_mining_api_key, \
         atomic_swap_service, atomic_swap_service_ws, mining, data_dir, store, advertise_url, cluster_secret, cors_origins, seeds, \
         signers, fireblocks_url, fireblocks_api_key, fireblocks_api_secret, fireblocks_api_secret_file, multisig, gap_limit, \
         connection_timeout, allow_passphrase, confirm_first_address, history_sync_mode, wait_for_change, tasks_at_once, \
         tasks_max_waiting, drain_seconds, webhooks, events_confirmations, enabled_plugins, plugin_ws_port, plugin_rabbitmq_url, \
         plugin_rabbitmq_queue, plugin_rabbitmq_exchange, plugin_rabbitmq_routing_key, audit_log, token_uid, \
         consider_healthcheck_warn_as_unhealthy, console_level, log_format, http_log_format, http_status, compat"
    );
    let token = "release 0.39 speaks to one vendor's device by it. Here any token with a PKCS#11 module will do: [signers.<name>] module = \
                 \"/usr/lib/…/module.so\", token = \"…\", pin_file = \"…\" (docs/signer.md)";
    for name in ["hsmHost", "hsmUsername", "hsm_password"] {
        let refusal = format!("unknown setting `{name}` in wallet.toml: {token}");
        assert_eq!(refused(&format!("{name} = 'x'")), refusal);
    }
    let variable = [("HEADLESS_HSM_HOST".to_owned(), "x".to_owned())];
    let ignored = format!("environment variable HEADLESS_HSM_HOST is not a setting and is ignored: {token}");
    assert_eq!(Layer::environment(variable).unwrap().warnings, [ignored]);
    assert_eq!(
        refused("volume = 11").split(", ").next().unwrap(),
        "unknown setting `volume` in wallet.toml: the settings are http_bind"
    );
    assert_eq!(
        refused("history-sync-mod = 'polling_http_api'").split(" The ").next().unwrap(),
        "unknown setting `history-sync-mod` in wallet.toml: did you mean `history_sync_mode`?"
    );
    assert_eq!(
        refused("http_port = [1]"),
        "`http_port` in wallet.toml must be a text, a whole number, true or false, and is of type array"
    );
    assert_eq!(
        refused("seeds = 'one two'"),
        "`seeds` in wallet.toml must be a table of seed keys and their 24 words: [seeds] default = \"…\""
    );
    let error = refused("network = 'testnet'\n[seeds]\ndefault = 'secret words");
    assert!(error.starts_with("the configuration file wallet.toml is not valid TOML: "), "{error}");
    assert!(error.ends_with(" at line 3") && !error.contains("secret"), "{error}");
    let error = Layer::file(Path::new("/no/such/file.toml")).unwrap_err().to_string();
    assert_eq!(
        error,
        "can't read the configuration file /no/such/file.toml: No such file or directory (os error 2)"
    );
}

#[test]
fn secrets_that_are_not_as_safe_as_they_look_are_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let empty = environment(&[("HEADLESS_API_KEY", "")]);
    assert_eq!(empty.warnings, ["environment variable HEADLESS_API_KEY is empty, which asks for no key"]);
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("wallet.toml");
    for (text, is_secret) in [
        ("network = 'testnet'", false),
        ("api_key = 'k'", true),
        ("[seeds]\na = 'b'", true),
        ("cluster_secret = '0123456789abcdef0123456789abcdef'", true),
        ("store = 'postgres://anna@db/w'", false),
        ("store = 'postgres://anna:hush@db/w'", true),
    ] {
        std::fs::write(&path, text).unwrap();
        for mode in [0o644, 0o640, 0o600] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let name = path.display();
            let warning = format!(
                "other users of this machine can read {name}, and the secrets in it: chmod 600 {name}"
            );
            let expected = if is_secret && mode == 0o644 { vec![warning] } else { Vec::new() };
            assert_eq!(Layer::file(&path).unwrap().warnings, expected, "{text} {mode:o}");
        }
    }
}

#[test]
fn seeds_of_the_environment_are_listed_and_set() {
    let refused = |variables: &[(&str, &str)]| {
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Layer::environment(owned).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[("HEADLESS_SEEDS", "main")]),
        "HEADLESS_SEEDS lists the key `main`, and environment variable HEADLESS_SEED_MAIN is not set: set it to the 24 words"
    );
    assert_eq!(
        refused(&[("HEADLESS_SEED_MAIN", GENESIS_WORDS)]),
        "environment variable HEADLESS_SEED_MAIN is set, and HEADLESS_SEEDS does not list its key: add `main` to \
         HEADLESS_SEEDS (keys separated by spaces)"
    );
    let config = Config::from_layers([environment(&[("HEADLESS_SEED_DEFAULT", GENESIS_WORDS)])]).unwrap();
    assert_eq!(config.seeds.keys().collect::<Vec<_>>(), ["default"]);
}

#[test]
fn participants_come_from_the_file_or_the_environment() {
    let settings = |total, num_signatures, pubkeys: &[&str]| {
        let pubkeys = pubkeys.iter().map(|key| (*key).to_owned()).collect();
        MultisigSettings { total, num_signatures, pubkeys }
    };
    let text = "[multisig.a]\ntotal = 2\nnumSignatures = 1\npubkeys = ['x', 'y']\n[multisig.b]";
    let layers = [
        file(text),
        environment(&[
            ("HEADLESS_SEEDS", "Cold"),
            ("HEADLESS_SEED_COLD", GENESIS_WORDS),
            ("HEADLESS_MULTISIG_SEED_COLD_MAX_SIGNATURES", "3"),
            ("HEADLESS_MULTISIG_SEED_COLD_NUM_SIGNATURES", "2"),
            ("HEADLESS_MULTISIG_SEED_COLD_PUBKEYS", "x y z"),
        ]),
    ];
    let config = Config::from_layers(layers).unwrap();
    let expected = [
        ("Cold".to_owned(), settings(3, 2, &["x", "y", "z"])),
        ("a".to_owned(), settings(2, 1, &["x", "y"])),
        ("b".to_owned(), settings(0, 0, &[])),
    ];
    assert_eq!(config.multisig.into_iter().collect::<Vec<_>>(), expected);

    let refused = |text: &str| Layer::toml("wallet.toml", text).unwrap_err().to_string();
    assert_eq!(
        refused("[multisig]\na = 5"),
        "`multisig.a` in wallet.toml must be a table of `total`, `num_signatures` and `pubkeys`"
    );
    assert_eq!(
        refused("[multisig.a]\ntotal = 256"),
        "`multisig.a.total` in wallet.toml must be a whole number from 0 to 255"
    );
    assert_eq!(
        refused("[multisig.a]\npubkeys = [5]"),
        "`multisig.a.pubkeys` in wallet.toml must be an array of xpubs"
    );
    assert_eq!(
        refused("[multisig.a]\nkeys = []"),
        "unknown setting `multisig.a.keys` in wallet.toml: the settings of a multisig wallet are total, num_signatures, pubkeys"
    );
    assert_eq!(
        refused("[multisig.a]\nnum_signature = 2"),
        "unknown setting `multisig.a.num_signature` in wallet.toml: did you mean `num_signatures`? The settings of a multisig \
         wallet are total, num_signatures, pubkeys"
    );
    let half = [("HEADLESS_MULTISIG_SEED_COLD_NUM_SIGNATURES".to_owned(), "2".to_owned())];
    assert_eq!(
        Layer::environment(half).unwrap_err().to_string(),
        "environment variable HEADLESS_MULTISIG_SEED_COLD_MAX_SIGNATURES is not set: set all of \
         HEADLESS_MULTISIG_SEED_COLD_MAX_SIGNATURES, HEADLESS_MULTISIG_SEED_COLD_NUM_SIGNATURES, \
         HEADLESS_MULTISIG_SEED_COLD_PUBKEYS"
    );
}

#[test]
fn bad_words_are_refused_without_being_shown() {
    assert_eq!(
        refused([file("[seeds]\ndefault = 'very secret'")]),
        "the seed `default` (`seeds.default` in wallet.toml) is not one: Must have 24 words. It must be the 24 English \
         words of a wallet"
    );
    assert!(Config::from_layers([file("[seeds]\ndefault = ''")]).unwrap().seeds.is_empty());
}

#[test]
fn nothing_secret_prints() {
    let text = format!(
        "api_key = 'hush1'\ntx_mining_api_key = 'hush2'\nserver = 'http://me:hush3@node/'\n\
         tx_mining_url = 'http://me:hush4@mining/'\n[seeds]\nmain = '{GENESIS_WORDS}'"
    );
    let layer = file(&text);
    let printed = format!("{layer:?} {:?}", Config::from_layers([file(&text)]).unwrap());
    for secret in ["hush1", "hush2", "hush3", "hush4", "avocado"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[test]
fn others_are_let_in_by_a_key_or_on_purpose() {
    let check = |text: &str| {
        let config = Config::from_layers([file(text)]).unwrap();
        config.check_exposure().map_err(|error| error.to_string())
    };
    for guarded in [
        "",
        "http_bind = 'localhost'",
        "http_bind = '127.3.2.1'",
        "http_bind = '::1'",
        "http_bind = '0.0.0.0'\napi_key = 'k'",
        "http_bind = '0.0.0.0'\nallow_unauthenticated = true",
    ] {
        assert_eq!(check(guarded), Ok(()), "{guarded}");
    }
    for bind in ["0.0.0.0", "::", "10.0.0.7", "wallet.example"] {
        let error = format!(
            "other machines can reach {bind}, and whoever reaches the server can spend from its wallets: set an `api_key`, or \
             `http_bind` to 127.0.0.1, or `allow_unauthenticated` to true where something else keeps others out"
        );
        assert_eq!(check(&format!("http_bind = '{bind}'\napi_key = ''")), Err(error));
    }
}

#[test]
fn servers_reach_each_other_by_host_and_port_and_a_secret_that_nobody_guesses() {
    let config = |text: &str| Config::from_layers([file(text)]).map_err(|error| error.to_string());
    for url in ["http://10.0.0.1:8000", "https://wallet1.example", "http://[::1]:8000/"] {
        let config = config(&format!("advertise_url = '{url}'")).unwrap();
        assert_eq!(
            config.advertise_url.unwrap().to_string().trim_end_matches('/'),
            url.trim_end_matches('/')
        );
    }
    for url in ["wallet1:8000", "ftp://wallet1", "http://wallet1/a", "http://wallet1?a", "http://a@wallet1"] {
        let error = config(&format!("advertise_url = '{url}'")).unwrap_err();
        let must = "and must be http:// or https://, a host, and a port, as http://10.0.0.1:8000";
        assert!(
            error.starts_with("setting `advertise_url` (`advertise_url` in ") && error.ends_with(must),
            "{error}"
        );
    }
    let secret = "0123456789abcdef0123456789abcdef";
    let given = config(&format!("cluster_secret = '{secret}'")).unwrap();
    assert!(!format!("{given:?}").contains(secret));
    let error = config(&format!("cluster_secret = '{}'", &secret[1..])).unwrap_err();
    assert!(
        error.ends_with("must have 32 characters at least: make one by `openssl rand -hex 32`"),
        "{error}"
    );
    assert!(!error.contains(&secret[1..]), "{error}");
}

#[test]
fn hosts_are_names() {
    let config = |text: &str| Config::from_layers([file(text)]);
    assert!(config("http_hosts = ['wallet.example', 'wallet']").is_ok());
    for wrong in ["https://wallet.example", "wallet.example:8000", "wallet.example/", "a@b"] {
        assert_eq!(
            config(&format!("http_hosts = '{wrong}'")).unwrap_err().to_string(),
            format!(
                "setting `http_hosts` (`http_hosts` in wallet.toml) is {:?}, and must be names such as wallet.example \
                 (no scheme, no port, no path)",
                wrong.replace("a@", "…@")
            )
        );
    }
}

#[test]
fn plugins_that_can_not_be_meant_are_refused() {
    let url = "plugin_rabbitmq_url = 'amqp://anna:secret@mq.example'\n";
    let needs = "the plugin rabbitmq needs the setting";
    let is_url = "a URL such as amqp://user:password@host:5672/vhost, or amqps://…";
    for (text, error) in [
        (
            "enabled_plugins = ['ws', 'sqs']".to_owned(),
            "setting `enabled_plugins` (`enabled_plugins` in wallet.toml) is \"ws sqs\", and must be a list of some of ws and rabbitmq".to_owned(),
        ),
        ("enabled_plugins = 'rabbitmq'".to_owned(), format!("{needs} `plugin_rabbitmq_url`: {is_url}")),
        (
            "enabled_plugins = 'rabbitmq'\nplugin_rabbitmq_url = 'http://anna:secret@mq.example'".to_owned(),
            format!("setting `plugin_rabbitmq_url` (`plugin_rabbitmq_url` in wallet.toml) is \"…@mq.example\", and must be {is_url}"),
        ),
        (
            format!("enabled_plugins = 'rabbitmq'\n{url}"),
            format!("{needs} `plugin_rabbitmq_queue`: or `plugin_rabbitmq_exchange`, and not both"),
        ),
        (
            format!("enabled_plugins = 'rabbitmq'\n{url}plugin_rabbitmq_queue = 'a'\nplugin_rabbitmq_exchange = 'b'"),
            format!("{needs} `plugin_rabbitmq_queue`: or `plugin_rabbitmq_exchange`, and not both"),
        ),
    ] {
        assert_eq!(refused([Layer::toml("wallet.toml", &text).unwrap()]), error);
    }
}
