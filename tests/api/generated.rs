//! Files that are made of the declarations of operations.

use headless_wallet::api::options::{HISTORY_SYNC_MODES, MINING_MODES};
use headless_wallet::api::{operations, typescript};
use headless_wallet::ledger::Network;
use headless_wallet::node::{FullNode, Mining, MiningService};
use headless_wallet::service::SyncMode;
use std::collections::HashSet;
use std::path::Path;

/// Compares a file with what it must be, or writes it where `UPDATE` is set.
fn check(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap_or_default(),
        text,
        "{file} is not as declared: run with UPDATE=1"
    );
}

#[test]
fn typescript_knows_the_requests_as_they_are_declared() {
    check("src/wasm/requests.d.ts", &typescript::requests());
}

#[test]
fn typescript_knows_the_answers_as_they_are_declared() {
    check("src/wasm/answers.d.ts", &typescript::answers());
}

#[test]
fn typescript_knows_the_methods_as_they_are_declared() {
    check("src/wasm/methods.d.ts", &typescript::methods());
}

#[test]
fn typescript_knows_options_and_events_as_they_are_declared() {
    check("src/wasm/options.d.ts", &typescript::options());
}

#[test]
fn the_package_has_the_rules_of_the_network_as_they_stand_in_the_ledger() {
    let services = [Network::Mainnet, Network::Testnet].map(|network| {
        let node = FullNode::public_url(network).unwrap();
        (network.name(), node, MiningService::public_url(network).unwrap())
    });
    let (javascript, typescript) = typescript::rules(&services);
    check("pkg-template/rules.js", &javascript);
    check("pkg-template/rules.d.ts", &typescript);
}

#[test]
fn each_name_that_an_option_may_have_is_known() {
    let modes = HISTORY_SYNC_MODES.iter().map(|name| format!("{:?}", name.parse::<SyncMode>().unwrap()));
    assert_eq!(modes.collect::<HashSet<_>>().len(), 4);
    let mining = MINING_MODES.iter().map(|name| format!("{:?}", name.parse::<Mining>().unwrap()));
    assert_eq!(mining.collect::<HashSet<_>>().len(), 3);
}

#[test]
fn a_table_shows_each_operation_in_all_three_ways_in() {
    let mut text = "# Operations\n\nEach operation of the HTTP interface, the method of the npm package's `Wallet` and the command of \
        `headless-wallet wallet` that do the same; and the rights that an API key with a name must have for it ([custody.md](custody.md)). \
        This table is made of the declarations in `src/api/operations`.\n\n\
        | HTTP | npm package | command line | rights |\n|---|---|---|---|\n"
        .to_owned();
    let name = |name: Result<&str, &str>| match name {
        Ok(names) => names.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        Err(why) => format!("({why})"),
    };
    for operation in operations::all() {
        let names = operation.id.names();
        let method = operation.method.name().to_uppercase();
        text += &format!(
            "| `{method} {}` | {} | {} | {}{} |\n",
            operation.path,
            name(names.package),
            name(names.command),
            if operation.rights().is_empty() { "none".to_owned() } else { operation.rights().to_string() },
            if operation.is_of_all { ", all wallets" } else { "" }
        );
    }
    check("docs/operations.md", &text);
}
