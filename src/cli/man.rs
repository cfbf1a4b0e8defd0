//! `headless-wallet man`.

use super::Cli;
use clap::{Args, CommandFactory, ValueHint};
use std::error::Error;
use std::path::PathBuf;

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
pub fn man(args: &ManArgs) -> Result<(), Box<dyn Error>> {
    let directory = &args.directory;
    let refused = |error| format!("{}: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(refused)?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory).map_err(refused)?;
    Ok(())
}
