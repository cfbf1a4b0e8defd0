//! Two servers on one database, and one wallet.

use crate::postgres::Postgres;
use crate::support::{Server, ask, configuration};
use futures_util::future::join_all;
use headless_wallet::devnet::MiningFaults;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::server::{App, Config, Layer, run};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const STRANGER: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// The servers run for as long as the test.
pub struct Two {
    pub postgres: Arc<Postgres>,
    pub url: String,
    pub first: Server,
    pub addresses: [String; 2],
    pub apps: [App; 2],
    pub words: Mnemonic,
}

impl Two {
    /// With a wallet called `w` in both, which has so many outputs of 1000.
    pub async fn new(outputs: usize) -> Self {
        Self::new_with(outputs, "").await
    }

    /// The same with more settings.
    pub async fn new_with(outputs: usize, more: &str) -> Self {
        let postgres = Postgres::shared();
        let url = postgres.url();
        let settings = format!("store = '{url}'\n{more}");
        let first = Server::start_with(&settings).await;
        let layer = Layer::toml("second.toml", &configuration(&first.devnet, &settings)).unwrap();
        let app = App::new(Config::from_layers([layer]).unwrap()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(run(listener, std::future::pending(), app.clone()));
        let (addresses, apps) = ([first.address.clone(), address], [first.app.clone(), app]);
        let words = Mnemonic::generate().unwrap();
        let two = Self { postgres, url, first, addresses, apps, words };
        for server in 0..2 {
            let body = json!({"wallet-id": "w", "seed": two.words.words()});
            assert_eq!(two.post(server, "/start", &body, None).await, json!({"success": true}));
            two.apps[server].wallets().get("w").unwrap().ready().await;
        }
        let wallet = two.apps[0].wallets().get("w").unwrap();
        let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
        for _ in 0..outputs {
            two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
        }
        two.until_both_have(outputs as u64 * 1_000).await;
        two.until_sql("select count(*) from vertex", &outputs.to_string()).await;
        two
    }

    pub fn sql(&self, sql: &str) -> String {
        self.postgres.sql(&self.url, sql)
    }

    /// Waits until a question has an answer.
    pub async fn until_sql(&self, sql: &str, answer: &str) {
        let met = async {
            while self.sql(sql) != answer {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let met = tokio::time::timeout(PATIENCE, met).await;
        assert!(met.is_ok(), "{sql}: {}, not {answer}", self.sql(sql));
    }

    pub async fn post(&self, server: usize, path: &str, body: &Value, key: Option<&str>) -> Value {
        let mut headers = vec![("content-type", "application/json"), ("x-wallet-id", "w")];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        ask(&self.addresses[server], "POST", path, &headers, body.to_string().as_bytes()).await.json()
    }

    /// Pays 10 to somebody else.
    pub async fn pay(&self, server: usize, key: Option<&str>) -> Value {
        self.post(server, "/wallet/simple-send-tx", &json!({"address": STRANGER, "value": 10}), key).await
    }

    pub async fn balance(&self, server: usize) -> u64 {
        let wallet = [("x-wallet-id", "w")];
        let answer = ask(&self.addresses[server], "GET", "/wallet/balance", &wallet, b"").await;
        answer.json()["available"].as_u64().unwrap()
    }

    pub async fn until_both_have(&self, amount: u64) {
        for (server, app) in self.apps.iter().enumerate() {
            let mut events = app.wallets().get("w").unwrap().events();
            let met = async {
                while self.balance(server).await != amount {
                    // Change of others is free without an event.
                    let _ = tokio::time::timeout(Duration::from_millis(100), events.recv()).await;
                }
            };
            let met = tokio::time::timeout(PATIENCE, met).await;
            assert!(met.is_ok(), "server {server} has {}, not {amount}", self.balance(server).await);
        }
    }
}

/// What a send spent.
fn inputs(sent: &Value) -> Vec<(String, u64)> {
    let input =
        |input: &Value| (input["tx_id"].as_str().unwrap().to_owned(), input["index"].as_u64().unwrap());
    sent["inputs"].as_array().unwrap_or_else(|| panic!("{sent}")).iter().map(input).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_sends_at_once_over_two_servers_all_succeed_and_spend_nothing_twice() {
    let two = Two::new(40).await;
    let sent = join_all((0..100).map(|i| two.pay(i % 2, None))).await;
    let mut spent = HashSet::new();
    for sent in &sent {
        assert_eq!(sent["success"], json!(true), "{sent}");
        for input in inputs(sent) {
            assert!(spent.insert(input.clone()), "{input:?} was spent twice");
        }
    }
    two.until_both_have(40_000 - 100 * 10).await;
    let left = two.postgres.sql(&two.url, "select count(*) from reservation where state < 2");
    assert_eq!(left, "0");
    let open =
        two.postgres.sql(&two.url, "select count(*), count(*) filter (where state = 2) from push_record");
    assert_eq!(open, "100|100");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_one_key_at_both_servers_at_once_pay_once() {
    let two = Two::new(8).await;
    let keys: Vec<String> = (0..4).map(|i| format!("key {i}")).collect();
    let asked = keys.iter().flat_map(|key| [two.pay(0, Some(key)), two.pay(1, Some(key))]);
    let sent = join_all(asked).await;
    let mut ids = BTreeSet::new();
    for pair in sent.chunks(2) {
        assert_eq!(pair[0]["success"], json!(true), "{}", pair[0]);
        assert_eq!(pair[0]["hash"], pair[1]["hash"], "{} {}", pair[0], pair[1]);
        ids.insert(pair[0]["hash"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 4);
    two.until_both_have(8_000 - 4 * 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_sends_are_refused_and_reads_go_on() {
    let postgres = Postgres::start(None);
    let place = format!("{}/postgres", postgres.dir);
    let url = postgres.url();
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    let balance = server.read("/wallet/balance").await;
    let written = async {
        while postgres.sql(&url, "select count(*) > 0 from vertex") != "t" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, written).await.unwrap();
    drop(postgres);
    let away = format!(
        "store {place}: can't connect to PostgreSQL: No such file or directory: check that it runs there, and `store`"
    );
    // Without anything that was to be written.
    let said = async {
        while server.read("/wallet/status").await["error"] != json!(away) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, said).await.unwrap();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    let path = "/wallet/simple-send-tx";
    let refused = ask(&server.address, "POST", path, &headers, body.as_bytes()).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
    assert_eq!(refused.json()["error"], json!(format!("nothing was sent: {away}")));
    let keyed = [&headers[..], &[("idempotency-key", "k")]].concat();
    let refused = ask(&server.address, "POST", path, &keyed, body.as_bytes()).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
    assert_eq!(server.read("/wallet/balance").await, balance);
    server.shutdown().await;
}

/// Without outputs a send waits for change, and need not ask the database.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_waits_for_change_is_refused_when_the_database_goes_away() {
    let postgres = Postgres::start(None);
    let place = format!("{}/postgres", postgres.dir);
    let url = postgres.url();
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    server.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
    let start = json!({"wallet-id": "one", "seed": words.words()}).to_string();
    let json = ("content-type", "application/json");
    let started = ask(&server.address, "POST", "/start", &[json], start.as_bytes()).await;
    assert_eq!(started.json(), json!({"success": true}));
    server.app.wallets().get("one").unwrap().ready().await;
    let delay = Duration::from_secs(600);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let send = |key: Option<&'static str>| {
        let address = server.address.clone();
        tokio::spawn(async move {
            let body = json!({"address": STRANGER, "value": 10}).to_string();
            let mut headers = vec![json, ("x-wallet-id", "one")];
            headers.extend(key.map(|key| ("idempotency-key", key)));
            ask(&address, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
        })
    };
    // It has the wallet's one output.
    let _first = send(None);
    let reserved = async {
        while postgres.sql(&url, "select count(*) from reservation") != "1" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, reserved).await.unwrap();
    let others = [send(None), send(Some("k"))];
    drop(postgres);
    for refused in tokio::time::timeout(PATIENCE, join_all(others)).await.unwrap() {
        let refused = refused.unwrap();
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
        let error = refused.json()["error"].as_str().unwrap().to_owned();
        // The one with a key may not have been looked for yet.
        let is_unsent =
            ["nothing was sent: ", "this request sent nothing, "].iter().any(|text| error.starts_with(text));
        assert!(is_unsent && error.contains(&place), "{error}");
    }
    server.devnet.set_mining_faults(MiningFaults::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_is_refused_while_the_database_hangs() {
    let two = Two::new(2).await;
    let lock = two.postgres.lock_table(&two.url, "server");
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("idempotency-key", "k")];
    let send = |headers| ask(&two.addresses[0], "POST", "/wallet/simple-send-tx", headers, body.as_bytes());
    let (with_key, without) = tokio::join!(send(&headers), send(&headers[..2]));
    // The one with a key waits for an earlier request with it first.
    for (refused, text) in [(with_key, "this request sent nothing, "), (without, "nothing was sent: ")] {
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
        let error = refused.json()["error"].as_str().unwrap().to_owned();
        let is_of_rounds = error.ends_with("PostgreSQL gave no answer in 2 s: check that it runs");
        assert!(error.starts_with(text) && is_of_rounds, "{error}");
    }
    lock.release();
    let paid = two.pay(0, Some("k")).await;
    assert_eq!(paid["success"], json!(true), "{paid}");
    two.until_both_have(1_990).await;
}

/// It looks for an earlier request with its key first, which is not behind what is written of the history.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_with_a_key_does_not_wait_while_the_history_cannot_be_written() {
    let two = Two::new(2).await;
    let lock = two.postgres.lock_table(&two.url, "wallet");
    let wallet = two.apps[0].wallets().get("w").unwrap();
    let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
    while lock.waiting().len() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let waiting = lock.waiting();
    let (once, other) = (two.pay(0, Some("once")).await, two.pay(0, Some("other")).await);
    assert_eq!((&once["success"], &other["success"]), (&json!(true), &json!(true)), "{once} {other}");
    assert_eq!(two.pay(1, Some("once")).await["hash"], once["hash"]);
    // Nobody has given up: the history was being written all the while.
    let still = lock.waiting();
    assert!(waiting.iter().all(|session| still.contains(session)), "{waiting:?} {still:?}");
    lock.release();
    two.until_both_have(2_980).await;
}

/// What one server has sent, the other one knows before its node tells of it, and its change is spent there.
#[tokio::test(flavor = "multi_thread")]
async fn change_of_one_server_is_spent_by_the_other() {
    let two = Two::new(1).await;
    let (first, second) = futures_util::join!(two.pay(0, None), two.pay(1, None));
    let (first_id, second_id) = (first["hash"].as_str().unwrap(), second["hash"].as_str().unwrap());
    let (of_first, of_second) = (&inputs(&first)[0].0, &inputs(&second)[0].0);
    assert!(of_second == first_id || of_first == second_id, "{first} {second}");
    two.until_both_have(980).await;
}

/// The database may have kept the record whose answer is lost: then another server pushes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_whose_record_does_not_reach_the_database_is_refused() {
    let postgres = Postgres::start(None);
    let url = postgres.url();
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    let delay = Duration::from_secs(5);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let address = server.address.clone();
    let send = tokio::spawn(async move {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        let body = json!({"address": STRANGER, "value": 10}).to_string();
        ask(&address, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
    });
    while postgres.sql(&url, "select count(*) from reservation") == "0" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(postgres);
    let answer = send.await.unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{}", answer.text);
    assert!(answer.text.contains("nothing was sent: "), "{}", answer.text);
    server.shutdown().await;
}
