//! What becomes of approvals is an event of the wallet, like payments: it outlives servers, and is told once,
//! in its order.

use super::approvals::{FREE, begun_with, decide, knows_keys, pay, post, server_with_more, waits, wants};
use super::cluster::Two;
use super::raw::STRANGER;
use super::support::ask;
use super::webhooks::{BUSY, OK, Post, Receiver};
use crate::alone::alone;
use headless_wallet::devnet::{MiningFaults, MiningMode};
use headless_wallet::rt;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// The wallet's number, the kind, and what else it is about.
fn plain(post: &Post) -> (u64, String, Value) {
    let event = post.json();
    assert_eq!(
        (&event["walletId"], event["id"].as_str().unwrap()),
        (&json!("genesis"), post.header("webhook-id"))
    );
    (event["seq"].as_u64().unwrap(), event["type"].as_str().unwrap().to_owned(), event["data"].clone())
}

/// The next event of a kind that is told.
async fn next(receiver: &mut Receiver) -> (u64, String, Value) {
    plain(&receiver.next().await)
}

const TOLD: &str = ", events = ['send.pushed', 'approval.waiting', 'approval.given', 'approval.failed', 'approval.sent', \
     'approval.denied', 'approval.expired']";

#[test]
fn what_becomes_of_approvals_is_posted_in_the_wallets_one_order() {
    alone(
        "approvals_told::what_becomes_of_approvals_is_posted_in_the_wallets_one_order",
        each_step_is_told(),
    );
}

async fn each_step_is_told() {
    let dir = TempDir::new().unwrap();
    let mut receiver = Receiver::start().await;
    let settings = receiver.setting(TOLD).replace(" }]", ", allow_private = true }]");
    let server = server_with_more(&dir, &[FREE], &settings).await;
    let (first, kind, _) = next(&mut receiver).await;
    assert_eq!(kind, "send.pushed", "what the wallet was split by");

    let id = waits(&pay(&server, 50).await, &wants(FREE, 50, 10));
    let waiting = next(&mut receiver).await;
    let until = waiting.2["until"].as_u64().unwrap();
    assert!((rt::unix_seconds() as u64..rt::unix_seconds() as u64 + 86_401).contains(&until));
    let mut data = json!({
        "approvalId": id, "status": "waiting", "askedBy": "shop", "rule": wants(FREE, 50, 10),
        "does": [format!("It pays 0.50 HTR to {STRANGER}."), "In all the wallet spends 0.50 HTR."],
        "of": ["alice", "bob", "shop"], "approvedBy": [], "until": until,
    });
    assert_eq!(waiting, (first + 1, "approval.waiting".to_owned(), data.clone()));

    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    let tried = decide(&server, "bob", "approve", &id).await;
    assert_eq!(tried["status"], "waiting", "{tried}");
    data["approvedBy"] = json!(["bob"]);
    assert_eq!(next(&mut receiver).await, (first + 2, "approval.given".to_owned(), data.clone()));
    data["error"] = tried["error"].clone();
    assert_eq!(next(&mut receiver).await, (first + 3, "approval.failed".to_owned(), data.clone()));
    server.devnet.set_mining_faults(MiningFaults::default());
    let sent = decide(&server, "bob", "approve", &id).await;
    assert_eq!(sent["status"], "sent", "{sent}");
    // Its entering the history and its being noted as sent come in any order.
    let both = [next(&mut receiver).await, next(&mut receiver).await];
    assert_eq!([both[0].0, both[1].0], [first + 4, first + 5]);
    let (of_approval, of_send): (Vec<_>, Vec<_>) =
        both.into_iter().partition(|(_, kind, _)| kind == "approval.sent");
    assert_eq!((&*of_send[0].1, &of_send[0].2["txId"]), ("send.pushed", &sent["hash"]));
    let told = &of_approval[0].2;
    assert_eq!(
        (&told["status"], &told["hash"], &told["error"]),
        (&json!("sent"), &sent["hash"], &Value::Null)
    );

    let id = waits(&pay(&server, 60).await, &wants(FREE, 60, 10));
    assert_eq!(next(&mut receiver).await.1, "approval.waiting");
    decide(&server, "alice", "deny", &id).await;
    let (_, kind, told) = next(&mut receiver).await;
    assert_eq!(
        (&*kind, &told["approvalId"], &told["deniedBy"]),
        ("approval.denied", &json!(id), &json!("alice"))
    );

    // Nobody asks for one whose time is over, and it is told all the same.
    let id = waits(&pay(&server, 70).await, &wants(FREE, 70, 10));
    assert_eq!(next(&mut receiver).await.1, "approval.waiting");
    rt::shift_clock(86_401);
    let (_, kind, told) = next(&mut receiver).await;
    assert_eq!(
        (&*kind, &told["approvalId"], &told["status"]),
        ("approval.expired", &json!(id), &json!("expired"))
    );
    rt::shift_clock(0);
    server.shutdown().await;
}

fn document(dir: &TempDir) -> PathBuf {
    dir.path().join("approvals.document")
}

/// The document's first line, and what it says.
fn read(dir: &TempDir) -> (String, Value) {
    let text = std::fs::read_to_string(document(dir)).unwrap();
    let (line, body) = text.split_once('\n').unwrap();
    (line.to_owned(), serde_json::from_str(body).unwrap())
}

/// What a server has written that ended before the wallet's log had it, is told by the next one; what the log
/// has is told no second time.
#[tokio::test]
async fn a_step_that_was_written_is_told_after_a_servers_end_and_once() {
    let dir = TempDir::new().unwrap();
    let mut receiver = Receiver::start().await;
    let settings = receiver.setting(TOLD).replace(" }]", ", allow_private = true }]");
    let server = server_with_more(&dir, &[FREE], &settings).await;
    next(&mut receiver).await;
    receiver.answers(BUSY);
    let id = waits(&pay(&server, 50).await, &wants(FREE, 50, 10));
    let waiting = receiver.next().await;
    assert_eq!(plain(&waiting).1, "approval.waiting");
    while read(&dir).1.get("steps").is_some() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (ended, devnet) = server.begin_shutdown();
    ended.await.unwrap();

    // As if the server had ended before it could forget the first step, and with a second one.
    let (line, mut book) = read(&dir);
    let step = |number: u64, kind: &str, data: Value| json!({"wallet": "genesis", "id": id, "number": number, "kind": kind, "data": data.to_string()});
    let data = |told: &str| json!({"approvalId": id, "told": told});
    book["steps"] = json!([
        step(1, "approval.waiting", data("again")),
        step(2, "approval.given", data("late")),
        {"wallet": "elsewhere", "id": id, "number": 1, "kind": "approval.waiting", "data": "{}"},
    ]);
    std::fs::write(document(&dir), format!("{line}\n{book}")).unwrap();
    receiver.answers(OK);
    let server = begun_with(devnet, &dir, &[FREE], &settings).await;
    let again = receiver.next().await;
    assert_eq!((again.header("webhook-id"), &again.json()), (waiting.header("webhook-id"), &waiting.json()));
    let (seq, kind, told) = next(&mut receiver).await;
    assert_eq!((seq, &*kind, told), (plain(&waiting).0 + 1, "approval.given", data("late")));
    // What is of a wallet that does not run here waits.
    while read(&dir).1["steps"].as_array().unwrap().len() > 1 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(read(&dir).1["steps"][0]["wallet"], "elsewhere");
    server.shutdown().await;
}

/// All ids of an account have one log.
#[tokio::test]
async fn approvals_are_told_to_those_who_listen_to_the_id_that_they_were_asked_for_by() {
    let dir = TempDir::new().unwrap();
    let mut receiver = Receiver::start().await;
    let settings =
        receiver.setting(TOLD).replace(" }]", ", allow_private = true, wallets = ['other', 'genesis'] }]");
    let server = server_with_more(&dir, &[FREE], &settings).await;
    next(&mut receiver).await;
    let other = json!({"wallet-id": "other", "seedKey": "genesis"});
    assert_eq!(post(&server, "owner", "/start", other).await.json()["success"], true);
    server.app.wallets().get("other").unwrap().ready().await;
    let id = waits(&pay(&server, 50).await, &wants(FREE, 50, 10));
    assert_eq!(decide(&server, "bob", "approve", &id).await["status"], "sent");
    // Both are told of the send, and one of the approval.
    let mut told = BTreeSet::new();
    while told.len() < 5 {
        let event = receiver.next().await.json();
        let text = |field: &str| event[field].as_str().unwrap().to_owned();
        assert!(told.insert((text("walletId"), text("type"))), "{event}");
    }
    let all = ["approval.given", "approval.sent", "approval.waiting", "send.pushed"];
    let expected = all.map(|kind| ("genesis", kind)).into_iter().chain([("other", "send.pushed")]);
    let expected: BTreeSet<_> = expected.map(|(id, kind)| (id.to_owned(), kind.to_owned())).collect();
    assert_eq!(told, expected);
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_is_asked_and_the_next_one_decides_is_told_once() {
    let rule = "spend 0.10 HTR per transaction unless approved by 1 of alice,bob";
    let mut receiver = Receiver::start().await;
    let webhook = receiver.setting(TOLD).replace(" }]", ", allow_private = true }]");
    let two = Two::new_with(4, &format!("limits = {{ w = ['{rule}'] }}\n{webhook}")).await;
    let key = async |name: &str, by: Option<&str>| {
        let body =
            json!({"name": name, "wallets": ["*"], "rights": ["read", "send", "approve", "administer"]});
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(by.map(|key| ("x-api-key", key)));
        let made =
            ask(&two.addresses[0], "POST", "/keys", &headers, body.to_string().as_bytes()).await.json();
        made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    };
    let shop = key("shop", None).await;
    let alice = key("alice", Some(&shop)).await;
    for address in &two.addresses {
        knows_keys(address).await;
    }
    let at = async |server: usize, key: &str, path: &str, body: Value| {
        let headers = [("x-api-key", key), ("x-wallet-id", "w"), ("content-type", "application/json")];
        ask(&two.addresses[server], "POST", path, &headers, body.to_string().as_bytes()).await.json()
    };
    let mut kinds = Vec::new();
    let (mut seqs, mut ids) = (Vec::new(), BTreeSet::new());
    for (here, decision) in [(0, "deny"), (1, "approve")] {
        let asked =
            at(here, &shop, "/wallet/simple-send-tx", json!({"address": STRANGER, "value": 11})).await;
        let id = asked["approvalId"].as_str().unwrap_or_else(|| panic!("{asked}"));
        two.move_by(1 - here, &shop).await;
        at(1 - here, &alice, &format!("/wallet/approvals/{decision}/{id}"), json!({})).await;
    }
    // Its entering the history and its being noted as sent come in any order.
    while !["approval.sent", "send.pushed"].iter().all(|last| kinds.iter().any(|kind| kind == last)) {
        let event = receiver.next().await.json();
        // Told once more where its server had no time to note that it was taken.
        if !ids.insert(event["id"].to_string()) {
            continue;
        }
        seqs.push(event["seq"].as_u64().unwrap());
        kinds.push(event["type"].as_str().unwrap().to_owned());
    }
    let of_approvals: Vec<_> = kinds.iter().filter(|kind| kind.starts_with("approval.")).collect();
    let expected =
        ["approval.waiting", "approval.denied", "approval.waiting", "approval.given", "approval.sent"];
    assert_eq!(of_approvals, expected);
    assert!(seqs.windows(2).all(|two| two[0] < two[1]), "{seqs:?}");
    two.first.shutdown().await;
}
