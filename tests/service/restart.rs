//! Broken connections, nodes that come back different, and wallets started again.

use crate::rig::{Rig, account, backend, backend_at, devnet};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Amount, TokenUid};
use headless_wallet::service::{Options, Phase, StartError, Wallet};
use headless_wallet::store::{MemoryStores, Owner, Stores};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_while_the_connection_is_broken_is_not_missed() {
    let rig = Rig::with(&[500]).await;
    let address = rig.address(1);
    rig.devnet.set_node_faults(NodeFaults { mode: NodeMode::Down, ..NodeFaults::default() });
    let status =
        rig.until_status(|status| status.phase == Phase::Connecting && status.problem.is_some()).await;
    let problem = status.problem.unwrap();
    let socket = rig.devnet.node_url().replace("http:", "ws:") + "ws/";
    assert!(problem.starts_with(&format!("full node {socket}: ")), "{problem}");
    assert!(problem.ends_with("check that it runs and that `server` is right"), "{problem}");
    assert_eq!(rig.wallet.read(|_, _| ()).unwrap_err().to_string(), "Wallet is not ready.");
    rig.devnet.change(|chain, now| chain.fund(address, Amount::from(70), now)).unwrap();
    rig.devnet.set_node_faults(NodeFaults::default());
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(570)).await;
    assert_eq!(rig.until_ready().await.problem, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_brings_a_wallet_back_as_it_was() {
    let devnet = devnet().await;
    let words = Mnemonic::generate().unwrap();
    let stores = Arc::new(MemoryStores::default());
    let options = Options { stores: Some(stores.clone()), ..Options::default() };
    let wallet = Wallet::start(account(&words), backend(&devnet), options.clone()).await.unwrap();
    let rig = Rig { devnet, wallet, words };
    rig.until_ready().await;
    rig.fund(&[500, 300]).await;
    rig.wallet.current_address(true).unwrap();
    rig.pay(400).await.unwrap();
    let balance = rig.balance(TokenUid::Native);
    let current = rig.wallet.current_address(false).unwrap();
    let kept = rig.wallet.read(|state, _| state.snapshot()).unwrap();
    rig.wallet.stop().await;
    let owner = Owner {
        wallet: AccountKeys::from_mnemonic(&rig.words, "").public().wallet_id(),
        network: "privatenet".to_owned(),
        genesis: rig.wallet.node_version().genesis_block,
    };
    // The node may have told of some of them again meanwhile.
    let stored = stores.open(&owner).await.unwrap().1;
    assert!(stored.vertices.keys().eq(kept.vertices.keys()));
    assert_eq!((stored.address_count, stored.current_index), (kept.address_count, kept.current_index));
    let wallet = Wallet::start(account(&rig.words), backend(&rig.devnet), options).await.unwrap();
    let rig = Rig { wallet, ..rig };
    rig.until_ready().await;
    assert_eq!(rig.balance(TokenUid::Native), balance);
    assert_eq!(rig.wallet.current_address(false).unwrap(), current);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_without_a_node_says_which_one_and_what_to_do() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/v1a/");
    let words = Mnemonic::generate().unwrap();
    let mut backend = backend_at(&url, &url);
    backend.node =
        backend.node.with_limits(std::time::Duration::from_secs(1), std::time::Duration::from_secs(1));
    let failure = Wallet::start(account(&words), backend, Options::default()).await.err().unwrap();
    assert!(matches!(failure, StartError::Node(_)));
    let text = failure.to_string();
    assert!(text.starts_with(&format!("full node {url}")), "{text}");
    assert!(text.ends_with("check that it runs and that `server` is right"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_of_another_network_is_refused() {
    let devnet = devnet().await;
    let words = Mnemonic::generate().unwrap();
    let mut backend = backend(&devnet);
    backend.network = headless_wallet::ledger::Network::Mainnet;
    let failure = Wallet::start(account(&words), backend, Options::default()).await.err().unwrap();
    assert_eq!(
        failure.to_string(),
        "Wrong network. server=privatenet expected=mainnet: `network` and `server` must be of one network"
    );
}
