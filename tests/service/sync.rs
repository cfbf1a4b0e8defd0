//! Loading a history in one stream and by pages.

use crate::rig::{Rig, account, backend};
use headless_wallet::ledger::{Amount, TokenUid};
use headless_wallet::service::{Options, Phase, SyncMode, Wallet};

/// A wallet with gaps between its used addresses, a token, spends and a block reward is the same wallet however it is loaded.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_and_pages_give_the_same_state() {
    let rig = Rig::with(&[500, 700]).await;
    // Each lies within the gap limit of the one before.
    for index in [7, 26, 45] {
        let address = rig.address(index);
        rig.devnet.change(|chain, now| chain.fund(address, Amount::from(u64::from(index)), now)).unwrap();
        rig.until(|state, _| state.index_of(&address).is_some_and(|_| state.current_index() > index)).await;
    }
    rig.pay(600).await.unwrap();
    for sync_mode in [SyncMode::Stream, SyncMode::Pages] {
        let options = Options { sync_mode, ..Options::default() };
        let wallet = Wallet::start(account(&rig.words), backend(&rig.devnet), options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let loaded = wallet.read(|state, _| state.snapshot()).unwrap();
        // The other one may still be hearing of its last send.
        rig.until(|state, _| state.snapshot() == loaded).await;
        assert_eq!(
            wallet.read(|state, now| state.balance(TokenUid::Native, now)).unwrap(),
            rig.balance(TokenUid::Native)
        );
        // What is said from now on is heard: the last address is subscribed to.
        let last = wallet.read(|state, _| state.addresses().last()).unwrap().unwrap();
        let mut events = wallet.events();
        rig.devnet.change(|chain, now| chain.fund(last, Amount::from(1), now)).unwrap();
        while wallet.read(|state, _| state.history_len()).unwrap() == loaded.vertices.len() {
            events.recv().await.unwrap();
        }
        wallet.stop().await;
        rig.until(|state, _| state.index_of(&last).is_some_and(|index| state.current_index() > index)).await;
    }
}
