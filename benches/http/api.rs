//! The server as a process, and a client of its wallets.

use crate::Outcome;
use headless_wallet::devnet::Devnet;
use headless_wallet::net::{HttpClient, Request};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use url::Url;

/// The built binary, serving; ended when dropped.
pub struct Server {
    process: Child,
    pub port: u16,
}

impl Server {
    pub fn start(path: &str, network: &Devnet) -> Outcome<Self> {
        Self::start_at(path, &network.node_url(), &network.mining_url())
    }

    pub fn start_at(path: &str, node: &str, mining: &str) -> Outcome<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new(path);
        command
            .args(["serve", "--network=privatenet"])
            .arg(format!("--server={node}"))
            .arg(format!("--tx-mining-url={mining}"))
            .arg(format!("--http-port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(Self { process: command.spawn()?, port })
    }

    /// What of it is in memory now, where the system says so.
    pub fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches("kB").trim().parse().ok()
    }

    /// Processor time it has used, where the system says so (in hundredths of a second).
    pub fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 10))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already ended is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client of a server's wallets.
pub struct Api {
    client: HttpClient,
    base: Url,
}

impl Api {
    pub fn new(port: u16) -> Outcome<Self> {
        Ok(Self { client: HttpClient::shared(), base: format!("http://127.0.0.1:{port}/").parse()? })
    }

    pub async fn post(&self, path: &str, wallet: &str, body: &Value) -> Outcome<Value> {
        let answer = self.send(Request::post(self.base.join(path)?.into(), body.to_string()), wallet).await?;
        match answer.get("success") {
            Some(Value::Bool(false)) => Err(format!("{path}: {answer}").into()),
            _ => Ok(answer),
        }
    }

    async fn get(&self, path: &str, wallet: &str) -> Outcome<Value> {
        self.send(Request::get(self.base.join(path)?.into()), wallet).await
    }

    async fn send(&self, mut request: Request, wallet: &str) -> Outcome<Value> {
        request.headers.push(("X-Wallet-Id", wallet.to_owned()));
        let response = self.client.request(request).await?;
        match response.status {
            200 => Ok(serde_json::from_slice(&response.body)?),
            status => Err(format!("{status}: {}", String::from_utf8_lossy(&response.body)).into()),
        }
    }

    /// Waits until the server answers at all.
    pub async fn until_up(&self) -> Outcome<()> {
        self.until("health?include_fullnode=true", "", |_| true).await
    }

    pub async fn start_wallet(&self, wallet: &str, words: &str) -> Outcome<()> {
        self.post("start", "", &json!({ "wallet-id": wallet, "seed": words })).await?;
        self.until("wallet/status", wallet, |status| status["statusCode"] == 3).await
    }

    /// The current address of a wallet.
    pub async fn address(&self, wallet: &str) -> Outcome<String> {
        let answer = self.get("wallet/address", wallet).await?;
        Ok(answer["address"].as_str().ok_or("no address")?.to_owned())
    }

    pub async fn until_outputs(&self, wallet: &str, count: usize) -> Outcome<()> {
        let path = format!("wallet/utxo-filter?max_utxos={}", count + 1);
        self.until(&path, wallet, |answer| answer["total_utxos_available"] == count).await
    }

    async fn until(&self, path: &str, wallet: &str, is_so: impl Fn(&Value) -> bool) -> Outcome<()> {
        let give_up = Instant::now() + Duration::from_secs(60);
        loop {
            let answer = self.get(path, wallet).await;
            if answer.as_ref().is_ok_and(&is_so) {
                return Ok(());
            }
            if Instant::now() > give_up {
                return Err(format!("{path} still answers {answer:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
