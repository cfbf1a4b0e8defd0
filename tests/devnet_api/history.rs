//! `address_history` in pages.

use crate::support::Net;
use serde_json::{Value, json};

fn ids(page: &Value) -> Vec<String> {
    page["history"].as_array().unwrap().iter().map(|tx| tx["tx_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_page_holds_150_transactions_and_the_next_starts_with_the_one_that_did_not_fit() {
    let net = Net::start().await;
    let [first, busy] = [70, 71].map(|index| net.address(index).to_string());
    net.control("fund", json!({"address": first, "amount": 1})).await;
    let paid = net.control("fund", json!({"address": busy, "amount": 1, "count": 160})).await;
    let mut paid: Vec<String> = serde_json::from_value(paid["tx_ids"].clone()).unwrap();

    let page = net
        .get(&format!("thin_wallet/address_history?addresses[]={first}&addresses[]={busy}&paginate=true"))
        .await;
    assert_eq!(page["history"].as_array().unwrap().len(), 150);
    assert_eq!(page["has_more"], true);
    assert_eq!(page["first_address"], busy);
    let hash = page["first_hash"].as_str().unwrap();
    let rest = net.get(&format!("thin_wallet/address_history?addresses[]={busy}&hash={hash}")).await;
    assert_eq!(ids(&rest)[0], hash);
    assert_eq!(
        (&rest["has_more"], &rest["first_hash"], &rest["first_address"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    let mut all = [&ids(&page)[1..], &ids(&rest)].concat();
    let timestamps =
        page["history"].as_array().unwrap()[1..].iter().map(|tx| tx["timestamp"].as_u64().unwrap());
    assert!(timestamps.is_sorted());
    all.sort();
    paid.sort();
    assert_eq!(all, paid);

    let body = json!({"addresses": [first, busy]}).to_string();
    let posted = net.send("POST", &net.node("thin_wallet/address_history"), Some(body)).await;
    assert_eq!(posted.json(), page);
    let body = json!({"addresses": [first], "tx_version": [2]}).to_string();
    let posted = net.send("POST", &net.node("thin_wallet/address_history"), Some(body)).await;
    assert_eq!(posted.json()["history"], json!([]));
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_page_holds_900_inputs_and_outputs() {
    let net = Net::start().await;
    let address = net.address(80);
    for _ in 0..4 {
        let coin = net.funded(81, 250).await;
        let tx = net.spend(&[(coin, 81)], (0..250).map(|_| crate::support::htr(1, address)).collect());
        assert_eq!(net.push(&tx).await["success"], true);
    }
    let page = net.get(&format!("thin_wallet/address_history?addresses[]={address}")).await;
    assert_eq!(page["history"].as_array().unwrap().len(), 3);
    assert_eq!(page["has_more"], true);
    net.devnet.shutdown().await;
}
