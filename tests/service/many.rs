//! Many wallets on one node.

use crate::rig::{PATIENCE, Rig, account, backend_at};
use crate::tap::Tap;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::Mnemonic;
use headless_wallet::service::{Backend, Options, Phase, SyncMode, Wallet};
use std::time::Duration;

/// Pages of histories that a node is asked for at once.
const AT_ONCE: usize = 5;

/// More wallets load than the node is asked at once, and none of their pages comes: a wallet that is ready
/// sends all the same.
#[tokio::test(flavor = "multi_thread")]
async fn wallets_that_load_slowly_do_not_hold_up_the_sends_of_another() {
    let devnet = crate::rig::devnet().await;
    let tap = Tap::on(&devnet.node_url()).await;
    let backend: Backend = backend_at(tap.url(), &devnet.mining_url());
    let rig = Rig::through(devnet, backend.clone()).await;
    rig.fund(&[500]).await;
    let path = "address_history".to_owned();
    rig.devnet.set_node_faults(NodeFaults { mode: NodeMode::Slow, path, ..NodeFaults::default() });
    let histories =
        || tap.requests().iter().filter(|line| line.starts_with("thin_wallet/address_history")).count();
    let before = histories();
    let patient = Backend { node: backend.node.with_limits(PATIENCE, PATIENCE), ..backend };
    let mut loading = Vec::new();
    for _ in 0..12 {
        let options = Options { sync_mode: SyncMode::Pages, ..Options::default() };
        let words = Mnemonic::generate().unwrap();
        loading.push(Wallet::start(account(&words), patient.clone(), options).await.unwrap());
    }
    for wallet in &loading {
        wallet.watch().wait_for(|status| status.phase == Phase::Syncing).await.unwrap();
    }
    // As many as the node is asked for at once; the others wait for their turn.
    let asked = async {
        while histories() < before + AT_ONCE {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.expect("the wallets ask for their histories");
    tokio::time::timeout(PATIENCE / 2, rig.pay(100)).await.expect("is not held up").unwrap();
    assert!(loading.iter().all(|wallet| wallet.status().phase == Phase::Syncing));
    rig.devnet.set_node_faults(NodeFaults::default());
    for wallet in &loading {
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
    }
}
