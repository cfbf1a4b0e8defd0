//! The list of commands in the help: its order, and its headings.

use super::commands::COMMANDS;
use headless_wallet::api::Group;

/// The headings, each with the groups of operations below it.
const HEADINGS: [(&str, &[Group]); 9] = [
    ("Everyday", &[]),
    ("Addresses, outputs and events", &[Group::Wallets, Group::Reading]),
    ("Payments and tokens", &[Group::Sending]),
    ("Transactions signed elsewhere", &[Group::Transactions, Group::SigningElsewhere]),
    ("Multisig", &[Group::Multisig]),
    ("Swaps", &[Group::Swaps]),
    ("Templates and contracts", &[Group::Templates, Group::Contracts]),
    ("Tasks, approvals and webhooks", &[Group::Tasks, Group::Approvals, Group::Webhooks]),
    ("Messages", &[Group::Messages]),
];

const BOLD: &str = "\x1b[1m";
const UNDERLINED: &str = "\x1b[1m\x1b[4m";
const PLAIN: &str = "\x1b[0m";

/// The help of `wallet`, as clap writes it with its styles, with a heading for each group.
pub fn with_headings(help: &str, is_colored: bool) -> String {
    let (mut text, mut last) = (String::new(), None);
    for line in help.split_inclusive('\n') {
        if line.contains("Operations:") {
            continue;
        }
        let name = line.strip_prefix("  ").and_then(|rest| rest.strip_prefix(BOLD));
        let name = name.and_then(|rest| rest.split('\x1b').next());
        let place = name.and_then(|name| HEADINGS.get(place_in_help(name).0));
        if let Some((heading, _)) = place.filter(|_| place != last) {
            let gap = if last.is_none() { "" } else { "\n" };
            text += &format!("{gap}{UNDERLINED}{heading}:{PLAIN}\n");
            last = place;
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
const FIRST: [&str; 11] =
    ["new", "start", "status", "address", "balance", "send", "history", "tx", "tokens", "list", "stop"];

/// Where a command stands in the help: below which heading, and where there.
pub fn place_in_help(name: &str) -> (usize, usize) {
    let beside = match name {
        "inspect" | "sign-file" => "push-file",
        "multisig-pubkey" => "propose",
        name => name,
    };
    if name == "xpub" {
        return (1, 0);
    }
    if let Some(place) = FIRST.iter().position(|first| *first == name) {
        return (0, place);
    }
    let place = COMMANDS.iter().position(|command| command.name == beside);
    let group = place.map(|place| COMMANDS[place].of.group);
    let heading = HEADINGS.iter().position(|(_, groups)| group.is_some_and(|group| groups.contains(&group)));
    (heading.unwrap_or(HEADINGS.len()), place.unwrap_or_default())
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
        let firsts = [
            "new",
            "xpub",
            "send-many",
            "push",
            "multisig-pubkey",
            "swap-propose",
            "run-template",
            "tasks",
            "sign-message",
        ];
        let mut places = HEADINGS.iter().zip(firsts).map(|((heading, _), first)| {
            let place = help.find(&format!("{heading}:{PLAIN}\n  {BOLD}{first}{PLAIN}"));
            place.unwrap_or_else(|| panic!("{heading} is not before {first}"))
        });
        assert!(places.clone().is_sorted() && places.all(|place| place > 0));
        assert_eq!(operations.len(), 79);
        assert!(!help.contains("Operations:"));
    }
}
