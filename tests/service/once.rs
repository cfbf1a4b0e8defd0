//! Sends with a key: the process is killed at each step, and a new one is asked the same again.

use crate::proxy::{Fault, Proxy};
use crate::rig::{Rig, account, backend, backend_at, devnet, pay};
use crate::steps::{AFTER_APPEND, BEFORE_APPEND, KEY, Killed, killed_in_push, killed_in_send};
use async_trait::async_trait;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::Mnemonic;
use headless_wallet::service::{
    IdempotentSend, Operation, Options, Recorded, SendError, SendKey, SharedAccounts, Wallet,
};
use headless_wallet::store::{
    DataDir, MemoryPushRecords, MemoryStore, Owner, PushRecord, PushRecords, RECORD_LIFE, Store, StoreError,
    Stores,
};
use headless_wallet::wallet::{ChangeSet, UtxoFilter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

async fn send(wallet: &Wallet, key: SendKey) -> Result<IdempotentSend, SendError> {
    wallet.carry_out_once(Operation::Send(pay(100)), key).await
}

fn kept_in(killed: &Killed) -> Option<Arc<dyn Stores>> {
    Some(Arc::new(DataDir::new(killed.dir.path()).unwrap()))
}

/// The same request again, in a new process: it is paid once, and answered with that payment, whenever it
/// comes again. `earlier` says whether the killed process had begun to push it.
async fn is_paid_once(killed: Killed, earlier: bool) {
    let pushed = killed.payments();
    let wallet = killed.start(kept_in(&killed)).await;
    let answer = send(&wallet, KEY).await.unwrap();
    assert_eq!(answer.replayed, earlier);
    assert_eq!(killed.payments(), [answer.sent.id]);
    assert!(pushed.is_empty() || pushed == [answer.sent.id]);
    let again = IdempotentSend { replayed: true, ..answer };
    assert_eq!(send(&wallet, KEY).await.unwrap(), again);
    wallet.stop().await;

    let wallet = killed.start(kept_in(&killed)).await;
    assert_eq!(send(&wallet, KEY).await.unwrap(), again);
    let other = send(&wallet, SendKey { request: [3; 32], ..KEY }).await.unwrap_err();
    let text = "This Idempotency-Key was used with another request: use a new key for each request.";
    assert_eq!(other.to_string(), text);
    assert_eq!(killed.payments().len(), 1);
    let next = send(&wallet, SendKey { name: [4; 32], ..KEY }).await.unwrap();
    assert!(!next.replayed);
    assert_eq!(killed.payments().len(), 2);
    let rig = Rig { devnet: devnet().await, wallet, words: killed.words.clone() };
    assert_eq!(rig.free_outputs().iter().map(|(_, value)| value).sum::<u128>(), 800);
    rig.wallet.stop().await;
}

/// Whoever lost patience and asks again at once must not pay again.
#[tokio::test(flavor = "multi_thread")]
async fn requests_of_one_key_at_the_same_time_pay_once() {
    let rig = Rig::with(&[500, 500, 500, 500]).await;
    let other_key = SendKey { request: [9; 32], ..KEY };
    let wallet = &rig.wallet;
    let held = NodeFaults { mode: NodeMode::Slow, path: "tx_parents".into(), ..NodeFaults::default() };
    rig.devnet.set_node_faults(held);
    // Its caller goes away as soon as it has begun.
    assert!(futures_util::FutureExt::now_or_never(send(wallet, KEY)).is_none());
    let free = UtxoFilter { only_available: true, ..UtxoFilter::default() };
    rig.until(|state, now| state.utxos(&free, now).utxos.len() == 3).await;
    let let_go = async { rig.devnet.set_node_faults(NodeFaults::default()) };
    let (one, two, three, taken, ()) = futures_util::join!(
        send(wallet, KEY),
        send(wallet, KEY),
        send(wallet, KEY),
        send(wallet, other_key),
        let_go
    );
    let one = one.unwrap();
    assert!(one.replayed);
    assert_eq!([&two.unwrap(), &three.unwrap()], [&one, &one]);
    assert!(matches!(taken.unwrap_err(), SendError::KeyTaken));
    let to = headless_wallet::ledger::Address::p2pkh(headless_wallet::ledger::Network::Privatenet, [7; 20]);
    let paid: Vec<_> = rig.devnet.read(|chain| chain.history_of(&to).collect());
    assert_eq!(paid, [one.sent.id]);
    assert_eq!(rig.free_outputs().iter().map(|(_, value)| value).sum::<u128>(), 1_900);
}

/// Also in two wallets of one account, whose owner has started it twice.
#[tokio::test(flavor = "multi_thread")]
async fn requests_of_one_key_in_two_wallets_of_an_account_pay_once() {
    let rig = Rig::with(&[500, 500]).await;
    let shared = SharedAccounts::default();
    let options = || Options { shared: shared.clone(), ..Options::default() };
    let mut wallets = Vec::new();
    for _ in 0..2 {
        let wallet = Wallet::start(account(&rig.words), backend(&rig.devnet), options()).await.unwrap();
        wallet.ready().await;
        wallets.push(wallet);
    }
    let (one, two) = futures_util::join!(send(&wallets[0], KEY), send(&wallets[1], KEY));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.sent, two.sent);
    assert_ne!(one.replayed, two.replayed);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_inputs_are_selected() {
    is_paid_once(killed_in_send("send: planned", true).await, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_signing() {
    is_paid_once(killed_in_send("send: signed", true).await, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_mining() {
    is_paid_once(killed_in_send("send: solved", true).await, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_transaction_is_recorded() {
    is_paid_once(killed_in_send("send: recorded", true).await, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_the_push_is_being_answered() {
    is_paid_once(killed_in_push(true).await, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_push() {
    is_paid_once(killed_in_send("send: pushed", true).await, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_payment_is_appended() {
    is_paid_once(killed_in_send(BEFORE_APPEND, true).await, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_payment_is_appended() {
    is_paid_once(killed_in_send(AFTER_APPEND, true).await, true).await;
}

/// By a program that does not know of it.
#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_another_payment_took_meanwhile() {
    let killed = killed_in_send("send: recorded", true).await;
    let other = killed.start(None).await;
    let paid = other.send(pay(100)).await.unwrap();
    other.stop().await;
    let wallet = killed.start(kept_in(&killed)).await;
    let answer = send(&wallet, KEY).await.unwrap();
    assert!(!answer.replayed);
    assert_ne!(answer.sent.id, paid.id);
    assert_eq!(killed.payments().len(), 2);
    assert_eq!(send(&wallet, KEY).await.unwrap(), IdempotentSend { replayed: true, ..answer });
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

/// Whether or not it is asked for again.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_is_pushed_before_another_payment_takes_its_input() {
    let killed = killed_in_send("send: recorded", true).await;
    let wallet = killed.start(kept_in(&killed)).await;
    wallet.send(pay(100)).await.unwrap();
    assert_eq!(killed.payments().len(), 2);
    assert!(send(&wallet, KEY).await.unwrap().replayed);
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_payments_wait_for_the_input_of_one_that_is_pushed_again() {
    let killed = killed_in_send("send: recorded", true).await;
    let node = Proxy::before(&killed.devnet.node_url()).await;
    // It is pushed again after a second.
    node.fault("push_tx", Fault::Status(429, Some(1)), 1);
    let wallet = killed.start_through(&node.url(&killed.devnet.node_url()), kept_in(&killed)).await;
    let held = Rig { devnet: devnet().await, wallet: wallet.clone(), words: killed.words.clone() };
    assert_eq!(held.free_outputs(), []);
    wallet.send(pay(100)).await.unwrap();
    assert!(send(&wallet, KEY).await.unwrap().replayed);
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_takes_no_pushes_leaves_it_open() {
    let killed = killed_in_send("send: recorded", true).await;
    let node = Proxy::before(&killed.devnet.node_url()).await;
    let url = node.url(&killed.devnet.node_url());
    node.fault("push_tx", Fault::Status(403, None), usize::MAX);
    let wallet = killed.start_through(&url, kept_in(&killed)).await;
    let Err(SendError::Open { id, cause }) = send(&wallet, KEY).await else { panic!("open") };
    assert_eq!(
        SendError::Open { id, cause: cause.clone() }.to_string(),
        format!(
            "{cause}: whether it took transaction {id} is not known yet: repeat the request with the same Idempotency-Key, then \
             nothing is sent twice"
        )
    );
    assert!(killed.payments().is_empty());
    node.mend();
    assert_eq!(send(&wallet, KEY).await.unwrap().sent.id, id);
    assert_eq!(killed.payments(), [id]);
    wallet.stop().await;
}

/// Who denies a transaction may have taken it, and what answers with a failure may have passed it on.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_takes_a_payment_and_denies_it_is_paid_once() {
    for status in [200, 304, 403, 404, 408, 413] {
        let killed = Killed::new(true).await;
        let node = Proxy::before(&killed.devnet.node_url()).await;
        let wallet = killed.start_through(&node.url(&killed.devnet.node_url()), kept_in(&killed)).await;
        node.fault("push_tx", Fault::Denied(status), 1);
        assert!(send(&wallet, KEY).await.is_err(), "{status}");
        let paid = killed.payments();
        assert_eq!(paid.len(), 1);
        let answer = send(&wallet, KEY).await.unwrap();
        assert!(answer.replayed);
        assert_eq!((killed.payments(), answer.sent.id), (paid.clone(), paid[0]));
        // The node's other requests tell the truth: denied again and again, it stays one payment.
        let other = SendKey { name: [4; 32], ..KEY };
        node.fault("push_tx", Fault::Denied(status), usize::MAX);
        let _ = send(&wallet, other).await;
        let _ = send(&wallet, other).await;
        assert_eq!(killed.payments().len(), 2, "{status}");
        wallet.stop().await;
    }
}

/// The same bytes are pushed by a repetition, and no other request gets the key.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_push_that_did_not_arrive_is_remembered() {
    let killed = Killed::new(true).await;
    let node = Proxy::before(&killed.devnet.node_url()).await;
    let wallet = killed.start_through(&node.url(&killed.devnet.node_url()), kept_in(&killed)).await;
    node.fault("push_tx", Fault::Status(403, None), 1);
    assert!(matches!(send(&wallet, KEY).await, Err(SendError::Node(_))));
    let other = send(&wallet, SendKey { request: [3; 32], ..KEY }).await.unwrap_err();
    assert!(matches!(other, SendError::KeyTaken));
    assert!(killed.payments().is_empty());
    let answer = send(&wallet, KEY).await.unwrap();
    assert!(answer.replayed);
    assert_eq!(killed.payments(), [answer.sent.id]);
    wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_forgotten_after_a_day() {
    let killed = killed_in_send("send: pushed", true).await;
    let (store, _) = killed.store().await;
    let notes = store.push_records().unwrap();
    let note = notes.push_record(KEY.name).await.unwrap().unwrap();
    let age = async |seconds: u32, is_open| {
        let time = headless_wallet::rt::unix_seconds() - seconds;
        let aged = PushRecord { time, is_open, ..note.clone() };
        notes.keep_push_records(vec![aged]).await.unwrap();
    };
    age(RECORD_LIFE - 60, false).await;
    let wallet = killed.start(Some(Arc::new(Given(store.clone())))).await;
    assert!(send(&wallet, KEY).await.unwrap().replayed);
    // While its push is open, it counts for as long as that lasts.
    age(RECORD_LIFE + 1, true).await;
    assert!(send(&wallet, KEY).await.unwrap().replayed);
    age(RECORD_LIFE + 1, false).await;
    assert!(!send(&wallet, KEY).await.unwrap().replayed);
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_store_the_process_remembers() {
    let killed = Killed::new(true).await;
    let shared = SharedAccounts::default();
    let start = async || {
        let options = Options { shared: shared.clone(), ..Options::default() };
        let wallet = Wallet::start(account(&killed.words), backend(&killed.devnet), options).await.unwrap();
        wallet.ready().await;
        wallet
    };
    let wallet = start().await;
    let first = send(&wallet, KEY).await.unwrap();
    assert!(!first.replayed);
    wallet.stop().await;
    // Also across a stop.
    let wallet = start().await;
    assert_eq!(send(&wallet, KEY).await.unwrap(), IdempotentSend { replayed: true, ..first });
    let other = send(&wallet, SendKey { request: [3; 32], ..KEY }).await.unwrap_err();
    assert!(matches!(other, SendError::KeyTaken));
    wallet.stop().await;
    // A process that shares nothing with it knows nothing.
    let wallet = killed.start(None).await;
    assert!(!send(&wallet, KEY).await.unwrap().replayed);
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_no_room_new_keys_are_refused_and_old_ones_hold() {
    let killed = Killed::new(true).await;
    let shared = SharedAccounts::with_push_records(MemoryPushRecords::with_room(2, usize::MAX));
    let options = Options { shared, ..Options::default() };
    let wallet = Wallet::start(account(&killed.words), backend(&killed.devnet), options).await.unwrap();
    wallet.ready().await;
    let key = |number| SendKey { name: [number; 32], ..KEY };
    let first = send(&wallet, key(1)).await.unwrap();
    // A request that is refused takes no room.
    for number in 10..20 {
        let refused = wallet.carry_out_once(Operation::Send(pay(1_000_000)), key(number)).await;
        assert!(matches!(refused, Err(SendError::Plan(_))));
    }
    send(&wallet, key(2)).await.unwrap();
    let Err(SendError::NotRecorded(full)) = send(&wallet, key(3)).await else { panic!("no room") };
    let StoreError::Full { records: 2, retry_after } = full else { panic!("{full:?}") };
    assert!((RECORD_LIFE - 60..=RECORD_LIFE + 1).contains(&retry_after));
    assert_eq!(
        full.to_string(),
        format!(
            "2 requests of the last day are remembered, and there is room for no more: repeat the request in {retry_after} s, or start \
             the server with --data-dir, where there is room for all"
        )
    );
    assert_eq!(send(&wallet, key(1)).await.unwrap(), IdempotentSend { replayed: true, ..first });
    assert_eq!(killed.payments().len(), 2);
    wallet.stop().await;
}

/// Who hangs up while a proposal is made gets it with the next try; another would set other inputs aside.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_made_for_a_key_is_made_to_its_end() {
    let killed = Killed::new(true).await;
    let wallet = killed.start(kept_in(&killed)).await;
    let proposal = wallet.propose(Operation::Send(pay(100)), false).await.unwrap();
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let caller = {
        let (wallet, begun, go_on) = (wallet.clone(), begun.clone(), go_on.clone());
        let proposal = proposal.clone();
        let make = async move {
            begun.notify_one();
            go_on.notified().await;
            Ok(proposal)
        };
        tokio::spawn(async move { wallet.make_once(KEY, make).await })
    };
    begun.notified().await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    let end = tokio::spawn({
        let wallet = wallet.clone();
        async move { wallet.stop().await }
    });
    let other_key = SendKey { name: [4; 32], ..KEY };
    let is_open = async || {
        let refused = wallet.make_once(other_key, async { Err(SendError::CutOff) }).await;
        matches!(refused, Err(SendError::CutOff))
    };
    while is_open().await {
        tokio::task::yield_now().await;
    }
    assert!(!end.is_finished(), "it waits for what is being made");
    go_on.notify_one();
    end.await.unwrap();
    let wallet = killed.start(kept_in(&killed)).await;
    let again = wallet.make_once(KEY, async { panic!("made twice") }).await.unwrap();
    assert_eq!(again, Recorded { transaction: proposal, replayed: true });
    wallet.stop().await;
}

/// A push that nobody answers.
#[tokio::test(flavor = "multi_thread")]
async fn the_inputs_of_what_is_open_wait_for_its_repetition() {
    let killed = Killed::new(true).await;
    let node = Proxy::before(&killed.devnet.node_url()).await;
    let mut backend = backend_at(&node.url(&killed.devnet.node_url()), &killed.devnet.mining_url());
    backend.node = backend.node.with_limits(Duration::from_secs(10), Duration::from_secs(1));
    let options = Options { wait_for_change: false, ..Options::default() };
    let wallet = Wallet::start(account(&killed.words), backend, options).await.unwrap();
    wallet.ready().await;
    let rig = Rig { devnet: devnet().await, wallet, words: killed.words.clone() };
    node.fault("push_tx", Fault::Status(504, None), usize::MAX);
    let Err(SendError::Open { id, .. }) = send(&rig.wallet, KEY).await else { panic!("open") };
    assert_eq!(rig.free_outputs(), []);
    assert!(matches!(rig.pay(50).await, Err(SendError::Plan(_))));
    let Err(SendError::Open { id: again, .. }) = send(&rig.wallet, KEY).await else { panic!("open") };
    assert_eq!((again, rig.free_outputs()), (id, vec![]));
    node.mend();
    assert_eq!(send(&rig.wallet, KEY).await.unwrap().sent.id, id);
    assert_eq!(killed.payments(), [id]);
    // Without a key nobody comes to ask, so they are free at once: a new send then can't be accepted beside
    // the lost one.
    node.fault("push_tx", Fault::Status(504, None), usize::MAX);
    assert!(matches!(rig.pay(50).await, Err(SendError::Unknown { .. })));
    assert_eq!(rig.free_outputs().len(), 1);
    rig.wallet.stop().await;
}

/// This store, whoever asks.
struct Given(Arc<dyn Store>);

#[async_trait]
impl Stores for Given {
    async fn open(&self, _: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let kept = self.0.load().await?;
        Ok((self.0.clone(), kept))
    }
}

/// A disk that takes no notes, or gives none, while it is said to be so.
#[derive(Default)]
struct Disk {
    kept: MemoryStore,
    full: AtomicBool,
    unreadable: AtomicBool,
}

fn failed() -> StoreError {
    StoreError::Failed { place: "a.redb".to_owned(), what: "no storage space".to_owned() }
}

#[async_trait]
impl Store for Disk {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        self.kept.load().await
    }
    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.kept.append(changes).await
    }
    fn push_records(&self) -> Option<&dyn PushRecords> {
        Some(self)
    }
}

#[async_trait]
impl PushRecords for Disk {
    async fn keep_push_records(&self, _: Vec<PushRecord>) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) { Err(failed()) } else { Ok(()) }
    }
    async fn push_record(&self, _: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        if self.unreadable.load(Ordering::SeqCst) { Err(failed()) } else { Ok(None) }
    }
    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        Ok(Vec::new())
    }
    async fn settle(&self, _: Vec<[u8; 32]>) -> Result<(), StoreError> {
        Ok(())
    }
    async fn withdraw(&self, _: [u8; 32]) -> Result<(), StoreError> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_noted_is_not_sent() {
    let (devnet, words, disk) = (devnet().await, Mnemonic::generate().unwrap(), Arc::new(Disk::default()));
    let options = Options { stores: Some(Arc::new(Given(disk.clone()))), ..Options::default() };
    let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
    let rig = Rig { devnet, wallet, words };
    rig.until_ready().await;
    rig.fund(&[500]).await;
    let free = rig.free_outputs();
    for trouble in [&disk.full, &disk.unreadable] {
        trouble.store(true, Ordering::SeqCst);
        assert_eq!(
            send(&rig.wallet, KEY).await.unwrap_err().to_string(),
            "this request sent nothing, because the wallet's store can't remember the Idempotency-Key: store a.redb: no storage space"
        );
        assert_eq!(rig.free_outputs(), free);
    }
    // Without a key it is sent all the same; and with one once there is space.
    rig.pay(100).await.unwrap();
    disk.full.store(false, Ordering::SeqCst);
    disk.unreadable.store(false, Ordering::SeqCst);
    send(&rig.wallet, KEY).await.unwrap();
    assert_eq!(rig.free_outputs().iter().map(|(_, value)| value).sum::<u128>(), 300);
    rig.wallet.stop().await;
}
