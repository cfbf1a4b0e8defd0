//! Two wallets of one account in one process: they never spend the same output.

use crate::rig::{Rig, account, backend, devnet, pay};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Amount, Outpoint, TokenUid};
use headless_wallet::service::{Account, Options, SendError, SharedAccounts, Wallet};
use headless_wallet::store::{DataDir, Stores};
use headless_wallet::wallet::{PlanError, Scan, UtxoFilter};
use std::collections::{BTreeMap, HashSet};
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
