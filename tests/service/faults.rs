//! Sends that fail: which component is named, and that no input stays reserved.

use crate::rig::{Rig, backend_at, devnet, pay};
use crate::tap::Tap;
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::ledger::{Amount, TokenUid};

async fn fails_and_frees(rig: &Rig) -> String {
    let before = rig.free_outputs();
    let failure = rig.pay(100).await.unwrap_err().to_string();
    assert_eq!(rig.free_outputs(), before, "after {failure:?}");
    failure
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mining_service_that_is_down() {
    let rig = Rig::with(&[500]).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Down, ..MiningFaults::default() });
    assert_eq!(
        fails_and_frees(&rig).await,
        format!(
            "mining service {}submit-job: failed with status 503: look at its log, or try again later",
            rig.devnet.mining_url()
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mining_service_without_miners() {
    let rig = Rig::with(&[500]).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    let failure = fails_and_frees(&rig).await;
    assert!(
        failure.starts_with(&format!(
            "mining service {}job-status: the job ended as Failed",
            rig.devnet.mining_url()
        )),
        "{failure}"
    );
}

/// The node takes the transaction, and the answer breaks off: the wallet finds out that it was taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_push_whose_answer_is_lost() {
    let rig = Rig::with(&[500]).await;
    rig.devnet.set_node_faults(NodeFaults {
        mode: NodeMode::Broken,
        path: "push_tx".to_owned(),
        ..NodeFaults::default()
    });
    let sent = rig.pay(100).await.unwrap();
    assert!(rig.devnet.read(|chain| chain.get(&sent.id).is_some()));
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(400));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_never_arrives() {
    let rig = Rig::with(&[500]).await;
    rig.devnet.set_node_faults(NodeFaults {
        mode: NodeMode::Down,
        path: "push_tx".to_owned(),
        ..NodeFaults::default()
    });
    let wallet = rig.wallet.clone();
    let send = tokio::spawn(async move { wallet.send(pay(100)).await });
    // It keeps trying: once the node is back, it goes through.
    rig.until(|state, now| {
        let filter = headless_wallet::wallet::UtxoFilter { only_available: true, ..Default::default() };
        state.utxos(&filter, now).utxos.is_empty()
    })
    .await;
    rig.devnet.set_node_faults(NodeFaults::default());
    send.await.unwrap().unwrap();
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(400));
}

#[tokio::test(flavor = "multi_thread")]
async fn too_little_money_changes_nothing() {
    let rig = Rig::with(&[500, 20]).await;
    let before = rig.free_outputs();
    assert_eq!(
        headless_wallet::operations::send_failure(&rig.pay(521).await.unwrap_err()).error,
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
    assert_eq!(rig.free_outputs(), before);
}

/// They could be why: void by now, or of a branch that the node does not know.
#[tokio::test(flavor = "multi_thread")]
async fn parents_of_a_refused_payment_are_not_taken_again() {
    let devnet = devnet().await;
    let tap = Tap::on(&devnet.node_url()).await;
    let through = backend_at(tap.url(), &devnet.mining_url());
    let rig = Rig::through(devnet, through).await;
    rig.fund(&[500]).await;
    rig.devnet.set_node_faults(NodeFaults {
        mode: NodeMode::Down,
        path: "push_tx".into(),
        status: 400,
        retry_after: None,
    });
    rig.pay(100).await.unwrap_err();
    rig.devnet.set_node_faults(NodeFaults::default());
    rig.pay(100).await.unwrap();
    let asked = tap.requests().iter().filter(|request| request.starts_with("tx_parents")).count();
    assert_eq!(asked, 2);
}
