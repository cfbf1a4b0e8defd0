//! A local network, someone with the genesis wallet's keys, and the two ways of talking to it.

use futures_util::{SinkExt, StreamExt};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, Input, InputData, MiningJob, Network, Outpoint, Output, Script, TokenData, TokenInfo,
    Transaction, VertexId,
};
use serde_json::{Value, json};
use tokio::io::{ReadHalf, WriteHalf};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// The words that private networks are known by.
pub const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level";

/// Enough for any transaction of a network of trivial weight.
pub const WEIGHT: f64 = 8.0;

/// A running network and a client of it.
pub struct Net {
    pub devnet: Devnet,
    pub keys: AccountKeys,
    capabilities: Vec<&'static str>,
    http: reqwest::Client,
}

/// An answer: status, headers, and the body's text.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Net {
    /// A network whose blocks come only when asked for.
    pub async fn start() -> Self {
        Self::start_with(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await
    }

    pub async fn start_with(config: DevnetConfig) -> Self {
        // Another test of this process may have done so already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            capabilities: if config.history_streaming { vec!["history-streaming"] } else { Vec::new() },
            devnet: Devnet::start(config).await.unwrap(),
            keys: AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), ""),
            http: reqwest::Client::new(),
        }
    }

    pub fn node(&self, path: &str) -> String {
        format!("{}{path}", self.devnet.node_url())
    }

    pub fn mining(&self, path: &str) -> String {
        format!("{}{path}", self.devnet.mining_url())
    }

    pub async fn send(&self, method: &str, url: &str, body: Option<String>) -> Answer {
        let mut request = self.http.request(method.parse().unwrap(), url);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let response = request.send().await.unwrap();
        Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        }
    }

    pub async fn get(&self, path: &str) -> Value {
        let answer = self.send("GET", &self.node(path), None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.json()
    }

    pub async fn push(&self, tx: &Transaction) -> Value {
        let body = json!({ "hex_tx": hex::encode(tx.to_bytes().unwrap()) }).to_string();
        self.send("POST", &self.node("push_tx"), Some(body)).await.json()
    }

    /// A request of the control interface.
    pub async fn control(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.devnet.control_url());
        let answer = self.send("POST", &url, Some(body.to_string())).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.json()
    }

    pub async fn control_error(&self, path: &str, body: &str) -> String {
        let url = format!("{}{path}", self.devnet.control_url());
        let answer = self.send("POST", &url, Some(body.to_owned())).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        answer.json()["error"].as_str().unwrap().to_owned()
    }

    pub fn address(&self, index: u32) -> Address {
        Address::p2pkh(Network::Privatenet, self.keys.public().key_hashes(index..index + 1)[0])
    }

    /// Pays `amount` to the address at `index` and says which output that is.
    pub async fn funded(&self, index: u32, amount: u64) -> Outpoint {
        let address = self.address(index);
        let body = json!({ "address": address.to_string(), "amount": amount });
        let answer = self.control("fund", body).await;
        let tx: VertexId = answer["tx_ids"][0].as_str().unwrap().parse().unwrap();
        let script = pay(address);
        let place = self.devnet.read(|chain| {
            let outputs = chain.get(&tx).unwrap().outputs();
            outputs.iter().position(|output| output.script == script && output.value == amount.into())
        });
        Outpoint { tx, index: place.unwrap().try_into().unwrap() }
    }

    /// A solved transaction that spends outputs paid to the addresses at these indexes.
    pub fn spend(&self, inputs: &[(Outpoint, u32)], outputs: Vec<Output>) -> Transaction {
        self.solved(inputs, |tx| tx.outputs = outputs)
    }

    /// The same with any change made before it is signed. Its timestamp is the first that the ledger allows.
    pub fn solved(&self, inputs: &[(Outpoint, u32)], change: impl FnOnce(&mut Transaction)) -> Transaction {
        let spent_at = inputs
            .iter()
            .map(|(output, _)| self.devnet.read(|chain| chain.get(&output.tx).unwrap().timestamp()));
        let timestamp = now().max(spent_at.max().unwrap_or_default() + 1);
        let mut tx = Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: inputs.iter().map(|(spends, _)| Input { spends: *spends, data: vec![] }).collect(),
            outputs: vec![],
            creates: None,
            blueprint: None,
            weight: WEIGHT,
            timestamp,
            parents: self.devnet.read(|chain| chain.parents_before(timestamp)).to_vec(),
            nonce: 0,
            headers: vec![],
        };
        change(&mut tx);
        let digest = tx.sighash().unwrap();
        for (place, (_, index)) in inputs.iter().enumerate() {
            let data: InputData = self.keys.sign(*index, &digest);
            tx.inputs[place].data = data.to_bytes().unwrap();
        }
        solve(tx)
    }

    pub async fn socket(&self) -> Socket {
        let mut socket = self.raw_socket().await;
        assert_eq!(socket.next().await, json!({"type": "capabilities", "capabilities": self.capabilities}));
        socket
    }

    pub async fn raw_socket(&self) -> Socket {
        let url = self.node("ws/").replace("http://", "ws://");
        Socket(tokio_tungstenite::connect_async(url).await.unwrap().0)
    }
}

/// Waits for what must come, so that a test fails where it would hang.
pub async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(std::time::Duration::from_secs(20), future).await.expect("it came to nothing")
}

/// Finds the nonce.
pub fn solve(mut tx: Transaction) -> Transaction {
    let job = MiningJob::new(&tx.mining_bytes().unwrap(), tx.weight);
    tx.nonce = job.search(0..1 << 32).unwrap();
    tx
}

pub fn now() -> u32 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    since.as_secs().try_into().unwrap()
}

pub fn pay(address: Address) -> Vec<u8> {
    Script::Pay { to: address, timelock: None }.to_bytes().unwrap()
}

pub fn output(value: u64, token_data: TokenData, script: Vec<u8>) -> Output {
    Output { value: Amount::from(value), token_data, script }
}

pub fn htr(value: u64, address: Address) -> Output {
    output(value, TokenData::NATIVE, pay(address))
}

pub fn token(name: &str, symbol: &str) -> TokenInfo {
    let version = headless_wallet::ledger::TokenVersion::Deposit;
    TokenInfo { name: name.to_owned(), symbol: symbol.to_owned(), version }
}

/// A WebSocket connection to the node.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// What comes and what is sent, frames and all.
    pub fn into_bytes(self) -> (ReadHalf<MaybeTlsStream<TcpStream>>, WriteHalf<MaybeTlsStream<TcpStream>>) {
        tokio::io::split(self.0.into_inner())
    }

    pub async fn say(&mut self, frame: Value) {
        self.say_text(&frame.to_string()).await;
    }

    pub async fn say_text(&mut self, frame: &str) {
        self.0.send(Message::Text(frame.into())).await.unwrap();
    }

    pub async fn say_binary(&mut self, frame: &[u8]) {
        self.0.send(Message::Binary(frame.to_vec().into())).await.unwrap();
    }

    /// The next frame of any kind, or `None` when the connection ended without a close frame.
    pub async fn any(&mut self) -> Option<Value> {
        loop {
            match within(self.0.next()).await {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(other)) => panic!("unexpected {other:?}"),
                Some(Err(_)) | None => return None,
            }
        }
    }

    /// The next frame that is no metrics.
    pub async fn next(&mut self) -> Value {
        within(async {
            loop {
                let frame = self.any().await.expect("the connection stands");
                if frame["type"] != "dashboard:metrics" {
                    return frame;
                }
            }
        })
        .await
    }

    /// The next frame as it came, metrics left out.
    pub async fn next_text(&mut self) -> String {
        loop {
            match within(self.0.next()).await {
                Some(Ok(Message::Text(text))) if !text.contains("dashboard:metrics") => {
                    return text.to_string();
                }
                Some(Ok(_)) => {}
                other => panic!("unexpected {other:?}"),
            }
        }
    }

    /// The next frame of any kind as it came.
    pub async fn any_text(&mut self) -> String {
        within(async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return text.to_string(),
                    Some(Ok(_)) => {}
                    other => panic!("unexpected {other:?}"),
                }
            }
        })
        .await
    }

    /// Waits for the end, with or without a close frame.
    pub async fn ends_or_closes(&mut self) {
        within(async { while let Some(Ok(_)) = self.0.next().await {} }).await;
    }

    /// Demands that the connection ends without a close frame.
    pub async fn ends(&mut self) {
        within(async {
            while let Some(frame) = self.any().await {
                assert_eq!(frame["type"], "dashboard:metrics");
            }
        })
        .await;
    }

    pub async fn ask(&mut self, frame: Value) -> Value {
        self.say(frame).await;
        self.next().await
    }
}
