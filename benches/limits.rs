//! What keys with rights and limits cost: `cargo bench --features native --bench limits`.
//!
//! Three servers, each a process of its own, on one local network: one with the `api_key` alone, one with a
//! key that has one limit, and one with 1,000 keys, of which the one that asks has 100 limits. They are asked
//! in turn, so that what else the machine does is no difference. What is spent is counted on the disk before
//! it is signed: that is what one limit costs, and 100 are counted along.

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{Mnemonic, Seed};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::net::{HttpClient, Request, Url};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const KEYS: usize = 1_000;
const LIMITS: usize = 100;
const READS: usize = 5_000;
const SENDS: usize = 200;
/// What asks, at each server.
const KEY: &str = "the key that asks";
/// The wallet.
const ID: &str = "w";

/// A server, and its wallet.
struct Place {
    process: Child,
    base: String,
    client: HttpClient,
}

impl Drop for Place {
    fn drop(&mut self) {
        // Already ended is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await?;
    let dir = tempfile::tempdir()?;
    let owner = format!("api_key = {KEY:?}\n");
    let one = key("k0", KEY, &["spend 10000000.00 HTR per day".to_owned()]);
    let limits: Vec<_> = (0..LIMITS).map(limit).collect();
    let others = (1..KEYS).map(|number| key(&format!("k{number}"), &number.to_string(), &[]));
    let many: String = std::iter::once(key("k0", KEY, &limits)).chain(others).collect();
    let mut places = Vec::new();
    for (number, settings) in [owner, one, many].into_iter().enumerate() {
        places.push(Place::start(&devnet, &dir.path().join(number.to_string()), &settings).await?);
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine before: {}\n{:<58} {:>12}   target", load.trim(), "", "");
    let reads = in_turn(&places, READS, Duration::ZERO, Place::read).await?;
    row("a read, with the api_key, median", reads[0], "");
    row("… what one key with one limit adds to it", reads[1] - reads[0], "");
    row("… what 1,000 keys and 100 limits add to that", reads[2] - reads[1], "nothing");
    // A send can spend only what is a second old.
    let sends = in_turn(&places, SENDS, Duration::from_millis(20), Place::pay).await?;
    row("a send, with the api_key, median", sends[0], "");
    row("… what one key with one limit, counted on the disk, adds", sends[1] - sends[0], "");
    row("… what 1,000 keys and 100 limits add to that", sends[2] - sends[1], "0.1 ms");
    Ok(())
}

fn row(what: &str, millis: f64, target: &str) {
    println!("{what:<58} {:>12}   {target}", format!("{millis:.3} ms"));
}

/// A table of the settings.
fn key(name: &str, key: &str, limits: &[String]) -> String {
    let hash = hex::encode(Sha256::digest(key));
    format!(
        "[keys.{name}]\nhash = {hash:?}\nrights = [\"read\", \"send\"]\nwallets = [\"{ID}\"]\nlimits = {limits:?}\n"
    )
}

/// One of many: of other tokens, of HTR in its three times, and of places.
fn limit(number: usize) -> String {
    match number {
        0 => "spend 10000000.00 HTR per day".to_owned(),
        1 => "spend 10000000.00 HTR per hour".to_owned(),
        2 => "spend 10000000.00 HTR per lifetime".to_owned(),
        3 => "spend 0 * per transaction".to_owned(),
        _ if number < 50 => format!("spend 100 cents of {number:064x} per day"),
        _ => {
            let hash = [u8::try_from(number).unwrap_or_default(); 20];
            format!("not to {}", Address::p2pkh(Network::Privatenet, hash))
        }
    }
}

/// Asks all in turn; the median of each, in milliseconds.
async fn in_turn(
    places: &[Place],
    count: usize,
    pause: Duration,
    ask: impl AsyncFn(&Place) -> Outcome<()>,
) -> Outcome<Vec<f64>> {
    let mut times = vec![Vec::with_capacity(count); places.len()];
    for _ in 0..count {
        tokio::time::sleep(pause).await;
        for (place, times) in places.iter().zip(&mut times) {
            let began = Instant::now();
            ask(place).await?;
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Ok(times.into_iter().map(median).collect())
}

impl Place {
    async fn start(devnet: &Devnet, dir: &Path, settings: &str) -> Outcome<Self> {
        std::fs::create_dir(dir)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let words = Mnemonic::generate()?;
        let file = dir.join("wallet.toml");
        let tables = settings.find('[').unwrap_or(settings.len());
        let (plain, tables) = settings.split_at(tables);
        let places = format!(
            "network = \"privatenet\"\nserver = {:?}\ntx_mining_url = {:?}\nhttp_port = {port}\ndata_dir = {:?}\n",
            devnet.node_url(),
            devnet.mining_url(),
            dir.join("data")
        );
        let seeds = format!("[seeds]\nmine = {:?}\n", words.words());
        let admin = "[keys.admin]\nhash = \"8c6976e5b5410415bde908bd4dee15dfb167a9c873fc4bb8a81f6f2ab448a918\"\nrights = [\"read\", \"administer\"]\nwallets = [\"*\"]\n";
        std::fs::write(&file, format!("{places}{plain}{tables}{admin}{seeds}"))?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
        command.args(["serve", "--config"]).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let client = HttpClient::shared();
        let place = Self { process: command.spawn()?, base: format!("http://127.0.0.1:{port}"), client };
        let body = json!({"wallet-id": ID, "seedKey": "mine"});
        let give_up = Instant::now() + Duration::from_secs(30);
        while place.ask("admin", "start", Some(&body)).await.is_err() {
            if Instant::now() > give_up {
                return Err("a server does not start".into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // All of them can be spent: their time is over.
        let own = Seed::new(words, "").account().public().key_hashes(0..1)[0];
        for _ in 0..SENDS + 1 {
            let to = Address::p2pkh(Network::Privatenet, own);
            devnet.change(|chain, now| chain.fund(to, Amount::from(1_000u64), now - 10))?;
        }
        let all = json!(1_000 * (SENDS + 1));
        while place.ask(KEY, "wallet/balance", None).await.ok().is_none_or(|told| told["available"] != all) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(place)
    }

    async fn ask(&self, key: &str, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let url: Url = format!("{}/{path}", self.base).parse().map_err(|error| format!("{error:?}"))?;
        let mut request = match body {
            Some(body) => Request::post(url, body.to_string()),
            None => Request::get(url),
        };
        request.headers = vec![("X-API-KEY", key.to_owned()), ("X-Wallet-Id", ID.to_owned())];
        let answer = self.client.request(request).await?;
        let told: Value = serde_json::from_slice(&answer.body)?;
        if answer.status != 200 || told["success"] == false {
            return Err(format!("{path}: {} {told}", answer.status).into());
        }
        Ok(told)
    }

    async fn read(&self) -> Outcome<()> {
        self.ask(KEY, "wallet/balance", None).await.map(drop)
    }

    async fn pay(&self) -> Outcome<()> {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]).to_string();
        let body = json!({"address": to, "value": 1_000});
        self.ask(KEY, "wallet/simple-send-tx", Some(&body)).await.map(drop)
    }
}
