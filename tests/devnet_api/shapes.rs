//! Answers and frames that depend on the ledger: the recorded keys in the recorded order, with the recorded
//! types.

use crate::shape::Shape;
use crate::support::{Net, htr, output, pay, token};
use headless_wallet::devnet::{DevnetConfig, NodeRelease};
use headless_wallet::ledger::{TokenData, Transaction};
use serde_json::{Value, json};

/// The recorded text of that name.
pub fn recorded(name: &str) -> String {
    let lines = include_str!("../recordings/shapes.jsonl").lines();
    let mut records = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let record = records.find(|record| record["name"] == name);
    record.unwrap_or_else(|| panic!("no recording of {name}"))["text"].as_str().unwrap().to_owned()
}

#[track_caller]
pub fn same_shape(name: &str, text: &str) {
    assert_eq!(Shape::of(text).to_string(), Shape::of(&recorded(name)).to_string(), "{name}");
}

impl Net {
    async fn shaped(&self, name: &str, path: &str) {
        let answer = self.send("GET", &self.node(path), None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        same_shape(name, &answer.text);
    }

    async fn pushed(&self, name: &str, tx: &Transaction) -> String {
        let body = json!({ "hex_tx": hex::encode(tx.to_bytes().unwrap()) }).to_string();
        let answer = self.send("POST", &self.node("push_tx"), Some(body)).await;
        same_shape(name, &answer.text);
        tx.id().unwrap().to_string()
    }
}

/// A token of 100 units with both authorities, paid for by an output of 5 cents.
pub async fn create_token(net: &Net) -> Transaction {
    let coin = net.funded(3, 5).await;
    let script = pay(net.address(4));
    net.solved(&[(coin, 3)], |tx| {
        tx.creates = Some(token("Test Coin", "TEST"));
        tx.outputs = vec![
            htr(4, net.address(3)),
            output(100, TokenData::token(1), script.clone()),
            output(1, TokenData::authority(1), script.clone()),
            output(2, TokenData::authority(1), script),
        ];
    })
}

#[tokio::test]
async fn the_node_of_itself() {
    // The release that was recorded.
    let config =
        DevnetConfig { block_interval: None, node_release: NodeRelease::V70, ..DevnetConfig::default() };
    let net = Net::start_with(config).await;
    net.control("blocks", json!({})).await;
    for path in ["version", "status", "getmininginfo", "tx_parents", "feature"] {
        net.shaped(path, path).await;
        net.shaped(path, &format!("{path}/")).await;
    }
    let version = net.get("version").await;
    assert_eq!(version["network"], "privatenet");
    let block = net.get("feature").await["block_hash"].as_str().unwrap().to_owned();
    net.shaped("feature of a block", &format!("feature?block={block}")).await;
    assert_eq!(net.get("health").await["status"], "pass");
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn the_version_of_release_71() {
    let net = Net::start().await;
    let version = net.get("version").await;
    let genesis = net.devnet.read(|chain| chain.genesis().map(|id| id.to_string()));
    let expected = json!({
        "version": concat!("0.71.0-devnet-", env!("CARGO_PKG_VERSION")),
        "network": "privatenet",
        "nano_contracts_enabled": true,
        "min_weight": 1,
        "min_tx_weight": 1,
        "min_tx_weight_coefficient": 0.0,
        "min_tx_weight_k": 0.0,
        "token_deposit_percentage": 0.01,
        "token_deposit_percentage_numerator": 10_000_000,
        "token_deposit_percentage_denominator": 1_000_000_000,
        "reward_spend_min_blocks": 1,
        "max_number_inputs": 255,
        "max_number_outputs": 255,
        "decimal_places": 2,
        "display_decimal_places": 2,
        "token_amount_v1_decimal_places": 2,
        "token_amount_v2_decimal_places": 18,
        "genesis_block_hash": genesis[0],
        "genesis_tx1_hash": genesis[1],
        "genesis_tx2_hash": genesis[2],
        "native_token": { "name": "Hathor", "symbol": "HTR", "version": 0 },
    });
    assert_eq!(version.to_string(), expected.to_string());
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_payment_before_and_after_its_block() {
    let net = Net::start().await;
    let (coin, mut socket) = (net.funded(0, 100).await, net.socket().await);
    let to = net.address(9).to_string();
    socket.ask(json!({"type": "subscribe_address", "address": to})).await;
    let tx = net.spend(&[(coin, 0)], vec![htr(100, net.address(9))]);
    let id = net.pushed("push_tx", &tx).await;
    let first = socket.next_text().await;
    same_shape("wallet:address_history", &first);
    same_shape("network:new_tx_accepted", &socket.next_text().await);
    assert_eq!(socket.next_text().await, first);

    net.shaped("transaction in the mempool", &format!("transaction?id={id}")).await;
    net.shaped("acc_weight before a block", &format!("transaction_acc_weight?id={id}")).await;
    assert!(net.get("mempool").await["transactions"].as_array().unwrap().contains(&json!(id)));
    let hex_tx = hex::encode(tx.to_bytes().unwrap());
    net.shaped("transaction in the mempool", &format!("decode_tx?hex_tx={hex_tx}")).await;

    // A block is no older than the clock says: the payment, a second ahead of it, may have to wait for the
    // next.
    let (mined, block) = loop {
        let mined = net.control("blocks", json!({})).await;
        let first_block = net.get(&format!("transaction?id={id}")).await["meta"]["first_block"].clone();
        if let Value::String(block) = first_block {
            break (mined, block);
        }
    };
    assert_eq!(mined["block_ids"], json!([block]));
    same_shape("network:new_tx_accepted of a block", &socket.next_text().await);
    net.shaped("transaction in a block", &format!("transaction?id={id}")).await;
    net.shaped("acc_weight after a block", &format!("transaction_acc_weight?id={id}")).await;
    net.shaped("block", &format!("transaction?id={block}")).await;
    net.shaped("newest", "transaction?type=block&count=1").await;
    net.shaped("block_at_height", &format!("block_at_height?height={}", mined["height"])).await;
    let path = format!("block_at_height?height={}&include_transactions=txid", mined["height"]);
    assert!(net.get(&path).await["tx_ids"].as_array().unwrap().contains(&json!(id)));
    let history =
        net.send("GET", &net.node(&format!("thin_wallet/address_history?addresses[]={to}")), None).await;
    let shown = history.json();
    assert_eq!(shown["history"][0]["first_block"], block);
    assert_eq!(shown["history"][0]["tx_id"], id);
    net.shaped("address_balance", &format!("thin_wallet/address_balance?address={to}")).await;
    let balance = net.get(&format!("thin_wallet/address_balance?address={to}")).await;
    assert_eq!(
        balance["tokens_data"],
        json!({"00": {"received": 100, "spent": 0, "name": "Hathor", "symbol": "HTR"}})
    );
    net.shaped("address_search", &format!("thin_wallet/address_search?address={to}&count=2")).await;
    assert_eq!(
        net.get(&format!("transaction_acc_weight?id={block}")).await["message"],
        "not allowed on blocks"
    );
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_token() {
    let net = Net::start().await;
    let tx = create_token(&net).await;
    let mut socket = net.socket().await;
    socket.ask(json!({"type": "subscribe_address", "address": net.address(4).to_string()})).await;
    let id = net.pushed("push_tx of a token", &tx).await;
    same_shape("wallet:address_history of a token", &socket.next_text().await);
    net.shaped("token", &format!("thin_wallet/token?id={id}")).await;
    let shown = net.get(&format!("thin_wallet/token?id={id}")).await;
    assert_eq!(shown["mint"], json!([{"tx_id": id, "index": 2}]));
    assert_eq!(shown["melt"], json!([{"tx_id": id, "index": 3}]));
    assert_eq!(shown["total"], 100);
    net.shaped("tokens", "thin_wallet/token").await;
    net.shaped("native token", "thin_wallet/token?id=00").await;
    let shown = net.get(&format!("transaction?id={id}")).await;
    assert_eq!(shown["tx"]["tokens"], json!([{"uid": id, "name": "Test Coin", "symbol": "TEST"}]));
    let history = net.get(&format!("thin_wallet/token_history?id={id}&count=2")).await;
    assert_eq!(history["transactions"][0]["tx_id"], id);
    assert_eq!(history["has_more"], false);
    net.devnet.shutdown().await;
}
