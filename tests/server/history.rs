//! tx-history: both forms.

use super::support::{Server, names};
use serde_json::{Value, json};

#[tokio::test]
async fn keyed_without_a_limit_and_newest_first_with_one() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "Coffee", "symbol": "CFE", "amount": 100})).await;
    let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "hi"}]})).await;

    let keyed = server.read("/wallet/tx-history").await;
    assert_eq!(keyed.as_object().unwrap().len(), 3, "genesis, creation, data");
    for (id, entry) in keyed.as_object().unwrap() {
        assert_eq!(entry["tx_id"], **id);
    }
    let common = ["inputs", "is_voided", "outputs", "parents", "timestamp", "tx_id", "version", "weight"];
    assert_eq!(names(&keyed[sent["hash"].as_str().unwrap()]), common);
    let creation = &keyed[token["hash"].as_str().unwrap()];
    let mut with_token = common.to_vec();
    with_token.extend(["token_name", "token_symbol", "tokens"]);
    with_token.sort_unstable();
    assert_eq!(names(creation), with_token);
    assert_eq!((&creation["token_name"], &creation["token_symbol"]), (&json!("Coffee"), &json!("CFE")));
    for input in creation["inputs"].as_array().unwrap() {
        assert_eq!(names(input), ["decoded", "index", "script", "token", "token_data", "tx_id", "value"]);
        assert_eq!(names(&input["decoded"]), ["address", "timelock", "type"]);
    }
    for output in creation["outputs"].as_array().unwrap() {
        assert_eq!(names(output), ["decoded", "script", "spent_by", "token", "token_data", "value"]);
        assert_eq!(output["decoded"]["type"], "P2PKH");
    }
    assert_eq!(creation["outputs"][1]["token"], token["hash"]);
    let spent = creation["inputs"][0]["tx_id"].as_str().unwrap();
    let place = usize::try_from(creation["inputs"][0]["index"].as_u64().unwrap()).unwrap();
    assert_eq!(keyed[spent]["outputs"][place]["spent_by"], token["hash"]);

    let all = server.read("/wallet/tx-history?limit=10").await;
    let times: Vec<u64> =
        all.as_array().unwrap().iter().map(|tx| tx["timestamp"].as_u64().unwrap()).collect();
    assert_eq!(times.len(), 3);
    assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");
    let two = server.read("/wallet/tx-history?limit=2").await;
    assert_eq!(two.as_array().unwrap()[..], all.as_array().unwrap()[..2]);
    assert_eq!(server.read("/wallet/tx-history?limit=0").await, json!([]));
    for entry in all.as_array().unwrap() {
        assert_eq!(*entry, keyed[entry["tx_id"].as_str().unwrap()], "both forms have the same entries");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn an_empty_wallet_has_an_empty_object() {
    let server = Server::start_with("allow_passphrase = true").await;
    server.start_wallet("genesis", json!({"seedKey": "genesis", "passphrase": "other addresses"})).await;
    assert_eq!(server.read("/wallet/tx-history").await, json!({}));
    assert_eq!(server.read("/wallet/tx-history?limit=5").await, Value::Array(vec![]));
    server.shutdown().await;
}
