//! Transaction templates over HTTP.

use super::support::Server;
use serde_json::{Value, json};

const RUN: &str = "/wallet/tx-template/run";
const BUILD: &str = "/wallet/tx-template/build";
const GENESIS: Option<&str> = Some("genesis");

fn pay_myself(amount: u64) -> Value {
    json!([
        {"type": "action/setvar", "name": "addr", "call": {"method": "get_wallet_address"}},
        {"type": "input/utxo", "fill": amount},
        {"type": "output/token", "amount": amount, "address": "{addr}"},
    ])
}

async fn balance(server: &Server, token: &str) -> u64 {
    server.read(&format!("/wallet/balance?token={token}")).await["available"].as_u64().unwrap()
}

/// As hathor-wallet-headless's own tests go through it.
#[tokio::test]
async fn a_tokens_life_by_templates() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let before = balance(&server, "00").await;
    let run = async |template: Value| {
        let (status, answer) = server.post(&format!("{RUN}?debug=true"), GENESIS, &template).await.parts();
        assert_eq!((status, &answer["success"]), (200, &json!(true)), "{answer}");
        answer
    };
    let sent = run(pay_myself(1)).await;
    assert_eq!((&sent["version"], &sent["outputs"][1]["value"]), (&json!(1), &json!(1)));
    let created = run(json!([
        {"type": "action/setvar", "name": "addr", "call": {"method": "get_wallet_address"}},
        {"type": "action/config", "tokenName": "Test Token", "tokenSymbol": "TT", "createToken": true},
        {"type": "input/utxo", "fill": 1},
        {"type": "output/token", "amount": 100, "address": "{addr}", "useCreatedToken": true},
        {"type": "output/authority", "authority": "mint", "address": "{addr}", "useCreatedToken": true},
    ]))
    .await;
    assert_eq!(
        (&created["version"], &created["name"], &created["symbol"]),
        (&json!(2), &json!("Test Token"), &json!("TT"))
    );
    assert_eq!(created.get("configurationString"), None);
    let token = created["hash"].as_str().unwrap();
    assert_eq!((balance(&server, token).await, balance(&server, "00").await), (100, before - 1));
    run(json!([
        {"type": "output/token", "amount": 100, "address": server.address(3).await, "token": token},
        {"type": "output/authority", "authority": "mint", "address": server.address(4).await, "token": token},
        {"type": "input/utxo", "fill": 1},
        {"type": "input/authority", "authority": "mint", "token": token},
    ]))
    .await;
    assert_eq!((balance(&server, token).await, balance(&server, "00").await), (200, before - 2));
}

#[tokio::test]
async fn what_is_built_is_not_sent_and_reserves_nothing() {
    let server = Server::with_wallet().await;
    let before = balance(&server, "00").await;
    let build = async |query: &str| {
        let all = json!([{"type": "output/token", "amount": before, "address": server.address(1).await}, {"type": "action/complete"}]);
        let (status, answer) = server.post(&format!("{BUILD}{query}"), GENESIS, &all).await.parts();
        assert_eq!((status, &answer["success"]), (200, &json!(true)), "{answer}");
        answer["txHex"].as_str().unwrap().to_owned()
    };
    let plain = build("").await;
    // Weight, timestamp, parents and nonce are left to whoever pushes it.
    assert!(plain.ends_with(&"0".repeat(16 + 8 + 2 + 8)), "{plain}");
    let signed = build("?sign=true").await;
    assert!(signed.len() > plain.len() + 200, "{signed}");
    assert_eq!(balance(&server, "00").await, before);
    // What it spends is free: another request can spend it, and then what was built can't any more.
    let run = json!([{"type": "output/token", "amount": before, "address": server.address(2).await}, {"type": "action/complete"}]);
    assert_eq!(server.post(RUN, GENESIS, &run).await.json()["success"], true);
    let late = server.post("/push-tx", None, &json!({"txHex": signed})).await.json();
    assert_eq!(late["success"], false, "{late}");
}

#[tokio::test]
async fn a_built_and_signed_transaction_can_be_pushed() {
    let server = Server::with_wallet().await;
    let built = server.post(&format!("{BUILD}?sign=true"), GENESIS, &pay_myself(5)).await.json();
    let pushed = server.post("/push-tx", None, &json!({"txHex": built["txHex"]})).await.json();
    assert_eq!(pushed["success"], true, "{pushed}");
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
async fn refusals_are_those_of_release_0_39_in_compat_mode() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let types = "'input/raw' | 'input/utxo' | 'input/authority' | 'output/raw' | 'output/data' | 'output/token' | \
                 'output/authority' | 'action/shuffle' | 'action/complete' | 'action/config' | 'action/setvar' | \
                 'nano/execute' | 'action/fee'";
    let invalid = json!({"success": false, "details": [format!("0.type is Invalid discriminator value. Expected {types}")]});
    for path in [RUN, BUILD] {
        let post = async |query: &str, template: Value| {
            server.post(&format!("{path}{query}"), GENESIS, &template).await.parts()
        };
        assert_eq!(post("", json!([{"type": "invalid-action"}])).await, (400, invalid.clone()));
        let details = |details: Value| (400, json!({"success": false, "details": details}));
        assert_eq!(post("", json!({})).await, details(json!([" is Expected array, received object"])));
        assert_eq!(
            post("", json!([{"type": "action/setvar"}])).await,
            details(json!(["0.name is Required"]))
        );
        let flag = json!({"success": false, "error": [{"value": "x", "msg": "Invalid value", "param": "debug", "location": "query"}]});
        assert_eq!(post("?debug=x", json!([])).await, (400, flag));
        let failed = |error: &str| (200, json!({"success": false, "error": error}));
        let unset = json!([{"type": "output/data", "data": "{what}"}]);
        assert_eq!(post("", unset).await, failed("Variable what not found in available variables"));
        let bad = json!([{"type": "output/token", "amount": 1, "address": "H".repeat(34)}]);
        let (status, answer) = post("", bad).await;
        assert_eq!((status, &answer["success"]), (200, &json!(false)));
        assert!(answer["error"].as_str().unwrap().starts_with("Invalid address: HHHH"), "{answer}");
        let much = json!([{"type": "input/utxo", "fill": "9223372036854775807"}]);
        assert_eq!(post("", much).await, failed("Don't have enough utxos to fill total amount."));
    }
}

#[tokio::test]
async fn a_dry_run_refuses_what_the_network_refuses() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 1000})).await;
    let token = token["hash"].as_str().unwrap();
    let me = server.address(0).await;
    let pay =
        |amount: u64, of: &str| json!({"type": "output/token", "amount": amount, "address": me, "token": of});
    let take = |amount: u64, of: &str| json!({"type": "input/utxo", "fill": amount, "token": of});
    let authority = |which: &str| json!({"type": "input/authority", "authority": which, "token": token});
    let give =
        |which: &str| json!({"type": "output/authority", "authority": which, "token": token, "address": me});
    let config = |name: &str, symbol: &str| json!({"type": "action/config", "createToken": true, "tokenName": name, "tokenSymbol": symbol});
    let created = json!({"type": "output/token", "amount": 100, "address": me, "useCreatedToken": true});
    let raw = json!({"type": "output/raw", "script": "51", "amount": 1});
    let fee = |amount: u64| json!({"type": "action/fee", "amount": amount});
    let mut texts = vec![take(26, "00")];
    texts.extend(vec![json!({"type": "output/data", "data": "x"}); 26]);
    for (template, refusal) in [
        (json!([pay(5, "00")]), "Transaction must have at least 1 input(s)".to_owned()),
        (
            json!([take(10, "00"), pay(4, "00")]),
            "There's an invalid deficit of HTR. (amount=-6, expected=0)".to_owned(),
        ),
        (
            json!([take(4, "00"), pay(10, "00")]),
            "There's an invalid surplus of HTR. (amount=6, expected=0)".to_owned(),
        ),
        // A full node 0.70 looks at the fee between too much HTR and too little.
        (
            json!([take(4, "00"), pay(4, "00"), fee(5)]),
            "There's an invalid surplus of HTR. (amount=5, expected=0)".to_owned(),
        ),
        (
            json!([take(9, "00"), pay(4, "00"), fee(5)]),
            "Fee amount is different than expected. (amount=5, expected=0)".to_owned(),
        ),
        (
            json!([take(10, "00"), pay(4, "00"), fee(5)]),
            "Fee amount is different than expected. (amount=5, expected=0)".to_owned(),
        ),
        (
            json!([take(7, "00"), take(5, token), pay(5, token)]),
            "There's an invalid deficit of HTR. (amount=-7, expected=0)".to_owned(),
        ),
        (
            json!([take(1, "00"), take(5, token), pay(105, token)]),
            format!("-100 {token} tokens minted, but there is no mint authority input"),
        ),
        (
            json!([take(100, token), pay(1, "00")]),
            format!("100 {token} tokens melted, but there is no melt authority input"),
        ),
        (
            json!([authority("melt"), take(100, token), pay(2, "00")]),
            "There's an invalid surplus of HTR. (amount=2, expected=1)".to_owned(),
        ),
        (json!([take(1, "00"), pay(100, token)]), format!("no inputs for token {token}")),
        (
            json!([give("mint"), take(5, token), pay(5, token)]),
            "output at index 0 has mint authority, but no input has it".to_owned(),
        ),
        (
            json!([give("melt"), authority("mint"), take(1, "00"), pay(1, "00")]),
            "output at index 0 has melt authority, but no input has it".to_owned(),
        ),
        (json!([config("Hathor", "X"), take(1, "00"), created]), "Invalid token name (Hathor)".to_owned()),
        (json!([config("x", "htr"), take(1, "00"), created]), "Invalid token symbol (htr)".to_owned()),
        (
            json!([config("x", "X"), take(2, "00"), created]),
            "There's an invalid deficit of HTR. (amount=-2, expected=-1)".to_owned(),
        ),
        (json!([config("x", "X"), take(1, "00"), pay(1, "00")]), "unused tokens are not allowed".to_owned()),
        (
            json!([
                config("x", "X"), take(1, "00"), pay(1, "00"),
                {"type": "output/authority", "authority": "mint", "useCreatedToken": true, "address": me},
            ]),
            "Token creation transaction must mint new tokens".to_owned(),
        ),
        (json!([take(1, "00"), raw]), "Transaction is non standard.".to_owned()),
        (json!(texts), "Transaction is non standard.".to_owned()),
    ] {
        let tried = server.post(&format!("{RUN}?dry_run=true"), GENESIS, &template).await.json();
        let error = format!("the network would refuse this transaction: {refusal}");
        assert_eq!(tried, json!({"success": false, "error": error}), "{template}");
        let run = server.post(RUN, GENESIS, &template).await.json();
        // The mining service says it in its own words.
        let said = run["error"].as_str().unwrap_or_default();
        let said = said.replace("non-standard-tx", "Transaction is non standard.");
        assert!(said.contains(&refusal), "{template}: {run}");
    }
    // What melts gives HTR back, and what mints takes it.
    for (template, total) in [
        (json!([authority("melt"), take(100, token), pay(1, "00")]), -1),
        (json!([authority("mint"), take(2, "00"), pay(1, "00"), pay(100, token)]), 1),
    ] {
        let tried = server.done("tx-template/run?dry_run=true", template.clone()).await;
        assert_eq!(tried["cost"]["total"], total, "{tried}");
        assert_eq!(server.post(RUN, GENESIS, &template).await.json()["success"], true);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn refusals_name_the_place_in_documented_mode() {
    let server = Server::with_wallet().await;
    let (status, answer) = server
        .post(
            RUN,
            GENESIS,
            &json!([{"type": "output/data", "data": "x"}, {"type": "action/fee", "amount": 0}]),
        )
        .await
        .parts();
    assert_eq!(
        (status, &answer["message"]),
        (400, &json!("1.amount must be an amount of at least 1, in cents, or name a variable as {name}."))
    );
    let (_, answer) = server.post(RUN, GENESIS, &json!({"instructions": []})).await.parts();
    assert_eq!(answer["message"], "the template must be an array of instructions.");
    let (_, answer) =
        server.post(RUN, GENESIS, &json!([{"type": "output/data", "data": "{what}"}])).await.parts();
    let error = "instruction 0 (output/data): Variable what not found in available variables";
    assert_eq!(answer, json!({"success": false, "error": error}));
    let unknown = "ab".repeat(32);
    let (_, answer) = server
        .post(RUN, GENESIS, &json!([{"type": "input/utxo", "fill": 1, "token": unknown}]))
        .await
        .parts();
    assert_eq!(answer["error"], format!("instruction 0 (input/utxo): token {unknown} is not known"));
    let (_, answer) =
        server.post(RUN, GENESIS, &json!([{"type": "input/raw", "txId": unknown, "index": 0}])).await.parts();
    assert_eq!(answer["error"], format!("instruction 0 (input/raw): transaction {unknown} is not known"));
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
