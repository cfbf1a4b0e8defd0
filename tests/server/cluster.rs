//! Two servers on one database: a wallet runs on one of them at a time.

use crate::deployment::not_exported;
use crate::postgres::Postgres;
use crate::support::{Answer, Server, ask, configuration};
use futures_util::future::join_all;
use headless_wallet::devnet::{MiningFaults, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Amount, MiningJob, Transaction};
use headless_wallet::server::{App, Config, Layer, run};
use headless_wallet::store::PushRecord;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

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
    /// Ends the second one.
    end: Option<oneshot::Sender<()>>,
}

impl Two {
    /// With a wallet called `w`, which has so many outputs of 1000, on the first one.
    pub async fn new(outputs: usize) -> Self {
        Self::new_with(outputs, "").await
    }

    /// The same with more settings.
    pub async fn new_with(outputs: usize, more: &str) -> Self {
        Self::new_each(outputs, [more; 2]).await
    }

    /// The same with more settings of each.
    pub async fn new_each(outputs: usize, more: [&str; 2]) -> Self {
        let postgres = Postgres::shared();
        let url = postgres.url();
        let [of_first, of_second] = more.map(|more| format!("store = '{url}'\n{more}"));
        let first = Server::start_with(&of_first).await;
        let layer = Layer::toml("second.toml", &configuration(&first.devnet, &of_second)).unwrap();
        let app = App::new(Config::from_layers([layer]).unwrap()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (end, ending) = oneshot::channel::<()>();
        let ended = async move {
            if ending.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::spawn(run(listener, ended, app.clone()));
        let (addresses, apps) = ([first.address.clone(), address], [first.app.clone(), app]);
        let words = Mnemonic::generate().unwrap();
        let two = Self { postgres, url, first, addresses, apps, words, end: Some(end) };
        two.start(0).await;
        let wallet = two.apps[0].wallets().get("w").unwrap();
        let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
        for _ in 0..outputs {
            two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
        }
        two.until_has(0, outputs as u64 * 1_000).await;
        two.until_sql("select count(*) from vertex", &outputs.to_string()).await;
        two
    }

    /// Starts `w` at a server, and waits until it is ready.
    pub async fn start(&self, server: usize) {
        let body = json!({"wallet-id": "w", "seed": self.words.words()});
        assert_eq!(self.post(server, "/start", &body, None).await, json!({"success": true}));
        self.apps[server].wallets().get("w").unwrap().ready().await;
    }

    /// Stops `w` at a server, and starts it at the other one.
    pub async fn move_to(&self, server: usize) {
        self.move_by(server, "").await;
    }

    /// The same with an API key.
    pub async fn move_by(&self, server: usize, key: &str) {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("x-api-key", key)];
        let headers = if key.is_empty() { &headers[..2] } else { &headers };
        let body = json!({"wallet-id": "w", "seed": self.words.words()}).to_string();
        for (server, path, body) in [(1 - server, "/wallet/stop", ""), (server, "/start", &body)] {
            let done = ask(&self.addresses[server], "POST", path, headers, body.as_bytes()).await;
            assert_eq!(done.json(), json!({"success": true}), "{path}");
        }
        self.apps[server].wallets().get("w").unwrap().ready().await;
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

    pub async fn of(&self, server: usize, id: &str, method: &str, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json"), ("x-wallet-id", id)];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        ask(&self.addresses[server], method, path, &headers, body.as_bytes()).await
    }

    pub async fn post(&self, server: usize, path: &str, body: &Value, key: Option<&str>) -> Value {
        let mut headers = vec![("content-type", "application/json"), ("x-wallet-id", "w")];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        ask(&self.addresses[server], "POST", path, &headers, body.to_string().as_bytes()).await.json()
    }

    pub async fn get(&self, server: usize, id: &str, path: &str) -> Answer {
        self.of(server, id, "GET", path, &Value::Null).await
    }

    /// Pays 10 to somebody else.
    pub async fn pay(&self, server: usize, key: Option<&str>) -> Value {
        self.post(server, "/wallet/simple-send-tx", &json!({"address": STRANGER, "value": 10}), key).await
    }

    pub async fn until_has(&self, server: usize, amount: u64) {
        let met = async {
            while self.get(server, "w", "/wallet/balance").await.json()["available"] != json!(amount) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let met = tokio::time::timeout(PATIENCE, met).await;
        assert!(met.is_ok(), "{}", self.get(server, "w", "/wallet/balance").await.text);
    }

    /// Another server has taken all accounts, and lives for so many seconds.
    fn take_all(&self, seconds: u32) {
        self.sql(&format!(
            "with other as (insert into server (url, lease_until) \
                 values ('http://three:8000', now() + interval '{seconds} s') returning id) \
             update account set server = other.id, epoch = epoch + 1 from other"
        ));
    }
}

/// Asks again for as long as it is said that nothing was done.
pub async fn again(asked: impl AsyncFn() -> Answer) -> Answer {
    let answered = async {
        loop {
            let answer = asked().await;
            if answer.status != 503 {
                return answer;
            }
            assert!(answer.header("retry-after").is_some(), "{}", answer.text);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("an answer")
}

fn template() -> Value {
    json!([
        {"type": "input/utxo", "fill": 10},
        {"type": "output/token", "amount": 10, "address": STRANGER},
        {"type": "action/complete"},
    ])
}

/// Built by the wallet on the first server, and signed by its words.
async fn signed(two: &Two) -> Transaction {
    let run = two.of(0, "w", "POST", "/wallet/tx-template/run?dry_run=true", &template()).await.json();
    let mut transaction =
        Transaction::from_bytes(&hex::decode(run["txHex"].as_str().unwrap()).unwrap()).unwrap();
    let keys = AccountKeys::from_mnemonic(&two.words, "");
    transaction.inputs[0].data = keys.sign(0, &transaction.sighash().unwrap()).to_bytes().unwrap();
    transaction
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_runs_on_one_server_which_the_other_one_names() {
    let two = Two::new(1).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    two.apps[0].wallets().get("s").unwrap().ready().await;
    let status = two.get(0, "s", "/wallet/status").await.json();
    let (id, url) = (status["runsOn"]["id"].as_u64().unwrap(), format!("http://{}", two.addresses[0]));
    assert_eq!(status["runsOn"]["url"], json!(url));
    let error = format!("wallet \"s\" runs on server {id} ({url})");
    for (method, path) in [("GET", "/wallet/balance"), ("GET", "/wallet/status"), ("POST", "/wallet/stop")] {
        let answer = two.of(1, "s", method, path, &Value::Null).await;
        assert_eq!(answer.parts(), (503, json!({"success": false, "error": error})), "{path}");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    // It can be started at none: the same, by another policy, or by other words.
    let taken = json!({
        "success": false, "message": "Failed to start wallet with wallet id s", "errorCode": "WALLET_ALREADY_STARTED",
    });
    let other = json!({"wallet-id": "s", "seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 3});
    let by_words = json!({"wallet-id": "s", "seed": two.words.words()});
    for (server, body) in [(0, &start), (1, &start), (1, &other), (1, &by_words)] {
        assert_eq!(two.of(server, "", "POST", "/start", body).await.json(), taken);
    }
    // Nor another wallet of its account at another server.
    let second = json!({"wallet-id": "second", "seedKey": "genesis"});
    let refused = two.of(1, "", "POST", "/start", &second).await;
    let error =
        format!("Failed to start wallet with wallet id second: the account runs on server {id} ({url})");
    assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(two.of(0, "", "POST", "/start", &second).await.json(), json!({"success": true}));

    // No words are ever kept: what is started by them is one server's.
    assert_eq!(two.get(1, "w", "/wallet/status").await.status, 503);
    let kept = two.sql("select name, request from started order by name");
    assert_eq!(kept, "s|{\"seedKey\":\"genesis\"}\nsecond|{\"seedKey\":\"genesis\"}\nw|");
    let stopped = two.post(0, "/wallet/stop", &Value::Null, None).await;
    assert_eq!(stopped, json!({"success": true}));
    let unknown = json!({"success": false, "message": "Invalid wallet id parameter.", "statusMessage": ""});
    for server in 0..2 {
        assert_eq!(two.get(server, "w", "/wallet/status").await.json(), unknown);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_is_stopped_at_one_server_is_started_at_another_at_once() {
    let two = Two::new(0).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    for round in 0..6 {
        let server = round % 2;
        assert_eq!(
            two.of(server, "", "POST", "/start", &start).await.json(),
            json!({"success": true}),
            "{round}"
        );
        let stopped = two.of(server, "s", "POST", "/wallet/stop", &Value::Null).await;
        assert_eq!(stopped.json(), json!({"success": true}), "{round}");
    }
}

/// One that ends hands over at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_is_started_where_it_is_asked_for_once_its_server_has_ended() {
    let mut two = Two::new(0).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(1, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    assert_eq!(two.get(0, "s", "/wallet/balance").await.status, 503);
    two.end.take().unwrap().send(()).unwrap();
    two.until_sql("select count(*) from server where lease_until > now()", "1").await;
    // All at once: it is started once.
    let asked = (0..4).map(|_| two.get(0, "s", "/wallet/balance"));
    for answer in join_all(asked).await {
        assert_eq!(answer.json(), json!({"available": 100_000_000_000_u64, "locked": 0}), "{}", answer.text);
    }
    assert_eq!(two.sql("select count(*) from started where name = 's'"), "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_whose_caller_hangs_up_comes_to_its_end() {
    let two = Two::new(1).await;
    let lock = two.postgres.lock_table(&two.url, "started");
    let body = json!({"wallet-id": "s", "seedKey": "genesis"}).to_string();
    let head = "POST /start HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length:";
    let mut caller = TcpStream::connect(&two.addresses[0]).await.unwrap();
    caller.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
    let waits = async {
        while lock.waiting().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.unwrap();
    drop(caller);
    lock.release();
    two.until_sql("select count(*) from started where name = 's'", "1").await;
    let started = async {
        while two.apps[0].wallets().get("s").is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, started).await.unwrap();
    two.first.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_lost_an_account_sends_nothing_of_it_and_names_who_has_it() {
    let two = Two::new(1).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start).await.json(), json!({"success": true}));
    two.apps[0].wallets().get("s").unwrap().ready().await;
    two.first
        .devnet
        .set_mining_faults(MiningFaults { delay: Duration::from_secs(3), ..MiningFaults::default() });
    let pay = json!({"address": STRANGER, "value": 10});
    let late = two.of(0, "s", "POST", "/wallet/simple-send-tx", &pay);
    let taken = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        two.take_all(6);
    };
    let (late, ()) = tokio::join!(late, taken);
    let error = "nothing was sent: another server runs this account now";
    assert_eq!(late.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(late.header("retry-after"), Some("1"));
    let elsewhere = two.get(0, "s", "/wallet/balance").await.json();
    let error = elsewhere["error"].as_str().unwrap();
    assert!(
        error.starts_with("wallet \"s\" runs on server ") && error.ends_with("(http://three:8000)"),
        "{error}"
    );
    // That one is gone some seconds later: whoever is asked goes on.
    let found = again(async || two.get(1, "s", "/wallet/balance").await).await;
    assert_eq!(found.json(), json!({"available": 100_000_000_000_u64, "locked": 0}), "{}", found.text);
    assert_eq!(two.get(0, "s", "/wallet/balance").await.status, 503);
    assert_eq!(two.sql("select count(*) from push_record"), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_waits_for_change_is_to_be_repeated_once_its_account_is_taken() {
    let two = Two::new(1).await;
    let delay = Duration::from_secs(6);
    two.first.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let body = json!({"address": STRANGER, "value": 10});
    let pay = async || two.of(0, "w", "POST", "/wallet/simple-send-tx", &body).await;
    let taken = async {
        let free = "/wallet/utxo-filter?only_available_utxos=true";
        let reserved = async {
            while two.get(0, "w", free).await.json()["total_utxos_available"] != json!(0) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, reserved).await.unwrap();
        two.take_all(6);
    };
    let (first, waiting, ()) = tokio::join!(pay(), pay(), taken);
    for answer in [first, waiting] {
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{}", answer.text);
    }
    assert_eq!(two.sql("select count(*) from push_record"), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_nothing_is_answered_of_wallets() {
    let postgres = Postgres::start(None);
    let place = format!("{}/postgres", postgres.dir);
    let url = postgres.url();
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    drop(postgres);
    let away = format!(
        "store {place}: can't connect to PostgreSQL: No such file or directory: check that it runs there, and `store`"
    );
    let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
    let lost = async {
        while ask(&server.address, "GET", "/wallet/balance", &headers, b"").await.status != 503 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, lost).await.unwrap();
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    for (method, path) in
        [("POST", "/wallet/simple-send-tx"), ("GET", "/wallet/balance"), ("GET", "/wallet/status")]
    {
        let refused = ask(&server.address, method, path, &headers, body.as_bytes()).await;
        let error = format!("this server lost its lease: {away}");
        assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})), "{path}");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    let metrics = ask(&server.address, "GET", "/metrics", &[], b"").await.text;
    assert!(metrics.contains("headless_wallet_store_up 0\n"), "{metrics}");
    let of_store = |name: &str| ["store_", "forwarded_"].iter().any(|part| name.contains(part));
    assert_eq!(not_exported(&metrics, of_store), BTreeSet::new());
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_hangs_is_reported_and_its_server_goes_on_after_that() {
    let two = Two::new(2).await;
    let lock = two.postgres.lock_table(&two.url, "server");
    let silent = async {
        while two.pay(0, Some("k")).await["error"]
            != json!(format!(
                "this server lost its lease: store {}/postgres: PostgreSQL gave no answer in 2 s: check that it runs",
                two.postgres.dir
            ))
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, silent).await.unwrap();
    lock.release();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("idempotency-key", "k")];
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    let path = "/wallet/simple-send-tx";
    let paid = again(async || ask(&two.addresses[0], "POST", path, &headers, body.as_bytes()).await).await;
    assert_eq!(paid.json()["success"], json!(true), "{}", paid.text);
    two.until_has(0, 1_990).await;
}

/// It looks for an earlier request with its key first, which is not behind what is written of the history.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_with_a_key_does_not_wait_while_the_history_cannot_be_written() {
    let two = Two::new(2).await;
    let lock = two.postgres.lock_table(&two.url, "history");
    let wallet = two.apps[0].wallets().get("w").unwrap();
    let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
    while lock.waiting().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let waiting = lock.waiting();
    let (once, other) = (two.pay(0, Some("once")).await, two.pay(0, Some("other")).await);
    assert_eq!((&once["success"], &other["success"]), (&json!(true), &json!(true)), "{once} {other}");
    assert_eq!(two.pay(0, Some("once")).await["hash"], once["hash"]);
    // Nobody has given up: the history was being written all the while.
    let still = lock.waiting();
    assert!(waiting.iter().all(|session| still.contains(session)), "{waiting:?} {still:?}");
    lock.release();
    two.until_has(0, 2_980).await;
}

/// The record can't be written: nothing is pushed.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_whose_record_does_not_reach_the_database_is_refused() {
    let postgres = Postgres::start(None);
    let url = postgres.url();
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    let delay = Duration::from_secs(3);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let address = server.address.clone();
    let send = tokio::spawn(async move {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        let body = json!({"address": STRANGER, "value": 10}).to_string();
        ask(&address, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    drop(postgres);
    let answer = send.await.unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{}", answer.text);
    let error = answer.json()["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("nothing was sent: store "), "{error}");
    server.shutdown().await;
}

/// Left by a server that is gone, of the same second as what it spends.
#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_no_node_will_ever_take_holds_nothing() {
    let two = Two::new(1).await;
    let mut early = signed(&two).await;
    let (spent, parents) = two.first.devnet.read(|chain| {
        let spent = chain.vertex(&early.inputs[0].spends.tx).unwrap().timestamp;
        (spent, chain.parents_before(spent))
    });
    (early.timestamp, early.parents) = (spent, parents.to_vec());
    early.weight = 20.0;
    let job = MiningJob::new(&early.mining_bytes().unwrap(), early.weight);
    early.nonce = job.search(0..1 << 32).unwrap();
    let (key, transaction) = ([7; 32], early.to_bytes().unwrap());
    let record = PushRecord { key, request: [0; 32], time: spent, transaction, is_open: true };
    let record = hex::encode(record.encode());
    let stopped = two.post(0, "/wallet/stop", &Value::Null, None).await;
    assert_eq!(stopped, json!({"success": true}));
    two.sql(&format!(
        "insert into push_record (account, key, time, record, is_open, attempt) \
         select max(account), '\\x{}', {spent}, '\\x{record}', true, 0 from vertex",
        hex::encode(key)
    ));
    two.start(1).await;
    two.until_sql("select is_open from push_record", "f").await;
    let all = json!({"address": STRANGER, "value": 1_000});
    let paid = two.of(1, "w", "POST", "/wallet/simple-send-tx", &all).await;
    assert_eq!(paid.json()["success"], json!(true), "{}", paid.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_no_node_took_is_called_unsent_only_once_nobody_can_push_it() {
    let two = Two::new(2).await;
    let refuses =
        NodeFaults { mode: NodeMode::Down, path: "push_tx".to_owned(), status: 403, ..NodeFaults::default() };
    two.first.devnet.set_node_faults(refuses);
    let refused = two.pay(0, None).await;
    assert!(!refused["error"].as_str().unwrap().contains("is not known"), "{refused}");
    assert_eq!(two.sql("select count(*) from push_record where is_open"), "0");
    // That can't be noted now.
    two.sql(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$; \
         create trigger refuse before update on push_record for each row execute function refuse()",
    );
    let unclear = two.pay(0, None).await;
    assert!(
        unclear["error"].as_str().unwrap().contains("is sent is not known: look for it in the history"),
        "{unclear}"
    );
    // It is taken back later, and is not sent.
    two.first.devnet.set_node_faults(NodeFaults::default());
    two.sql("drop trigger refuse on push_record");
    two.until_sql("select count(*) from push_record where is_open", "0").await;
    two.until_has(0, 2_000).await;
    let all = json!({"address": STRANGER, "value": 2_000});
    assert_eq!(two.post(0, "/wallet/simple-send-tx", &all, None).await["success"], json!(true));
}

/// Clients repeat what was not done, at any server.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_paid_once_at_whichever_servers_it_is_asked_for() {
    let two = Two::new(8).await;
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    let pay = async |place: usize| {
        let (key, next) = (format!("key {}", place % 4), std::cell::Cell::new(place));
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", "w"), ("idempotency-key", &*key)];
        let path = "/wallet/simple-send-tx";
        again(async || {
            let server = next.replace(next.get() + 1) % 2;
            ask(&two.addresses[server], "POST", path, &headers, body.as_bytes()).await
        })
        .await
    };
    let mut ids = BTreeSet::new();
    for answer in join_all((0..16).map(pay)).await {
        assert_eq!(answer.json()["success"], json!(true), "{}", answer.text);
        ids.insert(answer.json()["hash"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 4);
    two.until_has(0, 8_000 - 4 * 10).await;
    // After it has moved, too.
    two.move_to(1).await;
    let replayed = two.pay(1, Some("key 0")).await;
    assert!(ids.contains(replayed["hash"].as_str().unwrap()), "{replayed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_transaction_pushed_at_both_servers_with_one_key_is_pushed_once() {
    let two = Two::new(2).await;
    let signed = hex::encode(signed(&two).await.to_bytes().unwrap());
    let headers = [("content-type", "application/json"), ("idempotency-key", "one")];
    let push = json!({"txHex": signed}).to_string();
    let asked = (0..6).map(|i| {
        let (address, push) = (&two.addresses[i % 2], &push);
        async move { again(async || ask(address, "POST", "/push-tx", &headers, push.as_bytes()).await).await }
    });
    let answers = join_all(asked).await;
    assert_eq!(answers[0].json()["success"], json!(true), "{}", answers[0].text);
    for answer in &answers {
        assert_eq!(answer.json()["tx"]["hash"], answers[0].json()["tx"]["hash"], "{}", answer.text);
    }
    let replayed = answers.iter().filter(|answer| answer.header("idempotency-replayed").is_some()).count();
    assert_eq!(replayed, 5);
    // The key is taken, at both.
    let other = json!({"txHex": signed, "dry_run": false}).to_string();
    for address in &two.addresses {
        let taken = again(async || ask(address, "POST", "/push-tx", &headers, other.as_bytes()).await).await;
        assert_eq!(taken.status, 422, "{}", taken.text);
    }
    two.until_has(0, 1_990).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn locks_addresses_and_swaps_go_on_at_the_next_server() {
    let two = Two::new(2).await;
    let path = "/wallet/address?mark_as_used=true";
    let mut given = BTreeSet::new();
    for _ in 0..3 {
        given.insert(two.get(0, "w", path).await.json()["address"].to_string());
    }
    let group = "/wallet/atomic-swap/tx-proposal";
    let propose = json!({
        "send": {"tokens": [{"token": "00", "value": 10}]}, "receive": {"tokens": [{"value": 10}]}, "lock": true,
    });
    let proposed = two.of(0, "w", "POST", group, &propose).await.json();
    assert_eq!(proposed["success"], json!(true), "{proposed}");
    let partial = json!({"partial_tx": proposed["data"]});
    two.move_to(1).await;
    given.insert(two.get(1, "w", path).await.json()["address"].to_string());
    assert_eq!(given.len(), 4);
    // One of its two outputs is locked.
    let much = json!({"address": STRANGER, "value": 1_500});
    let refused = two.of(1, "w", "POST", "/wallet/simple-send-tx", &much).await.json();
    assert_eq!(refused["success"], json!(false), "{refused}");
    let sign = format!("{group}/get-my-signatures");
    let signed = two.of(1, "w", "POST", &sign, &partial).await.json();
    assert_eq!(signed["success"], json!(true), "{signed}");
    let unlocked = two.of(1, "w", "POST", &format!("{group}/unlock"), &partial).await;
    assert_eq!(unlocked.json(), json!({"success": true}));
    two.move_to(0).await;
    let signed = two.of(0, "w", "POST", &sign, &partial).await.json();
    assert_eq!(signed["success"], json!(false), "{signed}");
    let paid = two.of(0, "w", "POST", "/wallet/simple-send-tx", &much).await.json();
    assert_eq!(paid["success"], json!(true), "{paid}");
}

async fn later(two: &Two, server: usize, key: Option<&str>) -> String {
    let mut headers =
        vec![("content-type", "application/json"), ("x-wallet-id", "w"), ("prefer", "respond-async")];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    let body = json!({"address": STRANGER, "value": 10}).to_string();
    let path = "/wallet/simple-send-tx";
    let answer = ask(&two.addresses[server], "POST", path, &headers, body.as_bytes()).await;
    assert_eq!(answer.status, 202, "{}", answer.text);
    answer.json()["taskId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_go_on_at_the_next_server_each_once() {
    let two = Two::new(1).await;
    let mut tasks = Vec::new();
    for _ in 0..6 {
        tasks.push(later(&two, 0, None).await);
    }
    let keyed = later(&two, 0, Some("k")).await;
    two.move_to(1).await;
    assert_ne!(two.sql("select count(*) from task where is_open"), "0");
    assert_eq!(later(&two, 1, Some("k")).await, keyed);
    tasks.push(keyed);
    for id in &tasks {
        let task = two.get(1, "w", &format!("/wallet/tasks/{id}?wait=60")).await.json();
        assert_eq!(task["status"], "pushed", "{task}");
    }
    two.until_has(1, 1_000 - 7 * 10).await;
    assert_eq!(two.sql("select count(*), count(*) filter (where is_open) from task"), "7|0");
}

/// It may have been recorded before its server was killed: then it is pushed, whatever is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_has_recorded_something_is_not_taken_back() {
    let two = Two::new(1).await;
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() };
    two.first.devnet.set_node_faults(slow);
    let (begun, waits) = (later(&two, 0, None).await, later(&two, 0, None).await);
    two.until_sql("select count(*) from push_record where is_open", "1").await;
    two.take_all(1);
    two.first.devnet.set_mining_faults(MiningFaults { delay: PATIENCE, ..MiningFaults::default() });
    let body = json!({"wallet-id": "w", "seed": two.words.words()});
    let started = again(async || two.of(1, "", "POST", "/start", &body).await).await;
    assert_eq!(started.json(), json!({"success": true}), "{}", started.text);
    let cancel =
        async |id: &str| two.of(1, "w", "DELETE", &format!("/wallet/tasks/{id}"), &Value::Null).await.json();
    two.apps[1].wallets().get("w").unwrap().ready().await;
    let refused = cancel(&begun).await;
    assert_eq!(refused["success"], json!(false), "{refused}");
    two.first.devnet.set_node_faults(NodeFaults::default());
    two.first.devnet.set_mining_faults(MiningFaults::default());
    for id in [&begun, &waits] {
        let task = two.get(1, "w", &format!("/wallet/tasks/{id}?wait=60")).await.json();
        assert_eq!(task["status"], "pushed", "{task}");
    }
}

/// One that can't sign would end it as failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_no_other_wallets_of_its_account() {
    let two = Two::new(1).await;
    let xpub = AccountKeys::from_mnemonic(&two.words, "").public().to_xpub();
    let start = json!({"wallet-id": "watching", "xpubkey": xpub});
    assert_eq!(two.post(0, "/start", &start, None).await, json!({"success": true}));
    two.apps[0].wallets().get("watching").unwrap().ready().await;
    let delay = Duration::from_secs(2);
    two.first.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let task = later(&two, 0, Some("k")).await;
    let list = two.get(0, "watching", "/wallet/tasks").await.json();
    assert_eq!(list["tasks"], json!([]));
    for method in ["GET", "DELETE"] {
        let none = two.of(0, "watching", method, &format!("/wallet/tasks/{task}"), &Value::Null).await;
        assert_eq!(none.status, 404, "{}", none.text);
    }
    let ended = two.get(0, "w", &format!("/wallet/tasks/{task}?wait=60")).await.json();
    assert_eq!(ended["status"], "pushed", "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_on_spending_go_on_at_the_next_server() {
    let two = Two::new_with(4, "limits = { w = ['spend 0.30 HTR per day'] }").await;
    for _ in 0..2 {
        assert_eq!(two.pay(0, None).await["success"], json!(true));
    }
    two.move_to(1).await;
    assert_eq!(two.pay(1, None).await["success"], json!(true));
    let error = two.pay(1, None).await["error"].as_str().unwrap().to_owned();
    assert!(
        error.starts_with("The limit \"spend 0.30 HTR per day\" of the wallet \"w\" refuses this"),
        "{error}"
    );
}
