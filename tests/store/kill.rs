//! A server that is killed at any moment, sends in flight, and started again: the same wallet as one that asks for everything, and
//! nothing sent twice.

use crate::backends::TempDir;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::net::{HttpClient, Request};
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Options, Phase, Wallet};
use headless_wallet::wallet::UtxoFilter;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Fewer in every test run; as many as `KILLS` says for a long one.
const KILLS: u64 = 24;
const COINS: u64 = 12;
/// Sends that are begun before each kill.
const SENDS: u64 = 4;

struct Server {
    process: Child,
    url: String,
}

impl Server {
    async fn start(devnet: &Devnet, dir: &TempDir) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_headless-wallet"))
            .args(["serve", "--http-port=0", "--network=privatenet", "--data-dir"])
            .arg(&dir.0)
            .args(["--server", &devnet.node_url(), "--tx-mining-url", &devnet.mining_url()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let url = line.rsplit(' ').next().unwrap().to_owned();
        Self { process, url }
    }

    /// `None` when the server is gone.
    async fn call(&self, path: &str, body: Option<Value>) -> Option<Value> {
        call(&self.url, path, body).await
    }

    async fn ready(&self) {
        let ready = async {
            loop {
                let status = self.call("wallet/status", None).await.unwrap();
                if status["statusCode"] == 3 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), ready).await.unwrap();
    }
}

async fn call(url: &str, path: &str, body: Option<Value>) -> Option<Value> {
    let url = format!("{url}{path}").parse().unwrap();
    let mut request = match body {
        None => Request::get(url),
        Some(body) => Request::post(url, body.to_string()),
    };
    request.headers.push(("x-wallet-id", "w".to_owned()));
    let response = HttpClient::shared().request(request).await.ok()?;
    serde_json::from_slice(&response.body).ok()
}

fn foreign() -> Address {
    Address::p2pkh(Network::Privatenet, [7; 20])
}

/// Every output that `foreign` has got, valid or not: transaction and amount.
fn received(devnet: &Devnet) -> Vec<(String, u128, bool)> {
    devnet.read(|chain| {
        let ids = chain.history_of(&foreign()).filter_map(|id| chain.vertex(&id));
        ids.map(|vertex| {
            let value = vertex
                .outputs
                .iter()
                .map(|o| &o.output)
                .find(|o| o.script[3..23] == foreign().hash())
                .unwrap()
                .value;
            (vertex.id.to_string(), value.cents(), vertex.voided)
        })
        .collect()
    })
}

/// Transactions and unspent outputs.
type Seen = (BTreeSet<String>, BTreeMap<(String, u64), u64>);

async fn seen(server: &Server) -> Seen {
    let history = server.call("wallet/tx-history", None).await.unwrap();
    let ids = history.as_object().unwrap().keys().cloned();
    let utxos = server.call("wallet/utxo-filter?max_utxos=100000", None).await.unwrap();
    let utxos = utxos["utxos"].as_array().unwrap().iter().map(|utxo| {
        let place = (utxo["tx_id"].as_str().unwrap().to_owned(), utxo["index"].as_u64().unwrap());
        (place, utxo["amount"].as_u64().unwrap())
    });
    (ids.collect(), utxos.collect())
}

async fn fresh(devnet: &Devnet, words: &Mnemonic) -> Seen {
    let backend = Backend {
        network: Network::Privatenet,
        node: FullNode::new(HttpClient::shared(), &devnet.node_url()).unwrap(),
        mining: MiningService::new(HttpClient::shared(), &devnet.mining_url(), None).unwrap().into(),
    };
    let account = Account::Signing(AccountKeys::from_mnemonic(words, ""));
    let wallet = Wallet::start(account, backend, Options::default()).await.unwrap();
    assert_eq!(wallet.ready().await.phase, Phase::Ready);
    let seen = wallet.read(|state, now| {
        let utxos = state.utxos(&UtxoFilter::default(), now).utxos.into_iter().map(|utxo| {
            let place = (utxo.outpoint.tx.to_string(), u64::from(utxo.outpoint.index));
            (place, u64::try_from(utxo.value.cents()).unwrap())
        });
        (state.history().map(|vertex| vertex.id.to_string()).collect(), utxos.collect())
    });
    wallet.stop().await;
    seen.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_at_any_moment_is_the_same_wallet_again() {
    let kills = std::env::var("KILLS").ok().map_or(KILLS, |kills| kills.parse().unwrap());
    let interval = Some(Duration::from_millis(400));
    let devnet = Devnet::start(DevnetConfig { block_interval: interval, ..DevnetConfig::default() });
    let devnet = devnet.await.unwrap();
    let dir = TempDir::new();
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    for _ in 0..COINS {
        devnet.change(|chain, now| chain.fund(own, Amount::from(1_000_000), now)).unwrap();
    }
    let mut seed = 11u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let start = json!({ "wallet-id": "w", "seed": words.words() });
    let (mut number, mut answered) = (0, BTreeSet::new());
    for kill in 0..kills {
        let mut server = Server::start(&devnet, &dir).await;
        assert_eq!(server.call("start", Some(start.clone())).await, Some(json!({ "success": true })));
        if random(5) == 0 {
            tokio::time::sleep(Duration::from_millis(random(40))).await;
            server.process.kill().await.unwrap();
            continue;
        }
        server.ready().await;
        assert_eq!(seen(&server).await, fresh(&devnet, &words).await, "after {kill} kills");
        let sends: Vec<_> = (0..SENDS)
            .map(|_| {
                number += 1;
                // Every payment has an amount of its own; the change stays on one address.
                let body = json!({
                    "outputs": [{ "address": foreign().to_string(), "value": 1_000 + number }],
                    "change_address": own.to_string(),
                });
                let url = server.url.clone();
                tokio::spawn(async move { call(&url, "wallet/send-tx", Some(body)).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random(120))).await;
        server.process.kill().await.unwrap();
        for send in sends {
            let Some(answer) = send.await.unwrap() else { continue };
            assert_eq!(answer["success"], true, "{answer}");
            answered.insert(answer["hash"].as_str().unwrap().to_owned());
        }
    }
    let received = received(&devnet);
    let amounts: BTreeSet<u128> = received.iter().map(|(_, amount, _)| *amount).collect();
    assert_eq!(amounts.len(), received.len(), "something was sent twice: {received:?}");
    let valid: BTreeSet<String> =
        received.into_iter().filter(|(_, _, voided)| !voided).map(|(id, _, _)| id).collect();
    assert!(answered.is_subset(&valid), "something that was answered is lost");
    devnet.shutdown().await;
}
