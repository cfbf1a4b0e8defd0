//! How fast and how small the server is, HTTP to HTTP, on a local network at trivial weight:
//! `cargo bench --features native --bench http`, or for some of it `… --bench http -- balance` (or `beside`).
//!
//! The server is a process of its own, as it is shipped, its log going nowhere. The network and the load come
//! from this process. On a machine that does other things too, look at processor times rather than at rates.
//!
//! `BASELINE=path/to/another/headless-wallet` measures that build as well, in turn with this one in slices of
//! half a second, and prints under each row this build's rate in parts of the other's: the median over the
//! pairs of slices. Two runs one after the other say less, as a machine's speed can change by half from one
//! minute to the next.

mod api;
mod beside;
mod ledger;
mod load;

use api::{Api, Server};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use ledger::Payer;
use load::Load;
use serde_json::json;
use std::error::Error;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const CREATIONS: usize = 200;
/// Coins that the measured sends find ready, so that none has to wait out the second of its own change.
const COINS: usize = 254;
/// How many of them are made in turn, where two builds are compared.
const CREATIONS_IN_TURN: usize = 10;
const SLICE: Duration = Duration::from_millis(500);
const SLICES: usize = 6;
/// Where two builds are compared.
const SLICES_COMPARED: usize = 20;

/// Wallets: how many transactions pay each, and with how many outputs.
const WALLETS: [(&str, usize, usize); 4] =
    [("small", 1, COINS), ("1,500", 1_500, 1), ("10,000", 40, 250), ("100,000", 400, 250)];
/// The wallet that the other build spends of: two servers that don't know of each other choose the same
/// coins.
const OTHER_SMALL: (&str, usize, usize) = ("small, of the other build", 1, COINS);

/// What is read, of which wallet, over how many connections at once, and the goal.
const READS: [(&str, &str, &str, usize, &str); 10] = [
    ("balance", "1,500", "balance", 32, "30,000/s, p99 5 ms"),
    ("address", "1,500", "address", 32, "30,000/s, p99 5 ms"),
    ("utxo-filter?max_utxos=255", "1,500", "utxo-filter?max_utxos=255", 32, "10,000/s"),
    ("whole utxo-filter of 1,500 outputs", "1,500", "utxo-filter?max_utxos=1500", 16, "4,000/s"),
    ("tx-history?limit=10", "1,500", "tx-history?limit=10", 32, "15,000/s"),
    ("whole tx-history of 1,500 transactions", "1,500", "tx-history", 8, "400/s"),
    ("utxo-filter, all of 10,000 outputs", "10,000", "utxo-filter?max_utxos=10000", 1, "2 ms"),
    ("utxo-filter, none of 10,000 outputs", "10,000", "utxo-filter?amount_bigger_than=99999999", 1, "2 ms"),
    ("utxo-filter, 255 of 10,000 outputs", "10,000", "utxo-filter", 1, "2 ms"),
    ("utxo-filter, 255 of 100,000 outputs", "100,000", "utxo-filter?max_utxos=255", 1, "1 ms"),
];

fn main() -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome<()> {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wanted = |what: &str| only.as_ref().is_none_or(|only| what.contains(only.as_str()));
    if wanted("beside") {
        beside::measure(env!("CARGO_BIN_EXE_headless-wallet")).await?;
    }
    if only.as_deref() == Some("beside") {
        return Ok(());
    }
    let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
    let devnet = Devnet::start(config).await?;
    let mut payer = devnet.change(|chain, now| Payer::new(chain, now - 100_000))?;
    let mut builds =
        vec![Build::start("this build", env!("CARGO_BIN_EXE_headless-wallet"), "small", &devnet).await?];
    if let Ok(path) = std::env::var("BASELINE") {
        builds.push(Build::start("baseline", &path, OTHER_SMALL.0, &devnet).await?);
    }
    println!("{:<52} {:>12} {:>12}", "memory of the server", "", "goal");
    memory("without a wallet", &builds, "");
    let is_wanted =
        |wallet: &str| only.is_none() || READS.iter().any(|read| read.1 == wallet && wanted(read.0));
    for (name, transactions, outputs) in
        WALLETS.into_iter().filter(|wallet| wallet.0 == "small" || is_wanted(wallet.0))
    {
        devnet.change(|chain, _| payer.fill(chain, name, transactions, outputs))?;
        for Build { api, .. } in &builds {
            api.start_wallet(name, &ledger::words_of(name)).await?;
            api.until_outputs(name, transactions * outputs).await?;
        }
        memory(&format!("and one of {} outputs", transactions * outputs), &builds, "30 MiB with a small one");
    }
    if let Some(other) = builds.get(1) {
        let (name, transactions, outputs) = OTHER_SMALL;
        devnet.change(|chain, _| payer.fill(chain, name, transactions, outputs))?;
        other.api.start_wallet(name, &ledger::words_of(name)).await?;
        other.api.until_outputs(name, transactions * outputs).await?;
    }

    let averages = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\nload of the machine before: {}", averages.trim());
    println!(
        "{:<40} {:>10} {:>9} {:>9} {:>12} {:>12}   goal",
        "", "rate", "median", "p99", "server's µs", "client's µs"
    );
    let slices = if builds.len() > 1 { SLICES_COMPARED } else { SLICES };
    for (what, wallet, path, connections, goal) in READS.iter().filter(|read| wanted(read.0)) {
        let request = load::get(&format!("/wallet/{path}"), wallet);
        for _ in 0..slices {
            for build in &mut builds {
                let port = build.server.port;
                let ask = || load::run(port, &request, *connections, SLICE);
                build.measure(|| tokio::task::block_in_place(ask))?;
            }
        }
        rows(what, &mut builds, goal);
    }
    if wanted("create-token") {
        // Coins can be spent from the second after the one they came in.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let in_turn = if builds.len() > 1 { CREATIONS_IN_TURN } else { CREATIONS };
        for _ in 0..CREATIONS / in_turn {
            for build in &mut builds {
                let used = build.server.processor_time();
                let load = create(&build.api, build.spends_of, in_turn).await?;
                build.add(load, used);
            }
        }
        rows("create-token, until it is on the ledger", &mut builds, "20 ms");
    }
    memory("\nafterwards", &builds, "");
    devnet.shutdown().await;
    Ok(())
}

/// A built server that is measured.
struct Build {
    name: &'static str,
    server: Server,
    api: Api,
    spends_of: &'static str,
    /// What was measured of the present row, a slice each, and the server's processor time for all of them.
    slices: Vec<Load>,
    used: Option<Duration>,
}

impl Build {
    async fn start(
        name: &'static str,
        path: &str,
        spends_of: &'static str,
        network: &Devnet,
    ) -> Outcome<Self> {
        let server = Server::start(path, network)?;
        let api = Api::new(server.port)?;
        api.until_up().await?;
        Ok(Self { name, server, api, spends_of, slices: vec![], used: Some(Duration::ZERO) })
    }

    fn measure(&mut self, load: impl FnOnce() -> Outcome<Load>) -> Outcome<()> {
        let used = self.server.processor_time();
        let load = load()?;
        self.add(load, used);
        Ok(())
    }

    /// A slice before which the server had used so much processor time.
    fn add(&mut self, load: Load, used_before: Option<Duration>) {
        let used = used_before.zip(self.server.processor_time()).map(|(before, after)| after - before);
        self.used = self.used.zip(used).map(|(before, used)| before + used);
        self.slices.push(load);
    }
}

/// Token creations, one after the other.
async fn create(api: &Api, wallet: &str, count: usize) -> Outcome<Load> {
    let token = json!({ "name": "Bench token", "symbol": "BENCH", "amount": 100 });
    let began = Instant::now();
    let mut times = Vec::new();
    for _ in 0..count {
        let began = Instant::now();
        api.post("wallet/create-token", wallet, &token).await?;
        times.push(began.elapsed());
    }
    Ok(Load::new(times, began.elapsed(), None))
}

fn memory(when: &str, builds: &[Build], goal: &str) {
    for build in builds {
        let figure = build.server.resident_kib();
        let figure = figure.map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0));
        let when = if builds.len() > 1 { format!("{when} ({})", build.name) } else { when.to_owned() };
        println!("{when:<52} {figure:>12}   {goal}");
    }
}

/// What was measured of each build, and how they compare.
fn rows(what: &str, builds: &mut [Build], goal: &str) {
    let mut rates = Vec::new();
    for build in builds.iter_mut() {
        let slices = std::mem::take(&mut build.slices);
        rates.push(slices.iter().map(Load::rate).collect::<Vec<_>>());
        let used = build.used.replace(Duration::ZERO);
        row(if rates.len() == 1 { what } else { build.name }, &Load::all(slices), used, goal);
    }
    if let [these, others] = &rates[..] {
        let mut ratios: Vec<f64> = these.iter().zip(others).map(|(this, other)| this / other).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let at = |percent: usize| ratios.get(ratios.len() * percent / 100).copied().unwrap_or_default();
        println!(
            "{:<40} {:>8.2}     of the baseline's rate ({:.2} to {:.2} in half of the pairs)",
            "",
            at(50),
            at(25),
            at(75)
        );
    }
}

/// Times are processor times of one request.
fn row(what: &str, load: &Load, server: Option<Duration>, goal: &str) {
    let each = |time: Option<Duration>| match time {
        Some(time) => format!("{:.1}", time.as_secs_f64() * 1e6 / load.count() as f64),
        None => "unknown".to_owned(),
    };
    println!(
        "{what:<40} {:>8.0}/s {:>6.2} ms {:>6.2} ms {:>12} {:>12}   {goal}",
        load.rate(),
        load.percentile(50).as_secs_f64() * 1e3,
        load.percentile(99).as_secs_f64() * 1e3,
        each(server),
        each(load.client)
    );
}
