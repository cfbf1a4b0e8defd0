//! What it costs to keep wallets in PostgreSQL, and to take one over: `cargo bench --features native --bench
//! cluster`.
//!
//! On a local network, with a PostgreSQL of its own that writes to the disk (`fsync`). The servers are parts
//! of this process, but for the one that is killed and those of many wallets.

#[path = "../tests/common/postgres.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod postgres;

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::net::{HttpClient, Request};
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::rt;
use headless_wallet::server::{App, Config, Layer, run};
use headless_wallet::service::{Account, Backend, Operation, Options, Phase, SendKey, StartError, Wallet};
use headless_wallet::store::{DataDir, PostgresStores, StoreError, Stores};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use postgres::Postgres;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncBufReadExt;
use tokio::net::TcpListener;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const SENDS: u8 = 100;
/// Of the wallets that send in turn: their outputs of 10 HTR, what they send in cents, and how long they
/// wait before each send, as outputs can be spent from the second after the one they came in.
const SHAPES: [(&str, usize, u64, Duration); 3] = [
    ("every 0.12 s, 20 outputs", 20, 1, Duration::from_millis(120)),
    ("one after another, 500 outputs", 500, 1, Duration::ZERO),
    ("one after another, 5 inputs each", 1_300, 4_500, Duration::ZERO),
];
const BURSTS: usize = 9;
const MOST_OUTPUTS: usize = 255;
/// The wallets that send all at the same time, and how often each sends, one after another.
const WALLETS: usize = 300;
const SENDS_EACH: u8 = 5;
const KNOWN: u32 = 10_000;
/// The node, the mining service, the store and the words of a child that is to be killed.
const CHILD: [&str; 4] = ["BENCH_NODE", "BENCH_MINING", "BENCH_STORE", "BENCH_WORDS"];

fn main() -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let [node, mining, store, words] = CHILD.map(|name| std::env::var(name).unwrap_or_default());
    if !store.is_empty() {
        return runtime.block_on(be_killed(&node, &mining, &store, &words));
    }
    println!("{:<72} {:>12}   target", "", "");
    // In a task, as all requests are that a server gets.
    runtime.block_on(async { tokio::spawn(measure()).await? })
}

fn row(what: &str, value: String, target: &str) {
    println!("{what:<72} {value:>12}   {target}");
}

async fn measure() -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await?;
    let backend = backend(&devnet.node_url(), &devnet.mining_url())?;
    let postgres = Postgres::start(None);
    postgres.sql("schema=public", "alter system set fsync = on");
    postgres.sql("schema=public", "select pg_reload_conf()");
    // As a database does that has run for a while: with the first file of a new one's log each commit waits
    // three times as long for the disk.
    postgres.sql("schema=public", "select pg_switch_wal()");
    postgres.sql("schema=public", "checkpoint");
    let url = postgres.url();
    let dir = tempfile::tempdir()?;
    let on_disk: Arc<dyn Stores> = Arc::new(DataDir::new(dir.path())?);
    let millis = |seconds: f64| format!("{:.2} ms", seconds * 1e3);

    for (shape, outputs, amount, pause) in SHAPES {
        let wallets = [
            start(&funded(&devnet, outputs).await?, &backend, on_disk.clone()).await?,
            start(&funded(&devnet, outputs).await?, &backend, stores(&url)?).await?,
        ];
        for (keyed, with_key) in [(false, ""), (true, ", with a key")] {
            let [on_disk, in_postgres] = in_turn(&wallets, amount, pause, keyed).await?;
            let what = format!("sends {shape}{with_key}, median");
            row(&format!("{what}: redb"), millis(on_disk), "");
            row(&format!("{what}: PostgreSQL"), millis(in_postgres), "");
            row("… more", millis(in_postgres - on_disk), "2 ms");
        }
        for wallet in wallets {
            wallet.stop().await;
        }
    }

    let mut times = [const { Vec::new() }; 2];
    for _ in 0..BURSTS {
        for (times, stores) in times.iter_mut().zip([on_disk.clone(), stores(&url)?]) {
            let wallet = start(&funded(&devnet, SENDS.into()).await?, &backend, stores).await?;
            times.push(all_at_once(&wallet).await?);
            wallet.stop().await;
        }
    }
    let [one, other] = times.map(median);
    row("100 sends at once, median of 9: redb", format!("{one:.2} s"), "");
    row("100 sends at once, median of 9: PostgreSQL", format!("{other:.2} s"), "");

    for (outputs, times, target) in [(500, 5, "2 s"), (100_000, 3, "4 s")] {
        let mut takeovers = Vec::new();
        for _ in 0..times {
            takeovers.push(takeover(&devnet, &backend, &url, outputs).await?);
        }
        let longest = takeovers.iter().copied().fold(0.0, f64::max);
        let what = format!("first send at another server after a kill, {outputs} outputs");
        row(&format!("{what}, median of {times}"), format!("{:.2} s", median(takeovers)), target);
        row(&format!("{what}, the longest"), format!("{longest:.2} s"), target);
    }

    let mut words = Vec::new();
    for _ in 0..WALLETS {
        words.push(funded(&devnet, usize::from(SENDS_EACH)).await?);
    }
    let mut rates = Vec::new();
    for servers in [1, 3] {
        let rate = sends_a_second(&devnet, &url, servers, &words).await?;
        row(&format!("{WALLETS} wallets on {servers} servers, sends a second"), format!("{rate:.0}"), "");
        rates.push(rate);
    }
    let cores = std::thread::available_parallelism()?;
    row(&format!("… times as many, on {cores} cores"), format!("{:.2}", rates[1] / rates[0]), "2.5");

    let [at_owner, forwarded] = sends_over_http(&devnet, &url).await?;
    row("sends over HTTP at the server that runs the wallet, median", millis(at_owner), "");
    row("sends over HTTP forwarded by another server, median", millis(forwarded), "");
    row("… more", millis(forwarded - at_owner), "1 ms");

    // For counting them; with sends it would be measured how fast the log is written.
    postgres.sql("schema=public", "alter system set log_statement = 'all'");
    postgres.sql("schema=public", "select pg_reload_conf()");
    let mut words = Vec::new();
    for _ in 0..60 {
        words.push(funded(&devnet, 1).await?);
    }
    let _servers = servers(&devnet, &url, "idle", &words).await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    row(
        "60 wallets idle on three servers, statements a second",
        statements_a_second(&postgres).await?,
        "100",
    );
    let known = format!(
        "insert into started (network, name, account, request) \
         select 'privatenet', 'known ' || n, 1, '{{}}' from generate_series(1, {KNOWN}) n"
    );
    postgres.sql(&url, &known);
    row(
        "… and 10,000 more that are known, statements a second",
        statements_a_second(&postgres).await?,
        "100",
    );
    Ok(())
}

fn backend(node: &str, mining: &str) -> Outcome<Backend> {
    Ok(Backend {
        network: Network::Privatenet,
        node: FullNode::new(HttpClient::shared(), node)?,
        mining: MiningService::new(HttpClient::shared(), mining, None)?.into(),
    })
}

fn stores(url: &str) -> Outcome<Arc<dyn Stores>> {
    Ok(Arc::new(PostgresStores::new(url.parse()?)))
}

fn own(words: &str) -> Outcome<Address> {
    let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(words)?, "").public();
    Ok(Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]))
}

/// New words, with so many outputs of 10 HTR, all of which can be spent: that is so from the second after the
/// one they came in, and many are dated ahead.
async fn funded(devnet: &Devnet, outputs: usize) -> Outcome<String> {
    let words = Mnemonic::generate()?.words().to_owned();
    let own = own(&words)?;
    let mut newest = 0;
    for _ in 0..outputs {
        let id = devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now))?;
        newest = newest.max(devnet.read(|chain| chain.vertex(&id).map_or(0, |vertex| vertex.timestamp)));
    }
    let wait = (u64::from(newest + 1) * 1_000).saturating_sub(rt::unix_millis());
    tokio::time::sleep(Duration::from_millis(wait)).await;
    Ok(words)
}

/// The same for very many, in transactions with as many outputs as one can have.
async fn funded_by_sends(devnet: &Devnet, backend: &Backend, outputs: usize) -> Outcome<String> {
    let words = Mnemonic::generate()?.words().to_owned();
    let own = own(&words)?;
    let value = Amount::from(1_000u64);
    for _ in 0..outputs / MOST_OUTPUTS {
        devnet.change(|chain, now| chain.fund(own, Amount::from(1_000 * MOST_OUTPUTS as u64), now))?;
    }
    let wallet = start(&words, backend, None).await?;
    for _ in 0..outputs / MOST_OUTPUTS {
        let pay = || OutputRequest::Pay { to: own, value, token: TokenUid::Native, timelock: None };
        let outputs = std::iter::repeat_with(pay).take(MOST_OUTPUTS).collect();
        wallet.send(SendRequest { outputs, ..SendRequest::default() }).await?;
    }
    wallet.stop().await;
    Ok(words)
}

async fn start(
    words: &str,
    backend: &Backend,
    stores: impl Into<Option<Arc<dyn Stores>>>,
) -> Outcome<Wallet> {
    let account = Account::Signing(AccountKeys::from_mnemonic(&Mnemonic::parse(words)?, ""));
    let options = Options { stores: stores.into(), ..Options::default() };
    let wallet = Wallet::start(account, backend.clone(), options).await?;
    match wallet.ready().await {
        status if status.phase == Phase::Ready => Ok(wallet),
        status => Err(format!("{status:?}").into()),
    }
}

async fn pay(wallet: &Wallet, amount: u64, key: Option<SendKey>) -> Outcome<()> {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let outputs =
        vec![OutputRequest::Pay { to, value: Amount::from(amount), token: TokenUid::Native, timelock: None }];
    let send = SendRequest { outputs, ..SendRequest::default() };
    match key {
        Some(key) => wallet.carry_out_once(Operation::Send(send), key).await?.sent,
        None => wallet.send(send).await?,
    };
    Ok(())
}

/// The medians of sends of one wallet, at the server that runs it and at another one, in turn.
async fn sends_over_http(devnet: &Devnet, url: &str) -> Outcome<[f64; 2]> {
    let servers = servers(devnet, url, "sends", &[funded(devnet, 500).await?]).await?;
    let mut times = [const { Vec::new() }; 2];
    let body = format!(r#"{{"address":"{}","value":1}}"#, Address::p2pkh(Network::Privatenet, [7; 20]));
    // Until the other one has a lease of its own, it forwards nothing.
    tokio::time::sleep(Duration::from_secs(2)).await;
    for _ in 0..SENDS {
        for (times, (_, address)) in times.iter_mut().zip(&servers) {
            let url = format!("http://{address}/wallet/simple-send-tx").parse()?;
            let mut send = Request::post(url, body.clone());
            send.headers.push(("x-wallet-id", "sends0".to_owned()));
            let began = Instant::now();
            let answer = HttpClient::shared().request(send).await?;
            times.push(began.elapsed().as_secs_f64());
            if !answer.body.starts_with(br#"{"success":true"#) {
                return Err(String::from_utf8_lossy(&answer.body).into());
            }
        }
    }
    Ok(times.map(median))
}

fn settings(devnet: &Devnet, url: &str, words: &[String]) -> String {
    let seeds = words.iter().enumerate().map(|(number, words)| format!("s{number} = '{words}'\n"));
    format!(
        "network = 'privatenet'\nserver = '{}'\ntx_mining_url = '{}'\nstore = '{url}'\ncluster_secret = '{}'\n[seeds]\n{}",
        devnet.node_url(),
        devnet.mining_url(),
        "5".repeat(64),
        seeds.collect::<String>()
    )
}

/// Sends of all wallets at once, each at the server that runs it. The servers are processes of their own.
async fn sends_a_second(devnet: &Devnet, url: &str, servers: usize, words: &[String]) -> Outcome<f64> {
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(&file, format!("http_port = 0\n{}", settings(devnet, url, words)))?;
    let mut children = Vec::new();
    let mut addresses = Vec::new();
    for _ in 0..servers {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
        command.arg("serve").arg("--config").arg(file.path()).kill_on_drop(true);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut lines = child.stdout.take().map(tokio::io::BufReader::new).ok_or("no output")?.lines();
        let line = lines.next_line().await?.ok_or("a server did not start")?;
        let (_, address) = line.rsplit_once("http://").ok_or("no address")?;
        addresses.push(address.trim_end_matches('/').to_owned());
        children.push(child);
    }
    let ask = async |path: &str, at: usize, number: usize, body: Option<String>| {
        let url = format!("http://{}{path}", addresses[at]).parse()?;
        let mut request = match body {
            Some(body) => Request::post(url, body),
            None => Request::get(url),
        };
        request.headers.push(("x-wallet-id", format!("w{number}")));
        Ok::<_, Box<dyn Error + Send + Sync>>(HttpClient::shared().request(request).await?.body)
    };
    for number in 0..words.len() {
        let body = format!("{{\"wallet-id\":\"w{number}\",\"seedKey\":\"s{number}\"}}");
        ask("/start", number % servers, number, Some(body)).await?;
        let ready = br#""statusCode":3"#;
        while !ask("/wallet/status", number % servers, number, None)
            .await?
            .windows(ready.len())
            .any(|w| w == ready)
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let began = Instant::now();
    let sends = (0..words.len()).map(async |number| {
        for _ in 0..SENDS_EACH {
            let body = format!(r#"{{"address":"{to}","value":1}}"#);
            let answer = ask("/wallet/simple-send-tx", number % servers, number, Some(body)).await?;
            if !answer.starts_with(br#"{"success":true"#) {
                return Err(String::from_utf8_lossy(&answer).into());
            }
        }
        Outcome::Ok(())
    });
    for sent in futures_util::future::join_all(sends).await {
        sent?;
    }
    let rate = (words.len() * usize::from(SENDS_EACH)) as f64 / began.elapsed().as_secs_f64();
    for number in 0..words.len() {
        ask("/wallet/stop", number % servers, number, Some("{}".to_owned())).await?;
    }
    for child in &mut children {
        // Ended in order, it gives its accounts to others at once.
        let process = child.id().and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?));
        rustix::process::kill_process(process.ok_or("no process")?, rustix::process::Signal::TERM)?;
        child.wait().await?;
    }
    Ok(rate)
}

/// Three servers on a database, with the wallets of all these seed phrases, whose ids begin with `name`.
async fn servers(
    devnet: &Devnet,
    url: &str,
    name: &str,
    words: &[String],
) -> Outcome<Vec<(App, SocketAddr)>> {
    let settings = settings(devnet, url, words);
    let mut servers = Vec::new();
    for server in 0..3 {
        let app = App::new(Config::from_layers([Layer::toml("bench.toml", &settings)?])?)?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(run(listener, std::future::pending(), app.clone()));
        for number in (server..words.len()).step_by(3) {
            let body = format!("{{\"wallet-id\":\"{name}{number}\",\"seedKey\":\"s{number}\"}}");
            let start = Request::post(format!("http://{address}/start").parse()?, body);
            HttpClient::shared().request(start).await?;
            let wallet = app.wallets().get(&format!("{name}{number}")).ok_or("a wallet was not started")?;
            wallet.ready().await;
        }
        servers.push((app, address));
    }
    Ok(servers)
}

/// The median of each wallet's sends. In turn, so that what else the machine does is no difference between
/// them; ten each, so that what a send leaves to be done later falls on the same wallet's next ones.
async fn in_turn(wallets: &[Wallet; 2], amount: u64, pause: Duration, keyed: bool) -> Outcome<[f64; 2]> {
    let mut times = [const { Vec::new() }; 2];
    for turn in 0..SENDS / 10 {
        for (wallet, times) in wallets.iter().zip(&mut times) {
            for number in 0..10 {
                tokio::time::sleep(pause).await;
                let key = keyed.then_some(SendKey { name: [turn * 10 + number; 32], request: [0; 32] });
                let began = Instant::now();
                pay(wallet, amount, key).await?;
                times.push(began.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times.map(median))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

async fn all_at_once(wallet: &Wallet) -> Outcome<f64> {
    let began = Instant::now();
    let sends = (0..SENDS).map(|_| {
        let wallet = wallet.clone();
        tokio::spawn(async move { pay(&wallet, 1, None).await })
    });
    for send in futures_util::future::join_all(sends).await {
        send??;
    }
    Ok(began.elapsed().as_secs_f64())
}

/// From the end of a server to the first send of its wallet at another one.
async fn takeover(devnet: &Devnet, backend: &Backend, url: &str, outputs: usize) -> Outcome<f64> {
    let words = match outputs {
        ..=1_000 => funded(devnet, outputs).await?,
        _ => funded_by_sends(devnet, backend, outputs).await?,
    };
    let values = [&devnet.node_url(), &devnet.mining_url(), url, &words];
    let mut child = Command::new(std::env::current_exe()?)
        .envs(CHILD.into_iter().zip(values.map(|value| value.to_owned())))
        .stdout(Stdio::piped())
        .spawn()?;
    // It says that it is ready.
    let mut line = String::new();
    let mut said = BufReader::new(child.stdout.take().ok_or("no output")?);
    // It asks the network, which is a part of this process.
    tokio::task::block_in_place(|| said.read_line(&mut line))?;
    if line != "ready\n" {
        return Err("the server that is to be killed did not start".into());
    }
    let stores = stores(url)?;
    child.kill()?;
    let began = Instant::now();
    let wallet = loop {
        match start(&words, backend, stores.clone()).await {
            Err(error) if is_run(&*error) => tokio::time::sleep(Duration::from_millis(20)).await,
            started => break started?,
        }
    };
    pay(&wallet, 1, None).await?;
    let time = began.elapsed().as_secs_f64();
    child.wait()?;
    wallet.stop().await;
    Ok(time)
}

fn is_run(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(StartError::Store(StoreError::RunsOn(_))))
}

async fn be_killed(node: &str, mining: &str, store: &str, words: &str) -> Outcome<()> {
    let _wallet = start(words, &backend(node, mining)?, stores(store)?).await?;
    println!("ready");
    std::future::pending().await
}

/// Statements that the database has logged in ten seconds.
async fn statements_a_second(postgres: &Postgres) -> Outcome<String> {
    const SECONDS: u64 = 10;
    let log = format!("{}/log", postgres.dir);
    let logged = || {
        std::fs::read_to_string(&log).map(|text| {
            let is_one = |line: &&str| line.contains("LOG:  statement:") || line.contains("LOG:  execute");
            // Several statements of one message are one line each in the source, divided by semicolons.
            text.lines().filter(is_one).map(|line| 1 + line.matches("; ").count()).sum::<usize>()
        })
    };
    let before = logged()?;
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    Ok(format!("{:.0}", (logged()? - before) as f64 / SECONDS as f64))
}
