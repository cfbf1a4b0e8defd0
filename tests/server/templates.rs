//! Templates that are run once for a key, and those of the documentation.

use super::support::Server;
use serde_json::{Value, json};

const RUN: &str = "/wallet/tx-template/run";
const GENESIS: Option<&str> = Some("genesis");

fn pay_myself(amount: u64) -> Value {
    json!([
        {"type": "action/setvar", "name": "addr", "call": {"method": "get_wallet_address"}},
        {"type": "input/utxo", "fill": amount},
        {"type": "output/token", "amount": amount, "address": "{addr}"},
    ])
}

#[tokio::test]
async fn a_template_is_run_once_for_its_key_and_tried_without_sending() {
    let server = Server::with_wallet().await;
    let template = pay_myself(7).to_string();
    let run = async |path: &str, headers: &[(&str, &str)]| {
        let json = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        server.ask("POST", path, &[&json, headers].concat(), template.as_bytes()).await
    };
    let tried = run(&format!("{RUN}?dry_run=true"), &[]).await.json();
    assert_eq!(
        (&tried["dry_run"], &tried["hash"], &tried["cost"]["total"]),
        (&json!(true), &Value::Null, &json!(0))
    );
    let history = async || server.read("/wallet/tx-history").await.as_object().unwrap().len();
    let before = history().await;
    let mut within = pay_myself(7);
    within[0]["dry_run"] = json!(true);
    let refused = server.post(RUN, GENESIS, &within).await;
    assert_eq!((refused.status, history().await), (400, before), "{}", refused.text);
    let key = [("idempotency-key", "one")];
    let first = run(RUN, &key).await;
    let again = run(RUN, &key).await;
    assert_eq!(
        (first.header("idempotency-replayed"), again.header("idempotency-replayed")),
        (None, Some("true"))
    );
    assert_eq!(first.json(), again.json());
    assert_eq!(history().await, before + 1);
    let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis"), key[0]];
    let other = server.ask("POST", RUN, &headers, pay_myself(8).to_string().as_bytes()).await;
    assert_eq!(other.parts().0, 422);
}

#[tokio::test]
async fn the_examples_of_the_documentation_run() {
    let server = Server::with_wallet().await;
    // The contract that the documentation calls.
    let contract = super::nano::bet(&server).await;
    let text = include_str!("../../docs/templates.md")
        .replace("00007f246f6d645ef3174f2eddf53f4b6bd41e8be0c0b7fbea9827cf53e12d9e", &contract);
    let examples = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut kinds = Vec::new();
    for example in examples {
        let template = serde_json::from_str(example).unwrap();
        let sent = server.post(RUN, GENESIS, &template).await.json();
        assert_eq!(sent["success"], true, "{sent}");
        kinds.push((sent["version"].clone(), sent["outputs"].as_array().unwrap().len()));
    }
    assert_eq!(kinds, [(json!(1), 4), (json!(2), 3), (json!(1), 1)]);
    for kind in headless_wallet::template::InstructionKind::all() {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", kind.name()))).unwrap();
        for field in kind.fields().iter().filter(|field| field.name != "checkAddress") {
            assert!(row.contains(&format!("`{}`", field.name)), "{}: {}", kind.name(), field.name);
        }
    }
}
