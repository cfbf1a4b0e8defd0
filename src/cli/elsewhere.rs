//! Commands that are looked for on the wrong level: `headless-wallet balance` is
//! `headless-wallet wallet balance`.

use super::Cli;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The error, with the command that may be meant.
pub fn with_hint(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand).cloned() else {
        return error;
    };
    let cli = Cli::command();
    let of_wallet = cli.find_subcommand("wallet").and_then(|wallet| wallet.find_subcommand(&name)).is_some();
    let is_first = arguments.get(1) == Some(&name);
    let meant = match is_first {
        true if of_wallet => format!("wallet {name}"),
        false if cli.find_subcommand(&name).is_some() => name,
        _ => return error,
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        let tip = format!("did you mean `headless-wallet {meant}`?");
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}
