//! `headless-wallet completions`: the script that it prints asks this program at each press of Tab.

use super::{Cli, say};
use clap::{Args, CommandFactory};
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;
use std::error::Error;

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
pub fn completions(args: &CompletionsArgs) -> Result<(), Box<dyn Error>> {
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
