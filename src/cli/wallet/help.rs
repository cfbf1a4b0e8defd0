//! The list of commands in the help: its order, and its headings.

use super::commands::COMMANDS;

/// The first operation of each group, in the order of the list.
const GROUPS: [(&str, &str); 9] = [
    ("new", "Everyday"),
    ("xpub", "Addresses, outputs and events"),
    ("send-many", "Payments and tokens"),
    ("decode", "Transactions signed elsewhere"),
    ("multisig-pubkey", "Multisig"),
    ("swap-propose", "Swaps"),
    ("run-template", "Templates and contracts"),
    ("tasks", "Tasks, approvals and webhooks"),
    ("sign-message", "Messages"),
];

const BOLD: &str = "\x1b[1m";
const UNDERLINED: &str = "\x1b[1m\x1b[4m";
const PLAIN: &str = "\x1b[0m";

/// The help of `wallet`, as clap writes it with its styles, with a heading for each group.
pub fn with_headings(help: &str, is_colored: bool) -> String {
    let mut text = String::new();
    for line in help.split_inclusive('\n') {
        if line.contains("Operations:") {
            continue;
        }
        let name = line.strip_prefix("  ").and_then(|rest| rest.strip_prefix(BOLD));
        let name = name.and_then(|rest| rest.split('\x1b').next()).unwrap_or_default();
        if let Some((first, heading)) = GROUPS.iter().find(|(first, _)| *first == name) {
            let gap = if *first == GROUPS[0].0 { "" } else { "\n" };
            text += &format!("{gap}{UNDERLINED}{heading}:{PLAIN}\n");
        }
        text += line;
    }
    if is_colored {
        text
    } else {
        [UNDERLINED, BOLD, PLAIN].iter().fold(text, |text, style| text.replace(style, ""))
    }
}

// The order of the commands in the help.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn each_group_begins_where_its_first_operation_is_listed() {
        let mut cli = Cli::command();
        let wallet = cli.find_subcommand_mut("wallet").expect("wallet");
        let operations: Vec<_> =
            wallet.get_subcommands().map(|operation| operation.get_name().to_owned()).collect();
        let help = with_headings(&wallet.render_help().ansi().to_string(), true);
        let mut places = GROUPS.iter().map(|(first, heading)| {
            let place = help.find(&format!("{heading}:{PLAIN}\n  {BOLD}{first}{PLAIN}"));
            place.unwrap_or_else(|| panic!("{heading} is not before {first}"))
        });
        assert!(places.clone().is_sorted() && places.all(|place| place > 0));
        assert_eq!(operations.len(), 79);
        assert!(!help.contains("Operations:"));
    }
}
