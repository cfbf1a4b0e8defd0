//! The server as a process: what signals do to it.

use super::support::{Answer, GENESIS_WORDS, ask, hanging_send};
use headless_wallet::devnet::{Devnet, DevnetConfig, NodeFaults};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

struct Process {
    devnet: Devnet,
    child: Child,
    address: String,
}

impl Process {
    /// A server with the genesis wallet ready.
    async fn start() -> Self {
        let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
        let devnet = Devnet::start(config).await.unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_headless-wallet"))
            .args(["serve", "--http-port=0", "--network=privatenet"])
            .args(["--server", &devnet.node_url(), "--tx-mining-url", &devnet.mining_url()])
            .envs([("HEADLESS_SEEDS", "genesis"), ("HEADLESS_SEED_GENESIS", GENESIS_WORDS)])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let (_, address) = line.rsplit_once("http://").unwrap();
        let process = Self { devnet, child, address: address.trim_end_matches('/').to_owned() };
        let headers = [("content-type", "application/json")];
        let body = br#"{"wallet-id":"genesis","seedKey":"genesis"}"#;
        let answer = ask(&process.address, "POST", "/start", &headers, body).await;
        assert_eq!(answer.parts(), (200, json!({"success": true})));
        while process.get("/wallet/status").await.json()["statusCode"] != 3 {
            tokio::task::yield_now().await;
        }
        process
    }

    async fn get(&self, path: &str) -> Answer {
        ask(&self.address, "GET", path, &[("x-wallet-id", "genesis")], b"").await
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id().unwrap()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits until it refuses requests because it ends.
    async fn is_ending(&self) {
        while self.get("/wallet/balance").await.status != 503 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_send_under_way_is_finished_and_answered() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut process = Process::start().await;
        let send = hanging_send(&process.devnet, &process.address).await;
        process.signal(signal);
        process.is_ending().await;
        let error = "The service is shutting down and takes no new requests.";
        let refused = process.get("/wallet/balance").await;
        assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));

        process.devnet.set_node_faults(NodeFaults::default());
        let sent = send.await.unwrap().json();
        assert_eq!(sent["success"], true, "{sent}");
        assert_eq!(process.child.wait().await.unwrap().code(), Some(0));
        let id = sent["hash"].as_str().unwrap().parse().unwrap();
        let vertex = process.devnet.read(|chain| chain.vertex(&id)).expect("it is on the ledger");
        assert!(!vertex.voided);
        process.devnet.shutdown().await;
    }
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let mut process = Process::start().await;
    let send = hanging_send(&process.devnet, &process.address).await;
    process.signal(Signal::TERM);
    process.is_ending().await;
    // Two within a second are one wish.
    let code = loop {
        if let Ok(status) = tokio::time::timeout(Duration::from_millis(50), process.child.wait()).await {
            break status.unwrap().code();
        }
        process.signal(Signal::TERM);
    };
    assert_eq!(code, Some(130));
    send.abort();
    process.devnet.shutdown().await;
}
