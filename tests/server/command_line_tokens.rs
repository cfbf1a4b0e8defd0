//! Tokens by their names, histories of one of them, and what the command line does beside the interface.

use super::command_line::{Dir, cells, decimal, named, printed, program, run, wallet};
use super::support::Server;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use serde_json::{Value, json};

async fn create(server: &Server, name: &str, symbol: &str) -> String {
    let token = server.done("create-token", json!({"name": name, "symbol": symbol, "amount": 1_000})).await;
    token["hash"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn tokens_are_listed_with_names_and_balances() {
    let server = Server::with_wallet().await;
    let coffee = create(&server, "Coffee, black", "CFE").await;
    let nft = json!({"name": "A picture", "symbol": "PIC", "amount": 3, "data": "ipfs://x"});
    let picture = server.done("create-nft", nft).await["hash"].as_str().unwrap().to_owned();
    let htr = server.read("/wallet/balance").await["available"].as_u64().unwrap();
    let rows = |quoted: bool, of: &dyn Fn(&str, &str) -> String| {
        let name = if quoted { "\"Coffee, black\"" } else { "Coffee, black" };
        let mut rows = vec![
            (
                coffee.clone(),
                vec![of("CFE", &coffee), name.to_owned(), "10.00".into(), "0.00".into(), coffee.clone()],
            ),
            (
                picture.clone(),
                vec![of("PIC", &picture), "A picture".into(), "3".into(), "0".into(), picture.clone()],
            ),
        ];
        rows.sort_unstable();
        let htr = vec!["HTR".to_owned(), "Hathor".into(), decimal(htr), "0.00".into(), "00".into()];
        std::iter::once(htr).chain(rows.into_iter().map(|(_, row)| row)).collect::<Vec<_>>()
    };
    let csv = server.printed(&["tokens", "--output", "csv"]).await;
    let expected: Vec<_> =
        rows(true, &|symbol, _| symbol.to_owned()).iter().map(|row| row.join(",")).collect();
    assert_eq!(csv, format!("token,name,available,locked,uid\n{}\n", expected.join("\n")));
    let table = server.printed(&["tokens"]).await;
    let expected = rows(false, &named).iter().map(|row| row.join(" ")).collect::<Vec<_>>();
    assert_eq!(cells(&table)[1..], expected);
    assert_eq!(server.printed(&["balance", "--all"]).await, table);
    let json: Value = serde_json::from_str(&server.printed(&["tokens", "--json"]).await).unwrap();
    assert_eq!(
        json["tokens"][0],
        json!({"uid": "00", "name": "Hathor", "symbol": "HTR", "available": htr, "locked": 0})
    );
    // Pieces of an NFT are no cents, in the answer that makes it as well.
    let made = server.printed(&["create-nft", "P", "P", "2", "x", "--dry-run"]).await;
    assert!(cells(&made).iter().any(|line| line.starts_with("2 P W")), "{made}");
    let output = &server.read(&format!("/wallet/utxo-filter?token={picture}")).await["utxos"][0];
    let place = format!("{}:{}", output["tx_id"].as_str().unwrap(), output["index"]);
    let address = output["address"].as_str().unwrap();
    let outputs = server.printed(&["utxos", "--token", "PIC", "--output", "csv"]).await;
    assert_eq!(outputs, format!("amount,address,output,state\n3,{address},{place},\n"));
    let outputs = server.printed(&["utxos", "--token", "PIC"]).await;
    let available = format!("available 3 {} in 1 output", named("PIC", &picture));
    assert_eq!(cells(&outputs)[1..], [format!("3 {address} {place}"), String::new(), available]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_token_is_named_by_its_symbol_where_that_is_its_own() {
    let server = Server::with_wallet().await;
    let (first, second) = (create(&server, "Coffee", "CFE").await, create(&server, "Coffee", "CFE").await);
    let mut both = [&*first, &*second];
    both.sort_unstable();
    let error = format!(
        "error: 2 tokens of this wallet match CFE: give the uid of the one you mean: {}\n",
        both.join(", ")
    );
    let ended = server.wallet_of("genesis", &["balance", "--token", "CFE"]).await;
    assert_eq!(ended, (1, String::new(), error));
    // Eight digits tell them apart, and within a longer argument, too.
    let to = server.address(3).await;
    let tea = create(&server, "Tea", "TEA").await;
    let pays = [&*format!("{to}:1.50:{}", &first[..8]), &format!("{to}:2.5:TEA")];
    let sent = server.printed(&["send-many", "--to", pays[0], "--to", pays[1], "--json"]).await;
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let mut paid: Vec<_> =
        sent["tokens"].as_array().unwrap().iter().map(|uid| uid.as_str().unwrap()).collect();
    paid.sort_unstable();
    let mut meant = [&*first, &*tea];
    meant.sort_unstable();
    assert_eq!(paid, meant);
    let values = sent["outputs"].as_array().unwrap().iter().map(|output| output["value"].as_u64().unwrap());
    let mut values: Vec<_> = values.collect();
    values.sort_unstable();
    assert_eq!(values, [150, 250, 750, 850]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_history_is_that_of_a_token_and_of_a_time() {
    let server = Server::with_wallet().await;
    let coffee = create(&server, "Coffee", "CFE").await;
    let entry = server.read(&format!("/wallet/transaction?id={coffee}")).await;
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
    assert_eq!(server.printed(&["history", "--since", "2999-01-01"]).await, "No transactions.\n");
    assert!(entry["timestamp"].as_u64().unwrap() > 1_700_000_000);
    let (code, _, err) = server.wallet_of("genesis", &["history", "--since", "soon"]).await;
    let wrong = "error: invalid value 'soon' for '--since <TIME>': must be a time such as 2026-01-31 or 2026-01-31T18:30:00\n";
    assert_eq!((code, err.starts_with(wrong)), (2, true), "{err}");
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
async fn an_amount_can_say_of_what_it_is() {
    let server = Server::with_wallet().await;
    let tea = create(&server, "Tea", "TEA").await;
    let to = "WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6";
    let paid = async |args: &[&str]| {
        let sent: Value = serde_json::from_str(&server.printed(args).await).unwrap();
        let paid = sent["outputs"].as_array().unwrap().iter().map(|output| output["value"].to_string());
        let mut paid: Vec<_> = paid.collect();
        paid.sort_unstable();
        (sent["tokens"].clone(), paid)
    };
    assert_eq!(
        paid(&["send", to, "1.50 TEA", "--json"]).await,
        (json!([tea]), vec!["150".to_owned(), "850".to_owned()])
    );
    let two = ["send-many", "--to", &format!("{to}:2.5 TEA"), "--to", &format!("{to}:0.03htr"), "--json"];
    let (tokens, values) = paid(&two).await;
    assert_eq!(tokens, json!([tea]));
    assert!(["250", "600", "3"].iter().all(|value| values.contains(&(*value).to_owned())), "{values:?}");
    for (args, wrong) in [
        (
            &["send", to, "1.50 TEA", "--token", "HTR"][..],
            "the amount is in TEA, but the token is HTR: which one do you mean?",
        ),
        (
            &["send", to, "1.50 HTR", "--token", "TEA"],
            "the amount is in HTR, but the token is TEA: which one do you mean?",
        ),
        (
            &["send", to, "10"],
            "invalid value '10' for '<AMOUNT>': \"10\" could be 10.00 or 10 cents: write \"10.00\" or \"10 cents\"",
        ),
        (
            &["send", to, "10 TEA"],
            "invalid value '10 TEA' for '<AMOUNT>': \"10 TEA\" could be 10.00 TEA or 10 cents: write \"10.00 TEA\" or \"10 cents of TEA\"",
        ),
        (&["create-token", "T", "T", "1.00 HTR"], "write the amount without \"HTR\" here, such as 15.00"),
    ] {
        let (code, out, err) = server.wallet_of("genesis", args).await;
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert_eq!(err.lines().next().unwrap(), format!("error: {wrong}"), "{args:?}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn formulas_stay_texts_in_a_spreadsheet() {
    let server = Server::with_wallet().await;
    create(&server, "=1+1", "@SUM").await;
    let csv = server.printed(&["tokens", "--output", "csv"]).await;
    let row = csv.lines().nth(2).unwrap();
    assert!(row.starts_with("'@SUM,'=1+1,10.00,"), "{row}");
    server.shutdown().await;
}

#[tokio::test]
async fn commands_are_found_on_the_other_level() {
    for (args, meant) in [
        (&["balance"][..], "did you mean `headless-wallet wallet balance`?"),
        (&["wallet", "serve"], "did you mean `headless-wallet serve`?"),
        (
            &["wallet", "send", "WX", "12.50", "HTR"],
            "an amount and its token are one argument: \"12.50 HTR\"",
        ),
        (&["wallet", "send", "WX", "12.50", "--dryrun"], "a similar argument exists: '--dry-run'"),
        (&["wallet", "balanse"], "a similar subcommand exists: 'balance'"),
    ] {
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
