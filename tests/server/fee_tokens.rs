//! Tokens that are paid for by fees, from their creation to the melting of the last unit. The network checks
//! every fee.

use super::support::Server;
use serde_json::{Value, json};

/// Values and token data of the outputs, sorted.
fn outputs(answer: &Value) -> Vec<(u64, u64)> {
    let outputs = answer["outputs"].as_array().unwrap();
    let pair = |o: &Value| (o["value"].as_u64().unwrap(), o["token_data"].as_u64().unwrap());
    let mut outputs: Vec<_> = outputs.iter().map(pair).filter(|(value, _)| *value < 100_000).collect();
    outputs.sort_unstable();
    outputs
}

async fn htr(server: &Server) -> u64 {
    server.read("/wallet/balance").await["available"].as_u64().unwrap()
}

fn fee(amount: u64) -> Value {
    json!([{"entries": [{"tokenIndex": 0, "amount": amount}]}])
}

#[tokio::test]
async fn a_fee_tokens_life() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let to = server.address(5).await;
    let mut left = htr(&server).await;
    let token = server
        .done(
            "create-token",
            json!({"name": "Fee", "symbol": "FEE", "amount": 1000, "version": 2, "data": ["x"]}),
        )
        .await;
    assert_eq!((&token["tokenVersion"], &token["headers"]), (&json!(2), &fee(1)));
    let token = token["hash"].as_str().unwrap();
    left -= 2;
    assert_eq!(htr(&server).await, left, "a cent of fee and one of data, and no deposit");

    let pay = |value: u64| json!({"address": to, "value": value, "token": token});
    let sent = server.done("send-tx", json!({"outputs": [pay(10), pay(11)]})).await;
    assert_eq!(sent["headers"], fee(3), "two payments and the change");
    assert_eq!(outputs(&sent), [(10, 1), (11, 1), (979, 1)]);
    left -= 3;
    let sent = server.done("simple-send-tx", json!({"address": to, "value": 979, "token": token})).await;
    assert_eq!(sent["headers"], fee(1));
    left -= 1;
    let minted = server.done("mint-tokens", json!({"token": token, "amount": 500})).await;
    assert_eq!((&minted["headers"], outputs(&minted)), (&fee(1), vec![(1, 129), (500, 1)]));
    left -= 1;
    let body = json!({"destination_address": to, "token": token});
    let dry = server.done("utxo-consolidation?dry_run=true", body.clone()).await;
    assert_eq!(dry["cost"], json!({"deposit": 0, "fee": 1, "data": 0, "total": 1}));
    let made_one = server.done("utxo-consolidation", body).await;
    assert_eq!((&made_one["total_utxos_consolidated"], &made_one["total_amount"]), (&json!(4), &json!(1500)));
    left -= 1;
    let melted = server.done("melt-tokens", json!({"token": token, "amount": 400, "data": ["y"]})).await;
    assert_eq!((&melted["headers"], outputs(&melted)), (&fee(1), vec![(1, 0), (2, 129), (1100, 1)]));
    left -= 2;
    let melted = server.done("melt-tokens", json!({"token": token, "amount": 1100})).await;
    assert_eq!(
        (&melted["headers"], outputs(&melted)),
        (&fee(1), vec![(2, 129)]),
        "one cent for the inputs alone"
    );
    left -= 1;
    assert_eq!(htr(&server).await, left);
    assert_eq!(
        server.read(&format!("/wallet/balance?token={token}")).await,
        json!({"available": 0, "locked": 0})
    );
    server.shutdown().await;
}

/// A proposal has no place for the fee, so no node would take the swap.
#[tokio::test]
async fn a_fee_token_is_not_swapped() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let create = json!({"name": "Fee", "symbol": "FEE", "amount": 1000, "version": 2});
    let token = server.done("create-token", create).await["hash"].as_str().unwrap().to_owned();
    let amount = json!({"tokens": [{"token": token, "value": 1}]});
    let refused = format!(
        "Token {token} is paid for by fees: it can't be swapped, since a proposal has no place for the fee."
    );
    for body in [json!({"send": amount}), json!({"receive": amount})] {
        let answer = server.call("atomic-swap/tx-proposal", body).await.json();
        assert_eq!(answer, json!({"success": false, "error": refused}));
    }
    server.shutdown().await;
}
