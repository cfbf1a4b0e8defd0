//! `headless-wallet accounts`: which server runs which account, and moving one.

use crate::cluster::Postgres;
use crate::process::{Caller, PATIENCE, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::Command;

const SECRET: &str = "cluster_secret = '0123456789abcdef0123456789abcdef'\n";
const PAYERS: u64 = 4;
const PAYMENTS: u64 = 6;

struct World {
    devnet: Devnet,
    postgres: Arc<Postgres>,
    url: String,
    servers: [Server; 2],
    words: Mnemonic,
    _dir: TempDir,
}

impl World {
    /// Two servers, of which the first one runs `w`, with so many outputs of 1000.
    async fn new(outputs: u64) -> Self {
        let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
        let (devnet, words) = (Devnet::start(config).await.unwrap(), Mnemonic::generate().unwrap());
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let own = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        for _ in 0..outputs {
            devnet.change(|chain, now| chain.fund(own, Amount::from(1_000), now)).unwrap();
        }
        let (postgres, dir) = (Postgres::shared(), TempDir::new().unwrap());
        let url = postgres.url();
        let file = dir.path().join("wallet.toml");
        let settings =
            format!("store = '{url}'\naudit_log = true\n{SECRET}[seeds]\nmain = '{}'\n", words.words());
        std::fs::write(&file, settings).unwrap();
        let flags = [OsStr::new("--config"), file.as_os_str()];
        let servers = [Server::start_with(&devnet, &flags).await, Server::start_with(&devnet, &flags).await];
        let start = json!({"wallet-id": "w", "seedKey": "main"});
        assert_eq!(servers[0].caller("w").post("start", &start).await, Some(json!({"success": true})));
        servers[0].caller("w").until_ready().await;
        let world = Self { devnet, postgres, url, servers, words, _dir: dir };
        // Each is there to be moved to, though one has no wallet.
        world.until_sql("select count(*) from server where lease_until > now()", "2").await;
        world
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

    /// Exit code, standard output, standard error.
    async fn accounts(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
        command.arg("accounts").args(arguments).args(["--store", &self.url]);
        let output = command.env("HEADLESS_NETWORK", "testnet").output().await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    async fn list(&self) -> Value {
        let (code, list, error) = self.accounts(&["--json"]).await;
        assert_eq!((code, &*error), (0, ""));
        serde_json::from_str(&list).unwrap()
    }

    fn paid(&self) -> usize {
        let to = stranger();
        self.devnet.read(|chain| {
            chain.history_of(&to).filter_map(|id| chain.vertex(&id)).filter(|vertex| !vertex.voided).count()
        })
    }
}

fn stranger() -> Address {
    Address::p2pkh(Network::Privatenet, [7; 20])
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_listed_and_moved_to_a_server_that_has_none() {
    let world = World::new(1).await;
    let list = world.list().await;
    let account = &list["accounts"][0];
    let (name, from) = (account["account"].as_str().unwrap(), account["server"].as_u64().unwrap());
    assert_eq!(
        list["accounts"],
        json!([{"account": name, "wallets": ["w"], "server": from, "epoch": 1, "movesTo": null}])
    );
    let servers = list["servers"].as_array().unwrap();
    let counts: BTreeSet<_> = servers.iter().map(|server| server["accounts"].as_u64().unwrap()).collect();
    assert_eq!((servers.len(), counts), (2, BTreeSet::from([0, 1])));
    assert!(servers.iter().all(|server| server["leaseAgeMs"].as_u64().unwrap() < 2_000), "{list}");
    let other = servers.iter().find(|server| server["id"] != json!(from)).unwrap();
    let (to, url) = (other["id"].as_u64().unwrap(), other["url"].as_str().unwrap());
    let (code, text, _) = world.accounts(&[]).await;
    assert_eq!(code, 0);
    let last = text.lines().last().unwrap();
    assert_eq!(last, format!("w: server {from}, epoch 1, account {name}"));

    let refused = |error: &str| (1, String::new(), format!("error: {error}\n"));
    let error = "there is no account and no started wallet \"v\": see `headless-wallet accounts`";
    assert_eq!(world.accounts(&["move", "v"]).await, refused(error));
    let (_, _, error) = world.accounts(&["move", "w", "--to", "http://nobody:1"]).await;
    assert!(
        error.starts_with("error: there is no server \"http://nobody:1\" now: the servers are server "),
        "{error}"
    );
    let (_, _, error) = world.accounts(&["move", "w", "--to", &from.to_string()]).await;
    assert!(error.ends_with(&format!(" runs account {name} already\n")), "{error}");

    let done = (0, format!("server {to} ({url}) runs account {name} now\n"), String::new());
    assert_eq!(world.accounts(&["move", "w"]).await, done);
    // Written down with what else is done, though the settings of the command say nothing of an audit log.
    let lines = "select line from audit where n >= (select n from audit where line like '%accounts move%') order by n";
    let lines = world.postgres.sql(&world.url, lines);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["name"], &lines[0]["to"]), (&json!(name), &json!(to.to_string())));
    assert_eq!((&lines[1]["of"], &lines[1]["success"]), (&lines[0]["n"], &json!(true)));
    for server in &world.servers {
        let wallet = server.caller("w");
        wallet.until_ready().await;
        assert_eq!(wallet.get("wallet/status").await["runsOn"], json!({"id": to, "url": url}));
        assert_eq!(wallet.get("wallet/balance").await, json!({"available": 1_000, "locked": 0}));
    }
    let list = world.list().await;
    assert_eq!(
        list["accounts"],
        json!([{"account": name, "wallets": ["w"], "server": to, "epoch": 2, "movesTo": null}])
    );
    // No other server could start it.
    let watching =
        json!({"wallet-id": "x", "xpubkey": AccountKeys::from_mnemonic(&world.words, "").public().to_xpub()});
    let started = world.servers[0].caller("x").post("start", &watching).await.unwrap();
    assert_eq!(started, json!({"success": true}));
    let error = format!(
        "account {name} has wallets that were started by a seed phrase or a passphrase, which no other server has: stop them, and \
         start them at the other server"
    );
    assert_eq!(world.accounts(&["move", name]).await, refused(&error));
    let (code, _, error) = {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
        let output =
            command.args(["accounts", "--data-dir"]).arg(std::env::temp_dir()).output().await.unwrap();
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(code, Some(1), "{error}");
}

/// Pays on and on with keys, asks again until each payment is answered, and gives the transactions' ids.
async fn pay(wallets: [Caller; 2], payer: u64) -> Vec<String> {
    let body = json!({"address": stranger().to_string(), "value": 10 + payer});
    let mut hashes = Vec::new();
    for number in 0..PAYMENTS {
        let mut asked = number;
        loop {
            asked += 1;
            let wallet = &wallets[(asked % 2) as usize];
            let answer = wallet.post_once("wallet/simple-send-tx", &body, format!("{payer}-{number}")).await;
            let answer = answer.expect("an answer that is JSON");
            if answer["success"] == json!(true) {
                hashes.push(answer["hash"].as_str().unwrap().to_owned());
                break;
            }
            // Nothing is lost on its way, as no server ends.
            let error = answer["error"].as_str().or(answer["message"].as_str()).unwrap_or_default();
            assert!(!error.contains("is not known"), "{answer}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    hashes
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_moves_under_load_pays_nothing_twice() {
    let world = World::new(8).await;
    let wallets = || [world.servers[0].caller("w"), world.servers[1].caller("w")];
    let payers: Vec<_> = (0..PAYERS).map(|payer| tokio::spawn(pay(wallets(), payer))).collect();
    let mut moves = 0;
    while moves < 4 || payers.iter().any(|payer| !payer.is_finished()) {
        while !world.servers[0].caller("w").get("wallet/balance").await["available"].is_number() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let (code, done, error) = world.accounts(&["move", "w"]).await;
        assert!(code == 0 && done.ends_with(" now\n"), "{done}{error}");
        moves += 1;
    }
    let mut hashes = BTreeSet::new();
    for payer in payers {
        hashes.extend(tokio::time::timeout(PATIENCE, payer).await.unwrap().unwrap());
    }
    assert_eq!(hashes.len() as u64, PAYERS * PAYMENTS);
    assert_eq!(world.paid() as u64, PAYERS * PAYMENTS);
    let epoch = world.list().await["accounts"][0]["epoch"].as_u64().unwrap();
    assert!(epoch > moves, "{epoch} after {moves} moves");
    world.until_sql("select count(*) from push_record where is_open", "0").await;
}
