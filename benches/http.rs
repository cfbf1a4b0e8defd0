//! How fast and how small the server is, measured as a client sees it, HTTP to HTTP, on a local network at trivial
//! weight: `cargo bench --features native --bench http`.

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::net::{HttpClient, Request};
use headless_wallet::server::{App, Config, Layer, run};
use serde_json::{Value, json};
use std::error::Error;
use std::net::TcpListener as StdListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use url::Url;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Coins that the measured sends find ready, so that none has to wait out the second of its own change.
const COINS: u64 = 400;
const COIN: u64 = 1_000_000;
const CREATIONS: usize = 200;
const OUTPUTS: usize = 10_000;
/// The most outputs of one transaction, less one for the change.
const OUTPUTS_A_SEND: usize = 254;
const READS: usize = 200;

fn main() -> Outcome<()> {
    println!("{:<58} {:>11} {:>11}   target", "", "median", "p95");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure_speed())?;
    runtime.block_on(measure_memory())
}

/// Server and network in this process.
async fn measure_speed() -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig::default()).await?;
    let settings = format!(
        "network = 'privatenet'\nserver = '{}'\ntx_mining_url = '{}'\nconsole_level = 'error'\nhttp_log_format = 'none'",
        devnet.node_url(),
        devnet.mining_url()
    );
    let config = Config::from_layers([Layer::toml("bench", &settings)?])?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let api = Api::new(listener.local_addr()?.port())?;
    tokio::spawn(run(listener, std::future::pending(), App::new(config)?));
    api.start_wallet().await?;

    let address = Address::parse(&api.address(0).await?, Network::Privatenet)?;
    devnet.change(|chain, now| {
        (0..COINS).try_for_each(|_| chain.fund(address, Amount::from(COIN), now).map(drop))
    })?;
    api.until_outputs(COINS as usize).await?;
    pass_the_second().await;

    let create = json!({ "name": "Bench token", "symbol": "BENCH", "amount": 100 });
    let creations = sample(CREATIONS, async || api.post("wallet/create-token", &create).await.map(drop));
    report("create-token, answered with the transaction on the ledger", creations.await?, "20 ms");

    let home = api.address(1).await?;
    let mut sent = 0;
    while sent < OUTPUTS {
        let count = OUTPUTS_A_SEND.min(OUTPUTS - sent);
        let outputs = vec![json!({ "address": home, "value": 1 }); count];
        api.post("wallet/send-tx", &json!({ "outputs": outputs })).await?;
        sent += count;
    }
    for (what, query) in [
        ("utxo-filter over 10,000 outputs, the first 255", "max_utxos=255"),
        ("utxo-filter over 10,000 outputs, all of them", "max_utxos=1000000"),
        ("utxo-filter over 10,000 outputs, none matches", "amount_bigger_than=99999999999"),
    ] {
        let path = format!("wallet/utxo-filter?{query}");
        let reads = sample(READS, async || api.get(&path).await.map(drop)).await?;
        report(what, reads, "2 ms");
    }
    devnet.shutdown().await;
    Ok(())
}

/// The server as a process of its own, with one wallet that has received and sent a little.
async fn measure_memory() -> Outcome<()> {
    let [node, mining, http] = [free_port()?, free_port()?, free_port()?];
    let _devnet =
        Process::start(&["devnet", "--node-port", &node.to_string(), "--mining-port", &mining.to_string()])?;
    let network = Api::new(node)?;
    network.until_up("devnet/status").await?;
    let server = Process::start(&[
        "serve",
        "--network=privatenet",
        &format!("--server=http://127.0.0.1:{node}/v1a/"),
        &format!("--tx-mining-url=http://127.0.0.1:{mining}/"),
        &format!("--http-port={http}"),
    ])?;
    let api = Api::new(http)?;
    api.until_up("").await?;
    let empty = server.resident_kib();
    api.start_wallet().await?;
    let fund = json!({ "address": api.address(0).await?, "amount": 1_000, "count": 20 });
    network.post("devnet/fund", &fund).await?;
    api.until_outputs(20).await?;
    api.post("wallet/create-token", &json!({ "name": "Bench token", "symbol": "BENCH", "amount": 100 }))
        .await?;
    for (what, kib) in [
        ("resident memory of the server without a wallet", empty),
        ("resident memory of the server with one small wallet", server.resident_kib()),
    ] {
        match kib {
            Some(kib) => println!("{what:<58} {:>7.1} MiB {:>11}   30 MiB", kib as f64 / 1024.0, ""),
            None => println!("{what:<58} {:>11} {:>11}   30 MiB", "unknown", "(no /proc)"),
        }
    }
    Ok(())
}

/// How long `act` takes, `count` times one after the other.
async fn sample(count: usize, act: impl AsyncFn() -> Outcome<()>) -> Outcome<Vec<Duration>> {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let began = Instant::now();
        act().await?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn report(what: &str, sorted: Vec<Duration>, target: &str) {
    let at = |percent: usize| sorted[sorted.len() * percent / 100].as_secs_f64() * 1_000.0;
    println!("{what:<58} {:>8.2} ms {:>8.2} ms   {target}", at(50), at(95));
}

/// Coins can be spent from the second after the one they came in.
async fn pass_the_second() {
    tokio::time::sleep(Duration::from_millis(1_100)).await;
}

fn free_port() -> Outcome<u16> {
    Ok(StdListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A client of one wallet on one server.
struct Api {
    client: HttpClient,
    base: Url,
}

impl Api {
    fn new(port: u16) -> Outcome<Self> {
        Ok(Self { client: HttpClient::shared(), base: format!("http://127.0.0.1:{port}/").parse()? })
    }

    async fn get(&self, path: &str) -> Outcome<Vec<u8>> {
        self.send(Request::get(self.base.join(path)?)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Outcome<Value> {
        let answer = self.send(Request::post(self.base.join(path)?, body.to_string())).await?;
        let answer: Value = serde_json::from_slice(&answer)?;
        match answer.get("success") {
            Some(Value::Bool(false)) => Err(format!("{path}: {answer}").into()),
            _ => Ok(answer),
        }
    }

    async fn send(&self, mut request: Request) -> Outcome<Vec<u8>> {
        request.headers.push(("X-Wallet-Id", "bench".to_owned()));
        let response = self.client.request(request).await?;
        match response.status {
            200 => Ok(response.body),
            status => Err(format!("{status}: {}", String::from_utf8_lossy(&response.body)).into()),
        }
    }

    async fn read(&self, path: &str) -> Outcome<Value> {
        Ok(serde_json::from_slice(&self.get(path).await?)?)
    }

    async fn address(&self, index: u32) -> Outcome<String> {
        let answer = self.read(&format!("wallet/address?index={index}")).await?;
        Ok(answer["address"].as_str().ok_or("no address")?.to_owned())
    }

    async fn start_wallet(&self) -> Outcome<()> {
        let words = format!("{}art", "abandon ".repeat(23));
        self.post("start", &json!({ "wallet-id": "bench", "seed": words })).await?;
        self.until("wallet/status", |status| status["statusCode"] == 3).await
    }

    async fn until_up(&self, path: &str) -> Outcome<()> {
        let give_up = Instant::now() + Duration::from_secs(30);
        while self.get(path).await.is_err() {
            if Instant::now() > give_up {
                return Err("the server does not answer".into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    async fn until_outputs(&self, count: usize) -> Outcome<()> {
        self.until("wallet/utxo-filter?max_utxos=1000", |answer| answer["total_utxos_available"] == count)
            .await
    }

    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Outcome<()> {
        let give_up = Instant::now() + Duration::from_secs(30);
        loop {
            let answer = self.read(path).await?;
            if is_so(&answer) {
                return Ok(());
            }
            if Instant::now() > give_up {
                return Err(format!("{path} still answers {answer}").into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// The built binary, running; ended when dropped.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str]) -> Outcome<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self(command.spawn()?))
    }

    /// What of it is in memory now, where the system says so.
    fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches("kB").trim().parse().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Already ended is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
