//! Wallets that are selected by a header, loading, or stopped.

use super::support::{Server, exchange};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::service::Phase;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn selection(message: &str) -> (u16, Value) {
    (200, json!({"success": false, "message": message, "statusMessage": ""}))
}

#[tokio::test]
async fn the_wallet_is_selected_before_anything_else_is_looked_at() {
    let server = Server::start().await;
    let missing = selection("Header 'X-Wallet-Id' is required.");
    let unknown = selection("Invalid wallet id parameter.");
    for path in
        ["/wallet/status", "/wallet/utxo-filter?max_utxos=x", "/wallet/no-such-thing", "/WALLET/Balance/"]
    {
        assert_eq!(server.ask("GET", path, &[], b"").await.parts(), missing, "{path}");
        assert_eq!(server.ask("GET", path, &[("x-wallet-id", "")], b"").await.parts(), missing, "{path}");
        assert_eq!(server.ask("GET", path, &[("X-WALLET-ID", "a")], b"").await.parts(), unknown, "{path}");
    }
    assert_eq!(server.post("/wallet/create-token", None, &json!({})).await.parts(), missing);
    assert_eq!(server.post("/wallet/stop", Some("a"), &json!({})).await.parts(), unknown);
    server.shutdown().await;
}

#[tokio::test]
async fn odd_headers_name_the_wallet_that_they_mean_or_none() {
    let server = Server::with_wallet().await;
    server.start_wallet("né", json!({"seedKey": "genesis"})).await;
    let head = |id: &[u8]| {
        let head = b"GET /wallet/balance HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-wallet-id: ";
        [head, id, b"\r\n\r\n"].concat()
    };
    let balance = (200, json!({"available": 100_000_000_000_u64, "locked": 0}));
    let unknown = selection("Invalid wallet id parameter.");
    // UTF-8, and Latin-1 as Node and browsers write it.
    assert_eq!(exchange(&server.address, &head("né".as_bytes()), b"").await.parts(), balance);
    assert_eq!(exchange(&server.address, &head(b"n\xe9"), b"").await.parts(), balance);
    assert_eq!(exchange(&server.address, &head(b"n\xe8"), b"").await.parts(), unknown);
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_whose_caller_hangs_up_goes_on() {
    let server = Server::with_wallet().await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() };
    server.devnet.set_node_faults(slow);
    let wallet = server.app.wallets().get("genesis").unwrap();
    let body = json!({"outputs": [{"type": "data", "data": "a"}]});
    let impatient = async |path: &str, body: &Value| {
        let request = server.post(path, Some("genesis"), body);
        tokio::time::timeout(Duration::from_millis(300), request).await.expect_err("it waits for the node");
    };
    impatient("/wallet/send-tx", &body).await;
    impatient("/wallet/stop", &json!({})).await;
    assert_eq!(wallet.status().phase.to_string(), "Ready");
    server.devnet.set_node_faults(NodeFaults::default());
    let mut status = wallet.watch();
    let closed = status.wait_for(|status| status.phase.to_string() == "Closed");
    tokio::time::timeout(Duration::from_secs(60), closed).await.expect("it is stopped").unwrap();
    server.shutdown().await;
}

#[tokio::test]
async fn a_wallet_that_is_not_ready_says_so() {
    let server = Server::start().await;
    server.devnet.set_node_faults(NodeFaults {
        mode: NodeMode::Slow,
        path: "address_history".into(),
        ..NodeFaults::default()
    });
    let body = json!({"wallet-id": "genesis", "seedKey": "genesis", "history_sync_mode": "polling_http_api"});
    assert_eq!(server.post("/start", None, &body).await.parts(), (200, json!({"success": true})));
    let answer = server.get("/wallet/balance").await.json();
    assert_eq!((&answer["success"], &answer["message"]), (&json!(false), &json!("Wallet is not ready.")));
    let code = answer["statusCode"].as_u64().unwrap();
    let name = if code == 1 { "Connecting" } else { "Syncing" };
    assert_eq!(answer["statusMessage"], name);
    let mut status = server.app.wallets().get("genesis").unwrap().watch();
    status.wait_for(|status| status.phase == Phase::Syncing).await.unwrap();
    let progress = json!({"addresses": 0, "transactions": 0});
    assert_eq!(
        server.get("/wallet/status").await.json(),
        json!({
            "success": false, "message": "Wallet is not ready.", "statusCode": 2, "statusMessage": "Syncing",
            "progress": progress,
        })
    );
    server.devnet.set_node_faults(NodeFaults::default());
    assert_eq!(server.app.wallets().get("genesis").unwrap().ready().await.phase.to_string(), "Ready");
    assert_eq!(server.get("/wallet/status").await.json()["statusCode"], 3);
    server.shutdown().await;
}

#[tokio::test]
async fn a_wallet_that_never_gets_ready_can_be_stopped() {
    for compat in ["", "compat = '0.39'"] {
        let server = Server::start_with(&format!("{compat}\nconnection_timeout = 60000")).await;
        for (mode, path, sync_mode) in [
            (NodeMode::Slow, "ws", "xpub_stream_ws"),
            (NodeMode::Slow, "address_history", "polling_http_api"),
            (NodeMode::Garbage, "ws", "xpub_stream_ws"),
            (NodeMode::Garbage, "address_history", "polling_http_api"),
            (NodeMode::Broken, "address_history", "polling_http_api"),
            (NodeMode::Down, "address_history", "polling_http_api"),
        ] {
            server.devnet.set_node_faults(NodeFaults { mode, path: path.into(), ..NodeFaults::default() });
            let body = json!({"wallet-id": "genesis", "seedKey": "genesis", "history_sync_mode": sync_mode});
            assert_eq!(server.post("/start", None, &body).await.parts(), (200, json!({"success": true})));
            assert_eq!(server.get("/wallet/status").await.json()["message"], "Wallet is not ready.");
            let begin = Instant::now();
            let stopped = server.post("/wallet/stop", Some("genesis"), &json!({})).await;
            assert_eq!(stopped.parts(), (200, json!({"success": true})), "{mode:?} {path} {compat}");
            // The node has twice as long to answer.
            assert!(begin.elapsed() < Duration::from_secs(30), "{mode:?} {path}: {:?}", begin.elapsed());
            assert_eq!(server.get("/wallet/status").await.parts(), selection("Invalid wallet id parameter."));
        }
        server.devnet.set_node_faults(NodeFaults::default());
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
        server.shutdown().await;
    }
}

#[tokio::test]
async fn the_first_address_is_demanded_where_configured() {
    let server = Server::with_wallet_and("confirm_first_address = true").await;
    let first = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
    let refused = selection(&format!("Wrong first address. This wallet's first address is: {first}"));
    assert_eq!(server.get("/wallet/status").await.parts(), refused);
    let ask = async |address: &str| {
        let headers = [("x-wallet-id", "genesis"), ("x-first-address", address)];
        server.ask("GET", "/wallet/balance", &headers, b"").await.parts()
    };
    assert_eq!(ask("Wother").await, refused);
    assert_eq!(ask(first).await, (200, json!({"available": 100_000_000_000_u64, "locked": 0})));
    server.shutdown().await;
}
