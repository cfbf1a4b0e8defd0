//! Histories with amounts of 18 decimals, as the full node's own code writes them
//! (`tests/vectors/amounts_v2`), by whichever way they come.

use crate::server::{Answer, Server, ok};
use headless_wallet::ledger::nano::VertexNano;
use headless_wallet::ledger::{Address, Amount, AmountVersion, Part, TokenUid, Vertex, vertex_outputs};
use headless_wallet::node::{
    Fault, NodeEvent, StateQuery, StreamEvent, TokenSums, parse_event, parse_vertex,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The JSON of each vertex as it stands in the file, and what is beside it.
fn histories() -> Vec<(BTreeMap<String, Box<RawValue>>, Value)> {
    let file = include_str!("../vectors/amounts_v2/histories.json");
    let mut file: BTreeMap<String, Vec<Box<RawValue>>> = serde_json::from_str(file).unwrap();
    let read = |case: Box<RawValue>| {
        (serde_json::from_str(case.get()).unwrap(), serde_json::from_str(case.get()).unwrap())
    };
    file.remove("histories").unwrap().into_iter().map(read).collect()
}

/// That an amount is what its words say, and that the words are passed on where they are not the wallet's.
fn assert_amount(read: Amount, json: &Value, extra: Option<&str>) {
    let words = json["value_str"].as_str().unwrap();
    let is_mask = json["token_data"].as_u64().unwrap() > 128;
    match is_mask {
        true => assert_eq!(read, Amount::from(json["value"].as_u64().unwrap())),
        false => assert_eq!(read.decimal(), words),
    }
    let passed = extra.is_some_and(|members| members.contains(&format!(r#""value_str":"{words}""#)));
    assert_eq!(passed, read.part() == 0, "{json}");
}

fn assert_read(vertex: &Vertex, json: &Value) {
    assert!(!vertex.has_unknown(), "{json}");
    let parts = |key: &str| json[key].as_array().unwrap().clone();
    for (index, (input, json)) in (0..).zip(vertex.inputs.iter().zip(parts("inputs"))) {
        assert_amount(input.output.value, &json, vertex.extra.of(Part::Input(index)));
    }
    for (index, (output, json)) in (0..).zip(vertex.outputs.iter().zip(parts("outputs"))) {
        assert_amount(output.output.value, &json, vertex.extra.of(Part::Output(index)));
    }
    assert_eq!(vertex.inputs.len(), parts("inputs").len());
    assert_eq!(vertex.outputs.len(), parts("outputs").len());
}

#[tokio::test]
async fn histories_of_both_versions_are_read_by_every_way_of_loading() {
    let address = "HNXsVtRUmwDCtpcCJUrH4QiHo9kUKx199A";
    let mut names = Vec::new();
    for (texts, case) in histories() {
        let (text, json) = (texts["json"].get(), &case["json"]);
        names.push(case["name"].as_str().unwrap().to_owned());
        let page = format!(r#"{{"success":true,"has_more":false,"history":[{text}]}}"#);
        let server = Server::script(vec![ok(page)]).await;
        let page =
            server.node().address_history(&[Address::parse_any(address).unwrap()], None).await.unwrap();
        let told = format!(r#"{{"type":"wallet:address_history","address":"{address}","history":{text}}}"#);
        let Ok(Some(NodeEvent::Vertex { vertex: told, .. })) = parse_event(&told) else { panic!("{told}") };
        let streamed = format!(r#"{{"type":"stream:history:vertex","id":"a","seq":2,"data":{text}}}"#);
        let Ok(Some(NodeEvent::Stream(StreamEvent::Vertex { vertex: streamed, .. }))) =
            parse_event(&streamed)
        else {
            panic!("{streamed}")
        };
        let parsed = parse_vertex(text).unwrap();
        for read in [&page.vertices[0], &*told, &*streamed] {
            assert_eq!(read, &parsed);
        }
        assert_read(&parsed, json);
        // The bytes of the transaction say the same.
        let bytes = hex::decode(case["raw"].as_str().unwrap()).unwrap();
        let read = parsed.outputs.into_iter().map(|output| output.output);
        let of_bytes = vertex_outputs(&bytes, parsed.id, AmountVersion::V2).unwrap();
        assert_eq!(read.collect::<Vec<_>>(), of_bytes);
    }
    assert_eq!(names, ["block", "V2 payment", "V2 creation", "V1 that spends V2", "V2 call", "V2 large"]);
}

#[test]
fn a_call_moves_amounts_of_the_version_of_its_transaction() {
    let (texts, case) = histories().into_iter().find(|(_, case)| case["name"] == "V2 call").unwrap();
    let moved = |text: &str| {
        let vertex = parse_vertex(text).unwrap();
        let Some(VertexNano::Call(call)) = vertex.nano.as_deref() else { return None };
        Some(call.actions.iter().map(|action| action.amount.decimal()).collect::<Vec<_>>())
    };
    let text = texts["json"].get();
    assert_eq!(case["json"]["nc_context"]["actions"][0]["amount"], 2_500_000_000_000_001u64);
    assert_eq!(moved(text).unwrap(), ["0.002500000000000001"]);
    let version =
        |n: u8| text.replace(r#""token_amount_version": 2"#, &format!(r#""token_amount_version": {n}"#));
    assert_eq!(moved(&version(1)).unwrap(), ["25000000000000.01"]);
    // One that is not known says nothing of the call.
    assert_eq!(moved(&version(3)), None);
}

/// What the node says where it trips over an amount: `hathor/api_util.py`, `unsigned_amount_to_response`.
fn processing_failed() -> Answer {
    Answer::Reply(500, "<html><head><title>Processing Failed</title></head></html>".to_owned())
}

#[tokio::test]
async fn a_node_that_can_not_write_amounts_in_cents_is_asked_for_decimals() {
    let (address, uid) = (Address::parse_any("HNXsVtRUmwDCtpcCJUrH4QiHo9kUKx199A").unwrap(), "1a".repeat(32));
    let sums = r#"{"received":"1.005","spent":"0.0","name":"Hathor","symbol":"HTR"}"#;
    let balance = format!(
        r#"{{"success":true,"total_transactions":2,"tokens_data":{{"00":{sums}}},"has_shielded":false}}"#
    );
    let token = r#"{"success":true,"name":"Tea","symbol":"TEA","version":2,"total":"92233720368547758.07"}"#;
    let answers = vec![processing_failed(), ok(balance), processing_failed(), ok(token)];
    let server = Server::script(answers).await;
    let node = server.node();
    let balance = node.address_balance(&address).await.unwrap();
    let received = Amount::of_decimal("1.005").unwrap();
    assert_eq!(
        balance.tokens,
        BTreeMap::from([(TokenUid::Native, TokenSums { received, spent: Amount::ZERO })])
    );
    let token = node.token(&uid.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(token.total, Some(Amount::from((1 << 63) - 1)));
    let asked = |version: &str| {
        [
            format!("GET /{version}/thin_wallet/address_balance?address={address}"),
            format!("GET /{version}/thin_wallet/token?id={uid}"),
        ]
    };
    let ([balance, token], [balance_2, token_2]) = (asked("v1a"), asked("v2"));
    assert_eq!(server.lines(), [balance, balance_2, token, token_2]);
}

#[tokio::test]
async fn a_node_without_the_newer_interface_fails_as_it_did() {
    let address = Address::parse_any("HNXsVtRUmwDCtpcCJUrH4QiHo9kUKx199A").unwrap();
    let server = Server::script(vec![processing_failed(), Answer::Reply(404, String::new())]).await;
    let failure = server.node().address_balance(&address).await.unwrap_err();
    assert_eq!(failure.url, format!("{}/v1a/thin_wallet/address_balance", server.origin));
    assert_eq!(failure.fault, Fault::Status { status: 500, retry_after: None });
}

#[tokio::test]
async fn contracts_that_hold_parts_of_a_cent_are_shown_in_cents() {
    let state = |value: &str| format!(r#"{{"success":true,"balances":{{"00":{{"value":"{value}"}}}}}}"#);
    let server = Server::script(vec![processing_failed(), ok(state("2.9999999999999999"))]).await;
    let asked = StateQuery {
        id: "c",
        fields: &[],
        balances: &["00".to_owned()],
        calls: &[],
        block_hash: None,
        block_height: None,
    };
    let shown = server.node().contract_state(asked).await.unwrap();
    let shown: Value = serde_json::from_str(shown.get()).unwrap();
    let balance = serde_json::json!({"value": "299.99999999999999", "value_str": "2.9999999999999999"});
    assert_eq!(shown["balances"]["00"], balance);
    let lines =
        ["v1a", "v2"].map(|version| format!("GET /{version}/nano_contract/state?id=c&balances%5B%5D=00"));
    assert_eq!(server.lines(), lines);
}
