//! Loading a history in one stream, by key or by list, and by pages.

use crate::rig::{Rig, account, backend, backend_at, devnet};
use crate::tap::Tap;
use headless_wallet::devnet::{Devnet, DevnetConfig};
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys, MultisigPublic};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::service::{Account, Options, Phase, Progress, Status, SyncMode, Wallet};
use headless_wallet::wallet::{OutputRequest, Scan, SendRequest};

/// A wallet with gaps between its used addresses, a token, spends and a block reward is the same wallet
/// however it is loaded.
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
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream, SyncMode::Pages] {
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

/// A node streams what pays many addresses once for each of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_left_for_pages_where_most_of_it_has_come_before() {
    let rig = Rig::with(&[100_000]).await;
    let words = Mnemonic::generate().unwrap();
    let hashes = AccountKeys::from_mnemonic(&words, "").public().key_hashes(0..140);
    let address = |index: usize| Address::p2pkh(Network::Privatenet, hashes[index]);
    let pay_to_all = async || {
        let outputs = (0..120).map(|index| OutputRequest::Pay {
            to: address(index),
            value: Amount::from(1),
            token: TokenUid::Native,
            timelock: None,
        });
        rig.wallet.send(SendRequest { outputs: outputs.collect(), ..SendRequest::default() }).await.unwrap();
    };
    let gap_limit = Scan::GapLimit(20);
    let load = async |sync_mode| {
        let tap = Tap::on(&rig.devnet.node_url()).await;
        let options = Options { sync_mode, scan: gap_limit, ..Options::default() };
        let wallet = Wallet::start(account(&words), backend_at(tap.url(), &rig.devnet.mining_url()), options);
        let wallet = wallet.await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        let pages = tap.requests().iter().filter(|path| path.contains("address_history")).count();
        (pages, wallet)
    };
    let fund =
        |index| rig.devnet.change(|chain, now| chain.fund(address(index), Amount::from(1), now)).unwrap();
    for _ in 0..30 {
        fund(0);
    }
    assert_eq!(load(SyncMode::Auto).await.0, 0, "each transaction comes once");
    for _ in 0..4 {
        pay_to_all().await;
    }
    let (pages, wallet) = load(SyncMode::Auto).await;
    assert!((1..=7).contains(&pages), "{pages} pages of 140 addresses");
    let paged = load(SyncMode::Pages).await.1.read(|state, _| state.snapshot()).unwrap();
    assert_eq!(wallet.read(|state, _| state.snapshot()).unwrap(), paged);
    // All addresses are subscribed to, those of the stream and those of the pages.
    let mut events = wallet.events();
    for index in [0, 60, 139] {
        let known = wallet.read(|state, _| state.history_len()).unwrap();
        fund(index);
        while wallet.read(|state, _| state.history_len()).unwrap() == known {
            events.recv().await.unwrap();
        }
    }
}

/// What an unused wallet asks for over HTTP that is started with so many addresses to be watched.
async fn asked(devnet: &Devnet, sync_mode: SyncMode, scan: Scan, addresses: u32) -> Vec<String> {
    asked_by(account(&Mnemonic::generate().unwrap()), devnet, sync_mode, scan, addresses).await
}

async fn asked_by(
    account: Account,
    devnet: &Devnet,
    sync_mode: SyncMode,
    scan: Scan,
    addresses: u32,
) -> Vec<String> {
    let tap = Tap::on(&devnet.node_url()).await;
    let options = Options { sync_mode, scan, ..Options::default() };
    let backend = backend_at(tap.url(), &devnet.mining_url());
    let wallet = Wallet::start(account, backend, options).await.unwrap();
    assert_eq!(wallet.ready().await.phase, Phase::Ready);
    let progress = Progress { addresses, transactions: 0, estimated_end: None };
    assert_eq!(wallet.status().progress, progress);
    wallet.stop().await;
    tap.requests()
}

/// More frames than a window lets through, and more addresses than fit in a message or may wait at the node.
#[tokio::test(flavor = "multi_thread")]
async fn streams_that_are_longer_than_their_window_need_no_pages() {
    let devnet = devnet().await;
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream] {
        let asked = asked(&devnet, sync_mode, Scan::GapLimit(4_100), 4_100).await;
        assert_eq!(asked, ["version", "ws/", "version", "feature"]);
        let scan = Scan::IndexLimit { first: 30, last: 2_729 };
        let asked = self::asked(&devnet, sync_mode, scan, 2_700).await;
        assert_eq!(asked, ["version", "ws/", "version", "feature"]);
    }
}

/// A node can't derive addresses that several keys make; told of them, it streams their history all the same.
#[tokio::test(flavor = "multi_thread")]
async fn wallets_of_several_participants_need_no_pages() {
    let devnet = devnet().await;
    let words = [Mnemonic::generate().unwrap(), Mnemonic::generate().unwrap()];
    let xpubs = words.map(|words| MultisigKeys::from_mnemonic(&words, "").account_xpub());
    let participants = MultisigPublic::new(&xpubs, 2).unwrap();
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream] {
        for scan in [Scan::GapLimit(30), Scan::IndexLimit { first: 5, last: 34 }] {
            let account = Account::Multisig { participants: participants.clone(), keys: None };
            let asked = asked_by(account, &devnet, sync_mode, scan, 30).await;
            assert_eq!(asked, ["version", "ws/", "version", "feature"]);
        }
    }
}

/// Every status from the start of a wallet on until it is ready, as far as this task is not too slow to see
/// them.
async fn statuses(devnet: &Devnet, words: &Mnemonic, sync_mode: SyncMode, scan: Scan) -> Vec<Status> {
    let options = Options { sync_mode, scan, ..Options::default() };
    let wallet = Wallet::start(account(words), backend(devnet), options).await.unwrap();
    let mut watch = wallet.watch();
    let mut statuses = vec![watch.borrow_and_update().clone()];
    while statuses.last().is_some_and(|status| status.phase != Phase::Ready) {
        watch.changed().await.unwrap();
        statuses.push(watch.borrow_and_update().clone());
    }
    wallet.stop().await;
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_and_when_it_should_end() {
    let rig = Rig::with(&[500, 700]).await;
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream, SyncMode::Pages] {
        let limits = Scan::IndexLimit { first: 0, last: 199 };
        for (scan, all) in [(Scan::GapLimit(200), 201), (limits, 200)] {
            let began = headless_wallet::rt::unix_seconds();
            let statuses = statuses(&rig.devnet, &rig.words, sync_mode, scan).await;
            let ready = Progress { addresses: all, transactions: 2, estimated_end: None };
            assert_eq!(statuses.last().unwrap().progress, ready);
            for Status { phase, progress, .. } in &statuses {
                let under_way = (1..all).contains(&progress.addresses);
                // The first address is the used one.
                assert_eq!(progress.transactions, if progress.addresses == 0 { 0 } else { 2 });
                assert_eq!(progress.addresses % 20, if under_way { 0 } else { progress.addresses % 20 });
                let known = *phase == Phase::Syncing && under_way;
                assert_eq!(progress.estimated_end.is_some(), known, "{progress:?}");
                assert!(progress.estimated_end.is_none_or(|end| end >= began), "{progress:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_does_not_stream_is_asked_for_pages() {
    let config = DevnetConfig { block_interval: None, history_streaming: false, ..DevnetConfig::default() };
    let devnet = Devnet::start(config).await.unwrap();
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream] {
        for scan in [Scan::GapLimit(20), Scan::IndexLimit { first: 7, last: 26 }] {
            let asked = asked(&devnet, sync_mode, scan, 20).await;
            assert_eq!(asked[..4], ["version", "ws/", "version", "feature"]);
            assert!(asked[4].starts_with("thin_wallet/address_history?"), "{asked:?}");
            assert_eq!(asked.len(), 5);
        }
    }
}
