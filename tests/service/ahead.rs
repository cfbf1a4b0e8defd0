//! Transactions dated ahead of the clock: as far ahead as a node takes them, and further than a send can
//! wait.

use crate::rig::{Rig, backend, devnet};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{Miner, MiningService};
use headless_wallet::rt;
use headless_wallet::service::Backend;

const AHEAD: u32 = 250;

fn service(service: MiningService) -> Miner {
    service.into()
}

async fn rig(miner: fn(MiningService) -> Miner) -> Rig {
    let devnet = devnet().await;
    let service = MiningService::new(HttpClient::shared(), &devnet.mining_url(), None).unwrap();
    let backend = Backend { mining: miner(service), ..backend(&devnet) };
    Rig::through(devnet, backend).await
}

/// A payment of 500 that is dated so far ahead, and its timestamp.
fn pay_ahead(rig: &Rig, to: Address, seconds: u32) -> u32 {
    rig.devnet.change(|chain, now| {
        let id = chain.fund_dated(to, Amount::from(500u64), now + seconds, now).unwrap();
        chain.get(&id).unwrap().timestamp()
    })
}

/// The node offers a parent that is ahead of the clock: others are taken, and nothing is waited for.
async fn parents(miner: fn(MiningService) -> Miner, seconds: u32) {
    let rig = rig(miner).await;
    rig.fund(&[500]).await;
    let ahead = pay_ahead(&rig, Address::p2pkh(Network::Privatenet, [9; 20]), seconds);
    rig.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
    for left in [400u64, 300] {
        let newest = rig.devnet.read(|chain| {
            let parents = chain.tx_parents(rt::unix_seconds());
            parents.map(|parent| chain.get(&parent).unwrap().timestamp()).into_iter().max()
        });
        assert_eq!(newest, Some(ahead));
        let sent = rig.pay(100).await.unwrap();
        assert!(sent.transaction.timestamp < ahead);
        assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(left));
    }
}

/// What the wallet spends is ahead of the clock: the transaction is dated right after it.
async fn inputs(miner: fn(MiningService) -> Miner) {
    let rig = rig(miner).await;
    let ahead = pay_ahead(&rig, rig.address(0), AHEAD);
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(500u64)).await;
    for n in 1..=2 {
        let sent = rig.pay(100).await.unwrap();
        assert_eq!(sent.transaction.timestamp, ahead + n);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parents_for_the_service() {
    parents(service, AHEAD).await;
}

/// Right after a block a node offers transactions of the same second.
#[tokio::test(flavor = "multi_thread")]
async fn parents_that_are_hardly_ahead_for_the_service() {
    parents(service, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parents_for_this_machine() {
    parents(|_| Miner::local(), AHEAD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parents_for_the_service_then_this_machine() {
    parents(Miner::service_then_local, AHEAD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_with_the_service() {
    inputs(service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_with_this_machine() {
    inputs(|_| Miner::local()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_with_the_service_then_this_machine() {
    inputs(Miner::service_then_local).await;
}
