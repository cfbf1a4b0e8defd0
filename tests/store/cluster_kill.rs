//! Two servers on one database, of which one is killed, or stopped for longer than its lease.

use crate::cluster::Postgres;
use crate::process::{Caller, PATIENCE, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig, MiningFaults, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

struct Two {
    devnet: Devnet,
    postgres: Arc<Postgres>,
    url: String,
    first: Server,
    second: Server,
}

impl Two {
    /// Both with a wallet that has one output of 1000.
    async fn new() -> Self {
        let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
        let devnet = Devnet::start(config).await.unwrap();
        let words = Mnemonic::generate().unwrap();
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
        let postgres = Postgres::shared();
        let url = postgres.url();
        let flags = [OsStr::new("--store"), OsStr::new(&url)];
        let servers = [Server::start_with(&devnet, &flags).await, Server::start_with(&devnet, &flags).await];
        for server in &servers {
            server.caller("w").begin(words.words()).await;
            server.caller("w").until_ready().await;
        }
        let [first, second] = servers;
        let two = Self { devnet, postgres, url, first, second };
        for server in [&two.first, &two.second] {
            two.until_has(&server.caller("w"), 1_000).await;
        }
        two
    }

    async fn until_has(&self, wallet: &Caller, amount: u64) {
        let met = async {
            while wallet.get("wallet/balance").await["available"] != amount {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, met).await.unwrap();
    }

    fn sql(&self, sql: &str) -> String {
        self.postgres.sql(&self.url, sql)
    }

    async fn until_sql(&self, sql: &str, says: &str) {
        let met = async {
            while self.sql(sql) != says {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, met).await.unwrap_or_else(|_| panic!("{sql}: {}", self.sql(sql)));
    }

    /// A payment that is on its way until the fault is over.
    fn begin_to_pay(&self, server: &Server) -> JoinHandle<Option<Value>> {
        let wallet = server.caller("w");
        tokio::spawn(async move { pay(&wallet).await })
    }

    /// What others have got.
    fn paid(&self) -> u64 {
        let to = stranger();
        self.devnet.read(|chain| {
            let valid =
                chain.history_of(&to).filter_map(|id| chain.vertex(&id)).filter(|vertex| !vertex.voided);
            valid.count() as u64
        })
    }
}

fn stranger() -> Address {
    Address::p2pkh(Network::Privatenet, [7; 20])
}

async fn pay(wallet: &Caller) -> Option<Value> {
    wallet.post("wallet/simple-send-tx", &json!({"address": stranger().to_string(), "value": 10})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_has_recorded_another_one_pushes() {
    let two = Two::new().await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() };
    two.devnet.set_node_faults(slow);
    let cut_off = two.begin_to_pay(&two.first);
    two.until_sql("select count(*) from push_record where state = 1", "1").await;
    let Two { devnet, postgres, url, first, second } = two;
    first.kill().await;
    assert_eq!(cut_off.await.unwrap(), None);
    devnet.set_node_faults(NodeFaults::default());
    // Any server will do in its place.
    let flags = [OsStr::new("--store"), OsStr::new(&url)];
    let first = Server::start_with(&devnet, &flags).await;
    let two = Two { devnet, postgres, url, first, second };
    let wallet = two.second.caller("w");
    two.until_has(&wallet, 990).await;
    assert_eq!(two.paid(), 1);
    two.until_sql("select count(*) from reservation where state < 2", "0").await;
    assert_eq!(pay(&wallet).await.unwrap()["success"], true);
    assert_eq!(two.paid(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_has_reserved_another_one_spends() {
    let two = Two::new().await;
    two.devnet.set_mining_faults(MiningFaults { delay: PATIENCE, ..MiningFaults::default() });
    let cut_off = two.begin_to_pay(&two.first);
    two.until_sql("select count(*) from reservation", "1").await;
    // It waits for the only output there is.
    let waiting = two.begin_to_pay(&two.second);
    let Two { devnet, postgres, url: _, first, second } = two;
    first.kill().await;
    assert_eq!(cut_off.await.unwrap(), None);
    devnet.set_mining_faults(MiningFaults::default());
    let paid = tokio::time::timeout(PATIENCE, waiting).await.unwrap().unwrap().unwrap();
    assert_eq!(paid["success"], true, "{paid}");
    drop((postgres, second));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_stopped_for_longer_than_its_lease_pushes_nothing() {
    let two = Two::new().await;
    // Longer than a lease.
    let delay = Duration::from_secs(10);
    two.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let late = two.begin_to_pay(&two.first);
    two.until_sql("select count(*) from reservation", "1").await;
    two.first.signal("STOP").await;
    two.devnet.set_mining_faults(MiningFaults::default());
    let wallet = two.second.caller("w");
    let paid = tokio::time::timeout(PATIENCE, pay(&wallet)).await.unwrap().unwrap();
    assert_eq!(paid["success"], true, "{paid}");
    two.first.signal("CONT").await;
    let late = tokio::time::timeout(PATIENCE, late).await.unwrap().unwrap().unwrap();
    assert_eq!(
        late,
        json!({
            "success": false,
            "error": "nothing was sent: this server had lost touch with its database, and what it was to spend was free for other \
                      servers: send again"
        })
    );
    assert_eq!(two.paid(), 1);
    two.until_has(&two.first.caller("w"), 990).await;
}

/// Each is claimed by the server that carries it out, one of which had recorded what it was about to push.
#[tokio::test(flavor = "multi_thread")]
async fn tasks_that_a_killed_server_has_begun_another_one_ends() {
    let two = Two::new().await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() };
    two.devnet.set_node_faults(slow);
    let wallet = two.first.caller("w");
    let pay = json!({"address": stranger().to_string(), "value": 10});
    for _ in 0..3 {
        let taken = wallet.post_later("wallet/simple-send-tx", &pay).await.unwrap();
        assert_eq!(taken["success"], true, "{taken}");
    }
    two.until_sql("select count(*) from task where is_open and server is not null", "3").await;
    // There is one output: the other two wait for its change.
    two.until_sql("select count(*) from push_record where state = 1", "1").await;
    let (devnet, second) = (two.devnet, two.second);
    two.first.kill().await;
    devnet.set_node_faults(NodeFaults::default());
    let wallet = second.caller("w");
    wallet.until_tasks_ended().await;
    let tasks = wallet.get("wallet/tasks").await;
    let hashes: std::collections::BTreeSet<_> =
        tasks["tasks"].as_array().unwrap().iter().map(|task| task["hash"].to_string()).collect();
    assert_eq!(hashes.len(), 3, "{tasks}");
    let paid = devnet.read(|chain| chain.history_of(&stranger()).count());
    assert_eq!(paid, 3);
    drop(two.postgres);
}

/// Takes a post whole, and gives its connection and the event's id.
pub async fn take_post(receiver: &TcpListener) -> (TcpStream, String) {
    let taken = async {
        let (mut connection, _) = receiver.accept().await.unwrap();
        let mut bytes = Vec::new();
        loop {
            assert_ne!(connection.read_buf(&mut bytes).await.unwrap(), 0);
            let text = String::from_utf8_lossy(&bytes);
            if let Some((_, body)) = text.split_once("\r\n\r\n")
                && let Ok(event) = serde_json::from_str::<Value>(body)
            {
                return (connection, event["id"].as_str().unwrap().to_owned());
            }
        }
    };
    tokio::time::timeout(PATIENCE, taken).await.expect("a post in time")
}

/// The one that is killed has posted an event, and does not get to know that it was taken.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_was_telling_another_one_tells() {
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let (postgres, dir) = (Postgres::shared(), tempfile::TempDir::new().unwrap());
    let (url, file) = (postgres.url(), dir.path().join("wallet.toml"));
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hook = format!("http://{}/", receiver.local_addr().unwrap());
    let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    std::fs::write(&file, format!("store = '{url}'\n[[webhooks]]\nurl = '{hook}'\nsecret = '{secret}'\n"))
        .unwrap();
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    let fund = |amount: u64| devnet.change(|chain, now| chain.fund(own, Amount::from(amount), now)).unwrap();
    let flags = [OsStr::new("--config"), file.as_os_str()];
    let first = Server::start_with(&devnet, &flags).await;
    first.caller("w").begin(words.words()).await;
    first.caller("w").until_ready().await;
    fund(1);
    let (_unanswered, id) = take_post(&receiver).await;
    let second = Server::start_with(&devnet, &flags).await;
    second.caller("w").begin(words.words()).await;
    second.caller("w").until_ready().await;
    first.kill().await;
    let mut ids = Vec::new();
    for amount in 2..=3 {
        let (mut connection, id) = take_post(&receiver).await;
        connection.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await.unwrap();
        ids.push(id);
        fund(amount);
    }
    assert_eq!(ids[0], id);
    assert_ne!(ids[1], id);
    let told = async {
        while postgres.sql(&url, "select max(after_seq) from sink") != "2" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap();
    drop(second);
}
