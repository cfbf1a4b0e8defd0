//! The requests of the operations are those that the interface has: paths, methods and fields are in its
//! OpenAPI document.

use super::arguments;
use super::commands::COMMANDS;
use super::operation::Operation;
use crate::cli::{Cli, Command};
use clap::{CommandFactory, Parser};
use headless_wallet::api::{Compat, openapi};
use headless_wallet::net::{Method, Request};
use headless_wallet::operations;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Every operation that is one request.
const LINES: [&str; 80] = [
    "stop",
    "status",
    "address --index 1",
    "address --new",
    "addresses",
    "address-index W",
    "address-info W --token 00",
    "events",
    "balance --token HTR",
    "utxos --max-utxos 1 --token 00 --filter-address W --amount-smaller-than 0.09 --amount-bigger-than 0.01 --maximum-amount 0.05 \
     --only-available-utxos",
    "history --limit 3 --before 00 --after 00 --since 2026-01-31 --token HTR --address W",
    "tx 00",
    "confirmations 00",
    "token 00",
    "send W 0.01 --token 00 --change W",
    "send-many --to W:0.01 --to W:0.01:00 --data x --input 00:1 --change-address W",
    "send-data x y --change W",
    "create-token N S 0.01 --address W --change W --no-mint --no-melt --mint-authority-address W \
     --allow-external-mint-authority-address --melt-authority-address W --allow-external-melt-authority-address --data x \
     --token-version 2",
    "create-nft N S 1 D --address W --change W --create-mint --create-melt --mint-authority-address W \
     --allow-external-mint-authority-address --melt-authority-address W --allow-external-melt-authority-address",
    "mint 00 0.01 --address W --change W --mint-authority-address W --allow-external-mint-authority-address --data x",
    "mint 00 0.01 --no-mint --data x --data-last",
    "melt 00 0.01 --deposit-address W --change W --melt-authority-address W --allow-external-melt-authority-address --data x",
    "melt 00 0.01 --no-melt --data x --data-last",
    "consolidate W --max-utxos 1 --token 00 --filter-address W --amount-smaller-than 0.09 --amount-bigger-than 0.01 \
     --maximum-amount 0.05",
    "decode 00",
    "push 00",
    "hold 00 --ttl 1",
    "hold 00 --release",
    "last-index",
    "last-index --set 9",
    "load-more-addresses 5",
    "build-tx --to W:0.01 --to W:0.01:00 --data c0ffee --input 00:1 --change W",
    "wallet-inputs 00",
    "input-data 0 3006",
    "input-data 0 --of x:30 --of y:30",
    "add-signatures 00 --input 0:aa --input 1:bb",
    "signing-file 00 --label x",
    "push-file package.json",
    "propose --to W:0.01 --to W:0.01:00 --input 00:1 --change W --set-aside",
    "propose-create-token N S 0.01 --address W --change W --no-mint --no-melt --mint-authority-address W \
     --allow-external-mint-authority-address --melt-authority-address W --allow-external-melt-authority-address --data x \
     --token-version 2 --set-aside",
    "propose-mint 00 0.01 --address W --change W --mint-authority-address W --allow-external-mint-authority-address \
     --data x --data-last --set-aside",
    "propose-mint 00 0.01 --no-mint",
    "propose-melt 00 0.01 --deposit-address W --change W --melt-authority-address W --allow-external-melt-authority-address \
     --data x --data-last --set-aside",
    "propose-melt 00 0.01 --no-melt",
    "my-signatures 00",
    "sign 00 a b",
    "sign-and-push 00 a b",
    "swap-propose --send 0.01 --send 0.01:00 --utxo 00:1 --receive 0.05 --receive 0.05:00:W --proposal P --change W --no-lock",
    "swap-signatures P",
    "swap-sign P a b",
    "swap-push P a b",
    "swap-input-data 00",
    "swap-unlock P",
    "locked-utxos",
    "tasks --status queued --limit 5",
    "task b1 --wait 5",
    "task-cancel b1",
    "approvals",
    "approval b1",
    "approve b1",
    "deny b1",
    "webhooks",
    "webhook-deliveries --limit 5",
    "webhook-redeliver b1",
    "swap-list",
    "swap-fetch b1",
    "swap-register b1 --password-file Cargo.toml",
    "swap-delete b1",
    "run-template []",
    "build-template []",
    "nano-state 00 --field f --balance __all__ --call m() --block-height 1",
    "nano-history 00 --count 1 --after 00",
    "oracle-data W",
    "oracle-signed-result 76a9 00 1x0 SignedData[str]",
    "nano-create 00 W {}",
    "nano-execute 00 bet W {}",
    "nano-blueprint code W",
    "nano-blueprint --code-file Cargo.toml W",
    "sign-message W hello",
    "verify-message W hello AAAA",
];

fn operation(line: &str) -> Operation {
    let words = ["headless-wallet", "wallet"].into_iter().chain(line.split_whitespace());
    match Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}")).command {
        Command::Wallet(args) => args.operation,
        _ => panic!("{line} is no operation"),
    }
}

fn request(line: &str) -> Request {
    let base = "http://localhost".parse().expect("a URL");
    operation(line).prepare().call.request(&base, Vec::new(), None)
}

fn url_of(request: &Request) -> url::Url {
    request.url.as_str().parse().expect("a URL")
}

#[test]
fn the_command_line_is_well_formed() {
    Cli::command().debug_assert();
    let mut cli = Cli::command();
    let wallet = cli.find_subcommand_mut("wallet").expect("wallet");
    let listed: BTreeSet<_> =
        wallet.get_subcommands().map(|operation| operation.get_name().to_owned()).collect();
    let mut tried: BTreeSet<_> = LINES.iter().filter_map(|line| line.split_whitespace().next()).collect();
    tried.extend(["new", "start", "multisig-pubkey", "xpub", "inspect", "sign-file", "tokens", "list"]);
    assert_eq!(listed.iter().map(String::as_str).collect::<BTreeSet<_>>(), tried);
}

#[test]
fn every_request_is_in_the_document() {
    let document = openapi::document(operations::declared(), Compat::Documented, false);
    for line in LINES {
        let request = request(line);
        let method = match request.method {
            Method::Get => "get",
            Method::Post => "post",
            Method::Put => "put",
            Method::Delete => "delete",
        };
        let url = url_of(&request);
        let template = |path: &str| match path.split_once("/b1") {
            Some((path, _)) if path.ends_with("/tasks") => format!("{path}/{{taskId}}"),
            Some((path, _)) if path.contains("/approvals") => format!("{path}/{{approvalId}}"),
            Some((path, _)) => format!("{path}/{{proposalId}}"),
            None => path.to_owned(),
        };
        let operation = &document["paths"][template(url.path())][method];
        assert!(operation.is_object(), "{line} asks {method} {}", url_of(&request).path());
        let parameters: Vec<_> =
            operation["parameters"].as_array().into_iter().flatten().map(|p| &p["name"]).collect();
        for (name, _) in url_of(&request).query_pairs() {
            // Elements of a list.
            let name = name.trim_end_matches("[]");
            assert!(parameters.contains(&&json!(name)), "{line}: {name}");
        }
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let body: Value = serde_json::from_str(request.json.as_deref().unwrap_or("{}")).expect("JSON");
        // A template's is an array.
        for (name, _) in body.as_object().into_iter().flatten() {
            assert!(schema["properties"][name].is_object(), "{line}: {name}");
        }
    }
}

#[test]
fn lists_are_given_element_by_element() {
    let url = url_of(&request("nano-state 00 --field a --field b --call m()"));
    let query: Vec<_> = url.query_pairs().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(query, ["calls[]=m()", "fields[]=a", "fields[]=b", "id=00"]);
}

/// What is added to a declaration is there on the command line without more ado; what is called otherwise
/// there, or is left out, names a field that is declared.
#[test]
fn every_declared_field_can_be_given() {
    for command in COMMANDS.iter() {
        let members = command.members();
        let declared = |name: &&str| members.iter().any(|member| member.name == *name);
        let named = command.places.iter().chain(command.arguments.iter().map(|argument| &argument.member));
        let named = named.chain(command.defaults.iter().map(|(name, _)| name)).chain(command.one_of);
        assert_eq!(named.filter(|name| !declared(name)).count(), 0, "{}", command.name);
        let clap = arguments::augment(clap::Command::new(command.name), command);
        assert!(clap.get_arguments().count() >= members.len(), "{}", command.name);
        assert_eq!(clap.get_arguments().find(|argument| argument.get_help().is_none()), None);
    }
}

/// Amounts are written with decimals here, and tokens by their symbols.
#[test]
fn help_says_how_the_command_line_takes_amounts_and_tokens() {
    let help = |of: &str, name: &str| {
        let command = COMMANDS.iter().find(|command| command.name == of).expect("a command");
        let clap = arguments::augment(clap::Command::new(command.name), command);
        let arg = clap.get_arguments().find(|arg| arg.get_id() == name).expect("an argument").clone();
        let names =
            arg.get_value_names().map(|names| names.iter().map(ToString::to_string).collect::<String>());
        format!("{} {}", names.unwrap_or_default(), arg.get_help().expect("each has help"))
    };
    assert_eq!(help("send", "value"), "AMOUNT How much, such as 12.50 or 1250 cents");
    assert_eq!(help("send", "token"), "TOKEN The token's symbol or uid [default: HTR]");
    assert_eq!(help("mint", "token"), "TOKEN The symbol or uid of the token to mint");
    assert_eq!(help("mint", "amount"), "AMOUNT How much to mint, such as 12.50 or 1250 cents");
    let max_fee = "AMOUNT Refuse to pay more than this for moving fee tokens, such as 12.50 or 1250 cents";
    assert_eq!(help("nano-execute", "max-fee"), max_fee);
    for command in COMMANDS.iter() {
        let clap = arguments::augment(clap::Command::new(command.name), command);
        for arg in clap.get_arguments() {
            let help = arg.get_help().expect("each has help").to_string();
            assert!(!help.contains("in cents") && !help.contains("In cents"), "{}: {help}", command.name);
            assert!(!help.contains("`00`"), "{}: {help}", command.name);
        }
    }
    assert_eq!(
        request("nano-execute 00 bet W {} --max-fee 0.05").json.as_deref(),
        Some(r#"{"address":"W","data":{},"max_fee":5,"method":"bet","nc_id":"00"}"#)
    );
}

/// Each line of a list of commands says what its command does, as one would ask for it.
#[test]
fn commands_say_what_they_do() {
    fn look_at(command: &clap::Command, path: &str) {
        for below in command.get_subcommands() {
            let path = format!("{path} {}", below.get_name());
            let about = below.get_about().unwrap_or_else(|| panic!("{path} says nothing")).to_string();
            let first = about.split(' ').next().unwrap_or_default();
            let names_a_thing = ["A", "An", "How", "The", "What", "Whether", "Which"].contains(&first);
            assert!(!names_a_thing && !first.ends_with('s'), "{path}: {about}");
            look_at(below, &path);
        }
    }
    look_at(&Cli::command(), "headless-wallet");
}

#[test]
fn fields_are_as_they_are_given() {
    let body = |line| request(line).json.unwrap_or_default();
    // Whether an amount is too large is said by the server.
    let (whole, most) = (u128::MAX / 100, u128::MAX / 100 * 100);
    let line = format!("send W {whole}.00 --token HTR");
    assert_eq!(body(&line), format!(r#"{{"address":"W","token":"00","value":{most}}}"#));
    assert_eq!(
        body("send-many --to W:0.01 --to V:0.02:aa --data t --input bb:254"),
        r#"{"inputs":[{"hash":"bb","index":254}],"outputs":[{"address":"W","value":1},{"address":"V","token":"aa","value":2},{"data":"t","type":"data"}]}"#
    );
    assert_eq!(
        body("build-tx --to W:0.01 --data c0ffee --input bb:254"),
        r#"{"inputs":[{"hash":"bb","index":254}],"outputs":[{"address":"W","value":1},{"data":"c0ffee","type":"data"}]}"#
    );
    assert_eq!(
        body("propose --to W:0.01 --input bb:254"),
        r#"{"inputs":[{"index":254,"txId":"bb"}],"outputs":[{"address":"W","value":1}]}"#
    );
    assert_eq!(
        body("add-signatures 00 --input 0:aa --input 7:bb"),
        r#"{"signatures":[{"data":"aa","index":0},{"data":"bb","index":7}],"txHex":"00"}"#
    );
    assert_eq!(body("input-data 3 30aa"), r#"{"index":3,"signature":"30aa"}"#);
    assert_eq!(body("input-data 3 --of y:30 --of x:31"), r#"{"index":3,"signatures":{"x":"31","y":"30"}}"#);
    let utxos = request("utxos --filter-address W --maximum-amount 0.07");
    assert_eq!(url_of(&utxos).query(), Some("filter_address=W&maximum_amount=7"));
    assert_eq!(url_of(&request("history --all")).query(), None);
    assert_eq!(url_of(&request("history")).query(), Some("limit=20"));
    // What is looked for is found, however much it is.
    let since = url_of(&request("history --since 1970-01-02T00:00:01"));
    assert_eq!(since.query(), Some("since=86401"));
    let of_token = url_of(&request("history --token HTR --limit 3"));
    assert_eq!(of_token.query(), Some("limit=3&token=00"));
}
