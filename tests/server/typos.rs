//! A typo is not "no money": what names no token is refused, and not taken for one of which there is
//! nothing. Release 0.39 takes it so, and is followed where that is set.

use super::multisig::{Three, pay};
use super::support::{Answer, Server};
use serde_json::{Value, json};

const NO_UID: &str = "must be a token's uid: 00 for HTR, or 64 hexadecimal digits.";

/// Everything that takes a token, with the token given, and the path of the field.
fn all_with_token(mine: &str, token: &str) -> Vec<(&'static str, String, Value, &'static str)> {
    let output = json!({"address": mine, "value": 1, "token": token});
    let object = json!({"uid": token, "name": "C", "symbol": "C"});
    let group = "/wallet/p2sh/tx-proposal";
    vec![
        ("GET", format!("/wallet/balance?token={token}"), json!(null), "token"),
        ("GET", format!("/wallet/utxo-filter?token={token}"), json!(null), "token"),
        ("GET", format!("/wallet/address-info?address={mine}&token={token}"), json!(null), "token"),
        (
            "POST",
            "/wallet/utxo-consolidation".into(),
            json!({"destination_address": mine, "token": token}),
            "token",
        ),
        ("POST", "/wallet/simple-send-tx".into(), output.clone(), "token"),
        (
            "POST",
            "/wallet/simple-send-tx".into(),
            json!({"address": mine, "value": 1, "token": object}),
            "token.uid",
        ),
        ("POST", "/wallet/send-tx".into(), json!({"outputs": [output]}), "outputs[0].token"),
        (
            "POST",
            "/wallet/send-tx".into(),
            json!({"outputs": [{"address": mine, "value": 1}], "token": object}),
            "token.uid",
        ),
        ("POST", "/wallet/mint-tokens".into(), json!({"token": token, "amount": 1}), "token"),
        ("POST", "/wallet/melt-tokens".into(), json!({"token": token, "amount": 1}), "token"),
        ("POST", group.into(), json!({"outputs": [output]}), "outputs[0].token"),
        ("POST", format!("{group}/mint-tokens"), json!({"token": token, "amount": 1}), "token"),
        ("POST", format!("{group}/melt-tokens"), json!({"token": token, "amount": 1}), "token"),
    ]
}

async fn ask(server: &Server, method: &str, path: &str, body: &Value) -> Answer {
    let wallet = if path.contains("p2sh") { "0" } else { "genesis" };
    let headers = [("x-wallet-id", wallet), ("content-type", "application/json")];
    match method {
        "GET" => server.ask("GET", path, &headers[..1], b"").await,
        _ => server.ask(method, path, &headers, body.to_string().as_bytes()).await,
    }
}

/// A server with the genesis wallet, and three participants who have been paid.
async fn ready(settings: &str) -> (Server, String) {
    let three = Three::new();
    let server = Server::with_wallet_and(&three.settings(settings)).await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let mine = server.address(1).await;
    (server, mine)
}

#[tokio::test]
async fn a_text_that_is_no_uid_is_no_token() {
    let (server, mine) = ready("").await;
    for typo in ["CFE", "htr", "0", &"ab".repeat(31)] {
        for (method, path, body, field) in all_with_token(&mine, typo) {
            let (status, answer) = ask(&server, method, &path, &body).await.parts();
            let entry = &answer["error"][0];
            let refused = (status, &entry["param"], &entry["value"], &answer["message"]);
            let message = json!(format!("{field} {NO_UID}"));
            assert_eq!(refused, (400, &json!(field), &json!(typo), &message), "{path}");
        }
    }
    // A uid that nobody has is one all the same.
    for (method, path, body, _) in all_with_token(&mine, &"ab".repeat(32)) {
        assert_eq!(ask(&server, method, &path, &body).await.status, 200, "{path}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_has_nothing_of_such_a_token() {
    let (server, mine) = ready("compat = '0.39'\n").await;
    let failed = |error: &str| json!({"success": false, "error": error});
    let none = failed("Token: CFE. Insufficient amount of tokens to fill the amount.");
    let no_mint = failed("Don't have mint authority output available.");
    let no_melt = failed("Don't have melt authority output available.");
    let listed = json!({
        "total_amount_available": 0, "total_utxos_available": 0, "total_amount_locked": 0, "total_utxos_locked": 0,
        "utxos": [],
    });
    let info = json!({
        "success": true, "total_amount_received": 0, "total_amount_sent": 0, "total_amount_available": 0,
        "total_amount_locked": 0, "token": "CFE", "index": 1,
    });
    let expected = [
        json!({"available": 0, "locked": 0}),
        listed.clone(),
        info,
        failed("No available utxo to consolidate."),
        none.clone(),
        none.clone(),
        none.clone(),
        none.clone(),
        no_mint.clone(),
        no_melt.clone(),
        none,
        no_mint,
        no_melt,
    ];
    let all = all_with_token(&mine, "CFE");
    assert_eq!(all.len(), expected.len());
    for ((method, path, body, _), expected) in all.into_iter().zip(expected) {
        assert_eq!(ask(&server, method, &path, &body).await.parts(), (200, expected), "{path}");
    }
    assert_eq!(server.read("/wallet/utxo-filter?filter_address=nonsense").await, listed);
    let body = json!({"destination_address": mine, "filter_address": "nonsense"});
    let refused = failed("No available utxo to consolidate.");
    assert_eq!(server.call("utxo-consolidation", body).await.parts(), (200, refused));
    // An unknown way to load is the default one, and what else is wrong with a start is answered with 200.
    let body = json!({"wallet-id": "none", "seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 0});
    let refused =
        json!({"success": false, "message": "Parameter 'gapLimit' must be an integer from 1 to 100000."});
    assert_eq!(server.post("/start", None, &body).await.parts(), (200, refused));
    server.start_wallet("other", json!({"seedKey": "genesis", "history_sync_mode": "fast"})).await;
    server.shutdown().await;
}
