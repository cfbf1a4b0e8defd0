//! The built program, serving on a local network of its own.

use super::support::{Answer, GENESIS_WORDS, ask};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use serde_json::json;
use std::ffi::OsStr;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_headless-wallet");

/// A running server.
pub struct Process {
    pub devnet: Devnet,
    pub child: Child,
    pub address: String,
}

impl Process {
    /// A server with the genesis wallet ready.
    pub async fn with_wallet() -> Self {
        Self::with_wallet_and_log(Stdio::null()).await
    }

    /// The same, with its log going there.
    pub async fn with_wallet_and_log(log: Stdio) -> Self {
        let process = Self::run(&["serve"], log).await;
        let headers = [("content-type", "application/json")];
        let body = br#"{"wallet-id":"genesis","seedKey":"genesis"}"#;
        let answer = ask(&process.address, "POST", "/start", &headers, body).await;
        assert_eq!(answer.parts(), (200, json!({"success": true})));
        while process.get("/wallet/status").await.json()["statusCode"] != 3 {
            tokio::task::yield_now().await;
        }
        process
    }

    /// A server of this command line, with the network and the genesis words in its environment.
    pub async fn start(arguments: &[impl AsRef<OsStr>]) -> Self {
        Self::run(arguments, Stdio::null()).await
    }

    async fn run(arguments: &[impl AsRef<OsStr>], log: Stdio) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(arguments);
        Self::by(command, log).await
    }

    /// The server that a command starts, which gets the network and the genesis words in its environment.
    pub async fn by(mut command: Command, log: Stdio) -> Self {
        let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
        let devnet = Devnet::start(config).await.unwrap();
        let mut child = command
            .envs([("HEADLESS_HTTP_PORT", "0"), ("HEADLESS_NETWORK", "privatenet")])
            .envs([("HEADLESS_SEEDS", "genesis"), ("HEADLESS_SEED_GENESIS", GENESIS_WORDS)])
            .envs([("HEADLESS_SERVER", devnet.node_url()), ("HEADLESS_TX_MINING_URL", devnet.mining_url())])
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let (_, address) = line.rsplit_once("http://").unwrap();
        Self { devnet, child, address: address.trim_end_matches('/').to_owned() }
    }

    /// A request of the genesis wallet that reads.
    pub async fn get(&self, path: &str) -> Answer {
        ask(&self.address, "GET", path, &[("x-wallet-id", "genesis")], b"").await
    }

    /// Ends it at once.
    pub async fn end(mut self) {
        self.child.kill().await.unwrap();
        self.devnet.shutdown().await;
    }
}
