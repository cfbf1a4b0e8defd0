//! How `serve` gets the password of sealed seeds: from a file descriptor, from systemd, from somebody at the
//! terminal; or later, over a socket.

use super::wallet::{descriptor, words};
use super::{memory, tell};
use clap::Args;
use headless_wallet::ledger::Network;
use headless_wallet::rt::BoxFuture;
use headless_wallet::server::Config;
use headless_wallet::server::seeds::{self, Opened, SeedError};
use std::error::Error;
use std::io::IsTerminal;
use std::path::PathBuf;
use zeroize::Zeroizing;

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
        memory::keep_from_swap();
    }
    if !sealed.is_empty()
        && let Some(password) = password(args)?
    {
        let Opened { open, locked } = open(password).await?;
        told(&open, &locked);
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

fn told(open: &[String], locked: &[String]) {
    tell(&format!("sealed seeds are open: {}", open.join(", ")));
    if !locked.is_empty() {
        tell(&format!("warning: the password is not that of {}", locked.join(", ")));
    }
}

fn password(args: &UnlockArgs) -> Result<Option<Zeroizing<String>>, Box<dyn Error>> {
    let read = |path: PathBuf| words::one_line(&path).map_err(|failure| failure.sentence().to_owned());
    if let Some(number) = args.unlock_fd {
        let read = descriptor::one_line(number).map_err(|failure| failure.sentence().to_owned());
        return Ok(Some(read?));
    }
    let credentials =
        std::env::var_os("CREDENTIALS_DIRECTORY").map(|dir| PathBuf::from(dir).join(CREDENTIAL));
    if let Some(path) = credentials.filter(|path| path.exists()) {
        return Ok(Some(read(path)?));
    }
    // At a terminal somebody is there to be asked.
    if args.unlock || (args.unlock_socket.is_none() && std::io::stdin().is_terminal()) {
        let asked = words::prompt("The password of the sealed seeds (it is not shown): ", "--unlock-fd N");
        return Ok(Some(asked.map_err(|failure| failure.sentence().to_owned())?));
    }
    Ok(None)
}
