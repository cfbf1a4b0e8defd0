//! Three participants of a multisig wallet, two of whom must sign, all on one server.

use super::support::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// The vectors' 2 of 3: words, account xpubs, addresses.
pub struct Three {
    pub words: Vec<String>,
    pub xpubs: Vec<String>,
    pub addresses: Vec<String>,
}

impl Three {
    pub fn new() -> Self {
        let all: Value = serde_json::from_str(include_str!("../vectors/addresses.json")).unwrap();
        let entry = &all["multisig"][2];
        let keys = &entry["networks"]["testnet"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let texts = |list: &Value| list.as_array().unwrap().iter().map(text).collect::<Vec<_>>();
        let participants = entry["participants"].as_array().unwrap();
        assert_eq!((&entry["num_signatures"], participants.len()), (&json!(2), 3));
        Self {
            words: participants.iter().map(|one| text(&one["words"])).collect(),
            xpubs: texts(&keys["account_xpubs"]),
            addresses: keys["addresses"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| text(&one["address"]))
                .collect(),
        }
    }

    /// A server with these further settings, on which all three are configured under one key, and the genesis
    /// wallet runs.
    pub async fn server_with(&self, more: &str) -> Server {
        Server::with_wallet_and(&self.settings(more)).await
    }

    /// The settings of such a server.
    pub fn settings(&self, more: &str) -> String {
        format!(
            "{more}multisig = {{ cold = {{ total = 3, num_signatures = 2, pubkeys = {:?} }}, \
             half = {{ total = 3, num_signatures = 2 }}, \
             eager = {{ total = 1, num_signatures = 2, pubkeys = ['x'] }}, \
             wrong = {{ total = 1, num_signatures = 1, pubkeys = ['x'] }} }}",
            self.xpubs
        )
    }

    /// Starts the wallet of every participant, as `0`, `1` and `2`.
    pub async fn start(&self, server: &Server) {
        for (place, words) in self.words.iter().enumerate() {
            let body = json!({"seed": words, "multisig": true, "multisigKey": "cold"});
            server.start_wallet(&place.to_string(), body).await;
        }
    }
}

pub async fn read(server: &Server, wallet: &str, path: &str) -> Value {
    server.ask("GET", path, &[("x-wallet-id", wallet)], b"").await.json()
}

/// Pays an address, and waits until a wallet knows of it.
pub async fn pay(server: &Server, address: &str, value: u64, wallet: &str) {
    let mut events = server.app.wallets().get(wallet).unwrap().events();
    server.done("simple-send-tx", json!({"address": address, "value": value})).await;
    loop {
        if let headless_wallet::wallet::Event::NewVertex(_) = events.recv().await.unwrap() {
            return;
        }
    }
}

#[tokio::test]
async fn a_multisig_wallet_goes_on_from_what_it_kept() {
    let three = Three::new();
    let dir = TempDir::new().unwrap();
    let server = three.server_with(&format!("data_dir = '{}'\n", dir.path().display())).await;
    three.start(&server).await;
    pay(&server, &three.addresses[3], 700, "0").await;
    let everything = ["/wallet/addresses", "/wallet/balance", "/wallet/utxo-filter", "/wallet/tx-history"];
    let mut told = Vec::new();
    for path in everything {
        told.push(read(&server, "0", path).await);
    }
    // All participants have the same wallet, and so one file.
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "the genesis wallet's and theirs");
    for wallet in ["0", "1", "2"] {
        server.post("/wallet/stop", Some(wallet), &json!({})).await;
    }
    let body = json!({"xpubkey": three.xpubs[0], "multisig": true, "multisigKey": "cold"});
    server.start_wallet("0", body).await;
    for (path, before) in everything.iter().zip(told) {
        assert_eq!(read(&server, "0", path).await, before, "{path}");
    }
    server.shutdown().await;
}
