//! Many sends at once, and many wallets in one process: `cargo bench --features native --bench crowd`.
//!
//! On a local network, or on any network of trivial weight: set `BENCH_NODE`, `BENCH_MINING`, `BENCH_NETWORK`
//! and `BENCH_WORDS` (of a wallet with some HTR).

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Options, Phase, Wallet};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use std::error::Error;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival \
    spend attack anchor afford rotate green audit adjust fade wagon depart level";
const SENDS: usize = 100;
const WALLETS: u64 = 1_000;

fn main() -> Outcome<()> {
    println!("{:<66} {:>12}   target", "", "");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

fn row(what: &str, value: String, target: &str) {
    println!("{what:<66} {value:>12}   {target}");
}

async fn measure() -> Outcome<()> {
    let setting = |name: &str| std::env::var(name).ok();
    let (node, mining, devnet) = match (setting("BENCH_NODE"), setting("BENCH_MINING")) {
        (Some(node), Some(mining)) => (node, mining, None),
        _ => {
            let devnet = Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await?;
            (devnet.node_url(), devnet.mining_url(), Some(devnet))
        }
    };
    let backend = Backend {
        network: setting("BENCH_NETWORK").as_deref().unwrap_or("privatenet").parse()?,
        node: FullNode::new(HttpClient::shared(), &node)?,
        mining: MiningService::new(HttpClient::shared(), &mining, None)?.into(),
    };
    let words = setting("BENCH_WORDS").unwrap_or(GENESIS_WORDS.to_owned());
    let wallet = start(&words, &backend).await?;
    measure_sends(&wallet).await?;
    wallet.stop().await;
    let accounts = (0..WALLETS).map(|_| Ok(AccountKeys::from_mnemonic(&Mnemonic::generate()?, "")));
    let accounts: Vec<AccountKeys> = accounts.collect::<Outcome<_>>()?;
    if let Some(devnet) = &devnet {
        pay_some(devnet, &accounts)?;
    }
    let before = resident();
    let began = Instant::now();
    let mut wallets = Vec::new();
    for account in accounts {
        let account = Account::Signing(account);
        wallets.push(Wallet::start(account, backend.clone(), Options::default()).await?);
    }
    for wallet in &wallets {
        ready(wallet).await?;
    }
    let what = match &devnet {
        Some(_) => "1,000 wallets with 5 transactions each are ready",
        None => "1,000 empty wallets are ready",
    };
    row(what, format!("{:.1} s", began.elapsed().as_secs_f64()), "");
    let each = resident().zip(before).map(|(now, before)| (now - before) / WALLETS / 1024);
    let share =
        if devnet.is_some() { "memory of each, with the network's share of it" } else { "memory of each" };
    row(share, each.map_or("unknown".to_owned(), |n| format!("{n} KiB")), "1 MiB");
    let wallet = start(&words, &backend).await?;
    let began = Instant::now();
    pay(&wallet, wallet.read(|state, _| state.current_address())?).await?;
    row("one send beside them", format!("{:.1} ms", began.elapsed().as_secs_f64() * 1e3), "");
    Ok(())
}

/// Five payments to each account, to addresses of their own.
fn pay_some(devnet: &Devnet, accounts: &[AccountKeys]) -> Outcome<()> {
    for hash in accounts.iter().flat_map(|account| account.public().key_hashes(0..5)) {
        let address = Address::p2pkh(Network::Privatenet, hash);
        devnet.change(|chain, now| chain.fund(address, Amount::from(10), now))?;
    }
    Ok(())
}

async fn start(words: &str, backend: &Backend) -> Outcome<Wallet> {
    let account = Account::Signing(AccountKeys::from_mnemonic(&Mnemonic::parse(words)?, ""));
    let wallet = Wallet::start(account, backend.clone(), Options::default()).await?;
    ready(&wallet).await?;
    Ok(wallet)
}

async fn ready(wallet: &Wallet) -> Outcome<()> {
    match wallet.ready().await {
        status if status.phase == Phase::Ready => Ok(()),
        status => Err(format!("{status:?}").into()),
    }
}

async fn measure_sends(wallet: &Wallet) -> Outcome<()> {
    let home = wallet.read(|state, _| state.address(0))?.ok_or("no address")?;
    let coin =
        |to| OutputRequest::Pay { to, value: Amount::from(10), token: TokenUid::Native, timelock: None };
    wallet.send(SendRequest { outputs: vec![coin(home); SENDS], ..SendRequest::default() }).await?;
    // Coins can be spent from the second after the one they came in.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let began = Instant::now();
    let sends = (0..SENDS).map(|_| {
        let wallet = wallet.clone();
        tokio::spawn(async move { pay(&wallet, home).await.map_err(|failure| failure.to_string()) })
    });
    for send in futures_util::future::join_all(sends).await {
        send??;
    }
    row("100 sends at once on one wallet", format!("{:.2} s", began.elapsed().as_secs_f64()), "1 s");
    Ok(())
}

/// Pays exactly one of the coins made for it.
async fn pay(wallet: &Wallet, to: Address) -> Outcome<()> {
    let outputs =
        vec![OutputRequest::Pay { to, value: Amount::from(10), token: TokenUid::Native, timelock: None }];
    wallet.send(SendRequest { outputs, ..SendRequest::default() }).await?;
    Ok(())
}

/// Bytes of this process that are in memory, where the system says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
