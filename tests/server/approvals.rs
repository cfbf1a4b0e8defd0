//! What goes beyond a limit and waits for approval: who approves it, what is sent, and that it is sent once.

use super::cluster::Two;
use super::command_line::{Ended, decimal, run};
use super::events::Listener;
use super::raw::STRANGER;
use super::rights::{OWNER, setting};
use super::support::{Answer, Server, ask, htr, short};
use crate::alone::alone;
use headless_wallet::calendar::UtcTime;
use headless_wallet::devnet::{Devnet, DevnetConfig, MiningFaults, MiningMode};
use headless_wallet::rt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::time::Duration;
use tempfile::TempDir;

pub const FREE: &str = "spend 0.10 HTR per day unless approved by 1 of alice,bob,shop";
const MOST: &str = "spend 10.00 HTR per day";
const ALL: &[&str] = &["read", "send", "sign", "approve"];

fn keys(limits: &[&str]) -> String {
    let mut settings = setting("shop", "shop", ALL, &["*"]);
    settings = settings.replace(" }", &format!(", limits = {} }}", json!(limits)));
    for name in ["alice", "bob", "carol", "mallory"] {
        let rights: &[_] = if name == "mallory" { &["read", "send"] } else { &["read", "approve"] };
        settings += &setting(name, name, rights, &["*"]);
    }
    settings
}

/// A server where `shop` has limits, with a wallet that has several outputs.
pub async fn server_with(dir: &TempDir, limits: &[&str]) -> Server {
    server_with_more(dir, limits, "").await
}

/// The same with further settings.
pub async fn server_with_more(dir: &TempDir, limits: &[&str], more: &str) -> Server {
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let server = begun_with(devnet, dir, limits, more).await;
    let own = server.ask("GET", "/wallet/address?index=0", &[OWNER, ("x-wallet-id", "genesis")], b"").await;
    let own = &own.json()["address"];
    let outputs: Vec<_> = (0..8).map(|_| json!({"address": own, "value": 2_000})).collect();
    let sent = post(&server, "owner", "/wallet/send-tx", json!({"outputs": outputs})).await;
    assert_eq!(sent.json()["success"], true, "{}", sent.text);
    server
}

async fn begun(devnet: Devnet, dir: &TempDir, limits: &[&str]) -> Server {
    begun_with(devnet, dir, limits, "").await
}

pub async fn begun_with(devnet: Devnet, dir: &TempDir, limits: &[&str], more: &str) -> Server {
    let settings =
        format!("api_key = 'owner'\ndata_dir = {:?}\naudit_log = true\n{}{more}", dir.path(), keys(limits));
    let server = Server::on(devnet, &settings).await;
    let body = json!({"wallet-id": "genesis", "seedKey": "genesis"});
    assert_eq!(post(&server, "owner", "/start", body).await.status, 200);
    server.app.wallets().get("genesis").unwrap().ready().await;
    server
}

pub async fn post(server: &Server, key: &str, path: &str, body: Value) -> Answer {
    let headers = [("x-api-key", key), ("x-wallet-id", "genesis"), ("content-type", "application/json")];
    server.ask("POST", path, &headers, body.to_string().as_bytes()).await
}

async fn get(server: &Server, path: &str) -> Value {
    server.ask("GET", path, &[("x-api-key", "carol"), ("x-wallet-id", "genesis")], b"").await.json()
}

pub async fn pay(server: &Server, value: u64) -> Answer {
    post(server, "shop", "/wallet/simple-send-tx", json!({"address": STRANGER, "value": value})).await
}

pub async fn decide(server: &Server, key: &str, what: &str, id: &str) -> Value {
    post(server, key, &format!("/wallet/approvals/{what}/{id}"), json!({})).await.json()
}

/// What the command line prints with a key.
async fn cli(server: &Server, key: &str, args: &[&str]) -> String {
    let (_, out, err) = ended(server, key, args).await;
    out + &err
}

/// The same, with the exit code.
async fn ended(server: &Server, key: &str, args: &[&str]) -> Ended {
    let mut program = server.cli(&[&["--wallet-id", "genesis"], args].concat());
    program.env("HEADLESS_API_KEY", key);
    run(program, "").await
}

pub fn wants(rule: &str, amount: u64, left: u64) -> String {
    format!(
        "The limit \"{rule}\" of the API key \"shop\" wants approval for this: it would spend {}, with {} left without approval.",
        htr(amount),
        htr(left)
    )
}

/// The id of an approval that a request waits for now.
pub fn waits(answer: &Answer, why: &str) -> String {
    let id = answer.json()["approvalId"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned();
    assert_eq!(answer.parts(), (202, json!({"success": false, "error": why, "approvalId": id})));
    assert_eq!(answer.header("location"), Some(&*format!("/wallet/approvals/{id}")));
    id
}

/// How many outputs nothing else may spend now.
fn set_aside(server: &Server) -> usize {
    let wallet = server.app.wallets().get("genesis").unwrap();
    let is_locked = |(_, until): &(_, u32)| *until > rt::unix_seconds();
    wallet.look(|state, _| state.locked_outpoints().iter().filter(|lock| is_locked(lock)).count())
}

fn failed(error: &str) -> Value {
    json!({"success": false, "error": error})
}

#[test]
fn what_goes_beyond_a_limit_waits_for_another_key_and_is_sent_as_it_was_approved() {
    alone(
        "approvals::what_goes_beyond_a_limit_waits_for_another_key_and_is_sent_as_it_was_approved",
        tried_again_until_it_expires(),
    );
}

async fn tried_again_until_it_expires() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[FREE, MOST]).await;
    for _ in 0..10 {
        assert_eq!(pay(&server, 1).await.json()["success"], true);
    }
    let eleventh = pay(&server, 1).await;
    let id = waits(&eleventh, &wants(FREE, 1, 0));
    let one = get(&server, &format!("/wallet/approvals/{id}")).await;
    let does = json!([format!("It pays 0.01 HTR to {STRANGER}."), "In all the wallet spends 0.01 HTR."]);
    let told = [&one["status"], &one["askedBy"], &one["does"], &one["of"], &one["approvedBy"], &one["hash"]];
    let of = json!(["alice", "bob", "shop"]);
    assert_eq!(told, [&json!("waiting"), &json!("shop"), &does, &of, &json!([]), &json!(null)]);
    let hex = one["txHex"].as_str().unwrap().to_owned();

    // Nobody's own, nobody else's, nobody without the right; and the owner has no name.
    let own = decide(&server, "shop", "approve", &id).await;
    assert_eq!(own, failed("Nobody approves what they asked for themselves."));
    let error = "The API key \"carol\" is none of those whose approval counts here: alice, bob, shop.";
    assert_eq!(decide(&server, "carol", "approve", &id).await, failed(error));
    assert_eq!(
        post(&server, "mallory", &format!("/wallet/approvals/approve/{id}"), json!({})).await.status,
        403
    );
    let error = "Approvals are given with API keys that have names.";
    assert_eq!(decide(&server, "owner", "approve", &id).await, failed(error));
    let pushed = server.devnet.read(|chain| chain.mempool().count());

    // The command line shows the beginning of an id, and takes it.
    let (short, cli) = (&id[..8], async |key: &str, args: &[&str]| cli(&server, key, args).await);
    let until = |of: &Value| {
        of["until"].as_u64().map(|time| UtcTime::from_unix(time).iso().replace('T', " ")).unwrap()
    };
    let listed = cli("carol", &["approvals"]).await;
    let row = listed.lines().nth(1).unwrap();
    assert!(row.starts_with(&format!("{short}  waiting  shop      {}", until(&one))), "{listed}");
    let csv = cli("carol", &["approvals", "--output", "csv"]).await;
    assert!(csv.lines().nth(1).unwrap().starts_with(&format!("{id},waiting,shop,")), "{csv}");
    let shown = cli("carol", &["approval", short]).await;
    assert!(shown.lines().any(|line| line == format!("until         {}", until(&one))), "{shown}");
    let unknown = cli("carol", &["approval", "00000000"]).await;
    assert_eq!(unknown, "error: The wallet has no approval \"00000000\", or it ended more than a day ago.\n");

    let sent = decide(&server, "alice", "approve", &id).await;
    let shown = cli("carol", &["approval", short]).await;
    assert!(shown.lines().any(|line| line == format!("ended         {}", until(&sent))), "{shown}");
    assert_eq!((&sent["status"], &sent["approvedBy"]), (&json!("sent"), &json!(["alice"])), "{sent}");
    assert_eq!(server.devnet.read(|chain| chain.mempool().count()), pushed + 1);
    // What was sent is what was shown, but for what no signature is of.
    let hash = sent["hash"].as_str().unwrap();
    let decoded = post(&server, "owner", "/wallet/decode", json!({"txHex": hex})).await.json();
    let entry = get(&server, &format!("/wallet/transaction?id={hash}")).await;
    let parts = |of: &Value, tx: &str| {
        let input = |input: &Value| json!([input[tx], input["index"]]);
        let output = |output: &Value| json!([output["value"], output["decoded"]["address"]]);
        let all = |list: &Value, part: &dyn Fn(&Value) -> Value| -> Vec<_> {
            list.as_array().unwrap_or_else(|| panic!("{of}")).iter().map(part).collect()
        };
        (all(&of["inputs"], &input), all(&of["outputs"], &output))
    };
    let shown = parts(&decoded["tx"], "txId");
    assert_eq!(shown, parts(&entry, "tx_id"));
    assert!(shown.1.contains(&json!([1, STRANGER])), "{shown:?}");
    // Used once.
    let error = "The approval is sent: it can't be changed any more.";
    assert_eq!(decide(&server, "bob", "approve", &id).await, failed(error));
    assert_eq!(decide(&server, "bob", "deny", &id).await, failed(error));
    let second = waits(&pay(&server, 1).await, &wants(FREE, 1, 0));
    assert_ne!(second, id);

    // A thousand in all, whoever approves: nobody is asked for more.
    let large = waits(&pay(&server, 900).await, &wants(FREE, 900, 0));
    assert_eq!(decide(&server, "bob", "approve", &large).await["status"], "sent");
    let refused = format!(
        "The limit \"{MOST}\" of the API key \"shop\" refuses this: it would spend 0.90 HTR, with 0.89 HTR left."
    );
    assert_eq!(pay(&server, 90).await.parts(), (200, failed(&refused)));
    // What was allowed when it was asked for may be too much by now.
    let [first, last] = [
        waits(&pay(&server, 80).await, &wants(FREE, 80, 0)),
        waits(&pay(&server, 70).await, &wants(FREE, 70, 0)),
    ];
    assert_eq!(decide(&server, "bob", "approve", &last).await["status"], "sent");
    let late = decide(&server, "bob", "approve", &first).await;
    let error = format!(
        "The limit \"{MOST}\" of the API key \"shop\" refuses this: it would spend 0.80 HTR, with 0.19 HTR left."
    );
    assert_eq!((&late["status"], &late["error"]), (&json!("waiting"), &json!(error)));
    assert_eq!(decide(&server, "carol", "deny", &first).await["deniedBy"], "carol");

    // Signatures alone do not wait: they would be out of hand.
    let output = json!({"type": "output/token", "amount": 3, "address": STRANGER});
    let template = json!([output, {"type": "action/complete"}]);
    let built = post(&server, "shop", "/wallet/tx-template/build?sign=true", template).await;
    assert_eq!(built.parts(), (200, failed(&wants(FREE, 3, 0))));
    // Nor does a dry run.
    let dry = post(
        &server,
        "shop",
        "/wallet/simple-send-tx?dry_run=true",
        json!({"address": STRANGER, "value": 3}),
    );
    assert_eq!(dry.await.parts(), (200, failed(&wants(FREE, 3, 0))));

    let log = std::fs::read_to_string(dir.path().join("audit.log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = lines.iter().find(|line| line["operation"] == "approve" && line["who"] == "alice").unwrap();
    assert_eq!(asked["name"], *id);
    let answered = lines.iter().find(|line| line["of"] == asked["n"]).unwrap();
    assert_eq!((&answered["transaction"], &answered["approval"]), (&json!(hash), &json!(id)));
    let waiting = lines.iter().find(|line| line["approval"] == *id).unwrap();
    assert_eq!((&waiting["status"], &waiting["rule"]), (&json!(202), &json!(wants(FREE, 1, 0))));
    let listed = get(&server, "/wallet/approvals").await;
    let statuses: Vec<_> =
        listed["approvals"].as_array().unwrap().iter().map(|of| of["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["sent", "denied", "sent", "waiting", "sent"]);
    server.shutdown().await;
}

#[test]
fn inputs_are_set_aside_until_it_is_denied_or_its_time_is_over_and_a_key_asks_once() {
    alone(
        "approvals::inputs_are_set_aside_until_it_is_denied_or_its_time_is_over_and_a_key_asks_once",
        approved_once(),
    );
}

async fn approved_once() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[FREE]).await;
    let keyed = async |value: u64| {
        let headers = [
            ("x-api-key", "shop"),
            ("x-wallet-id", "genesis"),
            ("content-type", "application/json"),
            ("idempotency-key", "order 1"),
        ];
        let body = json!({"address": STRANGER, "value": value}).to_string();
        server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
    };
    let mut listener = Listener::connect(&server, &[("x-api-key", "carol")]).await;
    let id = waits(&keyed(50).await, &wants(FREE, 50, 10));
    assert_eq!(waits(&keyed(50).await, &wants(FREE, 50, 10)), id, "the same request");
    assert_eq!(keyed(51).await.status, 422);
    assert_eq!(set_aside(&server), 1);
    let sent = decide(&server, "bob", "approve", &id).await;
    assert_eq!(sent["status"], "sent", "{sent}");
    let again = keyed(50).await;
    assert_eq!((&again.json()["hash"], again.header("idempotency-replayed")), (&sent["hash"], Some("true")));
    let mut told = Vec::new();
    while told.last().is_none_or(|(_, status)| status != "sent") {
        let event = listener.next().await.unwrap();
        if event.name == "wallet:approval" {
            let data = &event.data["data"];
            told.push((data["approvalId"].clone(), data["status"].clone()));
        }
    }
    assert_eq!(told, ["waiting", "sending", "sent"].map(|status| (json!(id), json!(status))));
    // The head of the audit log is told, too, once in a while.
    rt::shift_clock(60);
    let head = loop {
        let event = listener.next().await.unwrap();
        if event.name == "audit:head" {
            break event.data["data"].as_str().unwrap().to_owned();
        }
    };
    let log = std::fs::read_to_string(dir.path().join("audit.log")).unwrap();
    let heads: Vec<_> = log.lines().map(|line| hex::encode(Sha256::digest(line))).collect();
    assert!(heads.contains(&head), "{head}");
    rt::shift_clock(0);

    assert_eq!(set_aside(&server), 0);
    let denied = waits(&pay(&server, 60).await, &wants(FREE, 60, 10));
    assert_eq!(set_aside(&server), 1);
    // Who has too little is told where the rest is.
    let all = get(&server, "/wallet/balance").await["available"].as_u64().unwrap();
    let held = get(&server, "/wallet/approvals").await["approvals"][0]["txHex"].as_str().unwrap().to_owned();
    let held = post(&server, "owner", "/wallet/decode", json!({"txHex": held})).await.json();
    let held = held["tx"]["inputs"][0]["value"].as_u64().unwrap();
    let too_much = json!({"address": STRANGER, "value": all});
    // … if they may see what waits.
    let blind = json!({"name": "blind", "wallets": ["genesis"], "rights": ["send"]});
    let blind = post(&server, "owner", "/keys", blind).await.json()["key"].as_str().unwrap().to_owned();
    let refused = post(&server, &blind, "/wallet/simple-send-tx", too_much.clone()).await;
    let (status, mut answer) = short("00", all, all - held);
    assert_eq!(refused.parts(), (status, answer.clone()));
    let refused = post(&server, "owner", "/wallet/simple-send-tx", too_much).await;
    let more = format!(" {} HTR more waits for approval (approval {denied}).", decimal(held));
    answer["error"] = json!(answer["error"].as_str().unwrap().to_owned() + &more);
    assert_eq!(refused.parts(), (status, answer));
    assert_eq!(decide(&server, "alice", "deny", &denied).await["status"], "denied");
    assert_eq!(set_aside(&server), 0);
    let refused =
        post(&server, "owner", "/wallet/simple-send-tx", json!({"address": STRANGER, "value": all + 1}));
    assert_eq!(refused.await.parts(), short("00", all + 1, all));
    let error = "The approval is denied: it can't be changed any more.";
    assert_eq!(decide(&server, "bob", "approve", &denied).await, failed(error));
    let gone = decide(&server, "bob", "approve", "0f").await;
    assert_eq!(gone, failed("The wallet has no approval \"0f\", or it ended more than a day ago."));

    // What could not be sent waits, and is tried again.
    let id = waits(&pay(&server, 70).await, &wants(FREE, 70, 10));
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    let tried = decide(&server, "bob", "approve", &id).await;
    assert_eq!((&tried["status"], tried["error"].is_string()), (&json!("waiting"), true), "{tried}");
    // The command line's exit code tells, too.
    let why = tried["error"].as_str().unwrap().trim_end_matches('.');
    let short = &id[..8];
    let told = format!(
        "error: the approval is noted, and nothing was sent: {why}. It waits on: `headless-wallet wallet approve {short}` tries \
         again.\n"
    );
    assert_eq!(ended(&server, "bob", &["approve", short]).await, (1, String::new(), told));
    let (code, json, _) = ended(&server, "bob", &["approve", short, "--json"]).await;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["status"], &json["error"]), (1, &json!("waiting"), &tried["error"]));
    server.devnet.set_mining_faults(MiningFaults::default());
    assert_eq!(decide(&server, "bob", "approve", &id).await["status"], "sent");

    let id = waits(&pay(&server, 80).await, &wants(FREE, 80, 10));
    assert_eq!(set_aside(&server), 1);
    rt::shift_clock(86_401);
    let error = "The approval is expired: it can't be changed any more.";
    assert_eq!(decide(&server, "bob", "approve", &id).await, failed(error));
    assert_eq!(set_aside(&server), 0);
    rt::shift_clock(0);
    server.shutdown().await;
}

#[tokio::test]
async fn what_waits_outlives_the_server_as_a_task_too_and_the_approvals_of_keys_that_ended_do_not_count() {
    let dir = TempDir::new().unwrap();
    let rule = "spend 0.10 HTR per transaction unless approved by 2 of alice,bob,carol";
    let server = server_with(&dir, &[rule]).await;
    let headers = [
        ("x-api-key", "shop"),
        ("x-wallet-id", "genesis"),
        ("content-type", "application/json"),
        ("prefer", "respond-async, wait=60"),
    ];
    let body = json!({"address": STRANGER, "value": 11}).to_string();
    let task = server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await;
    assert_eq!((task.status, &task.json()["error"]), (202, &json!(wants(rule, 11, 10))));
    let id = task.json()["approvalId"].as_str().unwrap().to_owned();
    assert_eq!(get(&server, "/wallet/tasks").await["tasks"][0]["status"], "awaits-approval");
    let tasks = get(&server, "/wallet/tasks").await;
    let short = &tasks["tasks"][0]["taskId"].as_str().unwrap()[..8];
    let listed = cli(&server, "carol", &["tasks"]).await;
    assert!(listed.lines().nth(1).unwrap().starts_with(&format!("{short}  awaits-approval  ")), "{listed}");
    let shown = cli(&server, "carol", &["task", short]).await;
    let words: Vec<_> = shown.split_whitespace().take(2).collect();
    assert_eq!(words, ["status", "awaits-approval"]);
    for _ in 0..2 {
        let one = decide(&server, "alice", "approve", &id).await;
        assert_eq!((&one["status"], &one["approvedBy"]), (&json!("waiting"), &json!(["alice"])));
    }
    assert_eq!(set_aside(&server), 1);
    let (ended, devnet) = server.begin_shutdown();
    ended.await.unwrap();

    // alice is gone from the settings.
    let server = begun(devnet, &dir, &[rule]).await;
    assert_eq!(set_aside(&server), 1);
    let without: String = keys(&[rule])
        .lines()
        .filter(|line| !line.starts_with("keys.alice"))
        .map(|line| format!("{line}\n"))
        .collect();
    server.configure(&format!("api_key = 'owner'\ndata_dir = {:?}\naudit_log = true\n{without}", dir.path()));
    assert_eq!(post(&server, "owner", "/reload-config", json!({})).await.status, 200);
    let pushed = server.devnet.read(|chain| chain.mempool().count());
    let two = decide(&server, "bob", "approve", &id).await;
    assert_eq!((&two["status"], &two["approvedBy"]), (&json!("waiting"), &json!(["alice", "bob"])));
    assert_eq!(server.devnet.read(|chain| chain.mempool().count()), pushed);
    assert_eq!(decide(&server, "carol", "approve", &id).await["status"], "sent");
    assert_eq!(server.devnet.read(|chain| chain.mempool().count()), pushed + 1);
    server.shutdown().await;
}

/// Whoever may read would see the signature in the plan that waits.
#[tokio::test]
async fn a_template_that_has_oracle_data_signed_does_not_wait_for_approval() {
    let dir = TempDir::new().unwrap();
    let rule = "spend 0.10 HTR per transaction unless approved by 1 of alice,bob";
    let server = server_with(&dir, &[rule]).await;
    let said = json!({"method": "get_oracle_signed_data", "index": 0, "ncId": "00".repeat(32), "type": "SignedData[str]", "data": "1x0"});
    let template = |amount: u32| {
        json!([
            {"type": "action/setvar", "name": "result", "call": said},
            {"type": "output/token", "amount": amount, "address": STRANGER},
            {"type": "action/complete"},
        ])
    };
    let refused = post(&server, "shop", "/wallet/tx-template/run", template(11)).await;
    let why = format!(
        "{} A template that has oracle data signed can't wait for approval: have the data signed first, and give the result as an argument.",
        wants(rule, 11, 10)
    );
    assert_eq!((refused.status, refused.json()), (200, json!({"success": false, "error": why})));
    assert_eq!(get(&server, "/wallet/approvals").await["approvals"], json!([]));
    assert_eq!(set_aside(&server), 0);
    assert_eq!(post(&server, "shop", "/wallet/tx-template/run", template(10)).await.json()["success"], true);
    server.shutdown().await;
}

/// Waits until a server knows that there are keys: before that, whoever asks is the owner.
pub async fn knows_keys(address: &str) {
    while ask(address, "GET", "/wallet/status", &[("x-wallet-id", "w")], b"").await.status != 401 {
        rt::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_at_the_last_server_is_approved_at_the_next_one_and_sent_once() {
    let rule = "spend 0.10 HTR per transaction unless approved by 1 of alice,bob";
    let two = Two::new_with(4, &format!("limits = {{ w = ['{rule}'] }}")).await;
    let mut given = Vec::new();
    for name in ["shop", "alice", "bob"] {
        let key =
            json!({"name": name, "wallets": ["*"], "rights": ["read", "send", "approve", "administer"]})
                .to_string();
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(given.first().map(|key: &String| ("x-api-key", &**key)));
        let made = ask(&two.addresses[0], "POST", "/keys", &headers, key.as_bytes()).await.json();
        given.push(made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned());
    }
    for address in &two.addresses {
        knows_keys(address).await;
    }
    let at = async |server: usize, key: usize, path: &str, body: Value| {
        let headers =
            [("x-api-key", &*given[key]), ("x-wallet-id", "w"), ("content-type", "application/json")];
        ask(&two.addresses[server], "POST", path, &headers, body.to_string().as_bytes()).await.json()
    };
    let mut sent = BTreeSet::new();
    for round in 0..2 {
        let (here, there) = (round, 1 - round);
        let asked = at(here, 0, "/wallet/simple-send-tx", json!({"address": STRANGER, "value": 11})).await;
        let path = format!(
            "/wallet/approvals/approve/{}",
            asked["approvalId"].as_str().unwrap_or_else(|| panic!("{asked}"))
        );
        two.move_by(there, &given[0]).await;
        // Both at once: it is sent once.
        let (first, second) = tokio::join!(at(there, 1, &path, json!({})), at(there, 2, &path, json!({})));
        let hashes: BTreeSet<_> =
            [&first, &second].into_iter().filter_map(|of| of["hash"].as_str()).collect();
        assert_eq!(hashes.len(), 1, "{first} {second}");
        sent.extend(hashes.into_iter().map(str::to_owned));
    }
    assert_eq!(sent.len(), 2);
    assert_eq!(
        two.first.devnet.read(|chain| chain.mempool().filter(|id| sent.contains(&id.to_string())).count()),
        2
    );
    two.first.shutdown().await;
}

/// Who approves a call sees its arguments, and as what they were read.
#[tokio::test]
async fn a_call_that_waits_shows_its_arguments() {
    let dir = TempDir::new().unwrap();
    let limits = "limits.genesis = ['spend 0.10 HTR per day unless approved by 1 of alice']\n";
    let server = server_with_more(&dir, &[], limits).await;
    let address = async |index: u32| {
        let path = format!("/wallet/address?index={index}");
        let answer = server.ask("GET", &path, &[OWNER, ("x-wallet-id", "genesis")], b"").await;
        answer.json()["address"].as_str().unwrap().to_owned()
    };
    let (caller, oracle) = (address(0).await, address(1).await);
    let path = format!("/wallet/nano-contracts/oracle-data?oracle={oracle}");
    let script = server.ask("GET", &path, &[OWNER, ("x-wallet-id", "genesis")], b"").await.json();
    let deposit = json!({"type": "deposit", "token": "00", "amount": 1_100});
    let data = json!({"args": [script["oracleData"], "00", 4_000_000_000u32], "actions": [deposit]});
    let body = json!({"blueprint_id": super::nano::BET, "address": caller, "data": data});
    let waits = post(&server, "owner", "/wallet/nano-contracts/create", body).await;
    assert_eq!(waits.status, 202, "{}", waits.text);
    let listed = get(&server, "/wallet/approvals").await;
    assert_eq!(
        listed["approvals"][0]["does"],
        json!([
            format!(
                "It calls \"initialize\" of {} with (TxOutputScript {}, TokenUid \"00\", Timestamp 4000000000).",
                super::nano::BET,
                script["oracleData"]
            ),
            "It deposits 11.00 HTR there.",
            "In all the wallet spends 11.00 HTR.",
        ])
    );
    server.shutdown().await;
}
