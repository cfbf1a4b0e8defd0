//! What an operator sees: request ids, metrics, health.

use super::command_line::new_file;
use super::events::Listener;
use super::process::{PROGRAM, Process};
use super::support::{GENESIS_WORDS, Server, ask, exchange};
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::keys::{Mnemonic, MultisigKeys};
use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use tokio::process::Command;

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

/// Nothing of ours sees it: the HTTP library answers.
#[tokio::test]
async fn what_is_no_http_has_none() {
    let server = Server::start().await;
    for head in
        ["GET / HTTP/9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nx: \0\r\n\r\n"]
    {
        let answer = exchange(&server.address, head.as_bytes(), b"").await;
        assert_eq!((answer.status, answer.header("x-request-id"), &*answer.text), (400, None, ""), "{head}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn every_kind_of_answer_has_one() {
    let server = Server::start_with("api_key = 'k'\ncors_origins = 'https://a.example'").await;
    let (key, id, json) = (("x-api-key", "k"), ("x-request-id", "r-1"), ("content-type", "application/json"));
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(102_400));
    let once = ("idempotency-key", "once");
    for (method, path, headers, body, status) in [
        ("GET", "/", &[key][..], "", 200),
        ("HEAD", "/", &[key], "", 200),
        ("GET", "/metrics", &[key], "", 200),
        ("GET", "/docs/ui", &[], "", 200),
        ("GET", "/wallet/status", &[key], "", 200),
        ("GET", "/nothing", &[key], "", 404),
        ("GET", "/start", &[key], "", 404),
        ("PATCH", "/start", &[key], "", 404),
        ("OPTIONS", "/start", &[key], "", 200),
        ("OPTIONS", "/start", &[("origin", "https://a.example")], "", 204),
        ("GET", "/", &[], "", 401),
        ("GET", "/health", &[key], "", 400),
        ("POST", "/start", &[key, json], "{", 400),
        ("POST", "/start", &[key, json], &long, 400),
        ("POST", "/start", &[key, json, ("idempotency-key", "")], "{}", 400),
        ("POST", "/start", &[key, json, once], "{}", 200),
    ] {
        let mut with_id = headers.to_vec();
        with_id.push(id);
        let answer = server.ask(method, path, &with_id, body.as_bytes()).await;
        let place = format!("{method} {path}: {}", answer.head);
        assert_eq!((answer.status, answer.header("x-request-id")), (status, Some("r-1")), "{place}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn every_line_that_is_logged_for_a_request_has_its_id() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("log-{}", std::process::id()));
    let process = Process::with_wallet_and_log(File::create(&path).unwrap().into()).await;
    let wallet = ("x-wallet-id", "genesis");
    let ask = async |method, path, id, body: &str| {
        let headers = [wallet, ("x-request-id", id), ("content-type", "application/json")];
        ask(&process.address, method, path, &headers, body.as_bytes()).await
    };
    ask("GET", "/nothing", "a", "").await;
    ask("GET", "/start", "b", "").await;
    process.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    let send = r#"{"outputs":[{"type":"data","data":"x"}]}"#;
    ask("POST", "/wallet/send-tx", "c", send).await;
    ask("POST", "/start", "d", r#"{"wallet-id":"e","seed":"no seed"}"#).await;
    process.end().await;
    let log = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    // Without the time.
    let lines = log.lines().filter_map(|line| Some(line.split_once("Z ")?.1.trim_start()));
    let lines: Vec<&str> = lines.map(|line| line.split(" ms").next().unwrap()).collect();
    for line in [
        "INFO request{id=\"a\"}: GET /nothing 404",
        "INFO request{id=\"b\"}: GET /start 404",
        "WARN request{id=\"c\" wallet=genesis operation=\"send-tx\"}: a send failed: ",
        "INFO request{id=\"c\" wallet=genesis operation=\"send-tx\"}: POST /wallet/send-tx 200",
        "INFO request{id=\"d\" operation=\"start\"}: POST /start 200",
    ] {
        assert!(lines.iter().any(|logged| logged.starts_with(line)), "{line}\nis not in\n{log}");
    }
    let of_requests = |line: &&str| ["GET ", "POST ", "a send failed"].iter().any(|text| line.contains(text));
    for line in lines.into_iter().filter(of_requests) {
        assert!(line.contains("request{id=\""), "{line}");
    }
}

#[tokio::test]
async fn json_lines_name_the_request_its_operation_wallet_and_key() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("json-log-{}", std::process::id()));
    let file = path.with_extension("toml");
    let hash = hex::encode(Sha256::digest(b"a long secret of the shop's"));
    let settings =
        format!("log_format = 'json'\n[keys.shop]\nhash = '{hash}'\nrights = ['read']\nwallets = ['*']\n");
    new_file(file.to_str().unwrap(), &settings);
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--config", file.to_str().unwrap()]);
    let process = Process::by(command, File::create(&path).unwrap().into()).await;
    let headers = [
        ("x-api-key", "a long secret of the shop's"),
        ("x-wallet-id", "till \"1\""),
        ("x-request-id", "r-1"),
    ];
    let answer = ask(&process.address, "GET", "/wallet/balance", &headers, b"").await;
    assert_eq!(answer.json()["message"], "Invalid wallet id parameter.");
    process.end().await;
    let log = fs::read_to_string(&path).unwrap();
    [&path, &file].into_iter().for_each(|file| fs::remove_file(file).unwrap());
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut line = lines.into_iter().find(|line| line["request_id"] == "r-1").unwrap();
    let message = line["message"].take();
    assert!(message.as_str().unwrap().starts_with("GET /wallet/balance 200 "), "{message}");
    let time = line["time"].take();
    assert!(
        Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap().is_match(time.as_str().unwrap())
    );
    let expected = json!({
        "level": "INFO", "message": null, "time": null, "request_id": "r-1",
        "operation": "balance", "wallet": "till \"1\"", "key": "shop",
    });
    assert_eq!(line, expected);
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_wallets_by_state() {
    let server = Server::with_wallet().await;
    server.read("/wallet/balance").await;
    server.read("/WALLET/balance/?token=00").await;
    server.get("/wallet/balance?token=a&token=b").await;
    server.ask("GET", "/wallet/balance", &[], b"").await;
    server.ask("GET", "/nothing/at/all", &[], b"").await;
    server.done("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await;
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    server.call("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await;
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
        "headless_wallet_http_requests_in_flight 0",
        "headless_wallet_sends_total{outcome=\"sent\"} 1",
        "headless_wallet_sends_total{outcome=\"failed\"} 1",
        "headless_wallet_sends_total{outcome=\"unknown\"} 0",
        concat!("headless_wallet_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1"),
        "headless_wallet_wallets{state=\"Ready\"} 1",
        "headless_wallet_wallets{state=\"Syncing\"} 0",
        "headless_wallet_node_connections 1",
        "headless_wallet_node_connections_total{outcome=\"made\"} 1",
        "headless_wallet_node_connections_total{outcome=\"failed\"} 0",
        "headless_wallet_node_connections_total{outcome=\"broken\"} 0",
        "headless_wallet_service_requests_total{service=\"node\",outcome=\"unreachable\"} 0",
        "headless_wallet_service_requests_total{service=\"mining\",outcome=\"error\"} 0",
        "headless_wallet_pow_total{outcome=\"solved\"} 1",
        "headless_wallet_pow_total{outcome=\"failed\"} 1",
        "headless_wallet_pow_duration_seconds_count 1",
    ] {
        assert!(lines.contains(&line), "{line}\nis not in\n{}", answer.text);
    }
    is_for_prometheus(&lines);
    server.shutdown().await;
}

/// Holds the lines to the text format: each family is told once, with its type before its samples, and no
/// sample comes twice.
fn is_for_prometheus(lines: &[&str]) {
    let sample = r#"^([a-z_]+)(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [0-9]+(\.[0-9]+)?(e-[0-9]+)?$"#;
    let sample = Regex::new(sample).unwrap();
    let (mut families, mut samples, mut family) = (BTreeSet::new(), BTreeSet::new(), "");
    for line in lines {
        if let Some(help) = line.strip_prefix("# HELP ") {
            family = help.split(' ').next().unwrap();
            assert!(families.insert(family), "{line}");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert_eq!(name, family);
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
        } else {
            let name = &sample.captures(line).unwrap_or_else(|| panic!("{line}"))[1];
            let suffix = name.strip_prefix(family).unwrap_or_else(|| panic!("{line}"));
            assert!(["", "_bucket", "_sum", "_count"].contains(&suffix), "{line}");
            assert!(samples.insert(line.rsplit_once(' ').unwrap().0), "{line}");
        }
    }
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

    // Each wallet once, however often it is named, and not more of them than an answer should have.
    let twice = server.ask("GET", "/health?wallet_ids=genesis,genesis,genesis", &[], b"").await;
    assert_eq!((twice.status, twice.text.matches("\"Wallet genesis\"").count()), (200, 2), "{}", twice.text);
    let ids = |count: usize| (0..count).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(
        ask(&format!("?wallet_ids={}", ids(101))).await,
        refused("`wallet_ids` names too many wallets: at most 100, or `*` for all.")
    );
    assert_eq!(ask(&format!("?wallet_ids={}", ids(100))).await, refused("Invalid wallet id parameter: 0"));

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
async fn a_feature_that_is_not_supported_is_told_of_everywhere_and_takes_no_server_out_of_service() {
    for compat in ["", "compat = '0.39'"] {
        let server = Server::start_with(compat).await;
        server.devnet.set_features(&[("TOKEN_AMOUNT_V2", "LOCKED_IN"), ("FEE_TOKENS", "ACTIVE")]);
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
        let message = "the network's feature TOKEN_AMOUNT_V2 is locked in and will become active; this version of \
                       headless-wallet does not support it: requests name whole cents, and contracts that count in \
                       18 decimals can't be called. Upgrade headless-wallet";
        let warning = json!({"feature": "TOKEN_AMOUNT_V2", "state": "LOCKED_IN", "message": message});
        assert_eq!(server.read("/wallet/status").await["warnings"], json!([warning]));

        let (status, answer) = server.ask("GET", "/health?include_fullnode=true", &[], b"").await.parts();
        assert_eq!(
            (status, &answer["status"], &answer["httpStatusCode"]),
            (200, &json!("warn"), &json!(200))
        );
        let node = format!("Fullnode {}", server.devnet.node_url());
        let checks = answer["checks"][&node].as_array().unwrap().iter().map(|check| {
            let about = ["status", "output", "affectsServiceHealth", "componentName", "componentId"];
            about.map(|name| check[name].clone())
        });
        let url = server.devnet.node_url();
        let expected = [
            [json!("pass"), json!("Fullnode is healthy"), json!(true), json!(node), json!(url)],
            [json!("warn"), json!(message), json!(false), json!(node), json!(url)],
        ];
        assert_eq!(checks.collect::<Vec<_>>(), expected);

        let metrics = server.ask("GET", "/metrics", &[], b"").await.text;
        let lines: Vec<&str> = metrics.lines().collect();
        let metric = "headless_wallet_unsupported_feature{feature=\"TOKEN_AMOUNT_V2\",state=\"LOCKED_IN\"} 1";
        assert!(lines.contains(&metric), "{metrics}");
        assert!(!metrics.contains("FEE_TOKENS"), "{metrics}");
        is_for_prometheus(&lines);

        let mut listener = Listener::connect(&server, &[("last-event-id", "x.00000000.0-0")]).await;
        let mut event = listener.find("feature.unsupported").await.data;
        assert!(event["id"].take().as_str().unwrap().starts_with("evt_"));
        assert!(event["createdAt"].take().is_u64());
        let expected = json!({
            "id": null, "type": "feature.unsupported", "walletId": "genesis", "seq": 1, "createdAt": null,
            "data": warning,
        });
        assert_eq!(event, expected);
        server.shutdown().await;
    }
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
        (json!({"seedKey": ""}), "Seed not found."),
        (json!({"seedKey": null}), "Seed not found."),
        (json!({"seedKey": "other"}), "Seed not found."),
    ] {
        assert_eq!(ask(body).await, (200, json!({"success": false, "message": message})));
    }
    server.shutdown().await;
}
