//! Proof of work by this machine: when it is told to, and when the mining service does not do it.

use crate::rig::{Rig, devnet};
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::ledger::{Amount, Network, TokenUid};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, Miner, MiningService};
use headless_wallet::service::Backend;
use std::time::Duration;

/// So that the tests of what takes all of it don't take long.
const SERVICE_LIMIT: Duration = Duration::from_secs(5);

/// A wallet with one coin of 500.
async fn rig(miner: impl FnOnce(MiningService) -> Miner) -> Rig {
    let devnet = devnet().await;
    let service = MiningService::new(HttpClient::shared(), &devnet.mining_url(), None).unwrap();
    let service = service.with_limits(SERVICE_LIMIT, SERVICE_LIMIT);
    let backend = Backend {
        network: Network::Privatenet,
        node: FullNode::new(HttpClient::shared(), &devnet.node_url()).unwrap(),
        mining: miner(service),
    };
    let rig = Rig::through(devnet, backend).await;
    rig.fund(&[500]).await;
    rig
}

/// The parents are the node's, and everything is past them: the second send's parent is the first one.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_without_a_mining_service() {
    let rig = rig(|_| Miner::local()).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Down, ..MiningFaults::default() });
    let first = rig.pay(100).await.unwrap();
    let second = rig.pay(100).await.unwrap();
    assert!(second.transaction.timestamp > first.transaction.timestamp);
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(300));
}

async fn this_machine_steps_in(faults: MiningFaults) {
    let rig = rig(Miner::service_then_local).await;
    rig.devnet.set_mining_faults(faults);
    rig.pay(100).await.unwrap();
    // The service is left alone now.
    rig.pay(100).await.unwrap();
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(300));
    assert_eq!(rig.wallet.status().problem, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_steps_in_for_a_service_that_is_down() {
    this_machine_steps_in(MiningFaults { mode: MiningMode::Down, ..MiningFaults::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_steps_in_for_a_service_that_is_overloaded() {
    let overloaded = MiningFaults {
        mode: MiningMode::Down,
        status: 429,
        retry_after: Some(60),
        ..MiningFaults::default()
    };
    this_machine_steps_in(overloaded).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_steps_in_for_a_service_that_has_no_time() {
    this_machine_steps_in(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_steps_in_for_a_service_that_fails() {
    this_machine_steps_in(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn this_machine_steps_in_for_a_service_that_nobody_mines_for() {
    this_machine_steps_in(MiningFaults { mode: MiningMode::NoMiners, ..MiningFaults::default() }).await;
}

/// The caller is told what they would be told without this machine's help, and the input is free again.
#[tokio::test(flavor = "multi_thread")]
async fn when_this_machine_can_not_either_the_failure_of_the_service_is_told() {
    let rig = rig(Miner::service_then_local).await;
    let before = rig.free_outputs();
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() });
    let path = "transaction".to_owned();
    rig.devnet.set_node_faults(NodeFaults { mode: NodeMode::Garbage, path, ..NodeFaults::default() });
    for _ in 0..2 {
        assert_eq!(
            rig.pay(100).await.unwrap_err().to_string(),
            "Timeout solving transaction's proof-of-work.\n\nAll transactions need to solve a proof-of-work as an anti \
             spam mechanism. Currently, Hathor Labs provides this service for free, but their servers may be fully \
             loaded right now.\n\nWait and resend; when sending several transactions, leave more time between them."
        );
        assert_eq!(rig.free_outputs(), before);
    }
    rig.devnet.set_node_faults(NodeFaults::default());
    rig.pay(100).await.unwrap();
}
