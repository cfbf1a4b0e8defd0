//! `headless-wallet serve`.

use super::devnet::{self, GENESIS_KEY, PortArgs};
use super::unlock::{self, UnlockArgs};
use super::{files, log, say, shutdown, tell};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use headless_wallet::rt::BoxFuture;
use headless_wallet::server::{
    App, Config, ConfigError, Described, Layer, Origin, Setting, run, serve_events,
};
use std::error::Error;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use tokio::net::{TcpListener, TcpSocket, lookup_host};

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
    /// File, environment, flags: later ones win.
    fn layers(&self) -> Result<Vec<Layer>, ConfigError> {
        let mut layers = Vec::new();
        if let Some(path) = &self.config {
            layers.push(Layer::file(path)?);
        }
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        layers.push(Layer::environment(variables)?);
        layers.push(self.settings.0.clone());
        Ok(layers)
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
pub async fn serve(mut args: ServeArgs) -> Result<(), Box<dyn Error>> {
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
    log::to_stderr(config.console_level);
    files::allow_many();
    let listener = listen(&config.http_bind, config.http_port, "--http-port").await?;
    let events = match config.plugins.ws {
        Some(port) => Some(listen(&config.http_bind, port, "the setting plugin_ws_port").await?),
        None => None,
    };
    let url = format!("http://{}", listener.local_addr()?);
    let (name, needs_key) = (config.network.name(), config.api_key.is_some());
    // Whatever can't be used is found before it says that it serves.
    unlock::warn_of_plain_words(&config);
    let app = App::reloadable(config, read)?;
    let opener = app.clone();
    let open = move |password| -> BoxFuture<'static, _> {
        let app = opener.clone();
        Box::pin(async move { app.unlock(password).await })
    };
    let _unlocking = unlock::unlock(&how, app.sealed_seeds().await?, Box::new(open)).await?;
    say(&format!("headless-wallet serves {name} at {url}/"));
    if let Some(events) = events {
        say(&format!("events of all wallets at ws://{}/", events.local_addr()?));
        tokio::spawn(serve_events(events, app.clone()));
    }
    if let Some(network) = &network {
        say(&devnet::services(network));
        say(&invitation(&url, needs_key));
    }
    run(listener, shutdown::signal(), app).await;
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
