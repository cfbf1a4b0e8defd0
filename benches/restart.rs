//! How long a wallet of 10,000 transactions over 2,000 addresses takes to be ready, from nothing and from
//! what it kept: `cargo bench --features native --bench restart`.

#[path = "common/cost.rs"]
mod cost;

use cost::{Clock, Cost, millis};
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, Input, MiningJob, Network, Outpoint, Output, Script, TokenData, Transaction, VertexId,
};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Options, Phase, Wallet};
use headless_wallet::store::{DataDir, RedbStore, Stores};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const TRANSACTIONS: u32 = 10_000;
const ADDRESSES: u32 = 2_000;
const RESTARTS: usize = 5;

fn main() -> Outcome<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(measure())
}

async fn measure() -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig { block_interval: None, ..DevnetConfig::default() }).await?;
    let words = Mnemonic::generate()?;
    let keys = AccountKeys::from_mnemonic(&words, "");
    fill(&devnet, &keys)?;

    let dir = tempfile::tempdir()?;
    let start = async |stores: Option<Arc<dyn Stores>>| -> Outcome<Cost> {
        let began = Clock::start();
        let backend = Backend {
            network: Network::Privatenet,
            node: FullNode::new(HttpClient::shared(), &devnet.node_url())?,
            mining: MiningService::new(HttpClient::shared(), &devnet.mining_url(), None)?.into(),
        };
        let options = Options { stores, ..Options::default() };
        let wallet = Wallet::start(Account::Signing(keys.clone()), backend, options).await?;
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let took = began.read();
        let known = wallet.read(|state, _| state.history_len())?;
        assert_eq!(known, TRANSACTIONS as usize + 1);
        wallet.stop().await;
        Ok(took)
    };
    println!("{TRANSACTIONS} transactions over {ADDRESSES} addresses, ready after");
    let row = |what: &str, took: Cost, target: &str| {
        println!("  {what:<32} {:>10}   {:>10}   {target}", millis(took.wall), millis(took.processor));
    };
    println!("  {:<32} {:>10}   {:>10}   target", "", "", "processors");
    row("a start that keeps nothing", start(None).await?, "");
    row("a first start that keeps", start(Some(Arc::new(DataDir::new(dir.path())?))).await?, "");
    let mut best = Cost::MOST;
    for _ in 0..RESTARTS {
        best = best.min(start(Some(Arc::new(DataDir::new(dir.path())?))).await?);
    }
    row("the best of some restarts", best, "300 ms");
    for file in DataDir::files(dir.path())? {
        let began = Instant::now();
        let kept = RedbStore::open_any(&file)?.read()?;
        println!("  reading {} of the store  {:>8.1?}", kept.vertices.len(), began.elapsed());
        println!("  the file has                     {:>8} bytes", std::fs::metadata(&file)?.len());
        println!("  made small                       {:>8} bytes", RedbStore::compact(&file)?.after);
    }
    devnet.shutdown().await;
    Ok(())
}

/// A row of transactions, each paying an address and giving its change to the next one.
fn fill(devnet: &Devnet, keys: &AccountKeys) -> Outcome<()> {
    let account = keys.public();
    let scripts: Vec<Vec<u8>> = account
        .key_hashes(0..ADDRESSES)
        .into_iter()
        .map(|hash| {
            let to = Address::p2pkh(Network::Privatenet, hash);
            Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts")
        })
        .collect();
    let first = Address::p2pkh(Network::Privatenet, account.key_hashes(0..1)[0]);
    devnet.change(|chain, now| -> Outcome<()> {
        let begin = now - TRANSACTIONS - 100;
        let mut left = u64::from(TRANSACTIONS) * 2;
        let mut coin = (chain.fund(first, Amount::from(left), begin)?, 0);
        let mut parents: [VertexId; 2] = chain.tx_parents(begin);
        for number in 0..TRANSACTIONS {
            let signer = number % ADDRESSES;
            left -= 1;
            let output = |value: u64, index: u32| Output {
                value: Amount::from(value),
                token_data: TokenData(0),
                script: scripts[index as usize].clone(),
            };
            let mut tx = Transaction {
                signal_bits: 0,
                tokens: vec![],
                inputs: vec![Input { spends: Outpoint { tx: coin.0, index: coin.1 }, data: vec![] }],
                outputs: vec![output(1, signer), output(left, (signer + 1) % ADDRESSES)],
                creates: None,
                blueprint: None,
                weight: 1.0,
                timestamp: begin + 10 + number,
                parents: parents.to_vec(),
                nonce: 0,
                headers: vec![],
            };
            tx.inputs[0].data = keys.sign(signer, &tx.sighash()?).to_bytes()?;
            let job = MiningJob::new(&tx.mining_bytes()?, tx.weight);
            tx.nonce = job.search(0..1 << 32).ok_or("no nonce")?;
            let id = chain.push(&tx.to_bytes()?, now)?;
            coin = (id, 1);
            parents = [id, parents[0]];
        }
        chain.mine_block(vec![0x51], now);
        Ok(())
    })
}
