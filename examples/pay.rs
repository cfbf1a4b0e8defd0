//! Pays HTR from the wallet of a file's words: says what it costs, sends it, and says how it is called.
//!
//! ```text
//! cargo run --example pay -- words.txt WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f 150
//! ```

use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Operation, Options, Phase, Wallet};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use std::error::Error;

const NETWORK: Network = Network::Privatenet;

/// From the environment, or those of `npm start`.
fn url(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.to_owned())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [words, address, cents] = arguments.as_slice() else {
        return Err("usage: pay WORDS_FILE ADDRESS CENTS".into());
    };
    let words = Mnemonic::parse(&std::fs::read_to_string(words)?)?;
    let to = Address::parse(address, NETWORK)?;
    let value = Amount::from(cents.parse::<u64>()?);

    let client = HttpClient::shared();
    let node = FullNode::new(client.clone(), &url("NODE_URL", "http://127.0.0.1:8083/v1a/"))?;
    let mining = MiningService::new(client, &url("MINING_URL", "http://127.0.0.1:8035/"), None)?;
    let backend = Backend { network: NETWORK, node, mining: mining.into() };
    let account = Account::Signing(AccountKeys::from_mnemonic(&words, ""));
    let wallet = Wallet::start(account, backend, Options::default()).await?;
    let status = wallet.ready().await;
    if status.phase != Phase::Ready {
        return Err(format!("the wallet is not ready: {status:?}").into());
    }

    let balance = wallet.read(|state, now| state.balance(TokenUid::Native, now))?;
    println!("The wallet has {} cents.", balance.available);
    let pay = OutputRequest::Pay { to, value, token: TokenUid::Native, timelock: None };
    let payment = SendRequest { outputs: vec![pay], ..SendRequest::default() };
    // Nothing is sent by a preview, and what it would take is free again at once.
    let cost = wallet.preview(Operation::Send(payment.clone())).await?.cost;
    println!("{value} cents to {to} cost {} cents besides.", cost.fee);
    let sent = wallet.send(payment).await?;
    println!("Sent: {}", sent.id);

    wallet.stop().await;
    Ok(())
}
