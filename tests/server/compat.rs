//! What release 0.39 does differently from the documented interface.

use super::support::{Server, names};
use serde_json::{Value, json};

#[tokio::test]
async fn answers_of_release_0_39() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let token = server.done("create-token", json!({"name": "Coffee", "symbol": "CFE", "amount": 100})).await;
    assert_eq!(
        names(&token),
        [
            "_dataToSignCache",
            "configurationString",
            "hash",
            "headers",
            "inputs",
            "name",
            "nonce",
            "outputs",
            "parents",
            "signalBits",
            "success",
            "symbol",
            "timestamp",
            "tokenVersion",
            "tokens",
            "version",
            "weight",
        ]
    );
    assert_eq!(
        (&token["tokens"], &token["signalBits"], &token["headers"], &token["tokenVersion"]),
        (&json!([]), &json!(0), &json!([]), &json!(1))
    );
    let all = server.read("/wallet/tx-history").await;
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(all[0]["tx_id"], token["hash"]);
    assert_eq!(all[0]["first_block"], Value::Null);
    assert_eq!(all[0]["processingStatus"], "finished");
    assert_eq!(server.read("/wallet/tx-history?limit=0").await, all);
    assert_eq!(server.read("/wallet/tx-history?limit=-1").await, json!([all[0]]));

    // `address` is no filter, 0 is no limit.
    let listed = server.read("/wallet/utxo-filter").await;
    for query in [
        "address=WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f",
        "max_utxos=0",
        "amount_smaller_than=0&maximum_amount=0",
    ] {
        assert_eq!(server.read(&format!("/wallet/utxo-filter?{query}")).await, listed, "{query}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn refusals_of_release_0_39() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let answer =
        server.call("create-token", json!({"name": "x".repeat(31), "symbol": "T", "amount": 1})).await;
    let error = "Token name size is 31 but maximum size is 30";
    assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})));
    let outputs = vec![json!({"type": "data", "data": "x"}); 26];
    let answer = server.call("send-tx", json!({"outputs": outputs})).await;
    let error = "Transaction has 26 data outputs and can have at most 25.";
    assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})));
    let answer = server.get("/wallet/tx-history?limit=x").await;
    let entry = json!({"value": "x", "msg": "Invalid value", "param": "limit", "location": "query"});
    assert_eq!(answer.parts(), (400, json!({"success": false, "error": [entry]})));
    // Unknown content types count as no body at all.
    let answer = server.ask("POST", "/start", &[("content-type", "text/plain")], b"x").await;
    let message = "Parameter 'seedKey', 'seed' or 'xpubkey' is required.";
    assert_eq!(answer.parts(), (200, json!({"success": false, "message": message})));
    let answer = server.ask("GET", "/nowhere", &[], b"").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(answer.text.contains("<pre>Cannot GET /nowhere</pre>"), "{}", answer.text);
    server.shutdown().await;
}
