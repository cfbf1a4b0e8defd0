//! The operations that send, with every documented field.

use super::support::{Server, names};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::{Value, json};

/// Checks the fields of a transaction as documented: all there, no others, none `null` but those documented
/// so.
fn assert_transaction(answer: &Value, creation: bool) {
    let mut expected = vec![
        "_dataToSignCache",
        "hash",
        "inputs",
        "nonce",
        "outputs",
        "parents",
        "success",
        "timestamp",
        "version",
        "weight",
    ];
    expected.extend(if creation { &["configurationString", "name", "symbol"][..] } else { &["tokens"] });
    expected.sort_unstable();
    assert_eq!(names(answer), expected);
    assert_eq!(answer["_dataToSignCache"], Value::Null);
    assert_eq!(answer["version"], json!(if creation { 2 } else { 1 }));
    assert_eq!(answer["parents"].as_array().unwrap().len(), 2);
    assert!(answer["weight"].is_number() && answer["nonce"].is_u64() && answer["timestamp"].is_u64());
    assert_eq!(answer["hash"].as_str().unwrap().len(), 64);
    for input in answer["inputs"].as_array().unwrap() {
        assert_eq!(names(input), ["data", "hash", "index", "tx_id"]);
        assert_eq!(input["hash"], input["tx_id"]);
        assert_eq!(input["data"]["type"], "Buffer");
        assert!(input["data"]["data"].as_array().unwrap().len() > 100, "signed");
    }
    for output in answer["outputs"].as_array().unwrap() {
        assert_eq!(names(output), ["decodedScript", "script", "tokenData", "token_data", "value"]);
        assert_eq!(output["tokenData"], output["token_data"]);
        assert_eq!(output["decodedScript"], Value::Null);
        assert_eq!(output["script"]["type"], "Buffer");
        assert!(output["value"].is_u64());
    }
}

/// Values and token data of the outputs, in order.
fn outputs(answer: &Value) -> Vec<(u64, u64)> {
    let outputs = answer["outputs"].as_array().unwrap();
    outputs.iter().map(|o| (o["value"].as_u64().unwrap(), o["token_data"].as_u64().unwrap())).collect()
}

#[tokio::test]
async fn create_token() {
    let server = Server::with_wallet().await;
    let (to, change) = (server.address(5).await, server.address(6).await);
    let answer = server
        .done(
            "create-token",
            json!({"name": "Coffee", "symbol": "CFE", "amount": 1000, "address": to, "change_address": change}),
        )
        .await;
    assert_transaction(&answer, true);
    assert_eq!((&answer["name"], &answer["symbol"]), (&json!("Coffee"), &json!("CFE")));
    let hash = answer["hash"].as_str().unwrap();
    let configuration = answer["configurationString"].as_str().unwrap();
    assert!(configuration.starts_with(&format!("[Coffee:CFE:{hash}:")));
    assert_eq!(configuration.len(), "[Coffee:CFE::]".len() + 64 + 8);
    let made = outputs(&answer);
    assert_eq!(made[0].1, 0, "change comes first");
    assert_eq!(made[1..], [(1000, 1), (1, 129), (2, 129)]);

    let minted = server.read(&format!("/wallet/utxo-filter?token={hash}")).await;
    assert_eq!(
        minted,
        json!({
            "total_amount_available": 1000, "total_utxos_available": 1,
            "total_amount_locked": 0, "total_utxos_locked": 0,
            "utxos": [{"address": to, "amount": 1000, "tx_id": hash, "locked": false, "index": 1}],
        })
    );
    let changed = server.read(&format!("/wallet/utxo-filter?filter_address={change}")).await;
    assert_eq!(changed["total_utxos_available"], 1);
    assert_eq!(
        server.read(&format!("/wallet/balance?token={hash}")).await,
        json!({"available": 1000, "locked": 0})
    );
    server.shutdown().await;
}

#[tokio::test]
async fn create_nft_makes_the_authorities_asked_for() {
    let server = Server::with_wallet().await;
    let nft = |more: Value| {
        let mut body = json!({"name": "Art", "symbol": "ART", "amount": 1, "data": "ipfs://art"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let answer = server.done("create-nft", nft(json!({}))).await;
    assert_transaction(&answer, true);
    let made = outputs(&answer);
    assert_eq!((made[0], made[1].1, &made[2..]), ((1, 0), 0, &[(1, 1)][..]));
    let data = answer["outputs"][0]["script"]["data"].as_array().unwrap();
    let text: Vec<u8> =
        data[1..11].iter().map(|byte| u8::try_from(byte.as_u64().unwrap()).unwrap()).collect();
    assert_eq!(text, b"ipfs://art");

    let answer = server.done("create-nft", nft(json!({"create_mint": true, "create_melt": true}))).await;
    assert_eq!(outputs(&answer)[2..], [(1, 1), (1, 129), (2, 129)]);
    let answer = server.done("create-nft", nft(json!({"create_melt": true}))).await;
    assert_eq!(outputs(&answer)[2..], [(1, 1), (2, 129)]);
    server.shutdown().await;
}

#[tokio::test]
async fn send_data_and_values() {
    let server = Server::with_wallet().await;
    let to = server.address(7).await;
    let answer = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "hello"}]})).await;
    assert_transaction(&answer, false);
    assert_eq!(answer["tokens"], json!([]));

    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 500})).await;
    let token = token["hash"].as_str().unwrap();
    let answer = server
        .done(
            "send-tx",
            json!({"outputs": [
                {"type": "data", "data": "mixed"},
                {"address": to, "value": "30", "token": token},
                {"address": to, "value": 12},
            ]}),
        )
        .await;
    assert_transaction(&answer, false);
    assert_eq!(answer["tokens"], json!([token]));
    let mut made = outputs(&answer);
    made.sort_unstable();
    assert_eq!(made[..3], [(1, 0), (12, 0), (30, 1)]);
    assert_eq!(made[3], (470, 1), "change of the token");
    server.shutdown().await;
}

#[tokio::test]
async fn send_spends_the_inputs_given_and_keeps_the_order_without_change() {
    let server = Server::with_wallet().await;
    let (to, change) = (server.address(3).await, server.address(4).await);
    let paid = server
        .done("send-tx", json!({"outputs": [{"address": to, "value": 77}], "change_address": change}))
        .await;
    let index = outputs(&paid).iter().position(|output| *output == (77, 0)).unwrap();
    let input = json!({"hash": paid["hash"], "index": index});
    let answer = server
        .done(
            "send-tx",
            json!({"inputs": [input], "outputs": [{"address": to, "value": 70}, {"type": "data", "data": "x"}, {"address": to, "value": 6}]}),
        )
        .await;
    assert_eq!(outputs(&answer), [(70, 0), (1, 0), (6, 0)]);
    assert_eq!(answer["inputs"].as_array().unwrap().len(), 1);
    assert_eq!(answer["inputs"][0]["hash"], paid["hash"]);

    let query = json!([{"type": "query", "filter_address": to, "amount_smaller_than": 71, "max_utxos": 1}]);
    let answer =
        server.done("send-tx", json!({"inputs": query, "outputs": [{"address": to, "value": 70}]})).await;
    assert_eq!(outputs(&answer), [(70, 0)]);
    let query = json!([{"type": "query", "filter_address": to, "maximum_amount": 50}]);
    let refused =
        server.call("send-tx", json!({"inputs": query, "outputs": [{"address": to, "value": 70}]})).await;
    assert_eq!(
        refused.parts(),
        (
            200,
            json!({
                "success": false,
                "error": "No utxos available for the query filter for this amount.",
                "token": "00",
            })
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn melt_returns_the_deposit_and_the_change() {
    let server = Server::with_wallet().await;
    let (change, deposit) = (server.address(8).await, server.address(9).await);
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 1000})).await;
    let token = token["hash"].as_str().unwrap();
    let answer = server
        .done(
            "melt-tokens",
            json!({"token": token, "amount": 350, "change_address": change, "deposit_address": deposit}),
        )
        .await;
    assert_transaction(&answer, false);
    assert_eq!(answer["tokens"], json!([token]));
    assert_eq!(outputs(&answer), [(650, 1), (2, 129), (3, 0)]);
    let of =
        |address: &str, token: &str| format!("/wallet/utxo-filter?filter_address={address}&token={token}");
    assert_eq!(server.read(&of(&change, token)).await["total_amount_available"], 650);
    assert_eq!(server.read(&of(&deposit, "00")).await["total_amount_available"], 3);
    let refused = server.call("melt-tokens", json!({"token": token, "amount": 651})).await;
    let error = "Not enough tokens to melt: 651 requested, 650 available";
    let short = json!({"success": false, "error": error, "required": 651, "available": 650});
    assert_eq!(refused.parts(), (200, short));
    server.shutdown().await;
}

/// Somebody has pushed a transaction dated as far ahead as a node takes it, and a block has confirmed it: the
/// newest parents that node and mining service offer are ahead of the clock now.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_what_others_date_ahead_of_the_clock() {
    for mining in ["service", "local", "service-then-local"] {
        let server = Server::with_wallet_and(&format!("mining = '{mining}'")).await;
        let somebody = Address::p2pkh(Network::Privatenet, [9; 20]);
        let ahead = server.devnet.change(|chain, now| {
            let id = chain.fund_dated(somebody, Amount::from(5u64), now + 250, now).unwrap();
            chain.mine_block(vec![0x51], now);
            chain.get(&id).unwrap().timestamp()
        });
        let token =
            server.done("create-token", json!({"name": "Early", "symbol": "ERL", "amount": 100})).await;
        let sent = server.done("send-tx", json!({"outputs": [{"type": "data", "data": "early"}]})).await;
        for answer in [token, sent] {
            assert!(answer["timestamp"].as_u64().unwrap() < ahead.into(), "{mining}: {answer}");
        }
        server.shutdown().await;
    }
}
