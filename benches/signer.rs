//! What a signer in another process adds to a send: `cargo bench --features native --bench signer`.
//!
//! On a local network. Both wallets send in turn, so that what else the machine does is no difference. The
//! signer answers over a Unix socket, out of this process.

use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{Mnemonic, Seed};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Options, Phase, Wallet};
use headless_wallet::signer::{
    Limits, Listening, PATIENCE, RemoteSigner, SeedKeys, SignerPlace, SignerServer, listen,
};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const SENDS: usize = 100;

#[tokio::main]
async fn main() -> Outcome<()> {
    let devnet = Devnet::start(DevnetConfig { block_interval: None, ..Default::default() }).await?;
    let backend = Backend {
        network: Network::Privatenet,
        node: FullNode::new(HttpClient::shared(), &devnet.node_url())?,
        mining: MiningService::new(HttpClient::shared(), &devnet.mining_url(), None)?.into(),
    };
    let dir = tempfile::tempdir()?;
    println!("{:<58} {:>12}   target", "", "");
    for (shape, value) in [("of one input", 1u64), ("of 20 inputs", 19_500)] {
        let [here, there] =
            [(); 2].map(|()| funded(&devnet, 100 * usize::try_from(value / 1_000 + 1).unwrap_or(1)));
        let (here, there) = (here?, there?);
        let path = dir.path().join(format!("{value}.sock"));
        let there = SeedKeys::of(&there);
        let server = SignerServer::new(move |_| Some(there.clone()), Limits::default(), None);
        let _listener = listen(server, &Listening::Socket { path: path.clone(), users: Vec::new() }).await?;
        let signer = RemoteSigner::of_seed(SignerPlace::Socket(path), "seed", PATIENCE).await?;
        let remote = Account::signed_by(Arc::new(signer)).ok_or("an account of one key")?;
        let wallets =
            [start(Account::Signing(here.account()), &backend).await?, start(remote, &backend).await?];
        let mut times = [const { Vec::new() }; 2];
        for send in 0..2 * SENDS {
            // A send can spend only what is a second old. Before each of them: right after another one, the
            // second of two would find all of this process's caches warm.
            tokio::time::sleep(Duration::from_millis(60)).await;
            let which = send % 2;
            let began = Instant::now();
            pay(&wallets[which], value).await?;
            times[which].push(began.elapsed().as_secs_f64() * 1e3);
        }
        let [here, there] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        let row = |what: &str, millis: f64, target: &str| {
            println!(
                "{:<58} {:>12}   {target}",
                format!("{what} {shape}, median of {SENDS}"),
                format!("{millis:.2} ms")
            );
        };
        row("a send, keys in this process,", here, "");
        row("a send, keys at a signer,", there, "");
        row("… what the signer adds to a send", there - here, "2 ms");
    }
    Ok(())
}

/// New words, with outputs of 10 HTR.
fn funded(devnet: &Devnet, outputs: usize) -> Outcome<Seed> {
    let seed = Seed::new(Mnemonic::generate()?, "");
    let own = Address::p2pkh(Network::Privatenet, seed.account().public().key_hashes(0..1)[0]);
    for _ in 0..outputs {
        devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now))?;
    }
    Ok(seed)
}

async fn start(account: Account, backend: &Backend) -> Outcome<Wallet> {
    let wallet = Wallet::start(account, backend.clone(), Options::default()).await?;
    match wallet.ready().await {
        status if status.phase == Phase::Ready => Ok(wallet),
        status => Err(format!("{status:?}").into()),
    }
}

async fn pay(wallet: &Wallet, value: u64) -> Outcome<()> {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let outputs =
        vec![OutputRequest::Pay { to, value: Amount::from(value), token: TokenUid::Native, timelock: None }];
    wallet.send(SendRequest { outputs, ..SendRequest::default() }).await?;
    Ok(())
}
