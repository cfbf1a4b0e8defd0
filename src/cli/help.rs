//! Completions for shells, manual pages, and hints at what was meant by a mistyped command line.

use super::{Cli, Done, amount, say};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;
use headless_wallet::ledger::MAX_TOKEN_SYMBOL_CHARS;
use std::path::PathBuf;

/// The variable by which the script asks.
const VARIABLE: &str = "HEADLESS_WALLET_COMPLETE";
const PROGRAM: &str = "headless-wallet";

/// For which shell.
#[derive(Args)]
#[command(after_help = "Where to put them, so that they are there in the next shell:\n  \
bash  headless-wallet completions bash > ~/.local/share/bash-completion/completions/headless-wallet\n  \
zsh   headless-wallet completions zsh > \"${fpath[1]}/_headless-wallet\"\n  \
fish  headless-wallet completions fish > ~/.config/fish/completions/headless-wallet.fish")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

/// Prints the script.
pub fn completions(args: &CompletionsArgs) -> Done {
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell).ok_or("this shell is not known")?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    say(String::from_utf8_lossy(&script).trim_end());
    Ok(())
}

/// Answers the script, and ends the program, if it is what asks.
pub fn answer_shell() {
    CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
}

// `headless-wallet man`.

/// Where to.
#[derive(Args)]
#[command(
    after_help = "Example:\n  headless-wallet man ~/.local/share/man/man1 && man headless-wallet-wallet-send"
)]
pub struct ManArgs {
    /// The directory, which is made if it is not there.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    directory: PathBuf,
}

/// Writes a page for each command.
pub fn man(args: &ManArgs) -> Done {
    let directory = &args.directory;
    let refused = |error| format!("{}: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(refused)?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory).map_err(refused)?;
    Ok(())
}

// What stands in the wrong place of a command line: `headless-wallet balance` is
// `headless-wallet wallet balance`, and `12.50 HTR` is one argument.

/// The error, with what may be meant.
pub fn with_hint(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => command_meant(&error, arguments),
        ErrorKind::UnknownArgument => amount_meant(&error, arguments),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// A command of another level.
fn command_meant(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let ContextValue::String(name) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    let cli = Cli::command();
    let of_wallet = cli.find_subcommand("wallet").and_then(|wallet| wallet.find_subcommand(name)).is_some();
    let meant = match arguments.get(1) == Some(name) {
        true if of_wallet => format!("wallet {name}"),
        false if cli.find_subcommand(name).is_some() => name.clone(),
        _ => return None,
    };
    Some(format!("did you mean `headless-wallet {meant}`?"))
}

/// An amount whose token was given as an argument of its own.
fn amount_meant(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let ContextValue::String(token) = error.get(ContextKind::InvalidArg)? else { return None };
    if token.chars().count() > MAX_TOKEN_SYMBOL_CHARS || token.starts_with('-') {
        return None;
    }
    let is_amount = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit())
            && text.chars().all(|one| one.is_ascii_digit() || one == '.')
    };
    let amount =
        arguments.windows(2).find(|pair| pair[1] == *token && is_amount(&pair[0])).map(|pair| &pair[0])?;
    let point = if amount::read(&format!("{amount} {token}")).is_err() { ".00" } else { "" };
    Some(format!("an amount and its token are one argument: \"{amount}{point} {token}\""))
}
