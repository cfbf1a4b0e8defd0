//! What an operator sees: request ids, metrics, health.

use super::support::{GENESIS_WORDS, Server};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::{Mnemonic, MultisigKeys};
use serde_json::{Value, json};

#[tokio::test]
async fn every_answer_has_a_request_id() {
    let server = Server::start_with("api_key = 'k'").await;
    let ask = async |headers: &[(&str, &str)]| {
        let answer = server.ask("GET", "/wallet/balance", headers, b"").await;
        answer.header("x-request-id").unwrap().to_owned()
    };
    let (first, second) = (ask(&[]).await, ask(&[("x-api-key", "k")]).await);
    assert_eq!((first.len(), second.len()), (16, 16));
    assert_ne!(first, second);
    assert_eq!(ask(&[("x-request-id", "order-17.a:b/c+d=")]).await, "order-17.a:b/c+d=");
    for odd in ["a b", "a\"b", &"x".repeat(129)] {
        assert_eq!(ask(&[("x-request-id", odd)]).await.len(), 16, "{odd}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_wallets_by_state() {
    let server = Server::with_wallet().await;
    server.read("/wallet/balance").await;
    server.read("/WALLET/balance/?token=00").await;
    server.get("/wallet/balance?token=a&token=b").await;
    server.ask("GET", "/wallet/balance", &[], b"").await;
    server.ask("GET", "/nothing/at/all", &[], b"").await;
    let answer = server.ask("GET", "/metrics", &[], b"").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/plain; version=0.0.4; charset=utf-8"))
    );
    let lines: Vec<&str> = answer.text.lines().collect();
    for line in [
        "headless_wallet_http_requests_total{method=\"GET\",route=\"/wallet/balance\",status=\"200\",refused=\"false\"} 2",
        "headless_wallet_http_requests_total{method=\"GET\",route=\"/wallet/balance\",status=\"200\",refused=\"true\"} 1",
        "headless_wallet_http_requests_total{method=\"GET\",route=\"/wallet/balance\",status=\"400\",refused=\"true\"} 1",
        "headless_wallet_http_requests_total{method=\"\",route=\"none\",status=\"404\",refused=\"false\"} 1",
        "headless_wallet_http_request_duration_seconds_bucket{route=\"/wallet/balance\",le=\"+Inf\"} 4",
        "headless_wallet_http_request_duration_seconds_count{route=\"/wallet/balance\"} 4",
        "headless_wallet_wallets{state=\"Ready\"} 1",
        "headless_wallet_wallets{state=\"Syncing\"} 0",
    ] {
        assert!(lines.contains(&line), "{line}\nis not in\n{}", answer.text);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn health_of_wallets_and_services() {
    let server = Server::with_wallet().await;
    let ask = async |query: &str| server.ask("GET", &format!("/health{query}"), &[], b"").await.parts();
    let refused = |message: &str| (400, json!({"success": false, "message": message}));
    let nothing = "At least one component must be included in the health check";
    for query in ["", "?wallet_ids=", "?include_fullnode=false"] {
        assert_eq!(ask(query).await, refused(nothing), "{query}");
    }
    assert_eq!(ask("?wallet_ids=genesis,other").await, refused("Invalid wallet id parameter: other"));
    let (status, answer) = ask("?include_fullnode=maybe").await;
    assert_eq!(
        (status, &answer["error"]),
        (
            400,
            &json!([{"value": "maybe", "msg": "Invalid value", "param": "include_fullnode", "location": "query"}])
        )
    );

    let (status, mut answer) = ask("?wallet_ids=genesis&include_fullnode=true&include_tx_mining=true").await;
    let (node, mining) = (server.devnet.node_url(), server.devnet.mining_url());
    let check = |name: &str, kind: &str, status: &str, output: &str, id: &str| {
        json!([{
            "componentName": name, "componentType": kind, "status": status, "output": output, "time": "",
            "componentId": id, "affectsServiceHealth": true,
        }])
    };
    for component in answer["checks"].as_object_mut().unwrap().values_mut() {
        let time = component[0]["time"].take();
        assert_eq!((time.as_str().unwrap().len(), &time.as_str().unwrap()[19..20]), (24, "."));
        component[0]["time"] = json!("");
    }
    let expected = json!({
        "status": "pass", "description": "Health status of hathor-wallet-headless", "httpStatusCode": 200,
        "checks": {
            "Wallet genesis": check("Wallet genesis", "internal", "pass", "Wallet is ready", "genesis"),
            format!("Fullnode {node}"): check(&format!("Fullnode {node}"), "http", "pass", "Fullnode is healthy", &node),
            format!("TxMiningService {mining}"): check(
                &format!("TxMiningService {mining}"), "http", "pass", "Tx Mining Service is healthy", &mining,
            ),
        },
    });
    assert_eq!((status, answer), (200, expected));

    server.devnet.set_node_faults(NodeFaults {
        mode: NodeMode::Down,
        path: "health".into(),
        ..NodeFaults::default()
    });
    let (status, answer) = ask("?include_fullnode=true").await;
    assert_eq!((status, &answer["status"], &answer["httpStatusCode"]), (503, &json!("fail"), &json!(503)));
    let output = answer["checks"][format!("Fullnode {node}")][0]["output"].as_str().unwrap();
    assert!(output.starts_with("Error getting fullnode health: full node "), "{output}");
    server.shutdown().await;
}

#[tokio::test]
async fn multisig_pubkey_is_that_of_the_account() {
    let server = Server::start().await;
    let words = Mnemonic::parse(GENESIS_WORDS).unwrap();
    let ask = async |body: Value| server.post("/multisig-pubkey", None, &body).await.parts();
    for passphrase in ["", "x"] {
        let xpub = MultisigKeys::from_mnemonic(&words, passphrase).account_xpub();
        assert_eq!(
            ask(json!({"seedKey": "genesis", "passphrase": passphrase})).await,
            (200, json!({"success": true, "xpubkey": xpub}))
        );
    }
    for (body, message) in [
        (json!({}), "Parameter 'seedKey' is required."),
        (json!({"seedKey": ""}), "Parameter 'seedKey' is required."),
        (json!({"seedKey": "other"}), "Seed not found."),
    ] {
        assert_eq!(ask(body).await, (200, json!({"success": false, "message": message})));
    }
    server.shutdown().await;
}
