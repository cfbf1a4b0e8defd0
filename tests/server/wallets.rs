//! Starting, selecting, reading and stopping wallets.

use super::support::{GENESIS_WORDS, Server, exchange};
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
async fn start_refuses_in_the_known_words() {
    let server = Server::with_wallet().await;
    let table = [
        (json!({"wallet-id": "a"}), "Parameter 'seedKey', 'seed' or 'xpubkey' is required."),
        (
            json!({"wallet-id": "a", "seedKey": "x", "seed": "y"}),
            "You can't have both 'seedKey' and 'seed' in the body.",
        ),
        (
            json!({"wallet-id": "a", "seed": "y", "xpubkey": "z"}),
            "You can't start a readonly wallet and send a seed in the same request.",
        ),
        (json!({"seedKey": "genesis"}), "Parameter 'wallet-id' is required."),
        (json!({"wallet-id": "a", "seedKey": "nobody"}), "Seed not found."),
        (json!({"wallet-id": "a", "seed": "one two"}), "Invalid seed: Must have 24 words."),
        (
            json!({"wallet-id": "a", "seed": GENESIS_WORDS.replace("avocado", "avocadoo")}),
            "Invalid seed: Invalid words.",
        ),
        (
            json!({"wallet-id": "a", "seed": GENESIS_WORDS.replace("avocado", "spot")}),
            "Invalid seed: Invalid sequence of words.",
        ),
        (json!({"wallet-id": "a", "seed": 24}), "Invalid seed: Words must be a string."),
        (
            json!({"wallet-id": "a", "seedKey": "genesis", "scanPolicy": "all"}),
            "Address scanning policy all is not supported.",
        ),
        (
            json!({"wallet-id": "a", "seedKey": "genesis", "multisig": true}),
            "genesis is not configured for multisig.",
        ),
        (
            json!({"wallet-id": "a", "seedKey": "genesis", "passphrase": "x"}),
            "Failed to start wallet. To use a passphrase you must explicitly allow it in the configuration file. Using \
             a passphrase completely changes the addresses of your wallet, only use it if you know what you are doing.",
        ),
    ];
    for (body, message) in table {
        let answer = server.post("/start", None, &body).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "message": message})), "{body}");
    }
    let answer = server.post("/start", None, &json!({"wallet-id": "genesis", "seedKey": "nobody"})).await;
    assert_eq!(
        answer.parts(),
        (
            200,
            json!({
                "success": false,
                "message": "Failed to start wallet with wallet id genesis",
                "errorCode": "WALLET_ALREADY_STARTED",
            })
        )
    );
    let answer = server.post("/start", None, &json!({"wallet-id": "a", "xpubkey": "xpub"})).await;
    assert_eq!(
        answer.parts(),
        (
            200,
            json!({
                "success": false,
                "message": "Failed to start wallet with wallet id a",
                "error": "Invalid xpub",
            })
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn reads_of_a_ready_wallet() {
    let server = Server::with_wallet().await;
    let status = server.read("/wallet/status").await;
    assert_eq!((&status["statusCode"], &status["statusMessage"]), (&json!(3), &json!("Ready")));
    assert_eq!(
        (&status["network"], &status["serverUrl"]),
        (&json!("privatenet"), &json!(server.devnet.node_url()))
    );
    assert_eq!(status["serverInfo"]["network"], "privatenet");

    assert_eq!(server.read("/wallet/balance").await, json!({"available": 100_000_000_000_u64, "locked": 0}));
    let none = json!({"available": 0, "locked": 0});
    assert_eq!(server.read(&format!("/wallet/balance?token={}", "ab".repeat(32))).await, none);
    assert_eq!(server.get("/wallet/balance?token=a&token=b").await.status, 400);

    assert_eq!(server.address(0).await, "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f");
    let addresses = server.read("/wallet/addresses").await;
    let addresses = addresses["addresses"].as_array().unwrap().clone();
    assert_eq!(addresses[0], "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f");
    assert!(addresses.len() >= 20);
    // Index 1 holds the genesis coins, so 2 is the first unused one.
    assert_eq!(server.read("/wallet/address").await["address"], addresses[2]);
    assert_eq!(server.read("/wallet/address?mark_as_used=true").await["address"], addresses[2]);
    assert_eq!(server.read("/wallet/address").await["address"], addresses[3]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_stopped_wallet_is_gone_and_its_id_free() {
    let server = Server::with_wallet().await;
    let answer = server.post("/wallet/stop", Some("genesis"), &json!({})).await;
    assert_eq!(answer.parts(), (200, json!({"success": true})));
    assert_eq!(server.get("/wallet/status").await.parts(), selection("Invalid wallet id parameter."));
    server.start_wallet("genesis", json!({"seed": GENESIS_WORDS})).await;
    assert_eq!(server.get("/wallet/status").await.json()["statusCode"], 3);
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
