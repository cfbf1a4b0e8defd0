//! What stands in the wrong place of a command line: `headless-wallet balance` is
//! `headless-wallet wallet balance`, and `12.50 HTR` is one argument.

use super::{Cli, amount};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use headless_wallet::ledger::MAX_TOKEN_SYMBOL_CHARS;

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
