//! Two wallets of one account in one process are one account that runs: they never spend the same output, and
//! each sees the addresses that it was started for.

use crate::rig::{PATIENCE, Rig, account, backend, backend_at, devnet, pay};
use headless_wallet::devnet::{Devnet, SubscriptionLimits};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network, Outpoint, PartialTx, TokenUid, hash160};
use headless_wallet::service::{
    Account, NotReady, Options, Phase, SendError, SharedAccounts, SwapError, Wallet,
};
use headless_wallet::store::{DataDir, MemoryStores, Stores};
use headless_wallet::wallet::{PlanError, Scan, SwapReceive, SwapRequest, UtxoFilter};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// Two wallets of the same words with these amounts, an output each, that watch different numbers of
/// addresses.
async fn two(amounts: &[u64], wait_for_change: bool) -> (Rig, Rig) {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    let start = async |scan| {
        let options = Options { scan, shared: shared.clone(), wait_for_change, ..Options::default() };
        Wallet::start(account(&words), backend(&devnet), options).await.unwrap()
    };
    let (one, other) = (start(Scan::GapLimit(20)).await, start(Scan::GapLimit(5)).await);
    let one = Rig { devnet, wallet: one, words: words.clone() };
    let other = Rig { devnet: crate::rig::devnet().await, wallet: other, words };
    one.until_ready().await;
    other.until_ready().await;
    one.fund(amounts).await;
    let sum = Amount::from(amounts.iter().sum::<u64>());
    other.until(|state, now| state.balance(TokenUid::Native, now).available == sum).await;
    (one, other)
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_of_both_at_once_never_choose_the_same_output() {
    let (one, other) = two(&[100; 12], true).await;
    let sends: Vec<_> = (0..6)
        .flat_map(|_| [one.wallet.clone(), other.wallet.clone()])
        .map(|wallet| tokio::spawn(async move { wallet.send(pay(60)).await }))
        .collect();
    let mut chosen = HashSet::new();
    for send in sends {
        for input in send.await.unwrap().unwrap().transaction.inputs {
            assert!(chosen.insert(input.spends), "{:?} was chosen twice", input.spends);
        }
    }
    assert_eq!(chosen.len(), 12);
    for rig in [&one, &other] {
        assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(12 * 40u64));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_waits_for_the_change_of_the_other() {
    let (one, other) = two(&[1_000], true).await;
    let (first, second) = tokio::join!(one.pay(100), other.pay(200));
    let (first, second) = (first.unwrap(), second.unwrap());
    let spends = |sent: &headless_wallet::service::Sent| sent.transaction.spends()[0].tx;
    assert!(spends(&second) == first.id || spends(&first) == second.id);
    // Nobody has told them but each other.
    for rig in [&one, &other] {
        assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(700u64));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_waits_the_second_is_refused_before_its_proof_of_work() {
    let (one, other) = two(&[1_000], false).await;
    let first = one.pay(100);
    tokio::pin!(first);
    // Polled once, so that it has been planned.
    assert!(futures_util::FutureExt::now_or_never(first.as_mut()).is_none());
    let refused = other.pay(200).await.unwrap_err();
    let insufficient = PlanError::Insufficient {
        token: TokenUid::Native,
        required: Amount::from(200u64),
        available: Amount::ZERO,
    };
    assert!(matches!(refused, SendError::Plan(refused) if *refused == insufficient));
    first.await.unwrap();
    other.pay(200).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_has_locked_is_locked_in_all_of_them() {
    let (one, other) = two(&[500, 300], true).await;
    let (five, _) = one.free_outputs().into_iter().find(|(_, value)| *value == 500).unwrap();
    other.wallet.lock_outpoints(&[five], None).unwrap();
    let free = |rig: &Rig| rig.free_outputs().iter().map(|(_, value)| *value).collect::<Vec<_>>();
    assert_eq!((free(&one), free(&other)), (vec![300], vec![300]));
    one.wallet.unlock_outpoints(&[five]).unwrap();
    assert_eq!((free(&one).len(), free(&other).len()), (2, 2));
    other.wallet.lock_outpoints(&[five], None).unwrap();
    // It stays so when that one is stopped.
    other.wallet.stop().await;
    assert_eq!(free(&one), [300]);
    let spent: Vec<Outpoint> = one.pay(100).await.unwrap().transaction.spends();
    assert!(!spent.contains(&five));
}

fn pay_to(devnet: &Devnet, words: &Mnemonic, index: u32, amount: u64) {
    let keys = AccountKeys::from_mnemonic(words, "").public();
    let to = Address::p2pkh(Network::Privatenet, hash160(&keys.public_key(index)));
    devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap();
}

async fn has(wallet: &Wallet, amount: u64) {
    let met = async {
        let mut events = wallet.events();
        while balance(wallet) != Ok(Amount::from(amount)) {
            // What is spendable only from the next second on has no event.
            let _ = tokio::time::timeout(Duration::from_millis(10), events.recv()).await;
        }
    };
    let met = tokio::time::timeout(PATIENCE, met).await;
    met.unwrap_or_else(|_| panic!("never has {amount}: {:?}, {:?}", balance(wallet), wallet.status()));
}

fn balance(wallet: &Wallet) -> Result<Amount, NotReady> {
    wallet.read(|state, now| state.balance(TokenUid::Native, now).available)
}

/// Those that nothing is reserved for.
fn outputs_of(wallet: &Wallet) -> Vec<Outpoint> {
    let filter = UtxoFilter { only_available: true, ..UtxoFilter::default() };
    let list = wallet.read(|state, now| state.utxos(&filter, now)).unwrap();
    list.utxos.iter().map(|utxo| utxo.outpoint).collect()
}

fn indexes(wallet: &Wallet) -> Range<u32> {
    wallet.read(|state, _| state.addresses_to_watch(0)).unwrap()
}

/// Payments to the addresses 0, 60 and 1,003.
#[tokio::test(flavor = "multi_thread")]
async fn each_sees_the_addresses_that_it_was_started_for() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    for (index, amount) in [(0, 1), (60, 20), (1_003, 300)] {
        pay_to(&devnet, &words, index, amount);
    }
    let start = async |scan| {
        let options = Options { scan, shared: shared.clone(), ..Options::default() };
        let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    };
    let near = start(Scan::GapLimit(20)).await;
    let far = start(Scan::GapLimit(100)).await;
    let apart = start(Scan::IndexLimit { first: 1_000, last: 1_009 }).await;
    let all = [&near, &far, &apart];
    for (wallet, amount) in all.into_iter().zip([1, 21, 300]) {
        has(wallet, amount).await;
    }
    assert_eq!(all.map(indexes), [0..21, 0..161, 1_000..1_010]);
    let current = |wallet: &Wallet| wallet.read(|state, _| state.current_index()).unwrap();
    assert_eq!(all.map(current), [1, 61, 1_004]);
    // What is paid from now on is heard of by whoever watches it.
    for (index, amount) in [(21, 4_000), (1_009, 50_000)] {
        pay_to(&devnet, &words, index, amount);
    }
    for (wallet, amount) in all.into_iter().zip([1, 4_021, 50_300]) {
        has(wallet, amount).await;
    }
    // Nobody locks, unlocks or spends what it does not see.
    let outputs = outputs_of(&apart);
    near.lock_outpoints(&outputs, None).unwrap();
    assert_eq!((outputs.len(), outputs_of(&apart)), (2, outputs.clone()));
    apart.lock_outpoints(&outputs, None).unwrap();
    near.unlock_outpoints(&outputs).unwrap();
    assert_eq!(outputs_of(&apart), []);
    apart.unlock_outpoints(&outputs).unwrap();
    let refused = near.send(pay(2)).await.unwrap_err();
    let insufficient = PlanError::Insufficient {
        token: TokenUid::Native,
        required: Amount::from(2u64),
        available: Amount::from(1u64),
    };
    assert!(matches!(refused, SendError::Plan(refused) if *refused == insufficient));
    apart.watch_to(1_014).await.unwrap();
    assert_eq!(all.map(indexes), [0..21, 0..161, 1_000..1_015]);
    pay_to(&devnet, &words, 1_014, 600_000);
    has(&apart, 650_300).await;
    // The gap of the first reaches what the second has found.
    pay_to(&devnet, &words, 20, 7);
    has(&near, 4_008).await;
    assert_eq!(indexes(&near), 0..42);
}

/// With a store, and whichever starts first afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn no_address_is_given_twice_and_none_sees_what_is_anothers_after_a_restart() {
    let (devnet, words) = (devnet().await, Mnemonic::generate().unwrap());
    let stores: Option<Arc<dyn Stores>> = Some(Arc::new(MemoryStores::default()));
    let options = Options { stores, shared: SharedAccounts::default(), ..Options::default() };
    let start = async |scan| {
        let options = Options { scan, ..options.clone() };
        let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
        assert_eq!(wallet.ready().await.phase, Phase::Ready);
        wallet
    };
    let take = async |wallet: &Wallet| {
        let text = wallet.current_address(true).unwrap();
        wallet.flush().await.unwrap();
        let address = Address::parse(&text, Network::Privatenet).unwrap();
        wallet.read(|state, _| state.index_of(&address)).unwrap().unwrap()
    };
    let (near, far) = (Scan::GapLimit(20), Scan::GapLimit(100));
    let apart = Scan::IndexLimit { first: 1_000, last: 1_009 };
    for (index, amount) in [(0, 1), (60, 20)] {
        pay_to(&devnet, &words, index, amount);
    }
    let one = start(near).await;
    for index in 1..6 {
        assert_eq!(take(&one).await, index);
    }
    let other = start(near).await;
    assert_eq!(take(&other).await, 6);
    let wide = start(far).await;
    has(&wide, 21).await;
    for wallet in [one, other, wide] {
        wallet.stop().await;
    }
    for (next, (first, second)) in (7..).zip([(near, far), (apart, near), (far, near)]) {
        let both = [start(first).await, start(second).await];
        for (wallet, scan) in both.iter().zip([first, second]).filter(|(_, scan)| *scan != far) {
            match scan == near {
                true => {
                    has(wallet, 1).await;
                    assert_eq!((indexes(wallet), take(wallet).await), (0..21, next));
                }
                false => assert_eq!(take(wallet).await, 1_000),
            }
        }
        for wallet in both {
            wallet.stop().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_is_ready_at_once_and_the_last_one_ends_the_account() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    let dir = TempDir::new().unwrap();
    let start = async || {
        let stores: Option<Arc<dyn Stores>> = Some(Arc::new(DataDir::new(dir.path()).unwrap()));
        let options = Options { shared: shared.clone(), stores, ..Options::default() };
        Wallet::start(account(&words), backend(&devnet), options).await.unwrap()
    };
    let one = start().await;
    one.ready().await;
    let other = start().await;
    assert_eq!(other.status().phase, Phase::Ready);
    pay_to(&devnet, &words, 0, 500);
    has(&other, 500).await;
    one.stop().await;
    assert_eq!((one.status().phase, other.status().phase), (Phase::Closed, Phase::Ready));
    assert!(matches!(one.send(pay(1)).await, Err(SendError::NotReady(_))));
    pay_to(&devnet, &words, 3, 70);
    has(&other, 570).await;
    other.send(pay(500)).await.unwrap();
    let third = start().await;
    assert_eq!((third.status().phase, balance(&third)), (Phase::Ready, Ok(Amount::from(70u64))));
    other.stop().await;
    third.stop().await;
    // Another process could use the store now, which has it all.
    let stores = DataDir::new(dir.path()).unwrap();
    let alone = Options { stores: Some(Arc::new(stores)), ..Options::default() };
    let alone = Wallet::start(account(&words), backend(&devnet), alone).await.unwrap();
    assert_eq!(alone.look(|state, _| state.history_len()), 3);
    alone.stop().await;
}

fn with_empty_addresses(most: usize) -> SubscriptionLimits {
    SubscriptionLimits { max_subscribed_empty_addresses: Some(most), ..SubscriptionLimits::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_the_node_refuses_to_one_hold_up_no_other() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    devnet.set_limits(with_empty_addresses(25));
    let start = async |scan| {
        let options = Options { scan, shared: shared.clone(), ..Options::default() };
        Wallet::start(account(&words), backend(&devnet), options).await.unwrap()
    };
    let near = start(Scan::GapLimit(10)).await;
    assert_eq!(near.ready().await.phase, Phase::Ready);
    let wide = start(Scan::IndexLimit { first: 0, last: 99 }).await;
    let failed = wide.watch().wait_for(|status| status.phase == Phase::Error).await.unwrap().clone();
    let problem = failed.problem.unwrap();
    assert!(problem.contains("WS_MAX_SUBS_ADDRS_EMPTY"), "{problem}");
    assert!(matches!(wide.send(pay(1)).await, Err(SendError::NotReady(_))));
    pay_to(&devnet, &words, 3, 500);
    has(&near, 500).await;
    near.send(pay(100)).await.unwrap();
    // The gap reaches addresses that were derived for the other.
    pay_to(&devnet, &words, 12, 70);
    has(&near, 470).await;
    assert_eq!(wide.status().phase, Phase::Error);
    // Others can be started, whether that one is there or not, and see what it was not told of.
    pay_to(&devnet, &words, 50, 3_000);
    let apart = start(Scan::IndexLimit { first: 49, last: 50 }).await;
    assert_eq!(apart.ready().await.phase, Phase::Ready);
    has(&apart, 3_000).await;
    wide.stop().await;
    assert_eq!((near.status().phase, apart.status().phase), (Phase::Ready, Phase::Ready));
    devnet.set_limits(SubscriptionLimits::default());
    let wide = start(Scan::IndexLimit { first: 0, last: 99 }).await;
    assert_eq!(wide.ready().await.phase, Phase::Ready);
    has(&wide, 3_470).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_has_failed_is_followed_again_for_the_next_id() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    devnet.set_limits(with_empty_addresses(25));
    let start = async |scan| {
        let options = Options { scan, shared: shared.clone(), ..Options::default() };
        let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
        let phase = wallet.ready().await.phase;
        (wallet, phase)
    };
    let (wide, failed) = start(Scan::GapLimit(30)).await;
    assert_eq!(failed, Phase::Error);
    let (near, ready) = start(Scan::GapLimit(20)).await;
    assert_eq!((ready, wide.status().phase), (Phase::Ready, Phase::Error));
    wide.stop().await;
    // 25 addresses are to be watched from then on, which is what the node allows.
    pay_to(&devnet, &words, 4, 500);
    has(&near, 500).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_is_closed_before_it_loses_sight_of_its_addresses() {
    let (one, other) = two(&[500], true).await;
    let ((held, is_held), (go_on, may_go_on)) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
    let reader = one.wallet.clone();
    let reader = std::thread::spawn(move || {
        reader.look(|_, _| {
            held.send(()).unwrap();
            may_go_on.recv().unwrap();
        });
    });
    is_held.recv().unwrap();
    // It can't change what the account sees now.
    let (stopped, runtime) = (other.wallet.clone(), tokio::runtime::Handle::current());
    let stop = std::thread::spawn(move || runtime.block_on(stopped.stop()));
    let mut status = other.wallet.watch();
    let closed = status.wait_for(|status| status.phase == Phase::Closed);
    let closed = tokio::time::timeout(PATIENCE, closed).await.is_ok();
    go_on.send(()).unwrap();
    reader.join().unwrap();
    stop.join().unwrap();
    assert!(closed);
    assert!(other.wallet.current_address(true).is_err());
    assert_eq!(one.balance(TokenUid::Native).available, Amount::from(500u64));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_are_at_the_full_node_and_in_the_store_of_the_first() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    let dir = TempDir::new().unwrap();
    let start = async |node: &str, is_kept: bool| {
        let stores = || Arc::new(DataDir::new(dir.path()).unwrap()) as Arc<dyn Stores>;
        let stores = is_kept.then(stores);
        let options = Options { shared: shared.clone(), stores, ..Options::default() };
        Wallet::start(account(&words), backend_at(node, &devnet.mining_url()), options).await
    };
    let node = devnet.node_url();
    let one = start(&node, false).await.unwrap();
    one.ready().await;
    let other = start(&node, true).await.unwrap();
    assert_eq!(other.status().phase, Phase::Ready);
    pay_to(&devnet, &words, 0, 500);
    has(&one, 500).await;
    has(&other, 500).await;
    one.lock_outpoints(&outputs_of(&one), None).unwrap();
    assert_eq!(outputs_of(&other), []);
    let elsewhere = node.replace("127.0.0.1", "localhost");
    assert_ne!(elsewhere, node);
    let refused = start(&elsewhere, false).await.err().unwrap();
    assert_eq!(
        refused.to_string(),
        format!(
            "full node: another wallet of this account runs at {node}: use that one, or stop the other wallet first"
        )
    );
    one.stop().await;
    other.stop().await;
    start(&elsewhere, false).await.unwrap();
}

/// What is put into a proposal through one is signed through the other, and given up through either.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_has_put_into_a_swap_the_other_signs() {
    let (one, other) = two(&[500], true).await;
    let offer = SwapRequest {
        sends: vec![(TokenUid::Native, Amount::from(500u64))],
        receives: vec![SwapReceive {
            token: TokenUid::Native,
            value: Amount::from(500u64),
            address: Some(one.address(0)),
            timelock: None,
        }],
        utxos: Vec::new(),
        change_address: None,
    };
    let before = PartialTx { inputs: Vec::new(), outputs: Vec::new() };
    let put_in = one.wallet.add_to_swap(&before, &offer, true).await.unwrap();
    assert!(matches!(other.wallet.sign_swap(&put_in, false).await, Err(SwapError::Changed)));
    one.wallet.remember_swap(&before, &put_in).await;
    other.wallet.sign_swap(&put_in, false).await.unwrap();
    let outputs: Vec<Outpoint> = put_in.inputs.iter().map(|input| input.spends).collect();
    other.wallet.unlock_outpoints(&outputs).unwrap();
    assert!(matches!(one.wallet.sign_swap(&put_in, false).await, Err(SwapError::Changed)));
}

/// A wallet that can't sign holds nothing up, and one of other words knows nothing of these.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_only_watches_hears_of_what_is_sent() {
    let (devnet, words, shared) = (devnet().await, Mnemonic::generate().unwrap(), SharedAccounts::default());
    let options = Options { shared: shared.clone(), ..Options::default() };
    let public = AccountKeys::from_mnemonic(&words, "").public();
    let start = async |account| Wallet::start(account, backend(&devnet), options.clone()).await.unwrap();
    let watcher = start(Account::ReadOnly(public)).await;
    let stranger = start(account(&Mnemonic::generate().unwrap())).await;
    let signer = start(account(&words)).await;
    watcher.ready().await;
    stranger.ready().await;
    let rig = Rig { devnet, wallet: signer, words };
    rig.until_ready().await;
    rig.fund(&[1_000]).await;
    rig.pay(100).await.unwrap();
    let balance = watcher.read(|state, now| state.balance(TokenUid::Native, now).available);
    assert_eq!(balance, Ok(Amount::from(900u64)));
    assert_eq!(stranger.read(|state, _| state.history_len()), Ok(0));
}

/// Until it is spent, unlocked, or its time is over.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_locked_outlives_a_restart_where_wallets_are_kept() {
    let (devnet, words) = (devnet().await, Mnemonic::generate().unwrap());
    let dir = TempDir::new().unwrap();
    let start = async || {
        let stores: Option<Arc<dyn Stores>> = Some(Arc::new(DataDir::new(dir.path()).unwrap()));
        let options = Options { stores, ..Options::default() };
        let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
        wallet.ready().await;
        wallet
    };
    let home = start().await;
    let address = home.read(|state, _| state.address(0)).unwrap().unwrap();
    for amount in [500u64, 300] {
        devnet.change(|chain, now| chain.fund(address, Amount::from(amount), now)).unwrap();
    }
    home.stop().await;
    let free = |wallet: &Wallet| {
        let filter = UtxoFilter { only_available: true, ..UtxoFilter::default() };
        let list = wallet.read(|state, now| state.utxos(&filter, now)).unwrap();
        list.utxos.iter().map(|utxo| (utxo.value.cents(), utxo.outpoint)).collect::<BTreeMap<_, _>>()
    };
    let wallet = start().await;
    let outputs = free(&wallet);
    wallet.lock_outpoints(&[outputs[&500]], Some(Duration::from_secs(3_600))).unwrap();
    wallet.stop().await;
    let wallet = start().await;
    assert_eq!(free(&wallet).into_keys().collect::<Vec<_>>(), [300]);
    wallet.unlock_outpoints(&[outputs[&500]]).unwrap();
    wallet.stop().await;
    let wallet = start().await;
    assert_eq!(free(&wallet), outputs);
    wallet.stop().await;
}
