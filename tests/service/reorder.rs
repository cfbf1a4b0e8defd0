//! Conflicts, blocks that are undone, and rewards that are not ripe.

use crate::rig::Rig;
use headless_wallet::ledger::{Amount, Script, TokenUid};

fn total(rig: &Rig) -> (u128, u128) {
    let balance = rig.balance(TokenUid::Native);
    (balance.available.cents(), balance.locked.cents())
}

/// Another node brings a heavier spend of the same output: ours is voided and moves nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_loses_a_conflict_is_voided() {
    let rig = Rig::with(&[500]).await;
    let sent = rig.pay(100).await.unwrap();
    assert_eq!(total(&rig), (400, 0));
    // The same inputs, all of them burnt into another output, signed by the wallet's own key; heavier.
    let keys = headless_wallet::keys::AccountKeys::from_mnemonic(&rig.words, "");
    let mut rival = sent.transaction.clone();
    rival.outputs.truncate(1);
    rival.outputs[0].value = Amount::from(500);
    rival.outputs[0].script = Script::Pay {
        to: headless_wallet::ledger::Address::p2pkh(headless_wallet::ledger::Network::Privatenet, [9; 20]),
        timelock: None,
    }
    .to_bytes()
    .unwrap();
    let digest = rival.sighash().unwrap();
    for input in &mut rival.inputs {
        input.data = keys.sign(0, &digest).to_bytes().unwrap();
    }
    rival.weight = sent.transaction.weight + 4.0;
    let job = headless_wallet::ledger::MiningJob::new(&rival.mining_bytes().unwrap(), rival.weight);
    rival.nonce = job.search(0..1 << 32).unwrap();
    let bytes = rival.to_bytes().unwrap();
    rig.devnet.change(|chain, now| chain.receive(&bytes, now)).unwrap();
    rig.until(|state, _| state.vertex(&sent.id).is_some_and(|vertex| vertex.voided)).await;
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::ZERO).await;
    let rival = rival.id().unwrap();
    assert!(rig.wallet.read(|state, _| state.vertex(&rival)).unwrap().is_some_and(|vertex| !vertex.voided));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_reward_is_locked_until_the_next_block_and_gone_when_undone() {
    let rig = Rig::new().await;
    let script = Script::Pay { to: rig.address(0), timelock: None }.to_bytes().unwrap();
    rig.devnet.change(|chain, now| chain.mine_block(script, now));
    rig.until(|state, now| state.balance(TokenUid::Native, now).locked == Amount::from(6_400)).await;
    assert_eq!(total(&rig), (0, 6_400));
    assert_eq!(
        headless_wallet::operations::send_failure(&rig.pay(100).await.unwrap_err()).error,
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
    let nobody = Script::Pay {
        to: headless_wallet::ledger::Address::p2pkh(headless_wallet::ledger::Network::Privatenet, [8; 20]),
        timelock: None,
    }
    .to_bytes()
    .unwrap();
    rig.devnet.change(|chain, now| chain.mine_block(nobody, now));
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(6_400)).await;
    let sent = rig.pay(100).await.unwrap();
    rig.devnet.change(|chain, _| chain.undo_blocks(2));
    rig.until(|state, now| {
        state.balance(TokenUid::Native, now).available == Amount::ZERO
            && state.vertex(&sent.id).is_some_and(|v| v.voided)
    })
    .await;
    assert_eq!(total(&rig), (0, 0));
}
