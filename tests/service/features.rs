//! Features of the network that this version does not support.

use crate::rig::{PATIENCE, Rig, account, backend, devnet};
use headless_wallet::devnet::{Devnet, NodeFaults, NodeMode};
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Amount, TokenVersion};
use headless_wallet::node::FeatureState;
use headless_wallet::service::{Operation, Options, Phase, SharedAccounts, Status, Wallet};
use headless_wallet::store::{EventKind, EventRecord, MemoryStores};
use headless_wallet::wallet::{CreateTokenRequest, Scan};
use serde_json::{Value, json};
use std::sync::Arc;

/// The states of the features that a status warns of.
fn warned(status: &Status) -> Vec<(&str, FeatureState)> {
    status.unsupported_features.iter().map(|one| (&*one.name, one.state)).collect()
}

/// Has the node list features and break all connections: at the next one it is asked for them.
async fn announce(rig: &Rig, features: &[(&str, &str)]) {
    rig.devnet.set_node_faults(NodeFaults { mode: NodeMode::Down, ..NodeFaults::default() });
    rig.until_status(|status| status.phase == Phase::Connecting && status.problem.is_some()).await;
    rig.devnet.set_features(features);
    rig.devnet.set_node_faults(NodeFaults::default());
    rig.wallet.reconnect();
    rig.until_ready().await;
}

/// The first events that are kept, once there are so many, and all after them.
async fn events(wallet: &Wallet, count: u64) -> Vec<EventRecord> {
    let store = wallet.store().unwrap();
    let log = store.event_log().unwrap();
    let mut news = log.watch();
    let there = async {
        while log.last_event().await.unwrap() < count {
            news.changed().await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, there).await.expect("the events come");
    log.events(0, 100).await.unwrap()
}

/// What events tell: the feature and its state.
fn told(events: &[EventRecord]) -> Vec<[Value; 2]> {
    let told = events.iter().map(|event| {
        assert_eq!(event.kind, EventKind::FeatureUnsupported);
        let mut data: Value = serde_json::from_str(&event.data).unwrap();
        ["feature", "state"].map(|name| data[name].take())
    });
    told.collect()
}

async fn start(devnet: &Devnet, words: &Mnemonic, options: &Options) -> Wallet {
    let wallet = Wallet::start(account(words), backend(devnet), options.clone()).await.unwrap();
    let status = tokio::time::timeout(PATIENCE, wallet.ready()).await.expect("it becomes ready");
    assert_eq!(status.phase, Phase::Ready, "{status:?}");
    wallet
}

#[tokio::test(flavor = "multi_thread")]
async fn each_state_is_in_the_status_and_told_once_also_after_restarts() {
    let devnet = devnet().await;
    devnet.set_features(&[("TOKEN_AMOUNT_V2", "LOCKED_IN"), ("FEE_TOKENS", "ACTIVE"), ("NEXT", "STARTED")]);
    let words = Mnemonic::generate().unwrap();
    let options = Options { stores: Some(Arc::new(MemoryStores::default())), ..Options::default() };
    let wallet = start(&devnet, &words, &options).await;
    let mut rig = Rig { devnet, wallet, words };
    assert_eq!(warned(&rig.wallet.status()), [("TOKEN_AMOUNT_V2", FeatureState::LockedIn)]);
    assert_eq!(
        rig.wallet.status().warnings()[0].message,
        "the network's feature TOKEN_AMOUNT_V2 is locked in and will become active; this version of headless-wallet does \
         not support it: requests name whole cents, and contracts that count in 18 decimals can't be called. Upgrade headless-wallet"
    );
    let locked_in = [json!("TOKEN_AMOUNT_V2"), json!("LOCKED_IN")];
    let active = [json!("TOKEN_AMOUNT_V2"), json!("ACTIVE")];
    assert_eq!(told(&events(&rig.wallet, 1).await), std::slice::from_ref(&locked_in));

    rig.wallet.stop().await;
    rig.wallet = start(&rig.devnet, &rig.words, &options).await;
    announce(&rig, &[("TOKEN_AMOUNT_V2", "LOCKED_IN")]).await;
    announce(&rig, &[("TOKEN_AMOUNT_V2", "ACTIVE")]).await;
    assert_eq!(warned(&rig.wallet.status()), [("TOKEN_AMOUNT_V2", FeatureState::Active)]);
    let two = [locked_in, active];
    assert_eq!(told(&events(&rig.wallet, 2).await), two);

    // A node that follows the others late, and one that lists nothing.
    announce(&rig, &[("TOKEN_AMOUNT_V2", "LOCKED_IN")]).await;
    announce(&rig, &[]).await;
    assert_eq!(warned(&rig.wallet.status()), []);
    announce(&rig, &[("TOKEN_AMOUNT_V2", "ACTIVE"), ("X", "ACTIVE")]).await;
    let x = [json!("X"), json!("ACTIVE")];
    let [one, other] = two;
    assert_eq!(told(&events(&rig.wallet, 3).await), [one, other, x]);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_wallets_of_a_node_are_warned_by_one_answer() {
    let (devnet, shared) = (devnet().await, SharedAccounts::default());
    let (backend, words) = (backend(&devnet), [(); 2].map(|()| Mnemonic::generate().unwrap()));
    let mut wallets = Vec::new();
    // Two ids of one account, and another account.
    for (words, gap_limit) in [(&words[0], 20), (&words[0], 5), (&words[1], 20)] {
        let options =
            Options { shared: shared.clone(), scan: Scan::GapLimit(gap_limit), ..Options::default() };
        wallets.push(Wallet::start(account(words), backend.clone(), options).await.unwrap());
    }
    for wallet in &wallets {
        tokio::time::timeout(PATIENCE, wallet.ready()).await.expect("it becomes ready");
        assert_eq!(warned(&wallet.status()), []);
    }
    devnet.set_features(&[("FEE_POLICY_V2", "ACTIVE")]);
    backend.node.best_height().await.unwrap();
    for wallet in &wallets {
        let mut status = wallet.watch();
        let warned = status.wait_for(|status| warned(status) == [("FEE_POLICY_V2", FeatureState::Active)]);
        tokio::time::timeout(PATIENCE, warned).await.expect("it is warned").unwrap();
        assert_eq!(events(wallet, 1).await.len(), 1);
    }
    let late = start(&devnet, &Mnemonic::generate().unwrap(), &Options::default()).await;
    assert_eq!(warned(&late.status()), [("FEE_POLICY_V2", FeatureState::Active)]);
}

#[tokio::test]
async fn fees_by_a_policy_that_is_not_known_are_refused_before_signing() {
    let rig = Rig::with(&[500]).await;
    let create = |version| {
        Operation::CreateToken(CreateTokenRequest {
            name: "Tea".to_owned(),
            symbol: "TEA".to_owned(),
            version,
            amount: Amount::from(100),
            address: None,
            change_address: None,
            mint_authority: None,
            melt_authority: None,
            data: Vec::new(),
            data_first: false,
        })
    };
    rig.wallet.preview(create(TokenVersion::Fee)).await.unwrap();
    // Its rules are not those of the local network: what would be pushed would be accepted.
    announce(&rig, &[("FEE_POLICY_V2", "ACTIVE")]).await;
    let why = "the network's feature FEE_POLICY_V2 is active; this version of headless-wallet does not support it: \
               sends of fee tokens are refused by the network. Upgrade headless-wallet";
    let refused = rig.wallet.preview(create(TokenVersion::Fee)).await.unwrap_err();
    assert_eq!(refused.to_string(), why);
    let refused = rig.wallet.carry_out(create(TokenVersion::Fee)).await.unwrap_err();
    assert_eq!(refused.to_string(), why);
    // Nothing is reserved, and what pays no fees is sent.
    assert_eq!(rig.free_outputs().len(), 1);
    rig.wallet.carry_out(create(TokenVersion::Deposit)).await.unwrap();
}
