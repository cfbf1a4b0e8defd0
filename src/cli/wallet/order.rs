//! The order of the commands in the help.

use super::commands::COMMANDS;

/// The commands that a newcomer needs, in the order in which they are needed, and what belongs to them.
const FIRST: [&str; 12] = [
    "new", "start", "status", "address", "balance", "send", "history", "tx", "tokens", "list", "stop", "xpub",
];

/// Where a command stands in the help: behind those that come first, in the order of [`COMMANDS`].
pub fn place_in_help(name: &str) -> usize {
    let beside = match name {
        "inspect" | "sign-file" => "push-file",
        "multisig-pubkey" => "propose",
        name => name,
    };
    let place = |name: &str| COMMANDS.iter().position(|command| command.name == name);
    let first = FIRST.iter().position(|first| *first == name);
    first.unwrap_or_else(|| FIRST.len() + place(beside).unwrap_or(COMMANDS.len()))
}
