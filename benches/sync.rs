//! How fast a history is loaded, and how little memory it takes: `cargo bench --features native --bench
//! sync`.
//!
//! Loading is measured on a local network of 10,000 transactions over 2,000 addresses, or on any node: set
//! `BENCH_NODE` (such as `http://127.0.0.1:8083/v1a/`), `BENCH_NETWORK` and `BENCH_WORDS`. On a node from
//! elsewhere the reference wallet library then loads the same, if it is there (`npm ci`); on the local
//! network it would take minutes.

#[path = "common/cost.rs"]
mod cost;
#[path = "common/peer.rs"]
mod peer;

use cost::{Clock, Cost, millis};
use headless_wallet::devnet::chain::Chain;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{
    Address, Amount, DepositRate, ExtraMembers, Input, MiningJob, Network, Outpoint, Output, Script,
    SpentOutput, TokenData, TokenUid, Transaction, Vertex, VertexId, VertexInput, VertexOutput,
};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, Miner, NodeEvent, NodeSocket, StreamEvent};
use headless_wallet::service::{Account, Backend, Options, Phase, SyncMode, Wallet};
use headless_wallet::wallet::{Scan, Settings, State};
use peer::Peer;
use std::error::Error;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const GENESIS_WORDS: &str = "avocado spot town typical traffic vault danger century property shallow divorce festival \
    spend attack anchor afford rotate green audit adjust fade wagon depart level";
const TRANSACTIONS: u32 = 10_000;
const ADDRESSES: u32 = 2_000;
/// The most outputs of a transaction, less one for the change.
const OUTPUTS: u32 = 254;
const MANY: u32 = 100_000;
const RUNS: usize = 3;

fn main() -> Outcome<()> {
    println!("{:<66} {:>12}   target", "", "");
    // First, while nothing else has left holes in the memory. With a node from elsewhere, the memory is that
    // of loading from it alone.
    if std::env::var_os("BENCH_NODE").is_none() {
        measure_state();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure_loading())
}

fn row(what: &str, value: String, target: &str) {
    println!("{what:<66} {value:>12}   {target}");
}

/// The state machine alone: 100,000 transactions of two inputs and two outputs, as a wallet makes them that
/// spends its own coins.
fn measure_state() {
    let words = Mnemonic::parse(&format!("{}art", "abandon ".repeat(23))).expect("well-known words");
    let settings = Settings {
        network: Network::Mainnet,
        scan: Scan::GapLimit(20),
        reward_spend_min_blocks: 300,
        deposit: DepositRate::default(),
    };
    let account = AccountKeys::from_mnemonic(&words, "").public();
    let hashes = account.key_hashes(0..ADDRESSES);
    let mut state = State::new(account, settings);
    let before = resident();
    let mut taken = Duration::ZERO;
    for start in (0..MANY).step_by(1_000) {
        let batch: Vec<Vertex> = (start..start + 1_000).map(|number| vertex(number, &hashes)).collect();
        let began = Instant::now();
        for vertex in batch {
            let _ = state.apply(vertex);
        }
        taken += began.elapsed();
    }
    let began = Instant::now();
    state.loaded();
    taken += began.elapsed();
    let each = resident().zip(before).map(|(now, before)| (now - before) / u64::from(MANY));
    let rate = f64::from(MANY) / taken.as_secs_f64();
    row("load 100,000 transactions (2 inputs, 2 outputs)", format!("{rate:.0}/s"), "50,000/s");
    row("memory of each", each.map_or("unknown".to_owned(), |n| format!("{n} bytes")), "600 bytes");
    let began = Instant::now();
    for number in MANY..MANY + 1_000 {
        let _ = state.apply(vertex(number, &hashes));
    }
    row("apply one that arrives", format!("{:.1} µs", began.elapsed().as_secs_f64() * 1e3), "50 µs");
}

/// Spends an output of each of the two before it.
fn vertex(number: u32, hashes: &[[u8; 20]]) -> Vertex {
    let output = |number: u32, index: u8| {
        let place = (number / 5 + u32::from(index)) as usize % hashes.len();
        let to = Address::p2pkh(Network::Mainnet, hashes[place]);
        SpentOutput {
            value: Amount::from(u64::from(1_000 + number % 977)),
            token: TokenUid::Native,
            token_data: TokenData::NATIVE,
            script: pay(to).into(),
            unknown: None,
        }
    };
    let input = |spent: u32, index: u8| VertexInput {
        spends: Outpoint { tx: id(spent), index },
        output: output(spent, index),
    };
    let inputs = if number < 2 { Vec::new() } else { vec![input(number - 1, 0), input(number - 2, 1)] };
    Vertex {
        id: id(number),
        version: 1,
        weight: 17.0,
        timestamp: number,
        voided: false,
        first_block: Some(id(u32::MAX - number / 100)),
        height: None,
        parents: vec![id(number.wrapping_sub(1)), id(number.wrapping_sub(2))],
        inputs,
        outputs: [0, 1]
            .map(|index| VertexOutput {
                output: output(number, index),
                spent_by: Some(id(number + 1 + u32::from(index))),
            })
            .into(),
        creates: None,
        nano: None,
        extra: ExtraMembers::default(),
    }
}

/// As evenly spread as hashes are.
fn id(number: u32) -> VertexId {
    let mut id = [0; 32];
    let mut word = u64::from(number) + 1;
    for bytes in id.chunks_exact_mut(8) {
        word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    VertexId(id)
}

fn pay(to: Address) -> Vec<u8> {
    Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts")
}

async fn measure_loading() -> Outcome<()> {
    let setting = |name: &str| std::env::var(name).ok();
    let words = Mnemonic::parse(&setting("BENCH_WORDS").unwrap_or(format!("{}art", "abandon ".repeat(23))))?;
    let network = setting("BENCH_NETWORK").as_deref().unwrap_or("privatenet").parse()?;
    let account = AccountKeys::from_mnemonic(&words, "");
    let (url, _devnet) = match setting("BENCH_NODE") {
        Some(url) => (url, None),
        None => {
            let devnet = Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await?;
            devnet.change(|chain, now| fill(chain, now, &account))?;
            (devnet.node_url(), Some(devnet))
        }
    };
    let node = FullNode::new(HttpClient::shared(), &url)?;
    let xpub = account.public().to_xpub();
    let mut bare = Cost::MOST;
    let mut count = 0;
    for _ in 0..RUNS {
        let began = Clock::start();
        count = transfer(&node, &xpub).await?;
        bare = bare.min(began.read());
    }
    cost_row(&format!("transfer and parse a stream of {count} transactions"), bare, "");
    let mut ours = Vec::new();
    for (mode, how, target) in [
        (SyncMode::XpubStream, "streaming by key", "1.3"),
        (SyncMode::ManualStream, "streaming by list", "1.3"),
        (SyncMode::Pages, "by pages", ""),
    ] {
        let mut best = Cost::MOST;
        for _ in 0..RUNS {
            let backend = Backend { network, node: node.clone(), mining: Miner::local() };
            let options = Options { sync_mode: mode, ..Options::default() };
            let began = Clock::start();
            let wallet = Wallet::start(Account::Signing(account.clone()), backend, options).await?;
            let status = wallet.ready().await;
            if status.phase != Phase::Ready {
                return Err(format!("{status:?}").into());
            }
            best = best.min(began.read());
            wallet.stop().await;
        }
        cost_row(&format!("ready, {how}"), best, "");
        let times = |a: Duration, b: Duration| format!("{:.2}", a.as_secs_f64() / b.as_secs_f64());
        row(&format!("ready, {how}, in terms of the bare transfer"), times(best.wall, bare.wall), target);
        if !bare.processor.is_zero() {
            row("  the same of processor time", times(best.processor, bare.processor), "");
        }
        ours.push((how, best));
    }
    let memory = resident().map(|bytes| bytes as f64);
    if let Some(bytes) = memory {
        row("memory of the whole process", format!("{:.1} MB", bytes / 1e6), "");
    }
    if setting("BENCH_NODE").is_some() {
        compare(&ours, memory);
    }
    Ok(())
}

/// How much more the reference wallet library takes for the same.
fn compare(ours: &[(&str, Cost)], memory: Option<f64>) {
    let Some(peer) = Peer::load() else {
        return row("@hathor/wallet-lib (after npm ci, with BENCH_WORDS)", "not there".to_owned(), "");
    };
    for (how, ours) in ours {
        let Some(theirs) = peer.cost(how) else { continue };
        let times = |ours: Duration, theirs: Duration| theirs.as_secs_f64() / ours.as_secs_f64();
        cost_row(&format!("@hathor/wallet-lib: ready, {how}"), theirs, "");
        row("  times as long as ours", format!("{:.1}", times(ours.wall, theirs.wall)), "");
        if !ours.processor.is_zero() {
            let times = times(ours.processor, theirs.processor);
            row("  times as much processor time as ours", format!("{times:.1}"), "10");
        }
    }
    row("@hathor/wallet-lib: memory of the whole process", format!("{:.1} MB", peer.memory / 1e6), "");
    if let Some(memory) = memory {
        row("  times as much as ours", format!("{:.1}", peer.memory / memory), "10");
    }
}

fn cost_row(what: &str, cost: Cost, target: &str) {
    row(what, millis(cost.wall), target);
    row("  processor time of this process", millis(cost.processor), "");
}

/// Streams a history and parses it, and does nothing with it.
async fn transfer(node: &FullNode, xpub: &str) -> Outcome<usize> {
    let mut socket = NodeSocket::connect(node).await?;
    socket.stream_history(xpub, 0, 20);
    let mut count = 0;
    loop {
        match socket.recv().await? {
            NodeEvent::Stream(StreamEvent::Vertex { .. }) => count += 1,
            NodeEvent::Stream(StreamEvent::End { seq }) => {
                socket.acknowledge(seq, None);
                socket.close().await;
                return Ok(count);
            }
            NodeEvent::Stream(StreamEvent::Failed(message)) => return Err(message.into()),
            _ => {}
        }
    }
}

/// Pays each of the account's first addresses several times, from the genesis wallet.
fn fill(chain: &mut Chain, now: u32, account: &AccountKeys) -> Outcome<()> {
    let network = Network::Privatenet;
    let rich = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS)?, "");
    let home = Address::p2pkh(network, rich.public().key_hashes(1..2)[0]);
    let hashes = account.public().key_hashes(0..ADDRESSES);
    let genesis = chain.genesis()[0];
    let vertex = chain.vertex(&genesis).ok_or("no genesis")?;
    let mut coin =
        (Outpoint { tx: genesis, index: 0 }, u64::try_from(vertex.outputs[0].output.value.cents())?);
    let mut made = 0;
    let mut time = now - 1_000;
    while made < TRANSACTIONS {
        // One transaction makes small change, then each piece of it pays one address.
        let count = OUTPUTS.min(TRANSACTIONS - made);
        let left = coin.1 - 200 * u64::from(count);
        let mut outputs = vec![output(home, left)];
        outputs.extend((0..count).map(|_| output(home, 200)));
        let split = send(chain, &rich, coin.0, outputs, time)?;
        coin = (Outpoint { tx: split, index: 0 }, left);
        for piece in 0..count {
            let to = Address::p2pkh(network, hashes[(made % ADDRESSES) as usize]);
            let outputs = vec![output(to, 150), output(home, 50)];
            let spends = Outpoint { tx: split, index: u8::try_from(piece + 1)? };
            send(chain, &rich, spends, outputs, time + 1)?;
            made += 1;
        }
        time += 2;
    }
    Ok(())
}

fn output(to: Address, value: u64) -> Output {
    Output { value: Amount::from(value), token_data: TokenData::NATIVE, script: pay(to) }
}

fn send(
    chain: &mut Chain,
    keys: &AccountKeys,
    spends: Outpoint,
    outputs: Vec<Output>,
    time: u32,
) -> Outcome<VertexId> {
    let mut tx = Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs: vec![Input { spends, data: vec![] }],
        outputs,
        creates: None,
        blueprint: None,
        weight: 2.0,
        timestamp: time,
        parents: chain.tx_parents(time).to_vec(),
        nonce: 0,
        headers: vec![],
    };
    let digest = tx.sighash()?;
    tx.inputs[0].data = keys.sign(1, &digest).to_bytes()?;
    tx.nonce = MiningJob::new(&tx.mining_bytes()?, tx.weight).search(0..1 << 32).ok_or("no nonce")?;
    Ok(chain.push(&tx.to_bytes()?, time)?)
}

/// Bytes of this process that are in memory, where the system says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
