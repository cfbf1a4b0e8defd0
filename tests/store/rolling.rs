//! The proxy sample in front of three servers on one database, which are restarted one after the other while
//! a wallet is used: no request fails. One of them runs it at a time.

use crate::cluster::{Postgres, free_port};
use crate::process::{Caller, PATIENCE, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;
use tokio::process::{Child, Command};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/deploy/haproxy.cfg");
const COINS: u64 = 40;

fn proxy(port: u16, servers: [u16; 3]) -> Child {
    // Debian has it outside of the PATH of ordinary users.
    let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("haproxy");
    command.args(["-f", SAMPLE]).env("PATH", path).env("LISTEN", format!("127.0.0.1:{port}"));
    for (number, server) in (1..).zip(servers) {
        command.env(format!("WALLET{number}"), format!("127.0.0.1:{server}"));
    }
    command.kill_on_drop(true).spawn().expect("scripts/setup haproxy installs it")
}

/// Pays and reads on and on, until it is told to stop. Gives what it has paid, by hash.
async fn use_it(wallet: Caller, number: u64, stop: Arc<AtomicBool>) -> Vec<String> {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]).to_string();
    let mut paid = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let pay = json!({"address": to, "value": 10 + number});
        let sent = wallet.post("wallet/simple-send-tx", &pay).await.expect("an answer that is JSON");
        assert_eq!(sent["success"], json!(true), "{sent}");
        paid.push(sent["hash"].as_str().unwrap().to_owned());
        let read: Value = wallet.get("wallet/balance").await;
        assert!(read["available"].is_number(), "{read}");
    }
    paid
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_is_used_through_a_rolling_restart_without_a_failed_request() {
    let devnet =
        Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap();
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    for _ in 0..COINS {
        devnet.change(|chain, now| chain.fund(own, Amount::from(1_000_000), now)).unwrap();
    }
    let dir = TempDir::new().unwrap();
    let settings = dir.path().join("wallet.toml");
    let secret = "cluster_secret = '0123456789abcdef0123456789abcdef'";
    std::fs::write(&settings, format!("drain_seconds = 3\n{secret}\n[seeds]\nmain = '{}'\n", words.words()))
        .unwrap();
    let postgres = Postgres::shared();
    let url = postgres.url();
    let flags = [OsStr::new("--config"), settings.as_os_str(), OsStr::new("--store"), OsStr::new(&url)];
    let ports = [free_port(), free_port(), free_port()];
    let mut servers = Vec::new();
    for port in ports {
        servers.push(Server::start_at(&devnet, port, &flags).await);
    }
    let port = free_port();
    let _proxy = proxy(port, ports);
    let wallet = Caller::at(format!("http://127.0.0.1:{port}/"), "w");
    let start = json!({"wallet-id": "w", "seedKey": "main"});
    let begun = async {
        // Until the proxy listens.
        while wallet.post("start", &start).await.is_none_or(|answer| answer["success"] != json!(true)) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, begun).await.unwrap();
    wallet.until_ready().await;
    let stop = Arc::<AtomicBool>::default();
    let users: Vec<_> =
        (0..4).map(|number| tokio::spawn(use_it(wallet.clone(), number, stop.clone()))).collect();
    for port in ports {
        servers.remove(0).end().await;
        let server = Server::start_at(&devnet, port, &flags).await;
        servers.push(server);
    }
    stop.store(true, Ordering::Relaxed);
    let mut paid = Vec::new();
    for user in users {
        paid.extend(user.await.unwrap());
    }
    assert!(paid.len() >= 12, "{}", paid.len());
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let mut on_ledger: Vec<String> = devnet.read(|chain| {
        let valid = chain.history_of(&to).filter_map(|id| chain.vertex(&id)).filter(|vertex| !vertex.voided);
        valid.map(|vertex| vertex.id.to_string()).collect()
    });
    on_ledger.sort();
    paid.sort();
    assert_eq!(on_ledger, paid);
    // Whoever comes by another name, or from a page, comes no further.
    let status = |headers: &[&str]| {
        let mut command = std::process::Command::new("curl");
        command.args(["-s", "-o", "/dev/null", "-w", "%{http_code}"]);
        for header in headers {
            command.args(["-H", header]);
        }
        let output = command.arg(format!("http://127.0.0.1:{port}/health/live")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(status(&[]), "200");
    assert_eq!(status(&["Host: evil.example"]), "421");
    assert_eq!(status(&["Origin: http://evil.example"]), "403");
    assert_eq!(status(&["Sec-Fetch-Site: cross-site"]), "403");
}
