//! Which wallet is meant, where it is, and how to answer; profiles: where wallets are, by names of the user's
//! choice.

use super::failure::Failure;
use crate::cli::place;
use clap::{Args, ValueHint};
use headless_wallet::server::{Config, Origin, Setting};
use headless_wallet::trusted_file;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use url::Url;

/// What every operation takes.
#[derive(Args)]
pub struct Flags {
    /// Prints the answer as JSON, for programs.
    #[arg(long, global = true)]
    pub json: bool,
    /// How to print answers: table (for people), json (the same as --json) or csv (comma-separated values,
    /// with decimal amounts) [default: table].
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "HOW",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub output: Option<Output>,
    /// How long to wait for an answer, or for a loading wallet to make progress [default: 30, or 150 for
    /// requests that do more than read].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// Reads where the wallet is from this profile of yours, instead of from the environment [default:
    /// HEADLESS_PROFILE]. `headless-wallet wallet --help` explains profiles.
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    #[command(flatten)]
    pub server: ServerFlags,
    #[command(flatten)]
    pub direct: DirectFlags,
    #[command(flatten)]
    pub words: WordFlags,
}

/// How answers are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Output {
    Table,
    Json,
    Csv,
}

/// A wallet of a running server.
#[derive(Args)]
#[command(next_help_heading = "With a running server")]
pub struct ServerFlags {
    /// The server's URL [default: HEADLESS_URL, or http://127.0.0.1:8000].
    #[arg(long, global = true, value_parser = server_url, value_hint = ValueHint::Url)]
    pub url: Option<Url>,
    /// The wallet's id on the server [default: HEADLESS_WALLET_ID].
    #[arg(long, global = true, value_name = "ID")]
    pub wallet_id: Option<String>,
    /// Reads the server's API key from this file. The environment variable HEADLESS_API_KEY can hold the key
    /// itself.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub api_key_file: Option<PathBuf>,
    /// The wallet's address at index 0, if the server is configured to ask for it [default:
    /// HEADLESS_FIRST_ADDRESS].
    #[arg(long, global = true, hide_short_help = true, value_name = "ADDRESS")]
    pub first_address: Option<String>,
}

/// Over the flags of a wallet of this process.
pub const WITHOUT_SERVER: &str = "Without a server";

/// The flag of the setting `server`.
pub const NODE_URL: &str = "--node-url";
/// That of `tx_mining_url`.
pub const MINING_URL: &str = "--mining-url";

/// A wallet of this process.
#[derive(Args)]
#[command(next_help_heading = WITHOUT_SERVER)]
pub struct DirectFlags {
    /// Starts the wallet in this process, from its words, and stops it after the operation.
    #[arg(long, global = true)]
    pub direct: bool,
    /// The network that the profile says, where no flag does.
    #[arg(skip)]
    pub(super) network_of_profile: Option<String>,
    /// Whether the operation needs no proof of work, and so nobody who does it.
    #[arg(skip)]
    pub reads_only: bool,
    /// The full node, such as http://127.0.0.1:8080/v1a/ [default: HEADLESS_SERVER, or a public node of the
    /// network].
    #[arg(long, global = true, hide_short_help = true, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) node_url: Option<String>,
    /// The tx-mining service [default: HEADLESS_TX_MINING_URL, or the public one of the network].
    #[arg(long, global = true, hide_short_help = true, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) mining_url: Option<String>,
    /// mainnet, testnet or privatenet [default: HEADLESS_NETWORK, or mainnet].
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub(super) network: Option<String>,
    /// Keeps the wallet's history in this directory (no words), so that the next time only what is new is
    /// loaded.
    #[arg(long, global = true, hide_short_help = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) data_dir: Option<String>,
    /// Reads settings from this TOML file, as `serve` does. All its settings and the HEADLESS_… variables
    /// apply here too.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
}

/// Over the flags of what a wallet is started from.
pub const STARTING: &str = "Starting a wallet (`start`, --direct)";

/// What a wallet is started from.
#[derive(Args)]
#[command(next_help_heading = STARTING)]
pub struct WordFlags {
    /// Reads the 24 words from this file, or from standard input where it is `-` [default: asks for them at
    /// the terminal].
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub seed_file: Option<PathBuf>,
    /// Uses the words that the server keeps under this name, in its settings or sealed.
    #[arg(long, visible_alias = "seed", global = true, hide_short_help = true, value_name = "NAME")]
    pub seed_key: Option<String>,
    /// Starts from an account's public key: the wallet can watch, but not spend.
    #[arg(long, global = true, hide_short_help = true)]
    pub xpub: Option<String>,
    /// Reads a passphrase from this file: an extra secret, with which the same words give a different wallet.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub passphrase_file: Option<PathBuf>,
    /// Asks for the passphrase at the terminal.
    #[arg(long, global = true, hide_short_help = true)]
    pub ask_passphrase: bool,
    /// Unused addresses watched past the last used one [default: 20].
    #[arg(long, global = true, hide_short_help = true, value_name = "N")]
    pub gap_limit: Option<u32>,
    /// Watches the addresses from one index to another, such as 0-99, instead of following what is used.
    #[arg(long, global = true, hide_short_help = true, value_name = "FIRST-LAST")]
    pub indexes: Option<Indexes>,
    /// Starts the multisig wallet whose participants are listed under this key in the settings.
    #[arg(long, global = true, hide_short_help = true, value_name = "KEY")]
    pub multisig_key: Option<String>,
}

/// From one address to another.
#[derive(Clone, Copy)]
pub struct Indexes {
    pub first: u32,
    pub last: u32,
}

impl FromStr for Indexes {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = |(first, last): (&str, &str)| Some((first.parse().ok()?, last.parse().ok()?));
        match text.split_once('-').and_then(read) {
            Some((first, last)) if first <= last => Ok(Self { first, last }),
            _ => Err("indexes are FIRST-LAST, such as 0-99"),
        }
    }
}

impl WordFlags {
    pub(super) fn given(&self) -> bool {
        self.secrets() > 0 || self.passphrases() > 0 || self.limits() > 0 || self.multisig_key.is_some()
    }
    pub(super) fn secrets(&self) -> usize {
        [self.seed_file.is_some(), self.seed_key.is_some(), self.xpub.is_some()]
            .into_iter()
            .filter(|g| *g)
            .count()
    }
    pub(super) fn limits(&self) -> usize {
        [self.gap_limit.is_some(), self.indexes.is_some()].into_iter().filter(|given| *given).count()
    }
    pub(super) fn passphrases(&self) -> usize {
        [self.passphrase_file.is_some(), self.ask_passphrase].into_iter().filter(|given| *given).count()
    }
}

impl DirectFlags {
    pub(super) fn given(&self) -> bool {
        [&self.node_url, &self.mining_url, &self.network, &self.data_dir].into_iter().any(Option::is_some)
            || self.config.is_some()
    }
}

impl Flags {
    /// Whether answers are printed as comma-separated values.
    pub fn is_csv(&self) -> bool {
        self.output == Some(Output::Csv) && !self.json
    }
    /// How long to wait, where that is said.
    pub fn limit(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

impl DirectFlags {
    /// The settings of what is done here without a network: which one is meant is not theirs to say.
    pub fn settings_of_place(&self) -> Result<Config, Failure> {
        let place = Self {
            direct: self.direct,
            network_of_profile: None,
            reads_only: true,
            node_url: None,
            mining_url: None,
            network: None,
            data_dir: self.data_dir.clone(),
            config: self.config.clone(),
        };
        place.settings()
    }
    /// The settings of a server inside of this process: file, environment, flags.
    pub fn settings(&self) -> Result<Config, Failure> {
        let failed = |error: &dyn ToString| Failure::Failed(error.to_string());
        let mut flags = place::flags([
            (Setting::Server, NODE_URL, &self.node_url),
            (Setting::TxMiningUrl, MINING_URL, &self.mining_url),
            (Setting::Network, "--network", &self.network),
            (Setting::DataDir, "--data-dir", &self.data_dir),
        ]);
        if self.reads_only {
            flags.set(Setting::Mining, "local", Origin::Flag("--direct".to_owned()));
        }
        let layers = place::layers(self.config.as_deref(), flags).map_err(|error| failed(&error))?;
        let mut config = Config::from_layers(layers).map_err(|error| {
            failed(&format!(
                "{error} (--network, --node-url and --mining-url say which network is meant, and where)"
            ))
        })?;
        // They are for callers from outside.
        config.api_key = None;
        config.confirm_first_address = false;
        config.allow_passphrase = true;
        Ok(config)
    }
}

/// The URL of a server.
pub fn server_url(text: &str) -> Result<Url, &'static str> {
    let url = text.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or("a server's URL begins with http:// or https://")
}

// Profiles: where wallets are, by names of the user's choice, in a file of theirs.

/// Where a wallet is: at a server, or in this process. No secret stands in it, but the file of one may.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    url: Option<String>,
    wallet_id: Option<String>,
    api_key_file: Option<PathBuf>,
    first_address: Option<String>,
    #[serde(default)]
    direct: bool,
    network: Option<String>,
    node_url: Option<String>,
    mining_url: Option<String>,
    data_dir: Option<PathBuf>,
    seed_file: Option<PathBuf>,
}

impl Flags {
    /// Takes what no flag says from the profile that is named, or from the environment. Never from both: a
    /// key or an id of one place is not for another. `starts` says whether the operation starts a wallet.
    pub fn complete(&mut self, starts: bool) -> Result<(), Failure> {
        self.profile = self.profile.take().or_else(|| variable("HEADLESS_PROFILE"));
        let profile = match &self.profile {
            Some(name) => profile_named(name)?,
            None => Profile {
                url: variable("HEADLESS_URL"),
                wallet_id: variable("HEADLESS_WALLET_ID"),
                first_address: variable("HEADLESS_FIRST_ADDRESS"),
                ..Profile::default()
            },
        };
        let (server, direct) = (&mut self.server, &mut self.direct);
        let at_server = server.url.is_some() || server.wallet_id.is_some();
        direct.direct |= profile.direct && !at_server;
        let takes_words = self.words.secrets() == 0 && (starts || direct.direct);
        self.words.seed_file = self.words.seed_file.take().or(profile.seed_file.filter(|_| takes_words));
        if direct.network.is_none() {
            direct.network_of_profile.clone_from(&profile.network);
        }
        if direct.direct {
            let path = |path: PathBuf| path.to_string_lossy().into_owned();
            direct.node_url = direct.node_url.take().or(profile.node_url);
            direct.mining_url = direct.mining_url.take().or(profile.mining_url);
            direct.network = direct.network.take().or(profile.network);
            direct.data_dir = direct.data_dir.take().or(profile.data_dir.map(path));
            return Ok(());
        }
        if let Some(url) = profile.url.filter(|_| server.url.is_none()) {
            let wrong = |why| Failure::Usage(format!("{url:?} is not a server's URL: {why}"));
            server.url = Some(server_url(&url).map_err(wrong)?);
        }
        server.wallet_id = server.wallet_id.take().or(profile.wallet_id);
        server.api_key_file = server.api_key_file.take().or(profile.api_key_file);
        server.first_address = server.first_address.take().or(profile.first_address);
        Ok(())
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The profile of this name. Files are named from where the profiles are.
fn profile_named(name: &str) -> Result<Profile, Failure> {
    let failed = |why: String| Failure::Failed(format!("profile {name:?}: {why}"));
    let path =
        profiles_file().ok_or_else(|| failed("there is no home directory to have profiles in".to_owned()))?;
    let text = trusted_file::read(&path)
        .map_err(|error| failed(format!("{} can't be read: {error}", path.display())))?;
    // Not the error's Display, which shows the line: somebody may have written a secret there.
    let wrong = |error: toml::de::Error| failed(format!("{}: {}", path.display(), error.message()));
    let mut profiles: BTreeMap<String, toml::Value> = toml::from_str(&text).map_err(wrong)?;
    let found = profiles.remove(name).ok_or_else(|| {
        let names: Vec<_> = profiles.keys().map(String::as_str).collect();
        let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        failed(format!("{} has no profile of this name; it has: {has}", path.display()))
    })?;
    let mut profile = Profile::deserialize(found).map_err(wrong)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in [&mut profile.api_key_file, &mut profile.data_dir, &mut profile.seed_file] {
        *file = file.take().map(|file| folder.join(file));
    }
    Ok(profile)
}

/// Where the platform has its users' settings.
fn profiles_file() -> Option<PathBuf> {
    let home = |below: &str| Some(Path::new(&env::var_os("HOME")?).join(below));
    let settings = match env::consts::OS {
        "windows" => env::var_os("APPDATA").map(PathBuf::from),
        "macos" => home("Library/Application Support"),
        _ => {
            let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
            named.filter(|path| path.is_absolute()).or_else(|| home(".config"))
        }
    };
    Some(settings?.join("headless-wallet").join("profiles.toml"))
}
