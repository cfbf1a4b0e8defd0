//! The rarer operations of `headless-wallet wallet`, and servers that follow release 0.39.

use super::command_line::{cells, decimal, failed, fine, named, run};
use super::raw::{STRANGER, calling};
use super::support::Server;
use serde_json::json;

const TO: &str = "WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6";

/// What an operation that must succeed has printed, line by line, with one space between the cells.
async fn lines(server: &Server, args: &[&str]) -> Vec<String> {
    cells(&server.printed(args).await)
}

#[tokio::test]
async fn many_payments_of_chosen_outputs() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 500})).await;
    let token = token["hash"].as_str().unwrap();
    let utxo = &server.read("/wallet/utxo-filter?amount_smaller_than=1000001").await["utxos"][0];
    let (amount, input) =
        (utxo["amount"].as_u64().unwrap(), format!("{}:{}", utxo["tx_id"].as_str().unwrap(), utxo["index"]));
    let change = server.address(9).await;
    let (one, other) = (format!("{TO}:0.70"), format!("{TO}:5.00:{token}"));
    let args = ["send-many", "--to", &one, "--to", &other, "--data", "hello", "--input", &input];
    let args = [&args[..], &["--change", &change]].concat();
    let mut sent = lines(&server, &args).await;
    let transaction = sent.remove(0);
    let hash = transaction.strip_prefix("transaction ").unwrap();
    assert_eq!(sent.drain(..2).collect::<Vec<_>>(), ["", "AMOUNT TOKEN TO"]);
    sent.sort_unstable();
    let mut expected = vec![
        "0.01 HTR text \"hello\"".to_owned(),
        format!("0.70 HTR {TO} (this wallet)"),
        format!("5.00 {} {TO} (this wallet)", named("T", token)),
        format!("{} HTR {change} (this wallet)", decimal(amount - 71)),
    ];
    expected.sort_unstable();
    assert_eq!(sent, expected);
    let shown = lines(&server, &["tx", hash]).await;
    assert!(
        shown.contains(&format!(
            "{} HTR {} mine {input}",
            decimal(amount),
            utxo["address"].as_str().unwrap()
        )),
        "{shown:?}"
    );
    assert!(shown.contains(&"0.01 HTR text \"hello\"".to_owned()), "{shown:?}");
    server.shutdown().await;
}

#[tokio::test]
async fn many_outputs_become_one() {
    let server = Server::with_wallet().await;
    let args = ["consolidate", TO, "--max-utxos", "2", "--amount-smaller-than", "10000.01"];
    let tried = lines(&server, &[&args[..], &["--dry-run"]].concat()).await;
    let cost = ["", "network privatenet", "cost 0.00 HTR", "", "AMOUNT TOKEN TO"];
    assert_eq!(tried[0], "Nothing was sent. This would be:");
    assert_eq!(tried[1..6], cost);
    assert_eq!(tried[6..], [format!("20000.00 HTR {TO} (this wallet)")]);
    let done = lines(&server, &args).await;
    assert_eq!(done[1..4], ["total 20000.00 HTR", "", "AMOUNT ADDRESS OUTPUT STATE"]);
    assert_eq!((done.len(), done[4].starts_with(&format!("10000.00 {TO} "))), (6, true));
    server.shutdown().await;
}

#[tokio::test]
async fn transactions_given_as_digits() {
    let server = Server::with_wallet().await;
    let change = server.address(9).await;
    let body = json!({"outputs": [{"address": TO, "value": 30}], "change_address": change});
    let proposal = server.done("tx-proposal", body).await;
    let hex = proposal["txHex"].as_str().unwrap();
    let shown = lines(&server, &["decode", hex]).await;
    let head = ["kind Transaction", "signed not by all inputs", "", "IN TOKEN ADDRESS WHOSE OUTPUT"];
    assert_eq!(shown[..4], head);
    assert!(shown.contains(&format!("0.30 HTR {TO} mine")), "{shown:?}");
    assert_eq!(shown[shown.len() - 2..], ["CHANGE TOKEN OF IT LOCKED", "0.00 HTR 0.00"]);

    let called = lines(&server, &["decode", &hex::encode(calling().to_bytes().unwrap())]).await;
    let (contract, token) = ("07".repeat(32), "ab".repeat(32));
    let expected = [
        "kind Transaction",
        &format!("fees 0.01 HTR, 1.00 {token}"),
        "",
        "No inputs.",
        "",
        "No outputs.",
        "",
        "calls withdraw",
        &format!("contract {contract}"),
        &format!("caller {STRANGER}"),
        "",
        "ACTION AMOUNT TOKEN",
        "withdrawal 0.30 HTR",
        &format!("deposit 0.05 {token}"),
        &format!("grant authority to melt {token}"),
        &format!("acquire authority to mint and melt {token}"),
        "",
        "None of its inputs and outputs are this wallet's.",
    ];
    assert_eq!(called, expected);

    for args in [&["hold", hex, "--ttl", "600000"][..], &["hold", hex, "--release"]] {
        assert_eq!(server.wallet_of("genesis", args).await, fine("Done."));
    }
    for args in [&["push", hex][..], &["push", hex, "--dry-run"]] {
        assert_eq!(server.wallet_of("genesis", args).await, failed("Input 0 has no signature yet."));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn what_others_have_written_moves_no_cursor() {
    let server = Server::with_wallet().await;
    let nft = json!({"name": "P", "symbol": "P", "amount": 1, "data": "a\u{1b}[2Jb\u{202e}c"});
    let hash = server.done("create-nft", nft).await["hash"].as_str().unwrap().to_owned();
    let shown = lines(&server, &["tx", &hash]).await;
    assert!(shown.contains(&"0.01 HTR text \"a\u{fffd}[2Jb\u{fffd}c\"".to_owned()), "{shown:?}");
    server.shutdown().await;
}

#[tokio::test]
async fn servers_that_follow_release_0_39_are_understood() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let hash = server.read("/wallet/tx-history").await[0]["tx_id"].as_str().unwrap().to_owned();
    let table: [(&[&str], &str); 3] = [
        (&["create-nft", "P", "P", "0", "x"], "amount: Invalid value."),
        (&["tx", "00"], "Wallet does not contain transaction with id 00"),
        (
            &["balance", "--wallet-id", "nobodys"],
            "Invalid wallet id parameter. No wallet \"nobodys\" is started there: `headless-wallet wallet start --wallet-id \
             nobodys` starts it.",
        ),
    ];
    for (args, error) in table {
        let mut cli = server.cli(args);
        cli.env("HEADLESS_WALLET_ID", "genesis");
        assert_eq!(run(cli, "").await, failed(error), "{args:?}");
    }
    let history = [
        "TIME (UTC) AMOUNT TOKEN TRANSACTION NOTE".to_owned(),
        format!("2022-02-03 15:37:45 1000000000.00 HTR {hash}"),
    ];
    for limit in [&["--limit", "1"][..], &["--all"]] {
        assert_eq!(lines(&server, &[&["history"], limit].concat()).await, history);
    }
    server.shutdown().await;
}
