//! `headless-wallet completions`.

use super::{Cli, say};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// For which shell.
#[derive(Args)]
#[command(after_help = "Where to put them, so that they are there in the next shell:\n  \
bash  headless-wallet completions bash > ~/.local/share/bash-completion/completions/headless-wallet\n  \
zsh   headless-wallet completions zsh > \"${fpath[1]}/_headless-wallet\"\n  \
fish  headless-wallet completions fish > ~/.config/fish/completions/headless-wallet.fish")]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub fn completions(args: &CompletionsArgs) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "headless-wallet", &mut script);
    // clap_complete 4.6 spells a program's name with a hyphen in two ways in one script, and then completes
    // no operation. Once it no longer does, there is nothing to replace here.
    let script = String::from_utf8_lossy(&script).replace("headless__subcmd__wallet", "headless__wallet");
    say(script.trim_end());
}
