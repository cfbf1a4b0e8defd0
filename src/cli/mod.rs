//! The command line: what can be asked, and the commands.
//!
//! Exit codes: 0 after an orderly end, 1 when something failed, 2 for a mistake in the command line,
//! 130 after Ctrl-C in the middle of something.

mod accounts;
mod amount;
mod audit;
mod devnet;
mod help;
mod json_log;
mod keys;
mod place;
mod process;
mod seeds;
mod serve;
mod signer;
mod store;
mod wallet;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use headless_wallet::operations::is_key_name;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

/// A wallet for the Hathor Network: an HTTP server, and a command line.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve wallets over HTTP.
    Serve(Box<serve::ServeArgs>),
    /// Ask the server on this machine whether it is healthy: the exit code is 0 if it is.
    Health(Box<serve::HealthArgs>),
    /// Use a wallet: show what it has, send, create tokens.
    Wallet(Box<wallet::WalletArgs>),
    /// Run a local network, to try things out and for tests: a full node and a mining service that only this
    /// machine can reach.
    Devnet(devnet::DevnetArgs),
    /// Check, export, move or compact what a server keeps in its data directory.
    Store(store::StoreArgs),
    /// Show which of several servers on one database runs which account, or move one to another server.
    Accounts(accounts::AccountsArgs),
    /// Make, list and revoke API keys that have a name and limited rights.
    Keys(keys::KeysArgs),
    /// Verify or export a server's audit log.
    Audit(audit::AuditArgs),
    /// Keep seed words encrypted with a password, instead of in the settings.
    Seeds(seeds::SeedsArgs),
    /// Sign for a server in a separate process, which checks each transaction itself and has its own limits.
    Signer(Box<signer::SignerArgs>),
    /// Print a script with which a shell completes this program's commands.
    Completions(help::CompletionsArgs),
    /// Write manual pages, one for each command, into a directory.
    Man(help::ManArgs),
}

impl Cli {
    /// Reads the command line, or ends the program with what is wrong with it.
    pub fn read() -> Self {
        help::answer_shell();
        Self::try_parse().unwrap_or_else(|error| {
            let arguments: Vec<_> =
                std::env::args_os().map(|text| text.to_string_lossy().into_owned()).collect();
            let is_list = arguments.get(1).is_some_and(|command| command == "wallet")
                && error.kind() == ErrorKind::DisplayHelp;
            if let Some(help) = Some(error.render().ansi().to_string()).filter(|_| is_list) {
                say(wallet::help_in_groups(&help).trim_end());
                std::process::exit(0);
            }
            help::with_hint(error, &arguments).exit()
        })
    }

    /// Carries the command out.
    pub async fn run(self) -> ExitCode {
        process::keep_private();
        let result: Done = match self.command {
            Command::Serve(args) => serve::serve(*args).await,
            Command::Health(args) => serve::health(*args).await,
            Command::Wallet(args) => return wallet::wallet(*args).await,
            Command::Devnet(args) => devnet::devnet(args).await,
            Command::Store(args) => store::store(args).await,
            Command::Accounts(args) => accounts::accounts(args).await,
            Command::Keys(args) => keys::keys(args).await,
            Command::Audit(args) => audit::audit(args).await,
            Command::Seeds(args) => seeds::seeds(args).await,
            Command::Signer(args) => signer::signer(*args).await,
            Command::Completions(args) => help::completions(&args),
            Command::Man(args) => help::man(&args),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tell(&format!("error: {error}"));
                if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
            }
        }
    }
}

/// How a command ends.
type Done = Result<(), Box<dyn Error>>;

/// What is wrong with the command line, where clap can't tell: settings and the environment count, too.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub &'static str);

/// A name that a new key or seed may have.
fn new_name(text: &str) -> Result<String, &'static str> {
    match is_key_name(text) {
        true => Ok(text.to_owned()),
        false => Err("a name is 1 to 64 of a-z, 0-9, '.', '_' and '-', and does not begin with '.'"),
    }
}

/// Prints lines on standard error. Nobody may be reading: that is no reason to end.
fn tell(lines: &str) {
    let _ = writeln!(std::io::stderr(), "{lines}");
}

/// Prints lines. Nobody may be reading: that is no reason to end.
fn say(lines: &str) {
    let _ = writeln!(std::io::stdout(), "{lines}");
}
