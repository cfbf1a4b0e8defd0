//! `headless-wallet wallet --direct`: straight at a full node, with no server.

use super::command_line::{Dir, Ended, failed, fine, named, new_file, printed, program, run, wallet_with};
use super::support::GENESIS_WORDS;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::store::RedbStore;
use serde_json::{Value, json};
use std::fs;
use tokio::net::TcpListener;
use tokio::process::Command;

const FIRST: &str = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";

async fn network() -> Devnet {
    Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await.unwrap()
}

/// `wallet --direct` on the network.
fn cli(devnet: &Devnet, args: &[&str]) -> Command {
    let mut program = program();
    program.args(["wallet", "--direct", "--network", "privatenet"]);
    program.args(["--node-url", &devnet.node_url(), "--mining-url", &devnet.mining_url()]).args(args);
    program
}

/// The same with the genesis words on standard input.
async fn genesis(devnet: &Devnet, args: &[&str]) -> Ended {
    run(cli(devnet, &[args, &["--seed-file", "-"]].concat()), GENESIS_WORDS).await
}

#[tokio::test]
async fn operations_start_the_wallet_and_stop_it() {
    let devnet = network().await;
    let balance = "available  1000000000.00 HTR\nlocked     0.00 HTR";
    assert_eq!(genesis(&devnet, &["balance"]).await, fine(balance));
    assert_eq!(
        genesis(&devnet, &["address", "--index", "0", "--json"]).await,
        fine(&json!({"address": FIRST}).to_string())
    );

    let out = printed(genesis(&devnet, &["create-token", "Tour Token", "TOUR", "100.00", "--json"]).await);
    let created: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&created["success"], &created["name"]), (&json!(true), &json!("Tour Token")));
    let token = created["hash"].as_str().unwrap();
    let tour = named("TOUR", token);
    assert_eq!(
        genesis(&devnet, &["balance", "--token", token]).await,
        fine(&format!("available  100.00 {tour}\nlocked     0.00 {tour}"))
    );
    devnet.shutdown().await;
}

#[tokio::test]
async fn a_kept_history_is_taken_up_again() {
    let devnet = network().await;
    let dir = Dir::new();
    let (data, words) = (dir.file("data"), dir.file("words"));
    new_file(&words, GENESIS_WORDS);
    let args = ["send", FIRST, "15 HTR", "--json", "--data-dir", &data, "--seed-file", &words];
    let out = printed(run(cli(&devnet, &args), "").await);
    let sent: Value = serde_json::from_str(&out).unwrap();
    let stores: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [store] = &stores[..] else { panic!("{stores:?}") };
    let kept = RedbStore::open_any(store).unwrap().check().unwrap().vertices;
    let hash = sent["hash"].as_str().unwrap();
    assert!(kept.contains_key(&hash.parse().unwrap()), "what was sent is kept");
    assert!(!String::from_utf8_lossy(&fs::read(store).unwrap()).contains("avocado"), "words are not");

    // A repetition in another process is no other payment.
    let once = [&args[..], &["--idempotency-key", "order"]].concat();
    let first = printed(run(cli(&devnet, &once), "").await);
    assert_ne!(serde_json::from_str::<Value>(&first).unwrap()["hash"], hash);
    assert_eq!(printed(run(cli(&devnet, &once), "").await), first);

    // Another process has it.
    let _open = RedbStore::open_any(store).unwrap();
    let balance = ["balance", "--data-dir", &data, "--seed-file", &words];
    assert_eq!(
        run(cli(&devnet, &balance), "").await,
        failed(&format!(
            "The wallet can't be started: store {}: another process uses it: end that one, or give one of the \
             two another --data-dir",
            store.display()
        ))
    );
    devnet.shutdown().await;
}

/// Nobody has to say who does the proof of work where there is none to do.
#[tokio::test]
async fn what_only_reads_asks_for_no_mining_service() {
    let devnet = network().await;
    let here = async |args: &[&str]| {
        let place =
            ["--direct", "--network", "privatenet", "--seed-file", "-", "--node-url", &devnet.node_url()];
        wallet_with(&[&place[..], args].concat(), GENESIS_WORDS).await
    };
    let balance = "available  1000000000.00 HTR\nlocked     0.00 HTR";
    assert_eq!(here(&["balance"]).await, fine(balance));
    let (code, out, err) = here(&["send", FIRST, "0.01"]).await;
    assert_eq!((code, &*out, err.contains("--mining-url")), (1, "", true), "{err}");
    devnet.shutdown().await;
}

#[tokio::test]
async fn settings_come_from_the_environment_and_a_file_too() {
    let devnet = network().await;
    let dir = Dir::new();
    let config = dir.file("wallet.toml");
    let toml = format!(
        "api_key = 'for others'\nserver = '{}'\ntx_mining_url = '{}'\n[seeds]\nmain = '{GENESIS_WORDS}'",
        devnet.node_url(),
        devnet.mining_url()
    );
    new_file(&config, &toml);
    let mut with_file = program();
    with_file.args(["wallet", "address", "--index", "0", "--direct"]);
    with_file.args(["--config", &config, "--seed-key", "main"]);
    with_file.env("HEADLESS_NETWORK", "privatenet");
    assert_eq!(run(with_file, "").await, fine(FIRST));
    let mut passphrase =
        cli(&devnet, &["address", "--index", "0", "--seed-file", "-", "--passphrase-file", &config]);
    passphrase.env("HEADLESS_GAP_LIMIT", "3");
    let out = printed(run(passphrase, GENESIS_WORDS).await);
    assert_ne!(out.trim_end(), FIRST);
    devnet.shutdown().await;
}

#[tokio::test]
async fn what_stands_in_the_way_is_said() {
    let devnet = network().await;
    let words = async |args: &[&str]| {
        wallet_with(&[&["--direct", "balance", "--seed-file", "-"], args].concat(), GENESIS_WORDS).await
    };
    assert_eq!(
        words(&["--network", "privatenet"]).await,
        failed(
            "Network privatenet doesn't have a full node url. You should set it explicitly: setting `server`, for example \
             http://127.0.0.1:8080/v1a/ (--network, --node-url and --mining-url say which network is meant, and where)"
        )
    );
    assert_eq!(
        words(&["--network", "moon"]).await,
        failed(
            "setting `network` (flag --network) is \"moon\", and must be mainnet, testnet or privatenet (--network, --node-url \
             and --mining-url say which network is meant, and where)"
        )
    );
    assert_eq!(
        words(&["--node-url", &devnet.node_url()]).await,
        failed(
            "The wallet can't be started: Wrong network. server=privatenet expected=mainnet: --network and --node-url must be of \
             one network"
        )
    );

    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1a/", gone.local_addr().unwrap());
    drop(gone);
    assert_eq!(
        words(&["--network", "privatenet", "--node-url", &url, "--mining-url", &url]).await,
        failed(&format!(
            "The wallet can't be started: full node {url}version: can't be reached (Connection refused): check that it runs and \
             that --node-url is right"
        ))
    );
    devnet.shutdown().await;
}
