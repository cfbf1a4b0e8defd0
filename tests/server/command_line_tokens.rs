//! Tokens by their names, histories of one of them, and what the command line does beside the interface.

use super::command_line::{Dir, printed, program, run, wallet};
use super::support::Server;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use serde_json::{Value, json};

async fn create(server: &Server, name: &str, symbol: &str) -> String {
    let token = server.done("create-token", json!({"name": name, "symbol": symbol, "amount": 1_000})).await;
    token["hash"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_history_since_a_time_has_that_second() {
    let server = Server::with_wallet().await;
    let coffee = create(&server, "Coffee", "CFE").await;
    let shown = server.printed(&["history", "--token", "CFE", "--output", "csv"]).await;
    let (head, row) = shown.trim_end().split_once('\n').unwrap();
    assert_eq!(head, "time (UTC),amount,token,token uid,transaction,note");
    let (time, row) = row.split_once(',').unwrap();
    assert_eq!(row, format!("10.00,CFE,{coffee},{coffee},creates Coffee (CFE)"));
    let time = time.replace(' ', "T");
    assert_eq!(
        server.printed(&["history", "--token", "CFE", "--since", &time, "--output", "csv"]).await,
        shown
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_limit_counts_transactions_of_what_is_looked_for() {
    let server = Server::with_wallet().await;
    let coffee = create(&server, "Coffee", "CFE").await;
    let tea = create(&server, "Tea", "TEA").await;
    // They may be of one second.
    let newest = server.read("/wallet/tx-history?limit=1").await[0]["tx_id"].as_str().unwrap().to_owned();
    let (other, symbol) = if newest == tea { (&coffee, "CFE") } else { (&tea, "TEA") };
    let of = async |args: &[&str]| {
        let shown = server.printed(&[&["history", "--output", "csv"], args].concat()).await;
        let column = |line: &str| line.split(',').nth(4).unwrap().to_owned();
        let mut ids: Vec<_> = shown.lines().skip(1).map(column).collect();
        ids.sort_unstable();
        ids
    };
    // Each of them changed two tokens: the deposit, and what came of it.
    assert_eq!(of(&["--limit", "1"]).await, [&*newest, &newest]);
    assert_eq!(of(&["--limit", "1", "--token", symbol]).await, [&**other]);
    let mut both = [&*newest, &newest, other, other];
    both.sort_unstable();
    assert_eq!(of(&["--limit", "2", "--since", "2022-03-01"]).await, both);
    let json = server.printed(&["history", "--limit", "1", "--token", symbol, "--json"]).await;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().iter().map(|entry| &entry["tx_id"]).collect::<Vec<_>>(), [&**other]);
    server.shutdown().await;
}

#[tokio::test]
async fn commands_are_found_on_the_other_level() {
    for (args, meant) in [(&["balance"][..], "did you mean `headless-wallet wallet balance`?")] {
        let mut program = program();
        program.args(args);
        let (code, out, err) = run(program, "").await;
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert_eq!(err.lines().nth(2).unwrap().trim(), format!("tip: {meant}"), "{err}");
    }
}

#[tokio::test]
async fn help_has_the_flags_that_do_something() {
    let help = async |args: &[&str]| printed(wallet(&[args, &["--help"]].concat()).await);
    let flags = |help: &str| {
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        lines
            .map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")).unwrap_or(line).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(flags(&help(&["new"]).await), ["--out", "--json", "--output", "--help"]);
    let start = help(&["start"]).await;
    assert!(start.contains("--wallet-id") && !start.contains("--node-url"), "{start}");
    assert!(help(&["balance"]).await.contains("--node-url"));
    let of_servers = "tasks task task-cancel approvals approval approve deny webhooks webhook-deliveries webhook-redeliver \
                      events list";
    for command in of_servers.split(' ') {
        let help = help(&[command]).await;
        assert!(help.contains("--url") && help.contains("--profile"), "{help}");
        assert!(
            !["--direct", "--node-url", "--seed-file", "--gap-limit"].iter().any(|flag| help.contains(flag)),
            "{help}"
        );
    }
}

#[tokio::test]
async fn manual_pages_are_written() {
    let dir = Dir::new();
    let place = dir.file("man");
    let mut program = program();
    program.args(["man", &place]);
    assert_eq!(run(program, "").await, (0, String::new(), String::new()));
    let page = std::fs::read_to_string(format!("{place}/headless-wallet-wallet-send.1")).unwrap();
    assert!(page.contains("AMOUNT") && page.contains("\\-\\-dry\\-run"), "{page}");
}

#[tokio::test]
async fn an_address_is_shown_as_a_code() {
    let server = Server::with_wallet().await;
    let address = server.address(0).await;
    let shown = server.printed(&["address", "--index", "0", "--qr"]).await;
    let (text, code) = shown.trim_end_matches('\n').split_once("\n\n").unwrap();
    assert_eq!(text, address);
    // 42 letters take a code of 29 modules, two rows to a line, with a margin of two.
    let widths: Vec<_> = code.lines().map(|line| line.chars().count()).collect();
    assert_eq!(widths, [33; 17]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_local_network_that_runs_is_told_what_to_do() {
    let config =
        DevnetConfig { node_port: 0, mining_port: 0, block_interval: None, ..DevnetConfig::default() };
    let devnet = Devnet::start(config).await.unwrap();
    let control = devnet.control_url();
    let tell = async |args: &[&str]| {
        let mut program = program();
        program.arg("devnet").args(args).args(["--control", &control, "--json"]);
        run(program, "").await
    };
    let json = |ended| serde_json::from_str::<Value>(&printed(ended)).unwrap();
    let before = json(tell(&["status"]).await)["height"].as_u64().unwrap();
    let mined = json(tell(&["mine", "3"]).await);
    assert_eq!(
        (mined["height"].as_u64().unwrap(), mined["block_ids"].as_array().unwrap().len()),
        (before + 3, 3)
    );
    assert_eq!(json(tell(&["undo"]).await)["height"], before + 2);
    let to = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
    let paid = json(tell(&["fund", to, "12.50", "--count", "2"]).await);
    assert_eq!(paid["tx_ids"].as_array().unwrap().len(), 2);
    let (code, _, err) = tell(&["fund", "W", "0.01"]).await;
    assert_eq!(code, 2, "{err}");
    devnet.shutdown().await;
    let (code, out, err) = tell(&["mine"]).await;
    assert_eq!((code, &*out), (1, ""));
    assert!(
        err.trim_end()
            .ends_with("start a local network with `headless-wallet devnet`, or name another with --control"),
        "{err}"
    );
}
