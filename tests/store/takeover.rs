//! Wallets that no server runs any more, at one that is not asked for them.

use crate::cluster::Postgres;
use crate::cluster_kill::take_post;
use crate::process::{PATIENCE, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::json;
use std::ffi::OsStr;
use std::fmt::Write;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

/// One has tasks, one has a webhook, one has neither.
const IDS: [&str; 3] = ["tasks", "told", "quiet"];
const TASKS: u64 = 8;
/// Those that a server runs.
const RUN: &str = "select string_agg(started.name, ' ' order by started.name) from started \
    join account on account.id = started.account \
    join server on server.id = account.server and lease_until > now()";

/// Waits until a question has an answer.
async fn until(postgres: &Postgres, url: &str, sql: &str, says: &str) {
    let met = async {
        while postgres.sql(url, sql) != says {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let met = tokio::time::timeout(PATIENCE, met).await;
    met.unwrap_or_else(|_| panic!("{sql}: {}, not {says}", postgres.sql(url, sql)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_with_tasks_or_a_webhook_goes_on_at_a_server_that_is_not_asked_for_it() {
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let (postgres, dir) = (Postgres::shared(), tempfile::TempDir::new().unwrap());
    let (url, file) = (postgres.url(), dir.path().join("wallet.toml"));
    let hook = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut settings = format!("store = '{url}'\n[seeds]\n");
    let mut own = Vec::new();
    for id in IDS {
        let words = Mnemonic::generate().unwrap();
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        own.push(Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]));
        writeln!(settings, "{id} = '{}'", words.words()).unwrap();
    }
    let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    let address = hook.local_addr().unwrap();
    write!(settings, "[[webhooks]]\nurl = 'http://{address}/'\nsecret = '{secret}'\nwallets = ['told']\n")
        .unwrap();
    std::fs::write(&file, settings).unwrap();
    let fund = |place: usize| {
        devnet.change(|chain, now| chain.fund(own[place], Amount::from(1_000u64), now)).unwrap();
    };
    let told = async || {
        let (mut connection, _) = take_post(&hook).await;
        connection.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await.unwrap();
    };
    let until_sql = async |sql: &str, says: &str| until(&postgres, &url, sql, says).await;
    let flags = [OsStr::new("--config"), file.as_os_str()];

    let first = Server::start_with(&devnet, &flags).await;
    fund(0);
    for id in IDS {
        let start = json!({"wallet-id": id, "seedKey": id});
        assert_eq!(first.caller(id).post("start", &start).await, Some(json!({"success": true})));
        first.caller(id).until_ready().await;
    }
    until_sql(RUN, "quiet tasks told").await;
    let stranger = Address::p2pkh(Network::Privatenet, [7; 20]);
    let pay = json!({"address": stranger.to_string(), "value": 10});
    for _ in 0..TASKS {
        let taken = first.caller("tasks").post_later("wallet/simple-send-tx", &pay).await.unwrap();
        assert_eq!(taken["success"], json!(true), "{taken}");
    }
    // There is one output, so that they take seconds.
    first.kill().await;
    assert_ne!(postgres.sql(&url, "select count(*) from task where is_open"), "0");

    let second = Server::start_with(&devnet, &flags).await;
    until_sql(RUN, "tasks told").await;
    until_sql("select count(*) from task where is_open", "0").await;
    let paid = devnet.read(|chain| chain.history_of(&stranger).count() as u64);
    assert_eq!(paid, TASKS);
    fund(1);
    told().await;
    // In order, too.
    second.end().await;
    // Nobody waits until its lease has run out.
    assert_eq!(postgres.sql(&url, "select count(*) from server where lease_until > now()"), "0");
    fund(1);
    let third = Server::start_with(&devnet, &flags).await;
    told().await;
    until_sql(RUN, "told").await;
    third.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_can_not_be_started_here_is_left_to_a_server_that_can() {
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let (postgres, dir) = (Postgres::shared(), tempfile::TempDir::new().unwrap());
    let (url, secret) = (postgres.url(), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX");
    let settings =
        format!("store = '{url}'\nwebhooks = [{{ url = 'http://127.0.0.1:9/', secret = '{secret}' }}]\n");
    let (with, without) = (dir.path().join("with.toml"), dir.path().join("without.toml"));
    let words = Mnemonic::generate().unwrap();
    std::fs::write(&with, format!("{settings}[seeds]\nmain = '{}'\n", words.words())).unwrap();
    std::fs::write(&without, settings).unwrap();
    let first = Server::start_with(&devnet, &[OsStr::new("--config"), with.as_os_str()]).await;
    let start = json!({"wallet-id": "w", "seedKey": "main"});
    assert_eq!(first.caller("w").post("start", &start).await, Some(json!({"success": true})));
    first.end().await;
    let poor = Server::start_with(&devnet, &[OsStr::new("--config"), without.as_os_str()]).await;
    let second = Server::start_with(&devnet, &[OsStr::new("--config"), with.as_os_str()]).await;
    let ready = "headless_wallet_wallets{state=\"Ready\"}";
    let met = async {
        // Without being asked for it.
        while second.metric(ready).await != "1" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
    assert_eq!(postgres.sql(&url, RUN), "w");
    assert_eq!(poor.metric(ready).await, "0");
}
