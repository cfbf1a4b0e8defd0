//! The names of wallets.

use crate::rig::{Rig, pay};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::service::Registry;
use std::pin::pin;

/// Two stops of one wallet wait for the same send; a wallet that takes the name between their ends is not
/// theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_ends_late_leaves_the_next_wallet_of_the_name_alone() {
    let (rig, registry) = (Rig::with(&[500]).await, Registry::default());
    let wallet = registry.start("a", async { Ok(rig.wallet.clone()) }).await.unwrap();
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".to_owned(), ..NodeFaults::default() };
    rig.devnet.set_node_faults(slow);
    let mut send = pin!(wallet.send(pay(100)));
    assert!(futures_util::poll!(send.as_mut()).is_pending());
    let (mut first, mut second) = (pin!(registry.stop("a")), pin!(registry.stop("a")));
    assert!(futures_util::poll!(first.as_mut()).is_pending());
    assert!(futures_util::poll!(second.as_mut()).is_pending());
    rig.devnet.set_node_faults(NodeFaults::default());
    assert!(send.await.is_ok());
    assert!(first.await);
    let next = Rig::on(rig.devnet).await;
    registry.start("a", async { Ok(next.wallet.clone()) }).await.unwrap();
    assert!(second.await);
    assert!(registry.contains("a"));
}
