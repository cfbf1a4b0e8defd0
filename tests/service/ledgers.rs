//! Random ledgers: however a wallet's history is loaded, it is the same wallet.

use crate::rig::{account, backend, devnet};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, Script, TokenUid};
use headless_wallet::service::{Options, Phase, SyncMode, Wallet};
use headless_wallet::wallet::{OutputRequest, Scan, SendRequest};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[derive(Clone, Debug)]
enum Step {
    /// The faucet pays an address of the wallet.
    Fund { index: u32, amount: u64 },
    /// A block pays an address of the wallet.
    Mine { index: u32 },
    /// The wallet pays one of its own addresses, or somebody else.
    Send { index: Option<u32>, amount: u64 },
    /// The last blocks come undone.
    Undo { blocks: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0u32..60, 1u64..500).prop_map(|(index, amount)| Step::Fund { index, amount }),
        2 => (0u32..60).prop_map(|index| Step::Mine { index }),
        2 => (prop::option::of(0u32..60), 1u64..300).prop_map(|(index, amount)| Step::Send { index, amount }),
        1 => (1u32..3).prop_map(|blocks| Step::Undo { blocks }),
    ];
    prop::collection::vec(step, 1..14)
}

/// Does what the steps say; sends are those of a wallet that follows, where it has enough.
async fn bring_about(devnet: &Devnet, keys: &AccountKeys, follower: &Wallet, steps: &[Step]) {
    let at = |index: u32| Address::p2pkh(Network::Privatenet, keys.public().key_hashes(index..index + 1)[0]);
    for step in steps {
        match *step {
            Step::Fund { index, amount } => {
                // Its coins may be rewards that came undone: then nothing happens.
                let _ = devnet.change(|chain, now| chain.fund(at(index), Amount::from(amount), now));
            }
            Step::Mine { index } => {
                let script = Script::Pay { to: at(index), timelock: None }.to_bytes().unwrap();
                devnet.change(|chain, now| chain.mine_block(script, now));
            }
            Step::Send { index, amount } => {
                let to = index.map_or(Address::p2pkh(Network::Privatenet, [7; 20]), at);
                let (value, token) = (Amount::from(amount), TokenUid::Native);
                let outputs = vec![OutputRequest::Pay { to, value, token, timelock: None }];
                // Too little, or not yet ripe: then nothing happens.
                let _ = follower.send(SendRequest { outputs, ..SendRequest::default() }).await;
            }
            Step::Undo { blocks } => {
                devnet.change(|chain, _| chain.undo_blocks(blocks));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_by_key_and_by_list_and_pages_give_the_same_state() {
    let mut runner = TestRunner::default();
    for _ in 0..8 {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let devnet = devnet().await;
        let words = Mnemonic::generate().unwrap();
        let keys = AccountKeys::from_mnemonic(&words, "");
        let start = async |sync_mode, scan| {
            let options = Options { sync_mode, scan, ..Options::default() };
            let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
            assert_eq!(wallet.ready().await.phase, Phase::Ready, "{steps:?}");
            wallet
        };
        let gap_limit = Scan::GapLimit(20);
        let follower = start(SyncMode::XpubStream, gap_limit).await;
        bring_about(&devnet, &keys, &follower, &steps).await;
        let known = |wallet: &Wallet| {
            wallet
                .read(|state, now| {
                    let balance = state.balance(TokenUid::Native, now);
                    (state.snapshot(), balance, state.history().collect::<Vec<_>>())
                })
                .unwrap()
        };
        let limits = Scan::IndexLimit { first: 3, last: 50 };
        let between = known(&start(SyncMode::Pages, limits).await);
        assert_eq!(known(&start(SyncMode::ManualStream, limits).await), between, "{steps:?}");
        let paged = known(&start(SyncMode::Pages, gap_limit).await);
        for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream, SyncMode::Auto] {
            assert_eq!(known(&start(sync_mode, gap_limit).await), paged, "{sync_mode:?}: {steps:?}");
        }
        // The follower hears of the last things a little later. It knows of what came undone what a fresh
        // scan is not told.
        let followed = async {
            while known(&follower).1 != paged.1 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(crate::rig::PATIENCE, followed).await.unwrap_or_else(|_| {
            panic!(
                "after {steps:?} the follower has {:?}, and a fresh scan {:?}",
                known(&follower).1,
                paged.1
            )
        });
    }
}
