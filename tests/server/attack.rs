//! Many enemies at once: the built server is stormed by broken, slow and lying clients while twenty wallets
//! send. Its owner is answered all the while, every payment is made once, and memory stays bounded.

use super::nested_json::nested;
use super::process::Process;
use super::support::{Answer, ask};
use futures_util::future::join_all;
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const WALLETS: u8 = 20;
/// Payments of each wallet, each asked for twice at once with one key.
const PAYMENTS: u32 = 5;
const HALF_OPEN: usize = 2_000;
const STALLED: usize = 1_000;
const FLOODS: usize = 50;
const ODD_METHODS: usize = 500;
/// Most that the owner may have to wait, even on a busy machine. Usually it is milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most resident memory of the server, in kilobytes.
const MOST_MEMORY: u64 = 400_000;

/// Lets this process open as many connections as the system allows.
fn allow_many_connections() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

/// The most resident memory that a process has had, in kilobytes.
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A connection that has sent this, if the server took it: it may hang up whenever it likes.
async fn sent(address: &str, bytes: &[u8]) -> Option<TcpStream> {
    let mut connection = TcpStream::connect(address).await.ok()?;
    connection.write_all(bytes).await.ok()?;
    Some(connection)
}

/// The status of the answer to these bytes; `None` where the server hangs up.
async fn status(address: &str, bytes: &[u8]) -> Option<u16> {
    let mut connection = sent(address, bytes).await?;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, connection.read_to_end(&mut answer)).await;
    let head = String::from_utf8_lossy(&answer);
    head.split(' ').nth(1)?.parse().ok()
}

struct Owned {
    id: String,
    words: String,
    address: Address,
}

impl Owned {
    fn new(number: u8) -> Self {
        let words = Mnemonic::generate().unwrap();
        let keys = AccountKeys::from_mnemonic(&words, "").public();
        let address = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
        Self { id: format!("wallet-{number}"), words: words.words().to_owned(), address }
    }

    async fn start(&self, server: &str) {
        let body = json!({"wallet-id": self.id, "seed": self.words}).to_string();
        let headers = [("content-type", "application/json")];
        let answer = ask(server, "POST", "/start", &headers, body.as_bytes()).await;
        assert_eq!(answer.parts(), (200, json!({"success": true})));
        while self.read(server, "/wallet/status").await.json()["statusCode"] != 3 {
            tokio::task::yield_now().await;
        }
    }

    async fn read(&self, server: &str, path: &str) -> Answer {
        ask(server, "GET", path, &[("x-wallet-id", &self.id)], b"").await
    }

    async fn pay(&self, server: &str, key: &str, value: u32) -> Answer {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]);
        let body = json!({"address": to.to_string(), "value": value}).to_string();
        let headers =
            [("content-type", "application/json"), ("x-wallet-id", &self.id), ("idempotency-key", key)];
        ask(server, "POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await
    }
}

/// Connections that begin and never go on: heads and bodies without an end.
async fn stall(server: &str) -> Vec<TcpStream> {
    let half_open = format!("GET /wallet/balance HTTP/1.1\r\nhost: {server}\r\nx-wal");
    let stalled = format!(
        "POST /start HTTP/1.1\r\nhost: {server}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{"
    );
    let mut open = Vec::new();
    for (bytes, count) in [(half_open, HALF_OPEN), (stalled, STALLED)] {
        let connections = join_all((0..count).map(|_| sent(server, bytes.as_bytes()))).await;
        open.extend(connections.into_iter().flatten());
    }
    open
}

/// Heads without measure, methods that nobody knows, bytes that are no HTTP, and bodies made to hurt.
async fn storm(server: &str) {
    let one_header = format!("GET / HTTP/1.1\r\nhost: {server}\r\na: {}\r\n\r\n", "x".repeat(1_000_000));
    let many_headers = format!("GET / HTTP/1.1\r\nhost: {server}\r\n{}\r\n", "a: b\r\n".repeat(50_000));
    let garbage = [b"\x16\x03\x01\x02\x00\x01\x00".as_slice(), b"\0\0\0\r\n\r\n", b"HELO\r\n"].concat();
    let pipelined =
        [format!("GET / HTTP/1.1\r\nhost: {server}\r\n\r\n").repeat(50).into_bytes(), garbage.repeat(20)]
            .concat();
    for bytes in [one_header.as_bytes(), many_headers.as_bytes(), &garbage, &pipelined] {
        join_all((0..FLOODS).map(|_| status(server, bytes))).await;
    }
    for number in 0..ODD_METHODS {
        let method = format!("{}{number}", "A".repeat(20_000));
        status(
            server,
            format!("{method} /wallet/status HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n\r\n")
                .as_bytes(),
        )
        .await;
    }
    let body = nested(60);
    let json = [("content-type", "application/json")];
    assert_eq!(ask(server, "POST", "/start", &json, body.as_bytes()).await.status, 400);
    let many = json!({"outputs": vec![0; 50_000]}).to_string();
    let wallet = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
    let answer = ask(server, "POST", "/wallet/send-tx", &wallet, many.as_bytes()).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.len() < 100_000, "an answer of {} bytes", answer.text.len());
    page(server).await;
}

/// What a page of another origin can do: a form, a rebound name.
async fn page(server: &str) {
    let form = b"wallet-id=mine&seedKey=genesis";
    let from_page = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    for path in ["/start", "/reload-config", "/push-tx"] {
        assert_eq!(ask(server, "POST", path, &from_page, form).await.status, 403, "{path}");
    }
    let rebound = "POST /start HTTP/1.1\r\nhost: evil.example:8000\r\ncontent-type: application/json\r\n\
                   content-length: 2\r\nconnection: close\r\n\r\n{}";
    assert_eq!(status(server, rebound.as_bytes()).await, Some(403));
}

/// Asks for a balance again and again until the end, and says how long each answer took.
async fn owner(server: String, over: Arc<AtomicBool>) -> Vec<Duration> {
    let mut took = Vec::new();
    while !over.load(Relaxed) {
        let began = Instant::now();
        let read = ask(&server, "GET", "/wallet/balance", &[("x-wallet-id", "genesis")], b"");
        let answer = tokio::time::timeout(PATIENCE, read).await.expect("the owner is answered");
        assert_eq!(answer.status, 200);
        took.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    took.sort();
    took
}

/// Each payment twice at once, with one key.
async fn pay_all(wallet: &Owned, server: &str) {
    for number in 1..=PAYMENTS {
        let key = format!("payment-{number}");
        let (one, other) = tokio::join!(wallet.pay(server, &key, number), wallet.pay(server, &key, number));
        assert_eq!(one.json()["success"], true, "{}", one.text);
        assert_eq!(one.json()["hash"], other.json()["hash"]);
    }
}

/// How many transactions on the ledger pay whom the wallets pay.
fn payments(devnet: &Devnet) -> usize {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    devnet.read(|chain| chain.history_of(&to).count())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storm_of_enemies_keeps_nobody_from_their_money() {
    allow_many_connections();
    let process = Process::with_wallet().await;
    let server = process.address.clone();
    let wallets: Vec<_> = (0..WALLETS).map(Owned::new).collect();
    for wallet in &wallets {
        for _ in 0..2 {
            process.devnet.change(|chain, now| chain.fund(wallet.address, Amount::from(1_000), now)).unwrap();
        }
    }
    join_all(wallets.iter().map(|wallet| wallet.start(&server))).await;
    let over = Arc::new(AtomicBool::new(false));
    let stormy = tokio::spawn(owner(server.clone(), over.clone()));
    let stalled = stall(&server).await;
    tokio::join!(join_all(wallets.iter().map(|wallet| pay_all(wallet, &server))), storm(&server));
    over.store(true, Relaxed);
    let stormy = stormy.await.unwrap();
    drop(stalled);

    let count = usize::from(WALLETS) * PAYMENTS as usize;
    assert_eq!(payments(&process.devnet), count, "each payment is on the ledger once");
    let left = 2_000 - (1..=u64::from(PAYMENTS)).sum::<u64>();
    for wallet in &wallets {
        let balance = wallet.read(&server, "/wallet/balance").await.json();
        assert_eq!(balance, json!({"available": left, "locked": 0}), "{}", wallet.id);
    }
    let memory = most_memory(process.child.id().unwrap());
    assert!(memory < MOST_MEMORY, "{memory} kB");
    let median = |took: &[Duration]| took[took.len() / 2].as_secs_f64() * 1e3;
    println!(
        "the owner waited {:.1} ms (median), {:.0} ms at most; {memory} kB of memory at most",
        median(&stormy),
        stormy.last().unwrap().as_secs_f64() * 1e3,
    );
    process.end().await;
}
