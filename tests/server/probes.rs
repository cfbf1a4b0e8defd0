//! Whether a server is alive, and whether it takes requests.

use super::support::{Server, ask, hanging_send};
use headless_wallet::devnet::NodeFaults;
use serde_json::{Value, json};

async fn probe(address: &str, which: &str) -> (u16, Value) {
    ask(address, "GET", &format!("/health/{which}"), &[], b"").await.parts()
}

#[tokio::test]
async fn probes_need_no_key() {
    let server = Server::start_with("api_key = 'secret'").await;
    for which in ["live", "ready"] {
        assert_eq!(probe(&server.address, which).await, (200, json!({"status": "pass"})));
        let answer = server.ask("GET", &format!("/Health/{which}/"), &[], b"").await;
        assert_eq!(answer.parts(), (200, json!({"status": "pass"})));
    }
    let other = server.ask("GET", "/health/else", &[], b"").await;
    assert_eq!(other.status, 401);
    server.shutdown().await;
}

#[tokio::test]
async fn a_server_that_ends_is_alive_and_not_ready() {
    let server = Server::with_wallet().await;
    let address = server.address.clone();
    let send = hanging_send(&server.devnet, &address).await;
    let (ended, devnet) = server.begin_shutdown();
    let not_ready =
        json!({"status": "fail", "output": "The service is shutting down and takes no new requests."});
    while probe(&address, "ready").await != (503, not_ready.clone()) {
        tokio::task::yield_now().await;
    }
    assert_eq!(probe(&address, "live").await, (200, json!({"status": "pass"})));
    devnet.set_node_faults(NodeFaults::default());
    assert_eq!(send.await.unwrap().json()["success"], true);
    ended.await.unwrap();
    devnet.shutdown().await;
}
