//! Requests that are as long as the largest transaction makes them, and no longer.

use super::nano::AUTHORITY;
use super::support::Server;
use super::swaps::{done, get, knows, propose, signatures, two};
use headless_wallet::api::Method;
use headless_wallet::ledger::{Network, PartialTx};
use headless_wallet::operations::{self, Operation};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Nearly all the inputs that a transaction can have.
const MANY: usize = 250;

#[tokio::test]
async fn a_swap_of_very_many_inputs_is_signed_and_sent() {
    let (server, _) = two("").await;
    // The genesis wallet gives what it has in many outputs.
    let mine = get(&server, "genesis", "/wallet/address").await["address"].clone();
    let outputs = vec![json!({"address": mine, "value": 7}); MANY];
    let sent = server.done("send-tx", json!({"outputs": outputs})).await;
    knows(&server, "genesis", &sent["hash"]).await;
    let of_seven = |output: &(usize, &Value)| output.1["value"] == 7;
    let places = sent["outputs"].as_array().unwrap().iter().enumerate().filter(of_seven);
    let utxos: Vec<_> = places.map(|(index, _)| json!({"txId": sent["hash"], "index": index})).collect();
    assert_eq!(utxos.len(), MANY);

    let given = 7 * MANY;
    let first = json!({
        "send": {"tokens": [{"value": given}], "utxos": utxos},
        "receive": {"tokens": [{"value": 1_000}]},
    });
    let (partial, _) = propose(&server, "genesis", first).await;
    let second = json!({
        "partial_tx": partial,
        "send": {"tokens": [{"value": 1_000}]},
        "receive": {"tokens": [{"value": given}]},
    });
    let (partial, complete) = propose(&server, "ana", second).await;
    assert!(complete);
    assert_eq!(PartialTx::parse(&partial, Network::Privatenet).unwrap().inputs.len(), MANY + 1);

    let both = [signatures(&server, "genesis", &partial).await, signatures(&server, "ana", &partial).await];
    let body = json!({"partial_tx": partial, "signatures": both});
    assert!(body.to_string().len() > 102_400, "{}", body.to_string().len());
    done(&server, "ana", "/sign", body.clone()).await;
    let sent = done(&server, "ana", "/sign-and-push", body).await;
    assert_eq!(sent["inputs"].as_array().unwrap().len(), MANY + 1);
    server.shutdown().await;
}

#[tokio::test]
async fn a_blueprint_may_be_as_long_as_the_network_takes_it() {
    let server = Server::with_wallet().await;
    let address = server.address(0).await;
    let line = "# A comment that compresses well.\n";
    let long = |bytes: usize| {
        let mut code = AUTHORITY.to_owned();
        code.push_str(&line.repeat((bytes - code.len()) / line.len()));
        code.push_str(&"#".repeat(bytes - code.len()));
        code
    };
    let sent = server
        .done("nano-contracts/create-on-chain-blueprint", json!({"code": long(240_000), "address": address}))
        .await;
    assert_eq!(sent["version"], 6);
    let body = json!({"code": long(240_001), "address": address});
    let refused = server.call("nano-contracts/create-on-chain-blueprint", body).await;
    let error = "code must have at most 240000 bytes, and has 240001.";
    assert_eq!((refused.status, &refused.json()["message"]), (400, &json!(error)), "{}", refused.text);
    server.shutdown().await;
}

#[tokio::test]
async fn every_operation_reads_as_much_as_is_declared_and_no_more() {
    let server = Server::with_wallet().await;
    let refusal = |most: usize| format!("The request body is too large: at most {most} bytes are read.");
    let takes_fields = |operation: &&Operation| {
        operation.method == Method::Post && (operation.body().is_some() || operation.bare.is_some())
    };
    for operation in operations::all().filter(takes_fields) {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        let path = operation.path.replace("{proposalId}", "x");
        let (head, most) = ("{\"a\":\"", operation.max_body);
        for (bytes, is_read) in [(most, true), (most + 1, false)] {
            let body = format!("{head}{}\"}}", "x".repeat(bytes - head.len() - 2));
            assert_eq!(body.len(), bytes);
            let answer = server.ask("POST", &path, &headers, body.as_bytes()).await;
            let told = answer.json()["error"] == refusal(most);
            assert_eq!(told, !is_read, "{path}, {bytes} bytes: {}", answer.text);
        }
    }
    server.shutdown().await;
}

#[test]
fn the_bounds_are_those_of_the_largest_transactions() {
    let most = |operation: &Operation| operation.max_body;
    assert_eq!(most(&operations::START), 102_400);
    assert_eq!(most(&operations::SEND_TX), 102_400);
    assert_eq!(most(&operations::SIGN_AND_PUSH_SWAP), 178_624);
    assert_eq!(most(&operations::SIGN_AND_PUSH), 178_624);
    assert_eq!(most(&operations::CREATE_BLUEPRINT), 721_024);
    // What stands before the server lets as much through.
    let nginx = include_str!("../../docs/deploy/nginx.conf");
    let longest = operations::all().map(|operation| operation.max_body).max().unwrap();
    for setting in ["client_max_body_size", "client_body_buffer_size"] {
        assert!(nginx.contains(&format!("{setting} {longest};")), "{setting}");
    }
}

/// Long bodies that don't come on hold up none that does.
#[tokio::test]
async fn long_bodies_that_stall_give_way() {
    let server = Server::with_wallet().await;
    let head = "POST /wallet/decode HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: genesis\r\n\
        content-type: application/json\r\ncontent-length: 170000\r\n\r\n";
    let stalled = |sent: usize| format!("{head}{{\"txHex\":\"{}", "0".repeat(sent));
    let mut crowd = Vec::new();
    for sent in [0, 150_000] {
        for _ in 0..40 {
            let mut connection = TcpStream::connect(&server.address).await.unwrap();
            connection.write_all(stalled(sent).as_bytes()).await.unwrap();
            crowd.push(connection);
        }
    }
    // The first of those that have sent much had to give way to the others.
    let mut answer = vec![0; 4_096];
    let read = crowd[40].read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    let why = "Many long request bodies came at once, and this one came too slowly: send the request again.";
    assert!(answer.contains(why), "{answer}");
    let begin = Instant::now();
    for _ in 0..20 {
        let body = json!({"txHex": "0".repeat(170_000)});
        let (status, answer) = server.post("/wallet/decode", Some("genesis"), &body).await.parts();
        assert_eq!((status, &answer["success"]), (200, &json!(false)), "{answer}");
    }
    // Had each waited for one of the crowd, which has ten seconds, it would be 200.
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    drop(crowd);
    server.shutdown().await;
}
