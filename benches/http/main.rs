//! How fast and how small the server is, HTTP to HTTP, on a local network at trivial weight:
//! `cargo bench --features native --bench http`, or for some of it `… --bench http -- balance`.
//!
//! The server is a process of its own, as it is shipped, its log going nowhere. The network and the load come
//! from this process. On a machine that does other things too, look at processor times rather than at rates.

mod api;
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
const LASTING: Duration = Duration::from_secs(3);

/// Wallets: how many transactions pay each, and with how many outputs.
const WALLETS: [(&str, usize, usize); 4] =
    [("small", 1, COINS), ("1,500", 1_500, 1), ("10,000", 40, 250), ("100,000", 400, 250)];

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
    let config = DevnetConfig { block_interval: None, ..DevnetConfig::default() };
    let devnet = Devnet::start(config).await?;
    let mut payer = devnet.change(|chain, now| Payer::new(chain, now - 100_000))?;
    let server = Server::start(&devnet)?;
    let api = Api::new(server.port)?;
    api.until_up().await?;
    println!("{:<52} {:>12} {:>12}", "memory of the server", "", "goal");
    memory("without a wallet", &server, "");
    for (name, transactions, outputs) in WALLETS {
        devnet.change(|chain, _| payer.fill(chain, name, transactions, outputs))?;
        api.start_wallet(name, &ledger::words_of(name)).await?;
        api.until_outputs(name, transactions * outputs).await?;
        memory(&format!("and one of {} outputs", transactions * outputs), &server, "30 MiB with a small one");
    }

    let averages = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\nload of the machine before: {}", averages.trim());
    println!(
        "{:<40} {:>10} {:>9} {:>9} {:>12} {:>12}   goal",
        "", "rate", "median", "p99", "server's µs", "client's µs"
    );
    for (what, wallet, path, connections, goal) in READS.iter().filter(|read| wanted(read.0)) {
        let request = load::get(&format!("/wallet/{path}"), wallet);
        let (port, before) = (server.port, server.processor_time());
        let load = tokio::task::block_in_place(|| load::run(port, &request, *connections, LASTING))?;
        row(what, &load, before.zip(server.processor_time()).map(|(a, b)| b - a), goal);
    }
    if wanted("create-token") {
        // Coins can be spent from the second after the one they came in.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let before = server.processor_time();
        let creations = create(&api).await?;
        let used = before.zip(server.processor_time()).map(|(a, b)| b - a);
        row("create-token, until it is on the ledger", &creations, used, "20 ms");
    }
    memory("\nafterwards", &server, "");
    devnet.shutdown().await;
    Ok(())
}

/// Token creations, one after the other.
async fn create(api: &Api) -> Outcome<Load> {
    let token = json!({ "name": "Bench token", "symbol": "BENCH", "amount": 100 });
    let began = Instant::now();
    let mut times = Vec::new();
    for _ in 0..CREATIONS {
        let began = Instant::now();
        api.post("wallet/create-token", "small", &token).await?;
        times.push(began.elapsed());
    }
    Ok(Load::new(times, began.elapsed(), None))
}

fn memory(when: &str, server: &Server, goal: &str) {
    let figure =
        server.resident_kib().map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0));
    println!("{when:<52} {figure:>12}   {goal}");
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
