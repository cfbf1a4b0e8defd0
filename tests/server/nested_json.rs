//! JSON that nests deeper than its brackets show, by the key with which `serde_json` embeds JSON in a text:
//! every place that reads what strangers wrote refuses it, and goes on.

use super::command_line::{program, run};
use super::support::{Answer, Server, ask};
use headless_wallet::net::{HttpClient, WebSocket};
use headless_wallet::node::{FullNode, MiningService};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
/// Enough to overflow a stack of 2 MiB, and less than a body may have.
const LEVELS: usize = 60;

/// An object of so many levels of embedded JSON, each with 125 brackets.
pub fn nested(levels: usize) -> String {
    let quoted = |text: &str| text.replace('\\', "\\u005c").replace('"', "\\u0022");
    let (open, close) = ("[".repeat(125), "]".repeat(125));
    let mut value = "1".to_owned();
    for _ in 0..levels {
        let inner = quoted(&format!("{open}{value}{close}"));
        value = format!("{{\"$serde_json::private::RawValue\":\"{inner}\"}}");
    }
    format!("{{\"a\":{value}}}")
}

const NOT_ALLOWED: &str = "the key $serde_json::private::RawValue is not allowed at line 1 column 38";

#[tokio::test]
async fn bodies_of_the_server() {
    let server = Server::with_wallet().await;
    let body = nested(LEVELS);
    let error = format!("The request body is not valid JSON: {NOT_ALLOWED}.");
    for path in ["/start", "/wallet/send-tx", "/push-tx", "/wallet/p2sh/tx-proposal"] {
        let headers = [JSON, &[("x-wallet-id", "genesis"), ("idempotency-key", path)]].concat();
        let answer = server.ask("POST", path, &headers, body.as_bytes()).await;
        assert_eq!(answer.parts(), (400, json!({"success": false, "error": error})), "{path}");
    }
    server.read("/wallet/balance").await;
    server.shutdown().await;
}

#[tokio::test]
async fn requests_of_the_local_network() {
    let server = Server::start().await;
    let body = nested(LEVELS);
    let place = |url: String| url.strip_prefix("http://").unwrap().split_once('/').unwrap().0.to_owned();
    let (node, mining) = (place(server.devnet.node_url()), place(server.devnet.mining_url()));
    let post = async |place: &str, path| -> Answer { ask(place, "POST", path, JSON, body.as_bytes()).await };
    let refused = json!({"error": format!("body: {NOT_ALLOWED}")});
    assert_eq!(post(&node, "/devnet/node").await.parts(), (400, refused));
    assert_eq!(post(&node, "/v1a/push_tx").await.json()["success"], false);
    let missing = json!({"success": false, "message": "Missing parameter: invalid json"});
    assert_eq!(post(&node, "/v1a/thin_wallet/address_history").await.parts(), (200, missing));
    assert_eq!(post(&mining, "/submit-job").await.parts(), (400, json!({"error": "cannot-decode-json"})));

    let url = format!("ws://{node}/v1a/ws/").parse().unwrap();
    let mut socket = WebSocket::connect(&HttpClient::shared(), &url, Duration::from_secs(10)).await.unwrap();
    socket.recv().await.unwrap().unwrap();
    socket.send(body);
    let malformed = r#"{"type":"error","success":false,"errmsg":"Malformed command"}"#;
    assert_eq!(&*socket.recv().await.unwrap().unwrap(), malformed);
    server.shutdown().await;
}

/// Where every request is answered with this text.
async fn answering(text: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let answer =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}", text.len());
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let _ = connection.read(&mut [0; 4096]).await;
                let _ = connection.write_all(answer.as_bytes()).await;
            });
        }
    });
    url
}

#[tokio::test]
async fn answers_of_a_node_and_of_a_mining_service() {
    // Enough for the stacks of 8 MiB that the program has.
    let url = answering(nested(300)).await;
    let node = FullNode::new(HttpClient::shared(), &url).unwrap();
    assert!(node.version().await.is_err());
    assert!(node.tx_parents().await.is_err());
    assert!(node.health().await.is_err());
    let mining = MiningService::new(HttpClient::shared(), &url, None).unwrap();
    assert!(mining.submit(b"", false).await.is_err());
    assert!(mining.health().await.is_err());
}

#[tokio::test]
async fn answers_of_a_server_to_the_command_line() {
    let url = answering(nested(300)).await;
    let mut command = program();
    command.args(["wallet", "balance", "--json", "--wallet-id", "a", "--url", &url]);
    let error = format!(
        "the server at {url}: The answer has status 200 and says nothing more: is that a headless-wallet server?"
    );
    let said = format!("{}\n", json!({"error": error, "success": false}));
    assert_eq!(run(command, "").await, (1, said, String::new()));
}

#[tokio::test]
async fn keys_of_a_request_come_once() {
    let server = Server::with_wallet().await;
    let why = |key: &str, column: usize| {
        format!("the key \"{key}\" comes more than once at line 1 column {column}")
    };
    let mut headers = vec![("content-type", "application/json"), ("x-wallet-id", "genesis")];
    for (path, body, key, column) in [
        ("/wallet/simple-send-tx", r#"{"address":"W","value":1,"value":2}"#, "value", 32),
        ("/wallet/send-tx", r#"{"outputs":[{"address":"W","value":1,"address":"V"}]}"#, "address", 46),
        ("/start", r#"{"wallet-id":"a","wallet-id":"a"}"#, "wallet-id", 28),
    ] {
        let error = format!("The request body is not valid JSON: {}.", why(key, column));
        let answer = server.ask("POST", path, &headers, body.as_bytes()).await;
        assert_eq!(answer.parts(), (400, json!({"success": false, "error": error})), "{body}");
    }
    let url = server.devnet.control_url();
    let place = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
    headers.truncate(1);
    let answer = ask(place, "POST", "/devnet/blocks", &headers, br#"{"count":1,"count":2}"#).await;
    assert_eq!(answer.parts(), (400, json!({"error": format!("body: {}", why("count", 18))})));
    server.shutdown().await;
}
