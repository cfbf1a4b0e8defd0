//! What the command line says of requests that don't say themselves what moves, before anything does: calls
//! of contracts, templates, transactions that others made.

use super::command_line::{cells, decimal, named};
use super::command_line_terminal::Terminal;
use super::nano::{AUTHORITY, BET, bet, mine};
use super::raw::STRANGER;
use super::support::Server;
use serde_json::{Value, json};

/// What a command prints, with one space between the cells.
pub(super) async fn lines(server: &Server, args: &[&str]) -> Vec<String> {
    cells(&server.printed(args).await)
}

/// What is said at a terminal before a no, but for the line that says whose money it is.
pub(super) async fn asked(server: &Server, command: &str) -> Vec<String> {
    let url = format!("http://{}", server.address);
    let variables = [("HEADLESS_URL", &*url), ("HEADLESS_WALLET_ID", "genesis")];
    let mut terminal = Terminal::open(&format!("wallet {command}"), &variables);
    terminal.until("[y/N] ").await;
    terminal.type_in("n\n").await;
    let (code, seen) = terminal.end().await;
    assert_eq!(code, 1, "{seen}");
    let (told, refused) = seen.split_once(" n\n").unwrap();
    assert!(refused.contains("the question was not answered with yes"), "{seen}");
    let (payer, told): (Vec<_>, Vec<_>) =
        cells(told).into_iter().partition(|line| *line == format!("wallet genesis at {url}"));
    assert_eq!(payer.len(), 1, "{seen}");
    told
}

/// The amount of the change among the outputs of a try.
fn change(tried: &Value) -> u64 {
    tried["outputs"].as_array().unwrap().iter().map(|output| output["value"].as_u64().unwrap()).max().unwrap()
}

#[tokio::test]
async fn a_call_is_told_before_it_is_sent() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let (who, keeps) = (server.address(2).await, server.address(7).await);
    let action = json!({"type": "deposit", "token": "00", "amount": 1_250, "changeAddress": keeps});
    let data = json!({"args": [who, "1x0"], "actions": [action]}).to_string();
    let command = ["nano-execute", &contract, "bet", &who, &data];
    let body = json!({"nc_id": contract, "method": "bet", "address": who, "data": serde_json::from_str::<Value>(&data).unwrap()});
    let tried = server.done("nano-contracts/execute?dry_run=true", body).await;
    // What leaves the wallet comes first: the cost doesn't have it.
    let network = ["network privatenet".to_owned(), String::new()];
    let call = [
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        "-12.50 HTR 0.00".to_owned(),
        String::new(),
        "calls bet".to_owned(),
        format!("contract {contract}"),
        format!("caller {who}"),
        String::new(),
        "ACTION AMOUNT TOKEN".to_owned(),
        "deposit 12.50 HTR".to_owned(),
        String::new(),
        "AMOUNT TOKEN TO".to_owned(),
        format!("{} HTR {keeps} (this wallet)", decimal(change(&tried))),
    ];
    let head = ["Nothing was sent. This would be:".to_owned(), String::new()];
    let told = [&network[..], &call].concat();
    assert_eq!(lines(&server, &[&command[..], &["--dry-run"]].concat()).await, [&head[..], &told].concat());

    let question = format!("Call bet of contract {contract}? [y/N]");
    let typed = format!("nano-execute {contract} bet {who} '{data}'");
    let expected = [&told[..], &[question]].concat();
    assert_eq!(asked(&server, &typed).await, expected);
    // As well where the answer is for a program.
    assert_eq!(asked(&server, &format!("{typed} --json")).await, expected);
    server.shutdown().await;
}

#[tokio::test]
async fn a_creation_and_the_rights_that_it_moves_are_told() {
    let server = Server::with_wallet().await;
    let caller = server.address(0).await;
    let data = json!({"args": ["76a9", "00", 1_795_361_637_u32]}).to_string();
    let shown = asked(&server, &format!("nano-create {BET} {caller} '{data}'")).await;
    let expected = [
        "network privatenet".to_owned(),
        String::new(),
        "None of its inputs and outputs are this wallet's.".to_owned(),
        String::new(),
        "calls initialize".to_owned(),
        format!("blueprint {BET}"),
        format!("caller {caller}"),
        String::new(),
        "The call moves nothing into or out of the contract.".to_owned(),
        String::new(),
        "No outputs.".to_owned(),
        format!("Create a contract of blueprint {BET}? [y/N]"),
    ];
    assert_eq!(shown, expected);

    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 500})).await;
    let token = token["hash"].as_str().unwrap();
    let t = named("T", token);
    let body = json!({"code": AUTHORITY, "address": caller});
    let blueprint = server.done("nano-contracts/create-on-chain-blueprint", body).await;
    mine(&server).await;
    let blueprint = blueprint["hash"].as_str().unwrap();
    let actions = json!({"actions": [
        {"type": "deposit", "token": token, "amount": 500},
        {"type": "grant_authority", "token": token, "authority": "melt"},
    ]});
    let shown = lines(&server, &["nano-create", blueprint, &caller, &actions.to_string(), "--dry-run"]).await;
    let expected = [
        "ACTION AMOUNT TOKEN".to_owned(),
        format!("deposit 5.00 {t}"),
        format!("grant authority to melt {t}"),
    ];
    let actions = shown.iter().position(|line| *line == expected[0]).unwrap();
    assert_eq!(shown[actions..actions + 3], expected, "{shown:?}");
    let change = [
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        format!("-5.00 {t} 0.00"),
        String::new(),
        format!("The right to melt {t} is given to the contract and not kept."),
    ];
    assert_eq!(shown[4..8], change, "{shown:?}");
    server.shutdown().await;
}

#[tokio::test]
async fn a_template_says_whom_it_pays_what() {
    let server = Server::with_wallet().await;
    let keeps = server.address(7).await;
    let template = json!([
        {"type": "input/utxo", "fill": 1_001, "changeAddress": keeps},
        {"type": "output/token", "amount": 1_000, "address": STRANGER, "timelock": 4_000_000_000_u32},
        {"type": "output/data", "data": "rent"},
    ]);
    let tried = server.done("tx-template/run?dry_run=true", template.clone()).await;
    let shown = asked(&server, &format!("run-template '{template}'")).await;
    let expected = [
        "network privatenet".to_owned(),
        String::new(),
        "CHANGE TOKEN OF IT LOCKED".to_owned(),
        "-10.01 HTR 0.00".to_owned(),
        String::new(),
        "AMOUNT TOKEN TO".to_owned(),
        format!("{} HTR {keeps} (this wallet)", decimal(change(&tried))),
        format!("10.00 HTR {STRANGER}, locked until 2096-10-02 07:06:40"),
        "0.01 HTR text \"rent\"".to_owned(),
        String::new(),
        "texts 0.01 HTR".to_owned(),
        "cost 0.01 HTR".to_owned(),
        "Send the transaction that this template makes? [y/N]".to_owned(),
    ];
    assert_eq!(shown, expected);
    server.shutdown().await;
}

#[tokio::test]
async fn the_history_notes_calls_and_what_they_create() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let who = server.address(2).await;
    let data = json!({"args": [who, "1x0"], "actions": [{"type": "deposit", "token": "00", "amount": 100}]});
    let body = json!({"nc_id": contract, "method": "bet", "address": who, "data": data});
    let called = server.done("nano-contracts/execute", body).await;
    let body = json!({"code": AUTHORITY, "address": who});
    let blueprint = server.done("nano-contracts/create-on-chain-blueprint", body).await;
    mine(&server).await;
    let shown = lines(&server, &["history"]).await;
    for (id, note) in [
        (called["hash"].as_str().unwrap(), "calls bet"),
        (&*contract, "creates a contract"),
        (blueprint["hash"].as_str().unwrap(), "a blueprint"),
    ] {
        let line = shown.iter().find(|line| line.contains(id)).unwrap();
        assert!(line.ends_with(&format!("{id} {note}")), "{line}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_proposal_stands_alone_on_standard_output() {
    let server = Server::with_wallet().await;
    let ask = async |args: &[&str]| server.wallet_of("genesis", args).await;
    let (code, out, err) = ask(&["swap-propose", "--send", "0.10", "--receive", "0.10"]).await;
    assert_eq!((code, &*err), (0, "state  balanced: it can be signed\n"));
    assert_eq!((out.lines().count(), out.starts_with("PartialTx|")), (1, true), "{out}");

    let (code, out, err) = ask(&["swap-propose", "--send", "0.10", "--new-at-service"]).await;
    let wants = "error: --new-at-service protects the proposal with a password that the others need, too: write one into a file, and give \
    it with --password-file\n";
    assert_eq!((code, &*out), (2, ""));
    assert!(err.starts_with(wants), "{err}");

    for (command, expected) in [
        ("swap-fetch", "<PROPOSAL-ID>"),
        ("swap-register", "<PROPOSAL-ID>"),
        ("swap-propose", "--service-id <PROPOSAL-ID>"),
        ("nano-create", "The input of the call, as JSON"),
        ("nano-execute", "A token that the same transaction creates, as JSON"),
    ] {
        let (code, out, _) = ask(&[command, "--help"]).await;
        let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 0 && out.contains(expected), "{command}: {out}");
    }
    server.shutdown().await;
}
