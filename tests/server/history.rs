//! Pages of the history, and filters; the balances of all tokens.

use super::support::Server;
use serde_json::{Value, json};

/// The ids of a list.
fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["tx_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn pages_follow_each_other_and_filters_find() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "Coffee", "symbol": "CFE", "amount": 100})).await;
    let token = token["hash"].as_str().unwrap();
    for text in ["a", "b", "c"] {
        server.done("send-tx", json!({"outputs": [{"type": "data", "data": text}]})).await;
    }
    let history = async |query: &str| server.read(&format!("/wallet/tx-history?{query}")).await;
    let all = history("limit=10").await;
    let (list, whole) = (ids(&all), all.as_array().unwrap());
    assert_eq!(list.len(), 5, "genesis, creation, three texts");

    let (mut paged, mut page) = (Vec::new(), history("limit=2").await);
    while let Some(last) = page.as_array().unwrap().last() {
        let next = format!("limit=2&before={}", last["tx_id"].as_str().unwrap());
        paged.extend(page.as_array().unwrap().iter().cloned());
        page = history(&next).await;
    }
    assert_eq!(paged, *whole);
    // Without a limit they are a list, too: only the whole history has the documented object.
    assert_eq!(history(&format!("before={}", list[1])).await, Value::from(&whole[2..]));
    assert_eq!(history(&format!("after={}", list[2])).await, Value::from(&whole[..2]));
    assert_eq!(history(&format!("after={}&before={}", list[4], list[0])).await, Value::from(&whole[1..4]));
    assert_eq!(history(&format!("after={}&before={}", list[0], list[4])).await, json!([]));
    assert_eq!(history(&format!("before={}", list[4])).await, json!([]));

    let time = whole[0]["timestamp"].as_u64().unwrap();
    let from_then: Vec<_> = whole.iter().filter(|entry| entry["timestamp"] == time).cloned().collect();
    assert_eq!(history(&format!("since={time}")).await, Value::from(from_then));
    assert_eq!(history("since=99999999999").await, json!([]));
    assert_eq!(ids(&history(&format!("token={token}")).await), [token]);
    assert_eq!(history("token=00").await, all, "fees, and the deposit");
    assert_eq!(history("token=00&limit=2").await, Value::from(&whole[..2]));
    assert_eq!(history(&format!("token={}", "ab".repeat(32))).await, json!([]));
    let used = whole[0]["outputs"].as_array().unwrap().iter();
    let used = used.filter_map(|output| output["decoded"]["address"].as_str()).next().unwrap();
    let of_address = history(&format!("address={used}")).await;
    let has = |entry: &&Value| entry.to_string().contains(used);
    assert_eq!(of_address, whole.iter().filter(has).cloned().collect::<Value>());
    assert_ne!(of_address, json!([]));
    server.shutdown().await;
}

#[tokio::test]
async fn a_wrong_cursor_or_filter_is_refused_by_its_name() {
    let server = Server::with_wallet().await;
    let unknown = "ab".repeat(32);
    let foreign = "W".to_owned();
    for (field, given, message) in [
        ("before", &*unknown, "before must be a transaction of the wallet's history"),
        ("after", &unknown, "after must be a transaction of the wallet's history"),
        ("before", "5", "before must be a transaction's id: 64 hexadecimal digits"),
        ("after", "", "after must be a transaction's id: 64 hexadecimal digits"),
        ("since", "-1", "since must be an integer of at least 0"),
        ("since", "2026-01-31", "since must be an integer of at least 0"),
        ("token", "CFE", "token must be a token's uid: 00 for HTR, or 64 hexadecimal digits"),
        (
            "address",
            &foreign,
            "address must be an address of privatenet: Invalid address: W. Address has 1 bytes and should have 25",
        ),
    ] {
        let (status, answer) =
            server.get(&format!("/wallet/tx-history?limit=5&{field}={given}")).await.parts();
        assert_eq!((status, &answer["message"]), (400, &json!(format!("{message}."))), "{answer}");
        assert_eq!(answer["error"][0]["param"], field);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn balances_are_those_of_all_tokens() {
    let server = Server::with_wallet().await;
    let balance = async |token: &str| server.read(&format!("/wallet/balance?token={token}")).await;
    let with_uid = |mut balance: Value, token: &str| {
        balance["token"] = token.into();
        balance
    };
    let htr = with_uid(balance("00").await, "00");
    assert_eq!(server.read("/wallet/balances").await, json!({"balances": [htr]}));
    let token = server.done("create-token", json!({"name": "Coffee", "symbol": "CFE", "amount": 100})).await;
    let token = token["hash"].as_str().unwrap();
    let htr = with_uid(balance("00").await, "00");
    let coffee = json!({"token": token, "available": 100, "locked": 0});
    assert_eq!(server.read("/wallet/balances").await, json!({"balances": [htr, coffee]}));
    server.shutdown().await;
}
