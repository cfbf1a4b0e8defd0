//! A server on a local network, and a client that says exactly what it is told to.

use super::conformance::{come_with_its_status, conform};
use headless_wallet::api::openapi;
use headless_wallet::devnet::{Devnet, DevnetConfig, NodeFaults, NodeMode};
use headless_wallet::operations;
use headless_wallet::server::{App, Config, Layer, run};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The words that private networks are known by.
pub const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level";

/// A running server and the network it is on.
pub struct Server {
    pub devnet: Devnet,
    pub app: App,
    pub address: String,
    document: Value,
    /// What the configuration file says now.
    toml: Arc<Mutex<String>>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// An answer: status, head and body.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (given, value) = line.split_once(": ")?;
            given.eq_ignore_ascii_case(name).then_some(value)
        })
    }
    /// Its status and JSON.
    pub fn parts(&self) -> (u16, Value) {
        (self.status, self.json())
    }
}

impl Server {
    /// A server with the genesis words as the seed `genesis`, and no wallet.
    pub async fn start() -> Self {
        Self::start_with("").await
    }

    /// A server with more settings: TOML that comes before everything else.
    pub async fn start_with(settings: &str) -> Self {
        let devnet =
            Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
        Self::on(devnet, settings).await
    }

    /// The same on a network that is there already.
    pub async fn on(devnet: Devnet, settings: &str) -> Self {
        let toml = Arc::new(Mutex::new(configuration(&devnet, settings)));
        let source = toml.clone();
        let read = move || Config::from_layers([Layer::toml("test.toml", &source.lock().unwrap())?]);
        let app = App::reloadable(read().unwrap(), read).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = oneshot::channel();
        let shutdown = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(run(listener, shutdown, app.clone()));
        let document = document(&app.config());
        Self { devnet, app, address, document, toml, stop, task }
    }

    /// A server with the genesis wallet ready as `genesis`.
    pub async fn with_wallet() -> Self {
        Self::with_wallet_and("").await
    }

    /// The same with more settings.
    pub async fn with_wallet_and(settings: &str) -> Self {
        let server = Self::start_with(settings).await;
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
        server
    }

    /// Starts a wallet and waits until it is ready.
    pub async fn start_wallet(&self, id: &str, mut body: Value) {
        body["wallet-id"] = json!(id);
        assert_eq!(self.post("/start", None, &body).await.parts(), (200, json!({"success": true})));
        let status = self.app.wallets().get(id).unwrap().ready().await;
        assert_eq!(status.phase.to_string(), "Ready", "{:?}", status.problem);
    }

    /// Writes other settings into the configuration file, with the network and the seed as they are.
    pub fn configure(&self, settings: &str) {
        *self.toml.lock().unwrap() = configuration(&self.devnet, settings);
    }

    /// The same with other seeds at the end of `settings`.
    pub fn configure_all(&self, settings: &str) {
        *self.toml.lock().unwrap() = format!("{}\n{settings}", services(&self.devnet));
    }

    /// Holds answers to the OpenAPI document of the settings as they are now.
    pub fn renew_document(&mut self) {
        self.document = document(&self.app.config());
    }

    /// Begins the end, and waits for it.
    pub async fn shutdown(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
        self.devnet.shutdown().await;
    }

    /// Begins the server's end and says when it has come; the network goes on.
    pub fn begin_shutdown(self) -> (JoinHandle<()>, Devnet) {
        let _ = self.stop.send(());
        (self.task, self.devnet)
    }

    /// Waits for it to end by itself.
    pub async fn ended(self) {
        self.task.await.unwrap();
        drop(self.stop);
        self.devnet.shutdown().await;
    }

    /// A request of the genesis wallet that reads.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("x-wallet-id", "genesis")], b"").await
    }

    /// The JSON of a request of the genesis wallet that reads, and that is answered with 200.
    pub async fn read(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    /// A JSON request.
    pub async fn post(&self, path: &str, wallet: Option<&str>, body: &Value) -> Answer {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(wallet.map(|id| ("x-wallet-id", id)));
        self.ask("POST", path, &headers, body.to_string().as_bytes()).await
    }

    /// What the genesis wallet is answered.
    pub async fn call(&self, operation: &str, body: Value) -> Answer {
        self.post(&format!("/wallet/{operation}"), Some("genesis"), &body).await
    }

    /// The JSON of an operation that must succeed.
    pub async fn done(&self, operation: &str, body: Value) -> Value {
        let answer = self.call(operation, body).await;
        let json = answer.json();
        assert_eq!((answer.status, &json["success"]), (200, &json!(true)), "{operation}: {json}");
        json
    }

    /// Any request. Its answer must be one that the OpenAPI document has.
    pub async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let answer = ask(&self.address, method, path, headers, body).await;
        conform(&self.document, method, path, &answer);
        come_with_its_status(&answer);
        answer
    }

    /// The genesis wallet's address at an index.
    pub async fn address(&self, index: u32) -> String {
        self.read(&format!("/wallet/address?index={index}")).await["address"].as_str().unwrap().to_owned()
    }
}

/// The document of a server with these settings.
fn document(config: &Config) -> Value {
    let mut document = openapi::document(operations::declared(), config.compat, config.api_key.is_some());
    if config.real_statuses {
        openapi::add_real_statuses(&mut document);
    }
    document
}

/// A send of the genesis wallet that is on its way to the node, which doesn't answer until its faults end.
pub async fn hanging_send(devnet: &Devnet, address: &str) -> JoinHandle<Answer> {
    let mode = NodeMode::Slow;
    devnet.set_node_faults(NodeFaults { mode, path: "push_tx".into(), ..NodeFaults::default() });
    let wallet = ("x-wallet-id", "genesis");
    let server = address.to_owned();
    let request = tokio::spawn(async move {
        let headers = [("content-type", "application/json"), wallet];
        let body = br#"{"outputs":[{"type":"data","data":"last words"}]}"#;
        ask(&server, "POST", "/wallet/send-tx", &headers, body).await
    });
    // It is under way once its inputs are set aside.
    let count = async |query: &str| {
        let answer = ask(address, "GET", &format!("/wallet/utxo-filter{query}"), &[wallet], b"").await;
        answer.json()["total_utxos_available"].as_u64().unwrap()
    };
    let all = count("").await;
    while count("?only_available_utxos=true").await == all {
        tokio::task::yield_now().await;
    }
    request
}

/// The configuration of a server on a network of its own, with the genesis words as the seed `genesis`.
pub fn configuration(devnet: &Devnet, settings: &str) -> String {
    format!("{settings}\n{}\n[seeds]\ngenesis = '{GENESIS_WORDS}'", services(devnet))
}

/// The network's services, with a password that must never show.
fn services(devnet: &Devnet) -> String {
    let with_password = |url: String| url.replace("://", "://me:hush@");
    let (node, mining) = (with_password(devnet.node_url()), with_password(devnet.mining_url()));
    format!("network = 'privatenet'\nserver = '{node}'\ntx_mining_url = '{mining}'")
}

/// One request on a connection of its own.
pub async fn ask(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    if !body.is_empty() {
        request += &format!("content-length: {}\r\n", body.len());
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    exchange(address, (request + "\r\n").as_bytes(), body).await
}

/// The answer to a request whose head is these bytes.
pub async fn exchange(address: &str, head: &[u8], body: &[u8]) -> Answer {
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(head).await.unwrap();
    // A server that has seen enough may hang up before the end of the body.
    let _ = connection.write_all(body).await;
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), text: text.to_owned() }
}

/// An amount as limits are written.
pub fn htr(cents: u64) -> String {
    if cents == 0 { "0 HTR".to_owned() } else { format!("{}.{:02} HTR", cents / 100, cents % 100) }
}

/// The answer to a send of which the wallet has too little.
pub fn short(token: &str, required: u64, available: u64) -> (u16, Value) {
    let error = format!("Token: {token}. Insufficient amount of tokens to fill the amount.");
    let answer = json!({"success": false, "error": error, "token": token, "required": required, "available": available});
    (200, answer)
}

/// The names of an object's members, sorted.
pub fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
