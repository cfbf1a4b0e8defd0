//! `dry_run`: over all that sends, in the query and in the body, in both dialects. Whoever asks for a try,
//! however it is written, finds nothing on the ledger afterwards.

use super::multisig::{Three, pay};
use super::nano::BET;
use super::raw::signed;
use super::support::{Answer, Server};
use headless_wallet::ledger::Transaction;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const TO: &str = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";

/// A server with the genesis wallet and three participants who have been paid; and what of all that sends
/// would do.
async fn ready(settings: &str) -> (Server, Vec<(&'static str, &'static str, Value)>) {
    let three = Three::new();
    let server = Server::with_wallet_and(&three.settings(settings)).await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 1000})).await;
    let token = token["hash"].as_str().unwrap();

    let payment = json!({"outputs": [{"address": TO, "value": 5}]});
    let group = "/wallet/p2sh/tx-proposal";
    let proposed = server.post(group, Some("0"), &payment).await.json();
    let mut signatures = Vec::new();
    for participant in ["0", "1"] {
        let share = json!({"txHex": proposed["txHex"]});
        let share = server.post(&format!("{group}/get-my-signatures"), Some(participant), &share).await;
        signatures.push(share.json()["signatures"].clone());
    }
    let signed = json!({"txHex": proposed["txHex"], "signatures": signatures});

    let tokens = json!({"tokens": [{"value": 5}]});
    let swap = json!({"send": tokens, "receive": tokens, "lock": false});
    let partial_tx = server.done("atomic-swap/tx-proposal", swap).await["data"].clone();
    let swap = json!({"partial_tx": partial_tx});
    let given = server.done("atomic-swap/tx-proposal/get-my-signatures", swap).await;
    let swap = json!({"partial_tx": partial_tx, "signatures": [given["signatures"]]});

    let own = server.address(3).await;
    let create = json!({"blueprint_id": BET, "address": own, "data": {"args": ["00", "00", 1]}});
    let contract = server.done("nano-contracts/create", create.clone()).await;
    let bet = json!({"type": "deposit", "token": "00", "amount": 5});
    let execute = json!({
        "nc_id": contract["hash"], "method": "bet", "address": own,
        "data": {"args": [own, "1x0"], "actions": [bet]},
    });
    let signed_file = signed_elsewhere(&server, payment.clone()).await;
    let signed_file = server.done("signing-file", json!({"txHex": signed_file})).await["file"].take();
    let table = vec![
        ("/wallet/signing-file/push", "genesis", json!({"files": [signed_file]})),
        ("/wallet/simple-send-tx", "genesis", json!({"address": TO, "value": 5})),
        ("/wallet/send-tx", "genesis", payment.clone()),
        ("/wallet/create-token", "genesis", json!({"name": "T", "symbol": "T", "amount": 100})),
        ("/wallet/create-nft", "genesis", json!({"name": "T", "symbol": "T", "amount": 1, "data": "x"})),
        ("/wallet/mint-tokens", "genesis", json!({"token": token, "amount": 100})),
        ("/wallet/melt-tokens", "genesis", json!({"token": token, "amount": 100})),
        ("/wallet/utxo-consolidation", "genesis", json!({"destination_address": own})),
        ("/wallet/p2sh/tx-proposal/sign-and-push", "0", signed),
        ("/wallet/nano-contracts/create", "genesis", create),
        ("/wallet/nano-contracts/execute", "genesis", execute),
        ("/wallet/nano-contracts/create-on-chain-blueprint", "genesis", json!({"code": "x", "address": own})),
        ("/wallet/atomic-swap/tx-proposal/sign-and-push", "genesis", swap),
        ("/push-tx", "genesis", json!({"txHex": signed_elsewhere(&server, payment).await})),
    ];
    (server, table)
}

/// A payment of the genesis wallet, built by the server and signed here.
async fn signed_elsewhere(server: &Server, payment: Value) -> String {
    let built = server.done("tx-proposal", payment).await;
    let bytes = hex::decode(built["txHex"].as_str().unwrap()).unwrap();
    hex::encode(signed(server, Transaction::from_bytes(&bytes).unwrap()).to_bytes().unwrap())
}

/// How many vertices are on the ledger.
fn vertices(server: &Server) -> usize {
    server.devnet.read(|chain| chain.arrivals().count())
}

/// The same request with one more field.
fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

/// The sentence of a 400. Release 0.39 has none: its entry only names the field.
fn message(answer: &Answer) -> Option<String> {
    answer.json()["message"].as_str().map(str::to_owned)
}

/// The field that the first entry of a 400 names.
fn refused(answer: &Answer) -> (u16, Value) {
    (answer.status, answer.json()["error"][0]["param"].clone())
}

#[tokio::test]
async fn every_request_that_sends_can_be_tried() {
    for settings in ["", "compat = '0.39'\n"] {
        let (server, table) = ready(settings).await;
        let document = server.ask("GET", "/docs", &[], b"").await.json();
        let sends = |operation: &Value| {
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            if body["type"] == "array" {
                // It has no fields, and is tried in tests/server/templates.rs.
                return false;
            }
            let body = &body["properties"];
            let in_query = operation["parameters"].as_array().unwrap().iter().any(|p| p["name"] == "dry_run");
            assert_eq!(in_query, body["dry_run"].is_object());
            in_query
        };
        let paths = document["paths"].as_object().unwrap().iter();
        let documented: BTreeSet<_> =
            paths.filter(|(_, m)| m.get("post").is_some_and(sends)).map(|(p, _)| &**p).collect();
        assert_eq!(documented, table.iter().map(|(path, ..)| *path).collect());

        let before = vertices(&server);
        for (path, wallet, body) in &table {
            let wallet = Some(*wallet);
            let in_query = server.post(&format!("{path}?dry_run=true"), wallet, body).await;
            assert_eq!((in_query.status, &in_query.json()["dry_run"]), (200, &json!(true)), "{path}");
            for yes in [json!(true), json!("true"), json!(1), json!("1")] {
                let in_body = server.post(path, wallet, &with(body, "dry_run", yes)).await;
                assert_eq!((in_body.status, &in_body.json()["dry_run"]), (200, &json!(true)), "{path}");
                assert_eq!(in_body.json()["cost"], in_query.json()["cost"], "{path}");
            }
            let both = with(body, "dry_run", json!(true));
            let both = server.post(&format!("{path}?dry_run=1"), wallet, &both).await.json();
            assert_eq!(both["dry_run"], json!(true), "{path}");
        }
        assert_eq!(vertices(&server), before);
        let (path, wallet, body) = &table[0];
        let sent = server.post(path, Some(wallet), &with(body, "dry_run", json!(false))).await.json();
        assert_eq!((&sent["success"], sent.get("dry_run")), (&json!(true), None));
        assert_eq!(vertices(&server), before + 1);
        server.shutdown().await;
    }
}

#[tokio::test]
async fn what_may_mean_a_dry_run_is_refused_and_not_sent() {
    for settings in ["", "compat = '0.39'\n"] {
        let documented = settings.is_empty();
        let (server, table) = ready(settings).await;
        let before = vertices(&server);
        for (path, wallet, body) in &table {
            let wallet = Some(*wallet);
            for name in [
                "dryRun",
                "dryrun",
                "dry-run",
                "DRY_RUN",
                "DryRun",
                "dry%20run",
                "dry_rum",
                "drry_run",
                "is_dry_run",
                "dryRunOnly",
                "amp;dry_run",
                "dry_run%3Dtrue",
            ] {
                let in_query = server.post(&format!("{path}?{name}=true"), wallet, body).await;
                let name = &name.replace("%20", " ").replace("%3D", "=");
                let in_body = server.post(path, wallet, &with(body, name, json!(true))).await;
                for (answer, place) in [(in_query, "query"), (in_body, "body")] {
                    assert_eq!(refused(&answer), (400, json!(name)), "{path}");
                    assert_eq!(answer.json()["error"][0]["location"], place, "{path}");
                    let expected = format!("{name} must be written dry_run. Nothing was sent.");
                    assert_eq!(message(&answer), documented.then_some(expected), "{path}");
                }
            }
            let within = with(body, "more", json!([{"dry_run": true}]));
            let answer = server.post(path, wallet, &within).await;
            assert_eq!(refused(&answer), (400, json!("more")), "{path}");
            let expected = "more has a dry_run in it: give it in the query, or beside the other fields. Nothing was sent.";
            assert_eq!(message(&answer), documented.then(|| expected.to_owned()), "{path}");
            for wrong in [json!("yes"), json!(null), json!([true]), json!(2)] {
                let answer = server.post(path, wallet, &with(body, "dry_run", wrong)).await;
                assert_eq!(refused(&answer), (400, json!("dry_run")), "{path}");
            }
            for (query, in_body) in [("true", false), ("false", true)] {
                let body = with(body, "dry_run", json!(in_body));
                let answer = server.post(&format!("{path}?dry_run={query}"), wallet, &body).await;
                assert_eq!(refused(&answer), (400, json!("dry_run")), "{path}");
                let expected = "dry_run must not say one thing in the query and another in the body.";
                assert_eq!(message(&answer), documented.then(|| expected.to_owned()), "{path}");
            }
        }
        let proposals = [
            ("", json!({"outputs": [{"address": TO, "value": 5}], "mark_inputs_as_used": true})),
            ("/create-token", json!({"name": "T", "symbol": "T", "amount": 100})),
            ("/mint-tokens", json!({"token": "ab".repeat(32), "amount": 1})),
            ("/melt-tokens", json!({"token": "ab".repeat(32), "amount": 1})),
        ];
        for (path, body) in proposals {
            let path = format!("/wallet/p2sh/tx-proposal{path}");
            for name in ["dry_run", "dryRun"] {
                let in_query = server.post(&format!("{path}?{name}=true"), Some("0"), &body).await;
                let in_body = server.post(&path, Some("0"), &with(&body, name, json!(true))).await;
                for answer in [in_query, in_body] {
                    assert_eq!(refused(&answer), (400, json!(name)), "{path}");
                    let expected =
                        format!("{name} must be left out: nothing is sent here, so there is nothing to try.");
                    assert_eq!(message(&answer), documented.then_some(expected), "{path}");
                }
            }
        }
        assert_eq!(vertices(&server), before);
        let free =
            server.ask("GET", "/wallet/utxo-filter?only_available_utxos=true", &[("x-wallet-id", "0")], b"");
        assert_eq!(free.await.json()["total_amount_available"], 700, "nothing was set aside");
        server.shutdown().await;
    }
}
