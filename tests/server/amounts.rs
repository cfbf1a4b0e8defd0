//! Amounts with parts of a cent in answers and events: exact, and as they were where there are whole cents.

use super::events::Listener;
use super::support::Server;
use headless_wallet::ledger::{Address, Amount, AmountVersion, Network};
use serde_json::{Value, json};

/// A server whose wallet is paid these amounts at an address of its own, and what it reports of each.
async fn paid(amounts: &[&str]) -> (Server, String, Vec<Value>) {
    let server = Server::with_wallet().await;
    server.devnet.set_features(&[("TOKEN_AMOUNT_V2", "ACTIVE")]);
    let address = server.address(3).await;
    let to = Address::parse(&address, Network::Privatenet).unwrap();
    let mut listener = Listener::connect(&server, &[]).await;
    let mut events = Vec::new();
    for words in amounts {
        let amount = Amount::of_decimal(words).unwrap();
        server.devnet.change(|chain, now| chain.fund_in(AmountVersion::V2, to, amount, now, now)).unwrap();
        loop {
            let event = listener.next().await.unwrap();
            events.extend(["deposit.seen", "wallet:new-tx"].contains(&&*event.name).then_some(event.data));
            if event.name == "deposit.seen" {
                break;
            }
        }
    }
    (server, address, events)
}

#[tokio::test]
async fn parts_of_a_cent_are_decimals_of_the_number_with_a_text_beside_it() {
    let (server, address, _) = paid(&["1.005", "0.000000000000000001", "2.0"]).await;
    let utxos = format!("/wallet/utxo-filter?filter_address={address}");
    let text = server.get(&utxos).await.text;
    let totals = r#"{"total_amount_available":300.5000000000000001,"total_amount_available_str":"3.005000000000000001","total_utxos_available":3,"total_amount_locked":0,"total_utxos_locked":0,"#;
    assert!(text.starts_with(totals), "{text}");
    for amount in [
        r#""amount":100.5,"amount_str":"1.005","#,
        r#""amount":0.0000000000000001,"amount_str":"0.000000000000000001","#,
        r#""amount":200,"tx_id""#,
    ] {
        assert!(text.contains(amount), "{text}");
    }
    let info = server.read(&format!("/wallet/address-info?address={address}")).await;
    assert_eq!(info["total_amount_received"].to_string(), "300.5000000000000001");
    assert_eq!(info["total_amount_received_str"], "3.005000000000000001");
    assert_eq!((&info["total_amount_sent"], &info["total_amount_sent_str"]), (&json!(0), &Value::Null));
    let balance = server.get("/wallet/balance").await.text;
    let all = r#"{"available":100000000300.5000000000000001,"available_str":"1000000003.005000000000000001","locked":0}"#;
    assert_eq!(balance, all);
    let history = server.get("/wallet/tx-history?limit=3").await.text;
    assert!(history.contains(r#""value":100.5,"value_str":"1.005","token_data":0"#), "{history}");
    assert!(history.contains(r#""value":200,"token_data":0"#), "{history}");
    let shown = server.printed(&["history", "--output", "csv"]).await;
    for amount in [",1.005,HTR,", ",0.000000000000000001,HTR,", ",2.00,HTR,"] {
        assert!(shown.contains(amount), "{shown}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn who_asks_for_decimals_gets_texts_in_tokens_alone() {
    let (server, address, _) = paid(&["1.005", "2.0"]).await;
    let token = json!({"name": "Masked", "symbol": "MSK", "amount": 5});
    let created = server.post("/wallet/create-token", Some("genesis"), &token).await.json();
    let id = created["hash"].as_str().unwrap();
    let text = async |path: String| server.get(&path).await.text;
    let balance = text("/wallet/balance?amounts=decimal".to_owned()).await;
    assert_eq!(balance, r#"{"available":"1000000002.995","locked":"0.0"}"#);
    let balances = server.read("/wallet/balances?amounts=decimal").await;
    let of_token = json!({"token": id, "available": "0.05", "locked": "0.0"});
    assert!(balances["balances"].as_array().unwrap().contains(&of_token), "{balances}");
    let utxos = server.read(&format!("/wallet/utxo-filter?filter_address={address}&amounts=decimal")).await;
    assert_eq!(utxos["total_amount_available"], "3.005");
    assert_eq!(utxos["total_amount_locked"], "0.0");
    let amounts: Vec<_> = utxos["utxos"].as_array().unwrap().iter().map(|utxo| &utxo["amount"]).collect();
    assert!(amounts.contains(&&json!("1.005")) && amounts.contains(&&json!("2.0")), "{utxos}");
    let info = server.read(&format!("/wallet/address-info?address={address}&amounts=decimal")).await;
    assert_eq!(
        (&info["total_amount_received"], &info["total_amount_sent"]),
        (&json!("3.005"), &json!("0.0"))
    );
    let history = server.read("/wallet/tx-history?limit=5&amounts=decimal").await;
    let same = history.as_array().unwrap().iter().find(|entry| entry["tx_id"] == id).unwrap();
    let entry = server.read(&format!("/wallet/transaction?id={id}&amounts=decimal")).await;
    assert_eq!(&entry, same);
    for output in entry["outputs"].as_array().unwrap() {
        let is_mask = output["token_data"].as_u64().unwrap() > 128;
        assert_eq!((output["value"].is_u64(), output["value"].is_string()), (is_mask, !is_mask), "{output}");
    }
    for read in [&balances, &utxos, &info] {
        assert!(!read.to_string().contains("_str"), "{read}");
    }
    let other = server.get("/wallet/balance?amounts=cents").await;
    assert_eq!(other.status, 400, "{}", other.text);
    assert!(
        other.text.contains("amounts must be decimal, or left out for numbers of cents"),
        "{}",
        other.text
    );
    let elsewhere = server.get("/wallet/addresses?amounts=decimal").await;
    assert_eq!(elsewhere.status, 400, "{}", elsewhere.text);
    server.shutdown().await;
}

#[tokio::test]
async fn events_have_them_so_too() {
    let (server, _, events) = paid(&["1.005"]).await;
    let of = |name: &str| events.iter().find(|event| event["type"] == name).unwrap();
    let deposit = &of("deposit.seen")["data"];
    assert_eq!(deposit["amounts"].to_string(), r#"{"00":100.5}"#);
    assert_eq!(deposit["amounts_str"], json!({"00": "1.005"}));
    let output = &deposit["outputs"][0];
    assert_eq!((output["value"].to_string(), &output["value_str"]), ("100.5".to_owned(), &json!("1.005")));
    let tokens = &of("wallet:new-tx")["balance"]["00"]["tokens"];
    let all = r#"{"locked":0,"unlocked":100.5,"unlocked_str":"1.005"}"#;
    assert_eq!(tokens.to_string(), all);
    server.shutdown().await;
}

/// A wallet page shows so what it is about to send.
#[tokio::test]
async fn a_transaction_in_units_is_decoded_where_they_are_spent() {
    let (server, address, _) = paid(&["1.005"]).await;
    let utxos = server.read(&format!("/wallet/utxo-filter?filter_address={address}")).await;
    let paid = &utxos["utxos"][0];
    let half = |to: &str, id: &str| {
        json!({
            "outputs": [{"address": to, "value": 50}],
            "inputs": [{id: paid["tx_id"], "index": paid["index"]}],
        })
    };
    let tried =
        server.post("/wallet/send-tx?dry_run=true", Some("genesis"), &half(&address, "hash")).await.json();
    let hex = tried["txHex"].as_str().unwrap();
    assert!(hex.starts_with("01"), "{tried}");
    let decoded = server.post("/wallet/decode", Some("genesis"), &json!({"txHex": hex})).await.json();
    let outputs = decoded["tx"]["outputs"].as_array().unwrap().iter();
    let mut values: Vec<_> =
        outputs.map(|output| (output["value"].to_string(), &output["value_str"])).collect();
    values.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(values, [("50".to_owned(), &Value::Null), ("50.5".to_owned(), &json!("0.505"))]);
    assert_eq!(decoded["tx"]["inputs"][0]["value_str"], "1.005");
    // Nobody could read it who gets it to sign or to push.
    let template = json!([
        {"type": "input/raw", "txId": paid["tx_id"], "index": paid["index"]},
        {"type": "output/token", "amount": 50, "address": address},
        {"type": "action/complete"},
    ]);
    for (path, request) in [
        ("/wallet/tx-proposal", half(&address, "hash")),
        ("/wallet/p2sh/tx-proposal", half(&address, "txId")),
        ("/wallet/tx-template/build", template.clone()),
        ("/wallet/tx-template/build?sign=true", template),
    ] {
        let refused = server.post(path, Some("genesis"), &request).await.json();
        let error = "outputs with parts of a cent can be sent by their wallet alone: choose other outputs";
        assert_eq!((&refused["success"], &refused["error"]), (&json!(false), &json!(error)), "{path}");
    }
    // To another, half of it: what the command line says is as exact.
    let foreign = half("WYBwT3xLpDnHNtYZiU52oanupVeDKhAvNp", "hash");
    let tried = server.post("/wallet/send-tx?dry_run=true", Some("genesis"), &foreign).await.json();
    let shown = server.printed(&["decode", tried["txHex"].as_str().unwrap(), "--output", "csv"]).await;
    assert!(shown.contains("-0.50,HTR"), "{shown}");
    server.shutdown().await;
}
