//! utxo-filter: every parameter and rule.

use super::support::Server;
use serde_json::{Value, json};

/// The amounts listed, in order.
fn amounts(answer: &Value) -> Vec<u64> {
    answer["utxos"].as_array().unwrap().iter().map(|utxo| utxo["amount"].as_u64().unwrap()).collect()
}

/// A server whose wallet has 97, 100, 200 and 49 of a token, in this order, at two addresses.
async fn with_four() -> (Server, String, [String; 2]) {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 446})).await;
    let token = token["hash"].as_str().unwrap().to_owned();
    let addresses = [server.address(11).await, server.address(12).await];
    let pay = |value, i: usize| json!({"address": addresses[i], "value": value, "token": token});
    // No change, so the order stays.
    let outputs = [pay(97, 0), pay(100, 1), pay(200, 0), pay(49, 1)];
    server.done("send-tx", json!({"outputs": outputs})).await;
    (server, token, addresses)
}

#[tokio::test]
async fn filters_and_totals() {
    let (server, token, [first, second]) = with_four().await;
    let table = [
        ("", vec![97, 100, 200, 49]),
        ("&max_utxos=1", vec![97]),
        ("&max_utxos=0", vec![]),
        ("&amount_bigger_than=49&amount_smaller_than=200", vec![97, 100]),
        ("&amount_smaller_than=100", vec![97, 49]),
        ("&amount_bigger_than=100", vec![200]),
        ("&maximum_amount=150", vec![97, 49]),
        ("&maximum_amount=97", vec![97]),
        ("&maximum_amount=48", vec![]),
        ("&maximum_amount=99999999999999999999999999", vec![97, 100, 200, 49]),
        ("&only_available_utxos=true", vec![97, 100, 200, 49]),
    ];
    for (filters, expected) in table {
        let answer = server.read(&format!("/wallet/utxo-filter?token={token}{filters}")).await;
        assert_eq!(amounts(&answer), expected, "{filters}");
        assert_eq!(answer["total_amount_available"], expected.iter().sum::<u64>(), "{filters}");
        assert_eq!(answer["total_utxos_available"], expected.len(), "{filters}");
        assert_eq!((&answer["total_amount_locked"], &answer["total_utxos_locked"]), (&json!(0), &json!(0)));
    }
    for (address, expected) in [(&first, [97, 200]), (&second, [100, 49])] {
        for name in ["filter_address", "address"] {
            let answer = server.read(&format!("/wallet/utxo-filter?token={token}&{name}={address}")).await;
            assert_eq!(amounts(&answer), expected);
            assert!(answer["utxos"].as_array().unwrap().iter().all(|utxo| utxo["address"] == **address));
        }
    }
    // Two match the address, one is asked for.
    let answer =
        server.read(&format!("/wallet/utxo-filter?token={token}&filter_address={first}&max_utxos=1")).await;
    assert_eq!((amounts(&answer), &answer["total_amount_available"]), (vec![97], &json!(97)));
    server.shutdown().await;
}

#[tokio::test]
async fn what_the_wallet_can_not_have_is_an_empty_list() {
    let server = Server::with_wallet().await;
    let empty = json!({
        "total_amount_available": 0, "total_utxos_available": 0, "total_amount_locked": 0, "total_utxos_locked": 0,
        "utxos": [],
    });
    let token = "ab".repeat(32);
    for query in [format!("token={token}"), "filter_address=WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc".to_owned()] {
        assert_eq!(server.read(&format!("/wallet/utxo-filter?{query}")).await, empty, "{query}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn locked_outputs_have_totals_of_their_own() {
    let server = Server::with_wallet().await;
    let to = server.address(10).await;
    server
        .done(
            "send-tx",
            json!({"outputs": [
                {"address": to, "value": 5, "timelock": 4_294_967_295_u32}, {"address": to, "value": 7},
            ]}),
        )
        .await;
    let answer = server.read(&format!("/wallet/utxo-filter?filter_address={to}")).await;
    assert_eq!(answer["total_amount_available"], 7);
    assert_eq!(answer["total_utxos_available"], 1);
    assert_eq!(answer["total_amount_locked"], 5);
    assert_eq!(answer["total_utxos_locked"], 1);
    let answer =
        server.read(&format!("/wallet/utxo-filter?filter_address={to}&only_available_utxos=1")).await;
    assert_eq!((amounts(&answer), &answer["total_utxos_locked"]), (vec![7], &json!(0)));
    server.shutdown().await;
}

#[tokio::test]
async fn two_hundred_and_fifty_five_are_listed_unless_more_are_asked_for() {
    let server = Server::with_wallet().await;
    let to = server.address(15).await;
    for count in [200, 60] {
        let outputs = vec![json!({"address": to, "value": 1}); count];
        server.done("send-tx", json!({"outputs": outputs})).await;
    }
    let listed = async |more: &str| {
        amounts(&server.read(&format!("/wallet/utxo-filter?filter_address={to}{more}")).await).len()
    };
    assert_eq!(listed("").await, 255);
    assert_eq!(listed("&max_utxos=1000").await, 260);
    server.shutdown().await;
}

#[tokio::test]
async fn wrong_parameters_are_refused() {
    let server = Server::with_wallet().await;
    let answer = server.get("/wallet/utxo-filter?max_utxos=many").await;
    assert_eq!(
        answer.parts(),
        (
            400,
            json!({
                "success": false,
                "error": [{"value": "many", "msg": "Invalid value", "param": "max_utxos", "location": "query"}],
                "message": "max_utxos must be an integer of at least 0.",
            })
        )
    );
    server.shutdown().await;
}
