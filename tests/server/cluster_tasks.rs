//! Tasks of one wallet at two servers.

use super::cluster::{STRANGER, Two};
use crate::support::{Answer, ask};
use futures_util::future::join_all;
use headless_wallet::devnet::MiningFaults;
use headless_wallet::keys::AccountKeys;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

async fn send(two: &Two, server: usize, body: &Value, key: Option<&str>) -> Answer {
    let mut headers =
        vec![("content-type", "application/json"), ("x-wallet-id", "w"), ("prefer", "respond-async")];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    let path = "/wallet/simple-send-tx";
    ask(&two.addresses[server], "POST", path, &headers, body.to_string().as_bytes()).await
}

async fn read(two: &Two, server: usize, path: &str) -> Value {
    ask(&two.addresses[server], "GET", path, &[("x-wallet-id", "w")], b"").await.json()
}

fn id(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{}", answer.text);
    answer.json()["taskId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_one_task_at_however_many_servers_it_comes_at_once() {
    let two = Two::new(30).await;
    let body = json!({"address": STRANGER, "value": 10});
    let mut tasks = BTreeSet::new();
    for round in 0..10 {
        let key = format!("key {round}");
        let answers = join_all((0..6).map(|i| send(&two, i % 2, &body, Some(&key)))).await;
        let ids: BTreeSet<String> = answers.iter().map(id).collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
        tasks.extend(ids);
    }
    // Another request with a key that is used: one of them is taken, whichever server it is at.
    for round in 0..10 {
        let (key, other) = (format!("other {round}"), json!({"address": STRANGER, "value": 11}));
        let answers =
            join_all((0..2).map(|i| send(&two, i, if i == 0 { &body } else { &other }, Some(&key)))).await;
        let statuses: BTreeSet<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [202, 422].into());
        tasks.extend(answers.iter().filter(|answer| answer.status == 202).map(id));
    }
    for server in 0..2 {
        for id in &tasks {
            let task = read(&two, server, &format!("/wallet/tasks/{id}?wait=60")).await;
            assert_eq!(task["status"], "pushed", "{task}");
        }
        let list = read(&two, server, "/wallet/tasks").await;
        assert_eq!(list["tasks"].as_array().unwrap().len(), 20, "{list}");
    }
    assert_eq!(two.sql("select count(*) from task"), "20");
}

/// One that can't sign would end it as failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_no_other_wallets_of_its_account() {
    let two = Two::new(1).await;
    let xpub = AccountKeys::from_mnemonic(&two.words, "").public().to_xpub();
    let watching = [("x-wallet-id", "watching")];
    for (server, app) in two.apps.iter().enumerate() {
        let start = json!({"wallet-id": "watching", "xpubkey": xpub});
        assert_eq!(two.post(server, "/start", &start, None).await, json!({"success": true}));
        app.wallets().get("watching").unwrap().ready().await;
    }
    let delay = Duration::from_secs(2);
    two.first.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let body = json!({"address": STRANGER, "value": 10});
    let task = id(&send(&two, 0, &body, Some("k")).await);
    two.until_sql("select count(*) from task where server is not null", "1").await;
    for address in &two.addresses {
        let list = ask(address, "GET", "/wallet/tasks", &watching, b"").await.json();
        assert_eq!(list["tasks"], json!([]));
        let one = ask(address, "GET", &format!("/wallet/tasks/{task}"), &watching, b"").await;
        assert_eq!(one.status, 404, "{}", one.text);
        let cancelled = ask(address, "DELETE", &format!("/wallet/tasks/{task}"), &watching, b"").await;
        assert_eq!(cancelled.status, 404, "{}", cancelled.text);
    }
    for server in 0..2 {
        let ended = read(&two, server, &format!("/wallet/tasks/{task}?wait=60")).await;
        assert_eq!(ended["status"], "pushed", "{ended}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_whose_task_has_failed_makes_a_new_one_at_either_server() {
    let two = Two::new(1).await;
    let body = json!({"address": STRANGER, "value": 999_999});
    let mut tasks = BTreeSet::new();
    for server in [0, 1, 0] {
        let task = id(&send(&two, server, &body, Some("poor")).await);
        let ended = read(&two, 1 - server, &format!("/wallet/tasks/{task}?wait=60")).await;
        assert_eq!(ended["status"], "failed", "{ended}");
        tasks.insert(task);
    }
    assert_eq!(tasks.len(), 3);
    assert_eq!(two.sql("select count(key) from task"), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_tells_less_of_a_task_than_another_one_did_before() {
    let two = Two::new(40).await;
    let body = json!({"address": STRANGER, "value": 10});
    let ranks = ["queued", "mining", "pushed"];
    let follow = async |first: usize| {
        let task = id(&send(&two, first, &body, None).await);
        let (mut known, mut said, mut server) = (0, Vec::new(), first);
        while known < 2 {
            server = 1 - server;
            let status = read(&two, server, &format!("/wallet/tasks/{task}")).await["status"].to_string();
            said.push(status.clone());
            let rank = ranks.iter().position(|rank| status == format!("\"{rank}\""));
            assert!(rank.is_some_and(|rank| rank >= known), "{said:?}");
            known = rank.unwrap();
        }
    };
    for _ in 0..5 {
        join_all((0..12).map(|i| follow(i % 2))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_that_had_begun_where_their_wallet_was_stopped_go_on_at_the_other_server() {
    let two = Two::new(1).await;
    let body = json!({"address": STRANGER, "value": 10});
    let mut tasks = Vec::new();
    for _ in 0..6 {
        tasks.push(id(&send(&two, 0, &body, None).await));
    }
    two.until_sql("select count(*) > 1 from task where is_open and server is not null", "t").await;
    for server in 0..2 {
        assert_eq!(two.post(server, "/wallet/stop", &Value::Null, None).await, json!({"success": true}));
    }
    let open = two.sql("select count(*) from task where is_open");
    assert!(open.parse::<u32>().unwrap() > 1, "{open}");
    // Both servers live.
    two.until_sql("select count(*) from task where is_open and server is not null", "0").await;
    let start = json!({"wallet-id": "w", "seed": two.words.words()});
    assert_eq!(two.post(1, "/start", &start, None).await, json!({"success": true}));
    two.apps[1].wallets().get("w").unwrap().ready().await;
    for id in &tasks {
        let task = read(&two, 1, &format!("/wallet/tasks/{id}?wait=60")).await;
        assert_eq!(task["status"], "pushed", "{task}");
    }
    assert_eq!(two.balance(1).await, 1_000 - 6 * 10);
}

/// As if the first server was paused, and another one had begun with them when it went on.
#[tokio::test(flavor = "multi_thread")]
async fn tasks_that_another_server_took_while_one_was_paused_are_no_longer_that_ones() {
    let two = Two::new(9).await;
    let slow = MiningFaults { delay: Duration::from_secs(2), ..MiningFaults::default() };
    two.first.devnet.set_mining_faults(slow);
    let body = json!({"address": STRANGER, "value": 10});
    let mut tasks = Vec::new();
    // As many as are carried out at once.
    for _ in 0..8 {
        tasks.push(id(&send(&two, 0, &body, None).await));
    }
    two.until_sql("select count(*) from task where is_open and server is not null", "8").await;
    two.sql(
        "update server set expires_at = now() - interval '1 s' where id in (select server from task where is_open); \
         insert into server (expires_at) values (now() + interval '4 s'); \
         update task set server = (select max(id) from server) where is_open",
    );
    for server in 0..2 {
        for id in &tasks {
            let task = read(&two, server, &format!("/wallet/tasks/{id}?wait=60")).await;
            assert_eq!(task["status"], "pushed", "{server}: {task}");
        }
    }
    // It carries out others.
    let later = id(&send(&two, 0, &body, None).await);
    let task = read(&two, 0, &format!("/wallet/tasks/{later}?wait=60")).await;
    assert_eq!(task["status"], "pushed", "{task}");
    two.until_both_have(9_000 - 9 * 10).await;
    let metrics = ask(&two.addresses[0], "GET", "/metrics", &[], b"").await;
    assert!(metrics.text.contains("headless_wallet_tasks{status=\"mining\"} 0\n"), "{}", metrics.text);
}
