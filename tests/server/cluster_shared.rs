//! What servers on one database know of each other, and start for each other.

use crate::cluster::{PATIENCE, STRANGER, Two};
use crate::support::{Answer, ask};
use futures_util::future::join_all;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{MiningJob, Transaction};
use headless_wallet::server::App;
use headless_wallet::store::{PushRecord, SharedClaim};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

impl Two {
    async fn of(&self, server: usize, id: &str, method: &str, path: &str, body: &Value, seq: &str) -> Answer {
        let mut headers = vec![("content-type", "application/json"), ("x-wallet-id", id)];
        headers.extend(Some(("if-wallet-seq", seq)).filter(|(_, seq)| !seq.is_empty()));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        ask(&self.addresses[server], method, path, &headers, body.as_bytes()).await
    }
}

/// Pays 10.
fn template() -> Value {
    json!([
        {"type": "input/utxo", "fill": 10},
        {"type": "output/token", "amount": 10, "address": STRANGER},
        {"type": "action/complete"},
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_did_the_next_one_knows_that_is_asked_for_it() {
    let two = Two::new(1).await;
    for round in 1..=3_u64 {
        let (server, other) = ((round % 2) as usize, (round as usize + 1) % 2);
        let pay = json!({"address": STRANGER, "value": 10});
        let paid = two.of(server, "w", "POST", "/wallet/simple-send-tx", &pay, "").await;
        assert_eq!(paid.json()["success"], json!(true), "{}", paid.text);
        let seq = paid.header("x-wallet-seq").unwrap();
        let read = two.of(other, "w", "GET", "/wallet/balance", &Value::Null, seq).await;
        assert_eq!(read.json(), json!({"available": 1_000 - 10 * round, "locked": 0}));
        let known: u64 = read.header("x-wallet-seq").unwrap().parse().unwrap();
        assert!(known >= seq.parse().unwrap(), "{known} {seq}");
    }
    let must = "the header If-Wallet-Seq must be a number, as an earlier answer had it in X-Wallet-Seq";
    for wrong in ["soon", "+1", "-1", "1.0"] {
        let wrong = two.of(0, "w", "GET", "/wallet/balance", &Value::Null, wrong).await;
        assert_eq!(wrong.parts(), (400, json!({"success": false, "error": must})));
    }
    let never = two.of(0, "w", "GET", "/wallet/balance", &Value::Null, "1000000").await;
    let none = "no server has told of the number that If-Wallet-Seq asks for: it is another wallet's, or of before the store \
                lost its last changes; ask without it";
    assert_eq!(never.parts(), (503, json!({"success": false, "error": none})));
    assert_eq!(never.header("retry-after"), Some("1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_at_the_other_server_tells_no_smaller_number_than_the_send() {
    let two = Two::new(1).await;
    for key in ["one", "two", "three", "four", "five"] {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "w"), ("idempotency-key", key)];
        let pay = json!({"address": STRANGER, "value": 10}).to_string();
        let [sent, replay] = [0, 1].map(|server| {
            let address = &two.addresses[server];
            ask(address, "POST", "/wallet/simple-send-tx", &headers, pay.as_bytes())
        });
        let (sent, replay) = (sent.await, replay.await);
        assert_eq!(replay.header("idempotency-replayed"), Some("true"), "{}", replay.text);
        assert_eq!(replay.json()["hash"], sent.json()["hash"]);
        let [first, again] =
            [&sent, &replay].map(|answer| answer.header("x-wallet-seq").unwrap().parse::<u64>().unwrap());
        assert!(again >= first, "{again} {first}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outputs_that_one_server_has_locked_the_other_one_does_not_spend() {
    let two = Two::new(1).await;
    let built = two.of(0, "w", "POST", "/wallet/tx-template/build", &template(), "").await.json();
    let lock = |mark| json!({"txHex": built["txHex"], "mark_as_used": mark});
    let path = "/wallet/utxos-selected-as-input";
    let locked = two.of(0, "w", "PUT", path, &lock(true), "").await;
    assert_eq!(locked.json(), json!({"success": true}), "{built}");
    let pay = json!({"address": STRANGER, "value": 10});
    let seq = locked.header("x-wallet-seq").unwrap();
    let refused = two.of(1, "w", "POST", "/wallet/simple-send-tx", &pay, seq).await.json();
    assert_eq!(refused["success"], json!(false), "{refused}");
    let unlocked = two.of(1, "w", "PUT", path, &lock(false), "").await;
    let seq = unlocked.header("x-wallet-seq").unwrap();
    let paid = two.of(0, "w", "POST", "/wallet/simple-send-tx", &pay, seq).await.json();
    assert_eq!(paid["success"], json!(true), "{paid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_address_is_given_twice() {
    let two = Two::new(1).await;
    let path = "/wallet/address?mark_as_used=true";
    let asked = (0..16).map(|i| two.of(i % 2, "w", "GET", path, &Value::Null, ""));
    let given: BTreeSet<String> =
        join_all(asked).await.iter().map(|answer| answer.json()["address"].to_string()).collect();
    assert_eq!(given.len(), 16);
    // The one that both have now is none of these.
    let last = two.of(0, "w", "GET", path, &Value::Null, "").await;
    let seq = last.header("x-wallet-seq").unwrap();
    let now = two.of(1, "w", "GET", "/wallet/address", &Value::Null, seq).await.json();
    assert!(!given.contains(&now["address"].to_string()) && now["address"] != last.json()["address"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_is_started_where_it_is_asked_for_and_stopped_everywhere() {
    let two = Two::new(1).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    assert_eq!(two.of(0, "", "POST", "/start", &start, "").await.json(), json!({"success": true}));
    // Both at once: it is started once.
    let asked = (0..4).map(|_| two.of(1, "s", "GET", "/wallet/balance", &Value::Null, ""));
    for answer in join_all(asked).await {
        assert_eq!(answer.json(), json!({"available": 100_000_000_000_u64, "locked": 0}), "{}", answer.text);
    }
    // The same start again is refused where it runs, and one by other words in all.
    let taken = json!({
        "success": false, "message": "Failed to start wallet with wallet id s", "errorCode": "WALLET_ALREADY_STARTED",
    });
    assert_eq!(two.of(1, "", "POST", "/start", &start, "").await.json(), taken);
    let stopped = two.of(1, "s", "POST", "/wallet/stop", &Value::Null, "").await;
    assert_eq!(stopped.json(), json!({"success": true}));
    let unknown = json!({"success": false, "message": "Invalid wallet id parameter.", "statusMessage": ""});
    assert_eq!(two.of(1, "s", "GET", "/wallet/balance", &Value::Null, "").await.json(), unknown);
    until_gone(&two.apps[0], "s").await;
    assert_eq!(two.of(0, "s", "GET", "/wallet/balance", &Value::Null, "").await.json(), unknown);

    // Other words, or another policy: the id is taken in every server.
    let other = json!({"wallet-id": "s", "seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 3});
    assert_eq!(two.of(1, "", "POST", "/start", &other, "").await.json(), json!({"success": true}));
    assert_eq!(two.of(0, "", "POST", "/start", &start, "").await.json(), taken);
    let words = Mnemonic::generate().unwrap();
    let by_words = json!({"wallet-id": "s", "seed": words.words()});
    assert_eq!(two.of(0, "", "POST", "/start", &by_words, "").await.json(), taken);
    let read = two.of(0, "s", "GET", "/wallet/balance", &Value::Null, "").await.json();
    assert_eq!(read, json!({"available": 100_000_000_000_u64, "locked": 0}));

    // No words are ever kept: what is started by them is one server's.
    let by_words = json!({"wallet-id": "own", "seed": words.words()});
    assert_eq!(two.of(0, "", "POST", "/start", &by_words, "").await.json(), json!({"success": true}));
    assert_eq!(two.of(1, "own", "GET", "/wallet/status", &Value::Null, "").await.json(), unknown);
    let kept = two.postgres.sql(&two.url, "select name, request from started order by name");
    assert_eq!(kept, r#"s|{"gapLimit":3,"scanPolicy":"gap-limit","seedKey":"genesis"}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_is_stopped_at_one_server_is_started_at_another_at_once() {
    let two = Two::new(1).await;
    let start = json!({"wallet-id": "s", "seedKey": "genesis"});
    for round in 0..6 {
        let (here, there) = (round % 2, (round + 1) % 2);
        let started = two.of(here, "", "POST", "/start", &start, "").await;
        assert_eq!(started.json(), json!({"success": true}), "{round}");
        // It runs at the other one, too, which hears of the stop a moment later.
        assert_eq!(two.of(there, "s", "GET", "/wallet/balance", &Value::Null, "").await.status, 200);
        two.of(here, "s", "POST", "/wallet/stop", &Value::Null, "").await;
        let again = two.of(there, "", "POST", "/start", &start, "").await;
        assert_eq!(again.json(), json!({"success": true}), "{round}");
        let read = two.of(there, "s", "GET", "/wallet/balance", &Value::Null, "").await;
        assert_eq!(read.status, 200, "{}", read.text);
        two.of(there, "s", "POST", "/wallet/stop", &Value::Null, "").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_whose_caller_hangs_up_comes_to_its_end() {
    let two = Two::new(1).await;
    let lock = two.postgres.lock_table(&two.url, "held_id");
    let waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' \
                   and query like 'select 1 from held_id%'";
    let body = json!({"wallet-id": "s", "seedKey": "genesis"}).to_string();
    let head = "POST /start HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length:";
    let mut caller = TcpStream::connect(&two.addresses[0]).await.unwrap();
    caller.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
    let waits = async {
        while two.postgres.sql(&two.url, waiting) != "1" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.unwrap();
    drop(caller);
    // Given up with its caller, it would let go of its connection.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(two.postgres.sql(&two.url, waiting), "1");
    lock.release();
    let started = async {
        while two.postgres.sql(&two.url, "select runs from started") != "t" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, started).await.unwrap();
    let stopped = two.of(1, "s", "POST", "/wallet/stop", &Value::Null, "").await;
    assert_eq!(stopped.json(), json!({"success": true}));
    until_gone(&two.apps[0], "s").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_is_no_other_wallets_at_another_server() {
    let two = Two::new(1).await;
    let [one, other] = [0; 2].map(|_| Mnemonic::generate().unwrap());
    let by = |words: &Mnemonic| json!({"wallet-id": "own", "seed": words.words()});
    let by_key = json!({"wallet-id": "own", "seedKey": "genesis"});
    let (taken, ok) = ("WALLET_ALREADY_STARTED", json!({"success": true}));
    let start =
        async |server: usize, body: &Value| two.of(server, "", "POST", "/start", body, "").await.json();
    let stop =
        async |server: usize| two.of(server, "own", "POST", "/wallet/stop", &Value::Null, "").await.json();
    assert_eq!(start(0, &by(&one)).await, ok);
    assert_eq!(start(1, &by_key).await["errorCode"], taken);
    assert_eq!(start(1, &by(&other)).await["errorCode"], taken);
    // The same wallet is no other one.
    assert_eq!(start(1, &by(&one)).await, ok);
    // A new lease, as after a pause: it is held on.
    two.postgres.sql(&two.url, "update server set expires_at = now() - interval '1 second'");
    let held = "select count(distinct server) from held_id where server in (select id from server where expires_at > now())";
    let met = async {
        while two.postgres.sql(&two.url, held) != "2" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
    assert_eq!(stop(0).await, ok);
    assert_eq!(start(0, &by_key).await["errorCode"], taken);
    assert_eq!(stop(1).await, ok);
    assert_eq!(start(1, &by_key).await, ok);
    assert_eq!(start(0, &by(&one)).await["errorCode"], taken);
    assert_eq!(stop(1).await, ok);
    assert_eq!(start(0, &by(&one)).await, ok);
}

/// Left by a server that is gone, of the same second as what it spends.
#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_no_node_will_ever_take_holds_nothing() {
    let two = Two::new(1).await;
    let run = two.of(0, "w", "POST", "/wallet/tx-template/run?dry_run=true", &template(), "").await.json();
    let mut early = Transaction::from_bytes(&hex::decode(run["txHex"].as_str().unwrap()).unwrap()).unwrap();
    let keys = AccountKeys::from_mnemonic(&two.words, "");
    early.inputs[0].data = keys.sign(0, &early.sighash().unwrap()).to_bytes().unwrap();
    let (spent, parents) = two.first.devnet.read(|chain| {
        let spent = chain.vertex(&early.inputs[0].spends.tx).unwrap().timestamp;
        (spent, chain.parents_before(spent))
    });
    (early.timestamp, early.parents) = (spent, parents.to_vec());
    early.weight = 20.0;
    let job = MiningJob::new(&early.mining_bytes().unwrap(), early.weight);
    early.nonce = job.search(0..1 << 32).unwrap();
    let claim = hex::encode(SharedClaim::Output(early.inputs[0].spends).to_bytes());
    let (key, transaction) = ([7; 32], early.to_bytes().unwrap());
    let record = PushRecord { key, request: [0; 32], time: spent, transaction };
    let (record, mark) = (hex::encode(record.encode()), hex::encode(record.mark()));
    let (key, send) = (hex::encode(key), hex::encode([7; 16]));
    let insert = format!(
        "insert into reservation (wallet, claim, send, server, state) \
             select max(wallet), '\\x{claim}', '\\x{send}', 0, 1 from vertex; \
         insert into push_record (wallet, key, time, record, mark, send, server, state) \
             select max(wallet), '\\x{key}', {spent}, '\\x{record}', '\\x{mark}', '\\x{send}', 0, 1 from vertex"
    );
    two.postgres.sql(&two.url, &insert);
    let met = async {
        while two.postgres.sql(&two.url, "select count(*) from reservation where state = 1") != "0" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
    let state = "select count(*) from push_record where state is null";
    assert_eq!(two.postgres.sql(&two.url, state), "1");
    let pay = json!({"address": STRANGER, "value": 1_000});
    let paid = two.of(0, "w", "POST", "/wallet/simple-send-tx", &pay, "").await;
    assert_eq!(paid.json()["success"], json!(true), "{}", paid.text);
}

#[tokio::test]
async fn a_send_that_no_node_took_is_called_unsent_only_once_nobody_can_push_it() {
    let two = Two::new(2).await;
    let refuses =
        NodeFaults { mode: NodeMode::Down, path: "push_tx".to_owned(), status: 403, ..NodeFaults::default() };
    two.first.devnet.set_node_faults(refuses.clone());
    let pay = json!({"address": STRANGER, "value": 10}).to_string();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "w")];
    let send =
        async || ask(&two.addresses[0], "POST", "/wallet/simple-send-tx", &headers, pay.as_bytes()).await;
    let refused = send().await;
    assert!(!refused.text.contains("is not known"), "{}", refused.text);
    assert_eq!(two.sql("select count(*) from push_record where state is not null"), "0");
    assert_eq!(two.sql("select count(*) from reservation"), "0");
    // That can't be noted now.
    two.sql("alter function withdraw rename to withdraw_later");
    let unclear = send().await;
    assert!(unclear.text.contains("is sent is not known: look for it in the history"), "{}", unclear.text);
    // And so it is sent later.
    two.first.devnet.set_node_faults(NodeFaults::default());
    two.until_both_have(1_990).await;
    two.until_sql("select string_agg(state::text, ' ') from push_record where state is not null", "2").await;
}

async fn until_gone(app: &App, id: &str) {
    let gone = async {
        while app.wallets().get(id).is_some() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_transaction_pushed_at_both_servers_with_one_key_is_answered_alike() {
    let two = Two::new(2).await;
    let run = two.of(0, "w", "POST", "/wallet/tx-template/run?dry_run=true", &template(), "").await.json();
    let mut transaction =
        Transaction::from_bytes(&hex::decode(run["txHex"].as_str().unwrap()).unwrap()).unwrap();
    let keys = AccountKeys::from_mnemonic(&two.words, "");
    let signature = keys.sign(0, &transaction.sighash().unwrap()).to_bytes().unwrap();
    transaction.inputs[0].data = signature;
    let signed = hex::encode(transaction.to_bytes().unwrap());
    let push = json!({"txHex": signed});
    let headers = [("content-type", "application/json"), ("idempotency-key", "one")];
    let push = push.to_string();
    let asked = (0..6).map(|i| ask(&two.addresses[i % 2], "POST", "/push-tx", &headers, push.as_bytes()));
    let answers = join_all(asked).await;
    assert_eq!(answers[0].json()["success"], json!(true), "{}", answers[0].text);
    for answer in &answers {
        assert_eq!(answer.json()["tx"]["hash"], answers[0].json()["tx"]["hash"], "{}", answer.text);
    }
    // The second server's first one may have found the payment on the ledger.
    let replayed = answers.iter().filter(|answer| answer.header("idempotency-replayed").is_some()).count();
    assert!(replayed == 4 || replayed == 5, "{replayed}");
    // The key is taken, in both.
    for server in 0..2 {
        let other = json!({"txHex": signed, "dry_run": false}).to_string();
        let taken = ask(&two.addresses[server], "POST", "/push-tx", &headers, other.as_bytes()).await;
        assert_eq!(taken.status, 422, "{}", taken.text);
    }
    two.until_both_have(1_990).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_servers_set_aside_at_once_is_not_the_same() {
    let two = Two::new(6).await;
    let propose = json!({"send": {"tokens": [{"token": "00", "value": 900}]}, "lock": true});
    let path = "/wallet/atomic-swap/tx-proposal";
    let asked = (0..6).map(|i| two.of(i % 2, "w", "POST", path, &propose, ""));
    for answer in join_all(asked).await {
        assert_eq!(answer.json()["success"], json!(true), "{}", answer.text);
    }
    // A row for each: nothing was locked twice.
    let locked = two.postgres.sql(&two.url, "select count(*) from locked_output where until > 0");
    assert_eq!(locked, "6");
    let none = two.of(1, "w", "POST", path, &propose, "").await.json();
    assert_eq!(none["success"], json!(false), "{none}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_put_into_a_swap_at_one_server_is_signed_at_the_other() {
    let two = Two::new(4).await;
    let group = "/wallet/atomic-swap/tx-proposal";
    let sign = format!("{group}/get-my-signatures");
    let propose = json!({
        "send": {"tokens": [{"token": "00", "value": 10}]}, "receive": {"tokens": [{"value": 10}]}, "lock": true,
    });
    // At both at once: neither takes what the other has put in for given up.
    let proposed = join_all((0..2).map(|server| two.of(server, "w", "POST", group, &propose, ""))).await;
    let latest =
        proposed.iter().map(|answer| answer.header("x-wallet-seq").unwrap().parse::<u64>().unwrap()).max();
    let latest = latest.unwrap().to_string();
    let partial = |place: usize| json!({"partial_tx": proposed[place].json()["data"]});
    for (server, place) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
        let signed = two.of(server, "w", "POST", &sign, &partial(place), &latest).await.json();
        assert_eq!(signed["success"], json!(true), "{place} at {server}: {signed}");
    }
    // What is given up at one is no swap of the wallet's at the other.
    let unlocked = two.of(1, "w", "POST", &format!("{group}/unlock"), &partial(0), "").await;
    assert_eq!(unlocked.json(), json!({"success": true}));
    let seq = unlocked.header("x-wallet-seq").unwrap();
    for (place, is_known) in [(0, false), (1, true)] {
        let signed = two.of(0, "w", "POST", &sign, &partial(place), seq).await.json();
        assert_eq!(signed["success"], json!(is_known), "{place}: {signed}");
    }
}
