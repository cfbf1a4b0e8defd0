//! Files that are made of the declarations of operations.

use headless_wallet::api::options::{HISTORY_SYNC_MODES, MINING_MODES};
use headless_wallet::api::{errors, typescript};
use headless_wallet::ledger::Network;
use headless_wallet::node::{FullNode, Mining, MiningService};
use headless_wallet::operations;
use headless_wallet::server::{Described, Setting};
use headless_wallet::service::SyncMode;
use std::collections::{BTreeSet, HashSet};
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
    check("src/wasm/requests.d.ts", &typescript::requests(operations::declared()));
}

#[test]
fn typescript_knows_the_answers_as_they_are_declared() {
    check("src/wasm/answers.d.ts", &typescript::answers(operations::declared()));
}

#[test]
fn typescript_knows_the_methods_as_they_are_declared() {
    check("src/wasm/methods.d.ts", &typescript::methods(operations::declared()));
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
fn settings_are_listed_as_they_are_declared() {
    let mut text = "# Settings\n\nSettings come from a TOML file (`serve --config FILE`), then environment variables, then flags; later ones \
        override earlier ones.\nThe setting `gap_limit` is `gap_limit = 20` in the file, `HEADLESS_GAP_LIMIT=20` in the environment and \
        `--gap-limit 20` as a flag.\nGenerated from `src/server/config/setting.rs`, like `headless-wallet serve --help`.\n\n\
        | setting | flag | default | |\n|---|---|---|---|\n"
        .to_owned();
    for setting in Setting::ALL {
        let Described { name, flag, default, about, more } = setting.described();
        let written = match name {
            "seeds" | "limits" => format!("[{name}]"),
            "keys" | "signers" | "multisig" => format!("[{name}.NAME]"),
            "webhooks" => format!("[[{name}]]"),
            name => name.to_owned(),
        };
        let flag = if flag.is_some() { "yes" } else { "" };
        text += format!("| `{written}` | {flag} | {default} | {about} {more}").trim_end();
        text += " |\n";
    }
    text += "\n`POST /reload-config` applies changed settings.\n\n\
             - The server exits, to be started again, if the address, the ports, the number of connections, `advertise_url`, `api_key` or the log \
             settings\n  changed, and if a seed phrase of `[seeds]` is not valid.\n\
             - Otherwise it waits for requests in progress. If one does not finish within 10 s, everything stays as it was, and the answer says so.\n\
             - Then all wallets are stopped if a seed, signer or multisig participant was changed or removed, or if the network, the \
             node,\n  `gap_limit`, `connection_timeout`, `data_dir` or `store` changed.\n";
    check("docs/settings.md", &text);
}

#[test]
fn a_table_shows_each_operation_in_all_three_ways_in() {
    let mut text = "# Operations\n\nEach operation of the HTTP interface, the method of the npm package's `Wallet` and the command of \
        `headless-wallet wallet` that do the same; and the rights that an API key with a name must have for it ([custody.md](custody.md)). \
        Generated from the declarations in `src/operations`.\n\n\
        | HTTP | npm package | command line | rights |\n|---|---|---|---|\n"
        .to_owned();
    let name = |names: Result<Vec<&str>, &str>| match names {
        Ok(names) => names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        Err(why) => format!("({why})"),
    };
    for operation in operations::all() {
        let method = operation.method.name().to_uppercase();
        text += &format!(
            "| `{method} {}` | {} | {} | {}{} |\n",
            operation.path,
            name(operation.package.map(|methods| methods.iter().map(|method| method.name).collect())),
            name(operation.command.map(|commands| commands.iter().map(|command| command.name).collect())),
            if operation.rights().is_empty() { "none".to_owned() } else { operation.rights().to_string() },
            if operation.is_of_all { ", all wallets" } else { "" }
        );
    }
    check("docs/operations.md", &text);
}

#[test]
fn each_error_has_its_meaning_and_its_remedy() {
    check("src/wasm/errors.d.ts", &errors::typescript());
    check("docs/errors.md", &errors::document());
}

fn read(folder: &str, suffix: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|ending| ending == suffix));
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// What is thrown as a code, in Rust and in JavaScript, is a text of capitals of its own.
#[test]
fn no_code_of_an_error_is_thrown_that_is_not_declared_and_none_is_declared_in_vain() {
    let codes = vec![include_str!("../../src/operations/codes.rs").to_owned()];
    let sources = [read("src/wasm", "rs"), read("pkg-template", "js"), codes].concat();
    let texts = sources.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
    let is_code = |text: &&str| {
        text.len() > 3 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_') && *text != "HEAD"
    };
    let thrown: BTreeSet<&str> = texts.filter(is_code).collect();
    let of = |of_servers: bool| {
        let parts = errors::CODES.iter().filter(move |part| part.of_servers == of_servers);
        parts.flat_map(|part| part.codes).map(|code| code.name).collect::<BTreeSet<&str>>()
    };
    assert_eq!(thrown.difference(&of(true)).copied().collect::<BTreeSet<_>>(), of(false));
}

#[test]
fn each_text_that_clients_match_on_has_a_remedy() {
    let declared = read("src/api/errors", "rs").concat();
    let mut missing = Vec::new();
    let mut seen = 0;
    let texts = [read("src/api", "rs"), read("src/api/texts", "rs")].concat();
    let texts = texts
        .iter()
        .filter(|text| text.starts_with("//! Texts that") || text.starts_with("//! What is said of atomic"));
    for line in texts.flat_map(|text| text.lines()) {
        let rest = line.strip_prefix("pub const ").or_else(|| line.strip_prefix("pub fn "));
        let Some(name) = rest.and_then(|rest| rest.split([':', '(']).next()) else { continue };
        seen += 1;
        let is_named = |(at, found): (usize, &str)| {
            !declared[at + found.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        };
        if !declared.match_indices(&format!("t::{name}")).any(is_named) {
            missing.push(name);
        }
    }
    assert!(seen > 100, "{seen}");
    assert_eq!(missing, Vec::<&str>::new());
}
