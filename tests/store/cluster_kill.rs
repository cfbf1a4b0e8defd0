//! Two servers on one database, of which the one that runs a wallet is killed, or stopped for longer than its
//! lease.

use crate::cluster::Postgres;
use crate::process::{Caller, PATIENCE, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig, MiningFaults, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

struct Two {
    devnet: Devnet,
    postgres: Arc<Postgres>,
    url: String,
    dir: TempDir,
    own: Address,
    first: Option<Server>,
    second: Server,
}

impl Two {
    /// The first one runs a wallet with one output of 1000, which either can start.
    async fn new(settings: &str) -> Self {
        Self::new_with("", settings).await
    }

    /// The same with settings that stand before all tables.
    async fn new_with(first: &str, settings: &str) -> Self {
        let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
        let (devnet, words) = (Devnet::start(config).await.unwrap(), Mnemonic::generate().unwrap());
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        let (postgres, dir) = (Postgres::shared(), TempDir::new().unwrap());
        let url = postgres.url();
        let settings = format!("store = '{url}'\n{first}[seeds]\nmain = '{}'\n{settings}", words.words());
        std::fs::write(dir.path().join("wallet.toml"), settings).unwrap();
        let (first, second) = (start(&devnet, &dir).await, start(&devnet, &dir).await);
        let body = json!({"wallet-id": "w", "seedKey": "main"});
        assert_eq!(first.caller("w").post("start", &body).await, Some(json!({ "success": true })));
        first.caller("w").until_ready().await;
        Self { devnet, postgres, url, dir, own, first: Some(first), second }
    }

    fn fund(&self, amount: u64) {
        self.devnet.change(|chain, now| chain.fund(self.own, Amount::from(amount), now)).unwrap();
    }

    /// With 1000.
    async fn funded() -> Self {
        let two = Self::new("").await;
        two.fund(1_000);
        until_has(&two.first().caller("w"), 1_000).await;
        two
    }

    fn first(&self) -> &Server {
        self.first.as_ref().unwrap()
    }

    async fn kill_first(&mut self) {
        self.first.take().unwrap().kill().await;
    }

    async fn until_sql(&self, sql: &str, says: &str) {
        let met = async {
            while self.postgres.sql(&self.url, sql) != says {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let met = tokio::time::timeout(PATIENCE, met).await;
        met.unwrap_or_else(|_| panic!("{sql}: {}", self.postgres.sql(&self.url, sql)));
    }

    /// A payment at the first one that is on its way until the fault is over.
    fn begin_to_pay(&self) -> JoinHandle<Option<Value>> {
        let wallet = self.first().caller("w");
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

async fn start(devnet: &Devnet, dir: &TempDir) -> Server {
    let file = dir.path().join("wallet.toml");
    Server::start_with(devnet, &[OsStr::new("--config"), file.as_os_str()]).await
}

async fn until_has(wallet: &Caller, amount: u64) {
    let met = async {
        while wallet.get("wallet/balance").await["available"] != amount {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
}

fn stranger() -> Address {
    Address::p2pkh(Network::Privatenet, [7; 20])
}

async fn pay(wallet: &Caller) -> Option<Value> {
    wallet.post("wallet/simple-send-tx", &json!({"address": stranger().to_string(), "value": 10})).await
}

fn slow_push() -> NodeFaults {
    NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() }
}

const OPEN: &str = "select count(*) from push_record where is_open";

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_has_recorded_another_one_pushes() {
    let mut two = Two::funded().await;
    two.devnet.set_node_faults(slow_push());
    let cut_off = two.begin_to_pay();
    two.until_sql(OPEN, "1").await;
    two.kill_first().await;
    assert_eq!(cut_off.await.unwrap(), None);
    two.devnet.set_node_faults(NodeFaults::default());
    let wallet = two.second.caller("w");
    until_has(&wallet, 990).await;
    assert_eq!(two.paid(), 1);
    two.until_sql(OPEN, "0").await;
    assert_eq!(pay(&wallet).await.unwrap()["success"], true);
    assert_eq!(two.paid(), 2);
    // Nobody asks for them again.
    two.until_sql("select count(*) from push_record", "0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_has_not_recorded_another_one_spends() {
    let mut two = Two::funded().await;
    two.devnet.set_mining_faults(MiningFaults { delay: PATIENCE, ..MiningFaults::default() });
    let cut_off = two.begin_to_pay();
    until_under_way(two.first()).await;
    two.kill_first().await;
    assert_eq!(cut_off.await.unwrap(), None);
    two.devnet.set_mining_faults(MiningFaults::default());
    let wallet = two.second.caller("w");
    until_has(&wallet, 1_000).await;
    let all = json!({"address": stranger().to_string(), "value": 1_000});
    let paid = wallet.post("wallet/simple-send-tx", &all).await.unwrap();
    assert_eq!(paid["success"], true, "{paid}");
    assert_eq!(two.paid(), 1);
}

/// Until the wallet's output is set aside for a send.
async fn until_under_way(server: &Server) {
    let wallet = server.caller("w");
    let met = async {
        let free = "wallet/utxo-filter?only_available_utxos=true";
        while wallet.get(free).await["total_utxos_available"] != json!(0) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_stopped_for_longer_than_its_lease_pushes_nothing_new() {
    let two = Two::funded().await;
    // Longer than a lease.
    let delay = Duration::from_secs(10);
    two.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let late = two.begin_to_pay();
    until_under_way(two.first()).await;
    let runs_on = |answer: &Value| {
        answer["error"].as_str().is_some_and(|error| error.starts_with("wallet \"w\" runs on server "))
    };
    let refused = two.second.caller("w").get("wallet/balance").await;
    assert!(runs_on(&refused), "{refused}");
    two.first().signal("STOP").await;
    two.devnet.set_mining_faults(MiningFaults::default());
    let wallet = two.second.caller("w");
    until_has(&wallet, 1_000).await;
    let paid = pay(&wallet).await.unwrap();
    assert_eq!(paid["success"], true, "{paid}");
    two.first().signal("CONT").await;
    let late = tokio::time::timeout(PATIENCE, late).await.unwrap().unwrap().unwrap();
    let error = "nothing was sent: another server runs this account now";
    assert_eq!(late, json!({"success": false, "error": error}));
    assert_eq!(two.paid(), 1);
    // Once it has a lease again.
    let told = async {
        while !runs_on(&two.first().caller("w").get("wallet/balance").await) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap();
}

const SECRET: &str = "cluster_secret = '0123456789abcdef0123456789abcdef'\n";
const NOT_KNOWN: &str = "is not known: look for it in the history before sending again, or repeat a request that had an \
                         Idempotency-Key with the same one";

/// With 1000, on servers that forward to each other.
async fn forwarding() -> Two {
    let two = Two::new_with(SECRET, "").await;
    two.fund(1_000);
    until_has(&two.second.caller("w"), 1_000).await;
    two
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_was_forwarded_to_a_server_that_is_killed_is_paid_once() {
    let mut two = forwarding().await;
    two.devnet.set_node_faults(slow_push());
    let body = json!({"address": stranger().to_string(), "value": 10});
    let path = "wallet/simple-send-tx";
    let (wallet, late) = (two.second.caller("w"), body.clone());
    let lost = tokio::spawn(async move { wallet.post_once(path, &late, "k".to_owned()).await.unwrap() });
    two.until_sql(OPEN, "1").await;
    two.kill_first().await;
    let lost = lost.await.unwrap();
    assert_eq!(lost["success"], false, "{lost}");
    assert!(lost["error"].as_str().unwrap().ends_with(NOT_KNOWN), "{lost}");
    two.devnet.set_node_faults(NodeFaults::default());
    let wallet = two.second.caller("w");
    until_has(&wallet, 990).await;
    let repeated = wallet.post_once(path, &body, "k".to_owned()).await.unwrap();
    assert_eq!(repeated["success"], true, "{repeated}");
    assert_eq!(two.paid(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_forwarded_to_a_server_that_is_stopped_is_answered_and_done_by_nobody() {
    let two = forwarding().await;
    let wallet = two.second.caller("w");
    two.first().signal("STOP").await;
    let lives_for = |time: &str| {
        let owner = "(select server from account)";
        two.postgres.sql(
            &two.url,
            &format!("update server set lease_until = now() + interval '{time}' where id = {owner}"),
        );
    };
    // Until both are forwarded.
    lives_for("55 s");
    let ended = async {
        while two.second.metric("headless_wallet_http_requests_in_flight").await != "2" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        lives_for("0 s");
    };
    let (read, sent, ()) = tokio::join!(wallet.get("wallet/balance"), pay(&wallet), ended);
    let error = read["error"].as_str().unwrap().to_owned();
    let silent = " runs the wallet, and has not answered (connection broken: it does not renew its lease any more): ask again";
    assert!(error.ends_with(silent), "{error}");
    let sent = sent.unwrap();
    assert!(sent["error"].as_str().unwrap().ends_with(NOT_KNOWN), "{sent}");
    // It is taken over, and what was lost is not done when its server goes on.
    until_has(&wallet, 1_000).await;
    assert_eq!(pay(&wallet).await.unwrap()["success"], true);
    two.first().signal("CONT").await;
    until_has(&two.first().caller("w"), 990).await;
    assert_eq!(two.paid(), 1);
    let name = "headless_wallet_forwarded_requests_total{outcome=\"lost\"}";
    assert_eq!(two.second.metric(name).await, "2");
}

/// It was recorded before: whoever runs the wallet pushes the same.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_stopped_server_had_recorded_is_pushed_once() {
    let two = Two::funded().await;
    two.devnet.set_node_faults(slow_push());
    let late = two.begin_to_pay();
    two.until_sql(OPEN, "1").await;
    two.first().signal("STOP").await;
    two.devnet.set_node_faults(NodeFaults::default());
    until_has(&two.second.caller("w"), 990).await;
    two.first().signal("CONT").await;
    // Whatever it comes to know of it.
    assert!(tokio::time::timeout(PATIENCE, late).await.unwrap().unwrap().is_some());
    assert_eq!(two.paid(), 1);
    until_has(&two.second.caller("w"), 990).await;
}

/// One of them has recorded what it was about to push.
#[tokio::test(flavor = "multi_thread")]
async fn tasks_that_a_killed_server_has_begun_another_one_ends() {
    let mut two = Two::funded().await;
    two.devnet.set_node_faults(slow_push());
    let wallet = two.first().caller("w");
    let pay = json!({"address": stranger().to_string(), "value": 10});
    for _ in 0..3 {
        let taken = wallet.post_later("wallet/simple-send-tx", &pay).await.unwrap();
        assert_eq!(taken["success"], true, "{taken}");
    }
    // There is one output: the other two wait for its change.
    two.until_sql(OPEN, "1").await;
    two.kill_first().await;
    two.devnet.set_node_faults(NodeFaults::default());
    let wallet = two.second.caller("w");
    wallet.until_ready().await;
    wallet.until_tasks_ended().await;
    let tasks = wallet.get("wallet/tasks").await;
    let hashes: std::collections::BTreeSet<_> =
        tasks["tasks"].as_array().unwrap().iter().map(|task| task["hash"].to_string()).collect();
    assert_eq!(hashes.len(), 3, "{tasks}");
    assert_eq!(two.paid(), 3);
}

/// Its caller was told that it is not known to be kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_whose_write_is_unclear_is_cancelled_as_soon_as_that_can_be_written() {
    let two = Two::funded().await;
    let end = "create function hang_up() returns trigger language plpgsql as $$ begin \
                   perform pg_terminate_backend(pg_backend_pid()); return new; end $$; \
               create trigger hang_up before insert on task for each row execute function hang_up()";
    two.postgres.sql(&two.url, end);
    let wallet = two.first().caller("w");
    let pay = json!({"address": stranger().to_string(), "value": 10});
    let refused = wallet.post_later("wallet/simple-send-tx", &pay).await.unwrap();
    assert!(
        refused["error"].as_str().unwrap().starts_with("It is not known whether the task was kept"),
        "{refused}"
    );
    assert_eq!(wallet.get("wallet/tasks").await["tasks"], json!([]));
    two.postgres.sql(&two.url, "drop trigger hang_up on task");
    two.until_sql("select is_open from task", "f").await;
    wallet.until_tasks_ended().await;
    let tasks = wallet.get("wallet/tasks").await;
    assert_eq!(tasks["tasks"][0]["status"], "cancelled", "{tasks}");
    assert_eq!(two.paid(), 0);
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

/// The one that is killed has posted an event, and does not get to know that it was taken. Nobody asks for
/// the wallet.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_was_telling_another_one_tells() {
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hook = format!("http://{}/", receiver.local_addr().unwrap());
    let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    let mut two = Two::new(&format!("[[webhooks]]\nurl = '{hook}'\nsecret = '{secret}'\n")).await;
    two.fund(1);
    let (_unanswered, id) = take_post(&receiver).await;
    two.kill_first().await;
    let mut ids = Vec::new();
    for amount in 2..=3 {
        let (mut connection, id) = take_post(&receiver).await;
        connection.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await.unwrap();
        ids.push(id);
        two.fund(amount);
    }
    assert_eq!(ids[0], id);
    assert_ne!(ids[1], id);
    two.until_sql("select max(after_seq) from sink", "2").await;
    drop(two.dir);
}
