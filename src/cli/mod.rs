//! The command line: what can be asked, and the commands.
//!
//! Exit codes: 0 after an orderly end, 1 when something failed, 2 for a command line that can't be
//! understood, 130 after Ctrl-C in the middle of something.

mod amount;
mod audit;
mod audited;
mod completions;
mod devnet;
mod devnet_control;
mod elsewhere;
mod files;
mod health;
mod keys;
mod limit;
mod log;
mod man;
mod memory;
#[cfg(unix)]
mod owner;
mod place;
mod seeds;
mod serve;
mod shutdown;
mod signer;
mod store;
mod token_keys;
mod unlock;
mod wallet;

use clap::{Parser, Subcommand};
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
    /// Serves wallets over HTTP.
    Serve(Box<serve::ServeArgs>),
    /// Asks the server with these settings, on this machine, whether it takes requests: the exit code says
    /// so.
    Health(Box<health::HealthArgs>),
    /// Uses a wallet: shows what it has, sends, creates tokens.
    Wallet(Box<wallet::WalletArgs>),
    /// Runs a local network: a full node and a mining service on loopback ports, for trying things out and
    /// for tests.
    Devnet(devnet::DevnetArgs),
    /// Looks after what `serve --data-dir` keeps: checks it, exports it, makes it smaller.
    Store(store::StoreArgs),
    /// Makes, lists and ends API keys with names, each of which may do only so much.
    Keys(keys::KeysArgs),
    /// Verifies the log of what was asked of a server, and writes it out.
    Audit(audit::AuditArgs),
    /// Keeps words sealed with a password, instead of in the settings.
    Seeds(seeds::SeedsArgs),
    /// Signs for a server in a process of its own: only what it finds right by itself, within limits of its
    /// own.
    Signer(Box<signer::SignerArgs>),
    /// Prints what makes a shell complete this program's commands.
    Completions(completions::CompletionsArgs),
    /// Writes manual pages, one for each command, into a directory.
    Man(man::ManArgs),
}

impl Cli {
    /// Reads the command line, or ends the program with what is wrong with it.
    pub fn read() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            let arguments: Vec<_> =
                std::env::args_os().map(|text| text.to_string_lossy().into_owned()).collect();
            elsewhere::with_hint(error, &arguments).exit()
        })
    }

    /// Carries the command out.
    pub async fn run(self) -> ExitCode {
        let result: Result<(), Box<dyn Error>> = match self.command {
            Command::Serve(args) => serve::serve(*args).await,
            Command::Health(args) => health::health(*args).await,
            Command::Wallet(args) => return wallet::wallet(*args).await,
            Command::Devnet(args) => devnet::devnet(args).await,
            Command::Store(args) => store::store(args).await,
            Command::Keys(args) => keys::keys(args).await,
            Command::Audit(args) => audit::audit(args).await,
            Command::Seeds(args) => seeds::seeds(args).await,
            Command::Signer(args) => signer::signer(*args).await,
            Command::Completions(args) => {
                completions::completions(&args);
                Ok(())
            }
            Command::Man(args) => man::man(&args),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tell(&format!("error: {error}"));
                ExitCode::FAILURE
            }
        }
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
