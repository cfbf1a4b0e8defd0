//! The server as a process that can be killed, and what it says of a wallet.

use headless_wallet::devnet::Devnet;
use headless_wallet::net::{HttpClient, Request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// One that keeps its wallets in `dir`, or nowhere.
    pub async fn start(devnet: &Devnet, dir: Option<&Path>) -> Self {
        let place = dir.map(|dir| ["--data-dir".as_ref(), dir.as_os_str()]);
        Self::start_with(devnet, place.as_ref().map_or(&[], |place| &place[..])).await
    }

    /// One that keeps its wallets as these flags say.
    pub async fn start_with(devnet: &Devnet, flags: &[&OsStr]) -> Self {
        Self::start_at(devnet, 0, flags).await
    }

    /// The same at a port.
    pub async fn start_at(devnet: &Devnet, port: u16, flags: &[&OsStr]) -> Self {
        Self::start_by(devnet, port, flags, &[]).await.expect("it starts")
    }

    /// The same with variables in its environment. `None` if it ends before it listens, such as without its
    /// database.
    pub async fn start_by(
        devnet: &Devnet,
        port: u16,
        flags: &[&OsStr],
        variables: &[(&str, String)],
    ) -> Option<Self> {
        let built = || env!("CARGO_BIN_EXE_headless-wallet").into();
        let mut command = Command::new(std::env::var_os("WALLET_BINARY").unwrap_or_else(built));
        command.args(["serve", "--network=privatenet", "--http-port", &port.to_string()]);
        command.args(["--server", &devnet.node_url(), "--tx-mining-url", &devnet.mining_url()]);
        command.args(flags).envs(variables.iter().map(|(name, value)| (name, value)));
        command.stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap()?;
        let url = line.rsplit(' ').next().unwrap().to_owned();
        Some(Self { process, url })
    }

    /// `kill -9`.
    pub async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    /// Asks it to end, and waits until it has.
    pub async fn end(mut self) {
        self.signal("TERM").await;
        assert!(self.process.wait().await.unwrap().success());
    }

    /// Stops it in its tracks (`STOP`), or lets it go on (`CONT`).
    pub async fn signal(&self, signal: &str) {
        let id = self.process.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().await.unwrap().success());
    }

    /// What `/metrics` says of a name with its labels.
    pub async fn metric(&self, name: &str) -> String {
        let request = Request::get(format!("{}metrics", self.url).parse().unwrap());
        let text = String::from_utf8(HttpClient::shared().request(request).await.unwrap().body).unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{name} in {text}")).to_owned()
    }

    pub fn caller(&self, wallet: &str) -> Caller {
        Caller { url: self.url.clone(), wallet: wallet.to_owned() }
    }
}

/// Answers by what was asked, and transactions by their ids.
pub type Seen = BTreeMap<String, Value>;

/// One wallet of a server.
#[derive(Clone)]
pub struct Caller {
    url: String,
    wallet: String,
}

impl Caller {
    /// A wallet of a server at a URL that ends with a slash.
    pub fn at(url: String, wallet: &str) -> Self {
        Self { url, wallet: wallet.to_owned() }
    }

    /// `None` when the server is gone, or goes before it has answered.
    async fn ask(&self, mut request: Request) -> Option<Value> {
        request.headers.push(("x-wallet-id", self.wallet.clone()));
        let response = HttpClient::shared().request(request).await.ok()?;
        serde_json::from_slice(&response.body).ok()
    }

    pub async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        self.ask(self.request(path, body)).await
    }

    /// The same with an `Idempotency-Key`.
    pub async fn post_once(&self, path: &str, body: &Value, key: String) -> Option<Value> {
        let mut request = self.request(path, body);
        request.headers.push(("idempotency-key", key));
        self.ask(request).await
    }

    /// The same as a task.
    pub async fn post_later(&self, path: &str, body: &Value) -> Option<Value> {
        let mut request = self.request(path, body);
        request.headers.push(("prefer", "respond-async".to_owned()));
        self.ask(request).await
    }

    /// Waits until no task is to be carried out any more.
    pub async fn until_tasks_ended(&self) {
        let ended = async {
            // Those of a server that is gone are being carried out until its lease has ended, and wait then.
            let is_open = |task: &Value| ["queued", "mining"].contains(&task["status"].as_str().unwrap());
            while self.get("wallet/tasks?limit=1000").await["tasks"].as_array().unwrap().iter().any(is_open) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, ended).await.unwrap();
    }

    fn request(&self, path: &str, body: &Value) -> Request {
        let request = Request::post(format!("{}{path}", self.url).parse().unwrap(), body.to_string());
        Request { timeout: PATIENCE, ..request }
    }

    pub async fn get(&self, path: &str) -> Value {
        self.ask(Request::get(format!("{}{path}", self.url).parse().unwrap())).await.unwrap()
    }

    pub async fn begin(&self, words: &str) {
        let start = json!({ "wallet-id": self.wallet, "seed": words });
        assert_eq!(self.post("start", &start).await, Some(json!({ "success": true })));
    }

    pub async fn until_ready(&self) {
        let ready = async {
            while self.get("wallet/status").await["statusCode"] != 3 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, ready).await.unwrap();
    }

    /// All that a wallet is to those who ask, by what it was asked: its transactions as they are on the
    /// ledger, its addresses, and its balances and unspent outputs of these tokens.
    pub async fn seen(&self, tokens: &[String]) -> Seen {
        let mut seen = Seen::new();
        for path in ["addresses", "address"] {
            seen.insert(path.to_owned(), self.get(&format!("wallet/{path}")).await);
        }
        for token in tokens {
            let balance = format!("balance?token={token}");
            seen.insert(balance.clone(), self.get(&format!("wallet/{balance}")).await);
            let list = format!("utxo-filter?max_utxos=1000000&token={token}");
            let mut listed = self.get(&format!("wallet/{list}")).await;
            // Listed in the order in which each wallet came to know of them.
            listed["utxos"].as_array_mut().unwrap().sort_by_key(ToString::to_string);
            seen.insert(list, listed);
        }
        let own = seen["addresses"]["addresses"].as_array().unwrap().clone();
        let Value::Object(history) = self.get("wallet/tx-history").await else { panic!("a list") };
        for (id, mut transaction) in history {
            // What others do with what is theirs is not asked for again.
            for output in transaction["outputs"].as_array_mut().unwrap() {
                if !own.contains(&output["decoded"]["address"]) {
                    output["spent_by"].take();
                }
            }
            seen.insert(id, transaction);
        }
        seen
    }
}

/// Of a thousand wallets each has a connection and a file; many systems give a program 1,024 of both to begin
/// with, and more if asked.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_may_have_as_many_files_open_as_the_system_allows() {
    let script = "ulimit -Sn 100; exec \"$0\" serve --http-port=0 --network=privatenet --server=http://127.0.0.1:9/v1a/ \
                  --tx-mining-url=http://127.0.0.1:9/";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_headless-wallet")]).stdout(Stdio::piped());
    let mut server = command.kill_on_drop(true).spawn().unwrap();
    BufReader::new(server.stdout.take().unwrap()).lines().next_line().await.unwrap().unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id().unwrap())).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let [soft, hard, _] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
    assert_eq!(soft, hard);
    assert_ne!(soft, "100");
}
