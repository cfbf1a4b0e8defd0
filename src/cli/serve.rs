//! `headless-wallet serve`, how it gets the password of sealed seeds, and `headless-wallet health`.

use super::devnet::{self, GENESIS_KEY, PortArgs};
use super::place::layers;
use super::wallet::failure::Failure;
use super::wallet::words;
use super::{Done, process, say, tell};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use headless_wallet::ledger::Network;
use headless_wallet::net::{HttpClient, Request, brief};
use headless_wallet::rt::BoxFuture;
use headless_wallet::server::seeds::{self, Opened, SeedError};
use headless_wallet::server::{
    App, Config, ConfigError, Described, Layer, Origin, Setting, run, serve_events,
};
use secrecy::ExposeSecret;
use std::error::Error;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::PathBuf;
use tokio::net::{TcpListener, TcpSocket, lookup_host};
use zeroize::Zeroizing;

/// The flags of `serve`, as texts: the settings check them, wherever they come from.
#[derive(Args)]
#[command(
    after_help = "Every setting can also be given in the configuration file and in the environment: --http-port is \
http_port in the file and HEADLESS_HTTP_PORT in the environment. Flags win over the environment, the environment over the \
file. Seeds are given in the file ([seeds] key = \"24 words\") or in the environment (HEADLESS_SEEDS=key \
HEADLESS_SEED_KEY=\"24 words\"), or kept sealed: `headless-wallet seeds`."
)]
pub struct ServeArgs {
    /// Reads settings from this TOML file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Runs a local network in this process and serves it: `seedKey` genesis starts a funded wallet.
    #[arg(long)]
    devnet: bool,
    #[command(flatten)]
    devnet_ports: PortArgs,
    #[command(flatten)]
    settings: SettingFlags,
    #[command(flatten)]
    unlock: UnlockArgs,
}

impl ServeArgs {
    fn layers(&self) -> Result<Vec<Layer>, ConfigError> {
        layers(self.config.as_deref(), self.settings.0.clone())
    }

    pub fn settings(&self) -> Result<Config, ConfigError> {
        Config::from_layers(self.layers()?)
    }
}

/// The settings that have a flag, and those that were given.
struct SettingFlags(Layer);

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut layer = Layer::default();
        for setting in Setting::ALL {
            let name = setting.name();
            let value = match setting.described().flag {
                None => None,
                Some("") => matches.get_flag(name).then(|| "true".to_owned()),
                Some(_) => matches.get_one::<String>(name).cloned(),
            };
            if let Some(value) = value {
                layer.set(*setting, value, Origin::Flag(format!("--{}", flag_of(*setting))));
            }
        }
        Ok(Self(layer))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        command.args(Setting::ALL.iter().filter_map(|setting| {
            let Described { name, flag, default, about, .. } = setting.described();
            let arg = Arg::new(name).long(flag_of(*setting));
            Some(match flag? {
                "" => arg.action(ArgAction::SetTrue).help(about),
                value => arg.value_name(value).help(match default {
                    "none" => about.to_owned(),
                    default => format!("{about} [default: {}]", default.replace('`', "")),
                }),
            })
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag_of(setting: Setting) -> String {
    setting.name().replace('_', "-")
}

/// Serves until told to end.
pub async fn serve(mut args: ServeArgs) -> Done {
    let how = std::mem::take(&mut args.unlock);
    let layers = args.layers()?;
    for warning in layers.iter().flat_map(|layer| &layer.warnings) {
        tell(&format!("warning: {warning}"));
    }
    let network = if args.devnet { Some(devnet::start_for_server(&args.devnet_ports).await?) } else { None };
    let devnet_layer = network.as_ref().map(|network| devnet::settings(network, &layers)).transpose()?;
    // There are words in them, which must not outlive a reload.
    drop(layers);
    let read = move || {
        let config = Config::from_layers(args.layers()?.into_iter().chain(devnet_layer.clone()))?;
        config.check_exposure()?;
        config.check_limits()?;
        Ok(config)
    };
    let config = read()?;
    process::log_to_stderr(config.console_level, config.log_format);
    process::allow_many_files();
    let listener = listen(&config.http_bind, config.http_port, "--http-port").await?;
    let events = match config.plugins.ws {
        Some(port) => Some(listen(&config.http_bind, port, "the setting plugin_ws_port").await?),
        None => None,
    };
    let url = format!("http://{}", listener.local_addr()?);
    let (name, needs_key) = (config.network.name(), config.api_key.is_some());
    // Whatever can't be used is found before it says that it serves.
    warn_of_plain_words(&config);
    let app = App::reloadable(config, read)?;
    let opener = app.clone();
    let open = move |password| -> BoxFuture<'static, _> {
        let app = opener.clone();
        Box::pin(async move { app.unlock(password).await })
    };
    let _unlocking = unlock(&how, app.sealed_seeds().await?, Box::new(open)).await?;
    say(&format!("headless-wallet serves {name} at {url}/"));
    if let Some(events) = events {
        say(&format!("events of all wallets at ws://{}/", events.local_addr()?));
        tokio::spawn(serve_events(events, app.clone()));
    }
    if let Some(network) = &network {
        say(&devnet::services(network));
        say(&invitation(&url, needs_key));
    }
    run(listener, process::shutdown_signal(), app).await;
    if let Some(network) = network {
        network.shutdown().await;
    }
    Ok(())
}

/// The funded wallet, and what to try with it.
fn invitation(url: &str, needs_key: bool) -> String {
    let key = if needs_key { " -H 'X-API-KEY: …'" } else { "" };
    let json = "-H 'Content-Type: application/json'";
    format!(
        "Funded wallet: seed key `{GENESIS_KEY}`. Try:\n  \
         curl{key} {json} -d '{{\"wallet-id\":\"genesis\",\"seedKey\":\"{GENESIS_KEY}\"}}' {url}/start\n  \
         curl{key} -H 'X-Wallet-Id: genesis' {url}/wallet/balance\n  \
         curl{key} -H 'X-Wallet-Id: genesis' {json} -d '{{\"name\":\"Coffee\",\"symbol\":\"CFE\",\"amount\":1000}}' \
         {url}/wallet/create-token\n\
         Ctrl-C ends it."
    )
}

/// Binds an address, whose port `setting` sets.
async fn listen(host: &str, port: u16, setting: &str) -> Result<TcpListener, String> {
    bind(host, port).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {port} of {host} is in use: end the program that uses it, or choose another with {setting} \
             (0 for any that is free)"
        ),
        ErrorKind::PermissionDenied => {
            format!(
                "port {port} of {host} may not be used by this user: choose one above 1023 with {setting}"
            )
        }
        _ => format!("can't listen at {host}, port {port}: {error}: check --http-bind"),
    })
}

/// Listens as [`TcpListener::bind`] does, but for its backlog of 128, which a storm of connections fills:
/// whoever comes then tries again a second later. The system's own limit holds as well.
async fn bind(host: &str, port: u16) -> io::Result<TcpListener> {
    const BACKLOG: u32 = 4096;
    let mut failure = io::Error::new(ErrorKind::InvalidInput, "it has no address");
    for address in lookup_host((host, port)).await? {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // As the standard library does on Unix: a port is free at once when its server has ended.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        match socket.bind(address).and_then(|()| socket.listen(BACKLOG)) {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

// How `serve` gets the password of sealed seeds: from a file descriptor, from systemd, from somebody at the
// terminal; or later, over a socket.

/// The file of `$CREDENTIALS_DIRECTORY` that has the password.
const CREDENTIAL: &str = "headless-wallet-password";

/// How to get it.
#[derive(Args, Default)]
pub struct UnlockArgs {
    /// Asks for the password of the sealed seeds at the terminal.
    #[arg(long, conflicts_with = "unlock_fd")]
    unlock: bool,
    /// Reads the password of the sealed seeds from this file descriptor, and closes that.
    #[arg(long, value_name = "N")]
    unlock_fd: Option<u32>,
    /// Takes the password of the sealed seeds later, over a socket at this path: `headless-wallet seeds
    /// unlock`.
    #[arg(long, value_name = "PATH")]
    unlock_socket: Option<PathBuf>,
}

/// What must be kept for as long as the server runs.
#[cfg(unix)]
pub type Kept = Option<seeds::UnlockSocket>;
#[cfg(not(unix))]
pub type Kept = ();

/// Says what stands in plain text that need not.
pub fn warn_of_plain_words(config: &Config) {
    if config.network == Network::Privatenet || config.seeds.is_empty() {
        return;
    }
    let names: Vec<_> = config.seeds.keys().map(String::as_str).collect();
    tell(&format!(
        "warning: the words of {} stand in plain text in the settings or the environment: `headless-wallet seeds add` keeps words sealed",
        names.join(", ")
    ));
}

/// Opens what a password opens.
pub type Unlock =
    Box<dyn Fn(Zeroizing<String>) -> BoxFuture<'static, Result<Opened, SeedError>> + Send + Sync>;

/// Opens the sealed seeds, if there are any and the password is given. `sealed` are their names; `None` where
/// they can't be kept.
pub async fn unlock(
    args: &UnlockArgs,
    sealed: Option<Vec<String>>,
    open: Unlock,
) -> Result<Kept, Box<dyn Error>> {
    let wanted = args.unlock || args.unlock_fd.is_some() || args.unlock_socket.is_some();
    let Some(sealed) = sealed else {
        if wanted {
            return Err("there is nowhere to keep sealed seeds: give --data-dir or --store".into());
        }
        return Ok(Kept::default());
    };
    if !sealed.is_empty() || wanted {
        process::keep_from_swap();
    }
    if !sealed.is_empty()
        && let Some(password) = password(args)?
    {
        let Opened { open, locked } = open(password).await?;
        say_unlocked(&open, &locked);
    } else if !sealed.is_empty() {
        let names = sealed.join(", ");
        tell(&match &args.unlock_socket {
            Some(path) => format!(
                "sealed seeds stay locked until `headless-wallet seeds unlock --socket {}`: {names}",
                path.display()
            ),
            None => format!(
                "warning: sealed seeds stay locked: {names}: give --unlock, --unlock-fd or --unlock-socket"
            ),
        });
    }
    #[cfg(unix)]
    if let Some(path) = &args.unlock_socket {
        let listening = seeds::listen(open, path).await;
        let socket = listening.map_err(|error| format!("can't listen at {}: {error}", path.display()))?;
        return Ok(Some(socket));
    }
    #[cfg(not(unix))]
    if args.unlock_socket.is_some() {
        return Err("--unlock-socket needs a Unix system".into());
    }
    Ok(Kept::default())
}

fn say_unlocked(open: &[String], locked: &[String]) {
    tell(&format!("sealed seeds are open: {}", open.join(", ")));
    if !locked.is_empty() {
        tell(&format!("warning: the password is not that of {}", locked.join(", ")));
    }
}

fn password(args: &UnlockArgs) -> Result<Option<Zeroizing<String>>, Failure> {
    if let Some(number) = args.unlock_fd {
        return words::line_of_descriptor(number).map(Some);
    }
    let credentials =
        std::env::var_os("CREDENTIALS_DIRECTORY").map(|dir| PathBuf::from(dir).join(CREDENTIAL));
    if let Some(path) = credentials.filter(|path| path.exists()) {
        return words::one_line(&path).map(Some);
    }
    // At a terminal somebody is there to be asked.
    if args.unlock || (args.unlock_socket.is_none() && std::io::stdin().is_terminal()) {
        let text = "The password of the sealed seeds (it is not shown): ";
        return words::prompt(text, "--unlock-fd N").map(Some);
    }
    Ok(None)
}

// `headless-wallet health`: for containers, which have no other client in them.

/// The flags of `serve`, of which those are shown that say where it is.
#[derive(Args)]
#[command(mut_args = |arg| match arg.get_id().as_str() {
    "config" => arg,
    "http_bind" => with_help(arg, "Address where the server listens"),
    "http_port" => with_help(arg, "Port where the server listens"),
    "api_key" => with_help(arg, "The server's API key. Better given as HEADLESS_API_KEY: other users of this machine can see flags"),
    _ => arg.hide(true),
}, after_help = "The settings are those that `serve` is given: in the file, in the environment, or as flags.")]
pub struct HealthArgs {
    #[command(flatten)]
    serve: ServeArgs,
}

fn with_help(flag: Arg, help: &'static str) -> Arg {
    flag.help(help).long_help(help)
}

/// Asks the server with these settings, on this machine, whether it takes requests.
pub async fn health(args: HealthArgs) -> Done {
    let config = args.serve.settings()?;
    let host = match &*config.http_bind {
        // These stand for all addresses.
        "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" => "[::1]".to_owned(),
        host if host.contains(':') => format!("[{host}]"),
        host => host.to_owned(),
    };
    let url = format!("http://{host}:{}/", config.http_port);
    let mut request = Request::get(url.parse()?);
    if let Some(key) = &config.api_key {
        request.headers.push(("X-API-KEY", key.expose_secret().to_owned()));
    }
    let response = HttpClient::shared().request(request).await.map_err(|error| format!("{url}: {error}"))?;
    if response.status != 200 {
        let text = brief(&String::from_utf8_lossy(&response.body));
        return Err(format!("{url} answers with status {}: {text}", response.status).into());
    }
    say(&format!("{url} takes requests"));
    Ok(())
}
