//! `POST /reload-config`: a changed configuration without a new start, as far as that goes.

use super::process::Process;
use super::support::{GENESIS_WORDS, Server, ask, hanging_send};
use headless_wallet::api::Compat;
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const OTHER_WORDS: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art";

fn done() -> (u16, Value) {
    (200, json!({"success": true}))
}

async fn reload(server: &Server) -> (u16, Value) {
    server.post("/reload-config", None, &json!({})).await.parts()
}

fn is_started(server: &Server) -> bool {
    server.app.wallets().get("genesis").is_some()
}

#[tokio::test]
async fn settings_of_requests_hold_for_the_next_one() {
    let mut server = Server::with_wallet().await;
    assert_eq!(reload(&server).await, done(), "nothing has changed");
    assert_eq!(server.read("/wallet/tx-history").await.as_object().unwrap().len(), 1);
    server.configure("compat = '0.39'\ncors_origins = '*'");
    assert_eq!(server.app.config().compat, Compat::Documented, "not yet");
    assert_eq!(reload(&server).await, done());
    assert_eq!(server.app.config().compat, Compat::V0_39);
    server.renew_document();
    let answer = server.get("/wallet/tx-history").await;
    assert_eq!(answer.json().as_array().unwrap().len(), 1, "an array in release 0.39: {}", answer.text);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    server.shutdown().await;
}

#[tokio::test]
async fn running_wallets_send_by_the_new_mining_settings() {
    let server = Server::with_wallet().await;
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    let data = json!({"outputs": [{"type": "data", "data": "x"}]});
    assert_eq!(server.call("send-tx", data.clone()).await.json()["success"], false);
    server.configure("mining = 'local'");
    assert_eq!(reload(&server).await, done());
    server.done("send-tx", data).await;
    server.shutdown().await;
}

#[tokio::test]
async fn wallets_are_stopped_where_they_have_to_be() {
    let server = Server::with_wallet().await;
    let seeds = |more: &str| format!("[seeds]\n{more}");
    let multisig =
        |total: u8| format!("multisig = {{ a = {{ total = {total}, num_signatures = 1, pubkeys = [] }} }}");
    // New participants are of no wallet that runs; others may be.
    for (changed, goes_on) in [(multisig(1), true), (multisig(2), false), (String::new(), false)] {
        server.configure(&changed);
        assert_eq!(reload(&server).await, done());
        assert_eq!(is_started(&server), goes_on, "{changed}");
        if !is_started(&server) {
            server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
        }
    }
    // A new seed changes nothing for the others.
    server.configure_all(&seeds(&format!("genesis = '{GENESIS_WORDS}'\nother = '{OTHER_WORDS}'")));
    assert_eq!(reload(&server).await, done());
    assert!(is_started(&server));
    server.start_wallet("other", json!({"seedKey": "other"})).await;
    // One that is gone, or another one, does.
    for changed in
        [seeds(&format!("genesis = '{GENESIS_WORDS}'")), seeds(&format!("genesis = '{OTHER_WORDS}'"))]
    {
        server.configure_all(&changed);
        assert_eq!(reload(&server).await, done());
        assert!(!is_started(&server), "{changed}");
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    }
    for changed in ["gap_limit = 7", "gap_limit = 7\nconnection_timeout = 900"] {
        server.configure(changed);
        assert_eq!(reload(&server).await, done());
        assert!(!is_started(&server), "{changed}");
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
        let addresses = server.read("/wallet/addresses").await["addresses"].as_array().unwrap().len();
        assert_eq!(addresses, 2 + 7, "the last used address is at index 1");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_reload_waits_for_sends_and_holds_up_what_comes_after() {
    let server = Server::with_wallet().await;
    let send = hanging_send(&server.devnet, &server.address).await;
    server.configure("gap_limit = 7");
    let address = server.address.clone();
    let reload = tokio::spawn(async move { ask(&address, "POST", "/reload-config", &[], b"").await.parts() });
    let unavailable = (503, json!({"success": false, "error": "Service currently unavailable"}));
    while server.get("/wallet/balance").await.parts() != unavailable {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.post("/reload-config", None, &json!({})).await.parts(), unavailable);
    assert_eq!(server.ask("GET", "/health?wallet_ids=genesis", &[], b"").await.parts(), unavailable);
    server.devnet.set_node_faults(NodeFaults::default());
    let sent = send.await.unwrap();
    assert_eq!(sent.json()["success"], true, "{}", sent.text);
    assert_eq!(reload.await.unwrap(), done());
    assert_eq!(server.app.config().gap_limit, 7);
    server.shutdown().await;
}

#[tokio::test]
async fn a_request_that_does_not_end_leaves_the_configuration_as_it_was() {
    let server = Server::with_wallet().await;
    let send = hanging_send(&server.devnet, &server.address).await;
    server.configure("gap_limit = 7");
    let begin = Instant::now();
    let error = "The configuration stays as it was, because 1 request under way did not end within 10 s: wait for sends under way, \
                 or stop the wallets that they are of, and try again.";
    assert_eq!(reload(&server).await, (200, json!({"success": false, "error": error})));
    assert!(begin.elapsed() >= Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(server.app.config().gap_limit, 20);
    server.read("/wallet/balance").await;
    server.devnet.set_node_faults(NodeFaults::default());
    assert_eq!(send.await.unwrap().json()["success"], true);
    assert_eq!(reload(&server).await, done());
    assert_eq!(server.app.config().gap_limit, 7);
    server.shutdown().await;
}

#[tokio::test]
async fn what_can_not_be_read_changes_nothing() {
    let server = Server::with_wallet().await;
    for (settings, reason) in [
        (
            "gap_limit = 0",
            "setting `gap_limit` (`gap_limit` in test.toml) is \"0\", and must be a whole number from 1 to 100000",
        ),
        (
            "gap_limit = ",
            "the configuration file test.toml is not valid TOML: string values must be quoted, expected literal string at line 1",
        ),
        ("data_dir = '/dev/null/x'", "can't use `data_dir` /dev/null/x: Not a directory (os error 20)"),
    ] {
        server.configure(settings);
        let error = format!("The configuration stays as it was, because the new one can't be used: {reason}");
        assert_eq!(reload(&server).await, (200, json!({"success": false, "error": error})));
        assert!(is_started(&server));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn what_only_a_new_start_takes_up_ends_the_server() {
    for settings in [
        "http_port = 1",
        "http_bind = '0.0.0.0'",
        "http_max_connections = 5",
        "api_key = 'k'",
        "console_level = 'debug'",
        "http_log_format = 'none'",
    ] {
        ends(settings).await;
    }
    ends("[seeds]\nother = 'no seed'").await;
}

async fn ends(settings: &str) {
    let server = Server::start().await;
    if settings.starts_with('[') {
        server.configure_all(settings);
    } else {
        server.configure(settings);
    }
    let error = "A non recoverable change in the config was made, the service will shutdown.";
    assert_eq!(reload(&server).await, (200, json!({"success": false, "error": error})), "{settings}");
    server.ended().await;
}

#[tokio::test]
async fn the_program_reads_its_file_again() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reload-{}.toml", std::process::id()));
    let write = |settings: &str| std::fs::write(&path, settings).unwrap();
    write("gap_limit = 5");
    let mut process = Process::start(&["serve", "--config", path.to_str().unwrap()]).await;
    let post = async |path: &str, body: &str| {
        let headers = [("content-type", "application/json")];
        ask(&process.address, "POST", path, &headers, body.as_bytes()).await.parts()
    };
    let start = r#"{"wallet-id":"genesis","seedKey":"genesis"}"#;
    assert_eq!(post("/start", start).await, done());
    write("gap_limit = 6");
    assert_eq!(post("/reload-config", "").await, done());
    assert_eq!(post("/start", start).await, done(), "it was stopped");
    while process.get("/wallet/status").await.json()["statusCode"] != 3 {
        tokio::task::yield_now().await;
    }
    let addresses = process.get("/wallet/addresses").await.json();
    assert_eq!(addresses["addresses"].as_array().unwrap().len(), 2 + 6, "the last used one is at index 1");
    write("console_level = 'debug'");
    assert_eq!(post("/reload-config", "").await.1["success"], false);
    assert_eq!(process.child.wait().await.unwrap().code(), Some(0));
    process.devnet.shutdown().await;
    std::fs::remove_file(&path).unwrap();
}
