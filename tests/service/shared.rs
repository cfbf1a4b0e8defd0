//! Many wallets of one process: they share connections to the node, and nothing else.

use crate::proxy::{Fault, Proxy};
use crate::rig::{PATIENCE, account, backend, backend_at, devnet, pay};
use headless_wallet::devnet::{Devnet, StreamFault, SubscriptionLimits};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, TokenUid};
use headless_wallet::service::{Account, Backend, Options, Phase, Status, SyncMode, Wallet};
use headless_wallet::wallet::Scan;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Histories that are streamed at once, each on a connection.
const MOST_STREAMS: usize = 8;

/// Starts a wallet that has its words from chance.
async fn start(backend: &Backend, options: Options) -> Wallet {
    let words = Mnemonic::generate().unwrap();
    Wallet::start(account(&words), backend.clone(), options).await.unwrap()
}

async fn ready(wallet: &Wallet) {
    let status = tokio::time::timeout(PATIENCE, wallet.ready()).await;
    let status = status.unwrap_or_else(|_| panic!("the status stayed {:?}", wallet.status()));
    assert_eq!(status.phase, Phase::Ready, "{status:?}");
}

async fn until_status(wallet: &Wallet, wanted: impl FnMut(&Status) -> bool) {
    let mut status = wallet.watch();
    tokio::time::timeout(PATIENCE, status.wait_for(wanted)).await.expect("comes to be so").unwrap();
}

/// A wallet that is ready before the next one starts, so that none needs a connection of its own to stream.
async fn started(backend: &Backend) -> Wallet {
    let wallet = start(backend, Options::default()).await;
    ready(&wallet).await;
    wallet
}

fn address(wallet: &Wallet, index: u32) -> Address {
    wallet.look(|state, _| state.address(index)).unwrap()
}

fn fund(devnet: &Devnet, to: Address, amount: u64) {
    devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap();
}

/// Waits until the wallet is ready and has this much.
async fn has(wallet: &Wallet, amount: u64) {
    let amount = Amount::from(amount);
    let met = async {
        let mut events = wallet.events();
        while wallet.read(|state, now| state.balance(TokenUid::Native, now).available) != Ok(amount) {
            // What is spendable only from the next second on has no event.
            let _ = tokio::time::timeout(Duration::from_millis(10), events.recv()).await;
        }
    };
    let met = tokio::time::timeout(PATIENCE, met).await;
    met.unwrap_or_else(|_| panic!("never has {amount}: {:?}", wallet.status()));
}

async fn sockets(devnet: &Devnet, count: usize) {
    let stays = || format!("{} connections stay, not {count}", devnet.open_sockets());
    until(|| devnet.open_sockets() == count, stays).await;
}

async fn until(wanted: impl Fn() -> bool, complaint: impl Fn() -> String) {
    let met = async {
        while !wanted() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let met = tokio::time::timeout(PATIENCE, met).await;
    met.unwrap_or_else(|_| panic!("{}", complaint()));
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_share_connections_and_each_hears_of_its_own_alone() {
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream, SyncMode::Pages] {
        let devnet = devnet().await;
        let backend = backend(&devnet);
        let options = Options { sync_mode, ..Options::default() };
        let mut wallets = Vec::new();
        for _ in 0..50 {
            wallets.push(start(&backend, options.clone()).await);
        }
        for wallet in &wallets {
            ready(wallet).await;
        }
        let most = if sync_mode == SyncMode::Pages { 1 } else { MOST_STREAMS };
        assert!((1..=most).contains(&devnet.open_sockets()), "{} connections", devnet.open_sockets());
        for (amount, wallet) in (1..).zip(&wallets) {
            fund(&devnet, address(wallet, 3), amount);
            // Among addresses that it watches only from now on.
            fund(&devnet, address(wallet, 19), 1_000);
        }
        for (amount, wallet) in (1..).zip(&wallets) {
            has(wallet, 1_000 + amount).await;
            assert_eq!(wallet.read(|state, _| state.history_len()), Ok(2));
        }
        for (amount, wallet) in (1..).zip(&wallets) {
            until_status(wallet, |status| status.progress.addresses == 40).await;
            fund(&devnet, address(wallet, 39), 10_000);
            has(wallet, 11_000 + amount).await;
        }
        for wallet in &wallets {
            wallet.stop().await;
        }
        sockets(&devnet, 0).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_of_the_same_addresses_both_hear_of_them() {
    let devnet = devnet().await;
    let backend = backend(&devnet);
    let keys = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    for sync_mode in [SyncMode::XpubStream, SyncMode::Pages] {
        let options = Options { sync_mode, ..Options::default() };
        let accounts = [Account::Signing(keys.clone()), Account::ReadOnly(keys.public().clone())];
        let mut wallets = Vec::new();
        for account in accounts {
            wallets.push(Wallet::start(account, backend.clone(), options.clone()).await.unwrap());
            ready(&wallets[wallets.len() - 1]).await;
        }
        sockets(&devnet, 1).await;
        let before = wallets[0].read(|state, _| state.history_len()).unwrap() as u64;
        let paid = address(&wallets[0], 1);
        fund(&devnet, paid, 1);
        for wallet in &wallets {
            has(wallet, before + 1).await;
        }
        wallets.remove(0).stop().await;
        fund(&devnet, paid, 1);
        has(&wallets[0], before + 2).await;
        // And what is subscribed to again, by one that comes after.
        let again =
            Wallet::start(Account::Signing(keys.clone()), backend.clone(), options.clone()).await.unwrap();
        ready(&again).await;
        fund(&devnet, paid, 1);
        for wallet in [&again, &wallets[0]] {
            has(wallet, before + 3).await;
            assert_eq!(devnet.open_sockets(), 1);
        }
        wallets[0].stop().await;
        again.stop().await;
        sockets(&devnet, 0).await;
    }
}

/// Starts a wallet with so many transactions, on some addresses, that its stream is longer than that of an
/// empty one.
async fn begin_a_long_stream(
    devnet: &Devnet,
    backend: &Backend,
    addresses: u32,
    sync_mode: SyncMode,
) -> (Wallet, u64) {
    const TRANSACTIONS: u32 = 40;
    let keys = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    for hash in keys.public().key_hashes(0..addresses) {
        for _ in 0..TRANSACTIONS / addresses {
            fund(devnet, Address::p2pkh(backend.network, hash), 1);
        }
    }
    let options = Options { sync_mode, ..Options::default() };
    let wallet = Wallet::start(Account::Signing(keys), backend.clone(), options).await.unwrap();
    (wallet, TRANSACTIONS.into())
}

/// The first frame, and those of the 20 addresses of an empty wallet.
const END_OF_A_SHORT_STREAM: u64 = 21;

/// Holds the stream of a wallet in its middle, on the connection that the given one has.
async fn hold_in_mid_stream(devnet: &Devnet, backend: &Backend) -> (Wallet, u64) {
    devnet.set_stream_fault(Some(StreamFault::HeldBefore(END_OF_A_SHORT_STREAM + 1)));
    let (wallet, amount) = begin_a_long_stream(devnet, backend, 1, SyncMode::Auto).await;
    let come = || wallet.look(|state, _| state.history_len()) as u64 == END_OF_A_SHORT_STREAM - 1;
    until(come, || "it does not stream as far as it may".to_owned()).await;
    assert_eq!(wallet.status().phase, Phase::Syncing);
    (wallet, amount)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_streams_slowly_holds_up_no_other() {
    let devnet = devnet().await;
    let backend = backend(&devnet);
    let one = started(&backend).await;
    let (slow, amount) = hold_in_mid_stream(&devnet, &backend).await;
    assert_eq!(devnet.open_sockets(), 1, "it streams on the connection that there was");
    // Events, a send, and the load of another.
    fund(&devnet, address(&one, 0), 500);
    has(&one, 500).await;
    one.send(pay(100)).await.unwrap();
    has(&one, 400).await;
    let other = started(&backend).await;
    assert_eq!(devnet.open_sockets(), 2);
    assert_eq!(slow.status().phase, Phase::Syncing);
    devnet.set_stream_fault(None);
    ready(&slow).await;
    has(&slow, amount).await;
    fund(&devnet, address(&slow, 7), 1);
    has(&slow, amount + 1).await;
    for wallet in [one, slow, other] {
        wallet.stop().await;
    }
    sockets(&devnet, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_streams_do_not_take_the_turns_of_others() {
    let devnet = devnet().await;
    let backend = backend(&devnet);
    let mut slow = Vec::new();
    for _ in 0..MOST_STREAMS {
        slow.push(hold_in_mid_stream(&devnet, &backend).await);
    }
    assert_eq!(devnet.open_sockets(), MOST_STREAMS);
    started(&backend).await;
    assert_eq!(devnet.open_sockets(), MOST_STREAMS + 1);
    devnet.set_stream_fault(None);
    for (wallet, amount) in slow {
        ready(&wallet).await;
        has(&wallet, amount).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_stopped_in_mid_stream_leaves_the_others_as_they_are() {
    let devnet = devnet().await;
    let backend = backend(&devnet);
    let one = started(&backend).await;
    let (slow, _) = hold_in_mid_stream(&devnet, &backend).await;
    slow.stop().await;
    devnet.set_stream_fault(None);
    fund(&devnet, address(&one, 19), 500);
    has(&one, 500).await;
    // Nothing can be streamed any more where a stream was left.
    let other = started(&backend).await;
    assert_eq!(devnet.open_sockets(), 2);
    for wallet in [&one, &other] {
        fund(&devnet, address(wallet, 2), 1_000);
    }
    has(&one, 1_500).await;
    has(&other, 1_000).await;
    one.stop().await;
    sockets(&devnet, 1).await;
    other.stop().await;
    sockets(&devnet, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_whose_connection_is_reset_come_back_on_one() {
    let devnet = devnet().await;
    let node = Proxy::before(&devnet.node_url()).await;
    let backend = backend_at(&node.url(&devnet.node_url()), &devnet.mining_url());
    let mut wallets = Vec::new();
    for _ in 0..10 {
        let wallet = started(&backend).await;
        // A history that is not loaded whole again.
        for amount in 1..=4 {
            fund(&devnet, address(&wallet, 0), 1);
            has(&wallet, amount).await;
        }
        wallets.push(wallet);
    }
    assert_eq!(devnet.open_sockets(), 1);
    node.fault("ws", Fault::Reset, usize::MAX);
    for wallet in &wallets {
        until_status(wallet, |status| status.phase == Phase::Connecting).await;
        fund(&devnet, address(wallet, 5), 70);
    }
    node.mend();
    for wallet in &wallets {
        has(wallet, 74).await;
        fund(&devnet, address(wallet, 6), 500);
        has(wallet, 574).await;
    }
    sockets(&devnet, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_finds_too_little_room_gets_a_connection_of_its_own() {
    let empty = |max| SubscriptionLimits {
        max_subscribed_empty_addresses: Some(max),
        ..SubscriptionLimits::default()
    };
    let any =
        |max| SubscriptionLimits { max_subscribed_addresses: Some(max), ..SubscriptionLimits::default() };
    for sync_mode in [SyncMode::XpubStream, SyncMode::ManualStream, SyncMode::Pages] {
        for limits in [empty(30), any(30)] {
            let devnet = devnet().await;
            devnet.set_limits(limits);
            let backend = backend(&devnet);
            let options = Options { sync_mode, scan: Scan::GapLimit(12), ..Options::default() };
            let mut wallets = Vec::new();
            for _ in 0..6 {
                let wallet = start(&backend, options.clone()).await;
                ready(&wallet).await;
                wallets.push(wallet);
            }
            // Two on one, the third alone, and so on.
            sockets(&devnet, 4).await;
            for (amount, wallet) in (1..).zip(&wallets) {
                fund(&devnet, address(wallet, 11), amount);
                has(wallet, amount).await;
            }
        }
    }
}

/// Two wallets fill a connection; one of them grows, and moves out.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_outgrows_a_shared_connection_gets_one_of_its_own() {
    let devnet = devnet().await;
    devnet.set_limits(SubscriptionLimits {
        max_subscribed_addresses: Some(45),
        ..SubscriptionLimits::default()
    });
    let backend = backend(&devnet);
    let (one, other) = (started(&backend).await, started(&backend).await);
    assert_eq!(devnet.open_sockets(), 1);
    fund(&devnet, address(&one, 19), 500);
    sockets(&devnet, 2).await;
    has(&one, 500).await;
    for wallet in [&one, &other] {
        fund(&devnet, address(wallet, 10), 70);
    }
    fund(&devnet, address(&one, 24), 1);
    has(&one, 571).await;
    has(&other, 70).await;
    // One that comes now finds the first connection sealed.
    let third = started(&backend).await;
    fund(&devnet, address(&third, 19), 5);
    has(&third, 5).await;
    assert_eq!(devnet.open_sockets(), 3);
}

/// A proxy that ends each connection, say, before the whole history has come.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_whose_streams_break_each_time_is_loaded_by_pages() {
    for sync_mode in [SyncMode::Auto, SyncMode::XpubStream, SyncMode::ManualStream] {
        let devnet = devnet().await;
        let backend = backend(&devnet);
        devnet.set_stream_fault(Some(StreamFault::BrokenBefore(END_OF_A_SHORT_STREAM + 1)));
        let (wallet, amount) = begin_a_long_stream(&devnet, &backend, 20, sync_mode).await;
        ready(&wallet).await;
        has(&wallet, amount).await;
        assert_eq!(devnet.broken_streams(), 3);
        // What the node tells over the socket still comes.
        fund(&devnet, address(&wallet, 3), 500);
        has(&wallet, amount + 500).await;
    }
}

/// Something in its history, say, that the node can't send.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_breaks_its_connections_soon_breaks_nobody_elses() {
    let devnet = devnet().await;
    let backend = backend(&devnet);
    let one = started(&backend).await;
    devnet.set_stream_fault(Some(StreamFault::BrokenBefore(END_OF_A_SHORT_STREAM + 1)));
    let breaks = Arc::new(AtomicUsize::new(0));
    let (mut status, counted) = (one.watch(), breaks.clone());
    tokio::spawn(async move {
        while status.wait_for(|status| status.phase == Phase::Connecting).await.is_ok() {
            counted.fetch_add(1, Ordering::Relaxed);
            status.wait_for(|status| status.phase == Phase::Ready).await.unwrap();
        }
    });
    // On so many that they are streamed again each time.
    let (breaking, amount) = begin_a_long_stream(&devnet, &backend, 20, SyncMode::Auto).await;
    until(|| devnet.broken_streams() >= 3, || "no third break".to_owned()).await;
    fund(&devnet, address(&one, 3), 500);
    has(&one, 500).await;
    devnet.set_stream_fault(None);
    ready(&breaking).await;
    has(&breaking, amount).await;
    sockets(&devnet, 2).await;
    // The first on its own connection, and perhaps the second.
    assert!((1..=2).contains(&breaks.load(Ordering::Relaxed)), "{breaks:?}");
}
