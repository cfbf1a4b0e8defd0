//! Sends that go well: in a row, side by side, and after their caller went away.

use crate::rig::{PATIENCE, Rig, pay};
use headless_wallet::ledger::{Amount, TokenUid};
use headless_wallet::service::SendError;
use std::collections::HashSet;

fn spent(transaction: &headless_wallet::ledger::Transaction) -> Vec<headless_wallet::ledger::Outpoint> {
    transaction.inputs.iter().map(|input| input.spends).collect()
}

/// A transaction must be later, in whole seconds, than what it spends. Nobody has to know.
#[tokio::test(flavor = "multi_thread")]
async fn sends_in_a_row_that_spend_the_change_of_the_one_before() {
    let rig = Rig::with(&[2_000]).await;
    let mut before = None;
    for turn in 1..=10u64 {
        let sent = rig.pay(100).await.unwrap();
        if let Some(before) = before {
            assert!(
                sent.transaction.inputs.iter().all(|input| input.spends.tx == before),
                "spends its own change"
            );
        }
        before = Some(sent.id);
        assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(2_000 - 100 * turn));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_side_by_side_never_choose_the_same_output() {
    let rig = Rig::with(&[100; 12]).await;
    let sends = (0..12).map(|_| {
        let wallet = rig.wallet.clone();
        tokio::spawn(async move { wallet.send(pay(60)).await })
    });
    let mut chosen = HashSet::new();
    for send in sends.collect::<Vec<_>>() {
        let sent = send.await.unwrap().unwrap();
        for outpoint in spent(&sent.transaction) {
            assert!(chosen.insert(outpoint), "{outpoint:?} was chosen twice");
        }
    }
    assert_eq!(chosen.len(), 12);
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(12 * 40));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_whose_caller_goes_away_is_brought_to_its_end() {
    let rig = Rig::with(&[500]).await;
    let call = rig.pay(200);
    // Polled once, so that it has been planned; then dropped, as when an HTTP client hangs up.
    assert!(futures_util::FutureExt::now_or_never(call).is_none());
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(300)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_waits_for_the_sends_under_way_and_takes_no_more() {
    let rig = Rig::with(&[500]).await;
    assert!(futures_util::FutureExt::now_or_never(rig.pay(200)).is_none());
    tokio::time::timeout(PATIENCE, rig.wallet.stop()).await.unwrap();
    let mempool = rig.devnet.read(|chain| {
        chain
            .mempool()
            .filter(|id| {
                chain
                    .vertex(id)
                    .is_some_and(|v| v.outputs.iter().any(|o| o.output.value == Amount::from(200)))
            })
            .count()
    });
    assert_eq!(mempool, 1);
    assert_eq!(rig.pay(100).await.unwrap_err().to_string(), "Wallet is not ready.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_from_an_xpub_watches_and_does_not_send() {
    use crate::rig::backend;
    use headless_wallet::keys::AccountKeys;
    use headless_wallet::service::{Account, Options, Wallet};
    let rig = Rig::with(&[500]).await;
    let public = AccountKeys::from_mnemonic(&rig.words, "").public();
    let watcher =
        Wallet::start(Account::ReadOnly(public), backend(&rig.devnet), Options::default()).await.unwrap();
    watcher.ready().await;
    assert_eq!(
        watcher.read(|state, now| state.balance(TokenUid::Native, now).available).unwrap(),
        Amount::from(500)
    );
    assert!(matches!(watcher.send(pay(100)).await.unwrap_err(), SendError::ReadOnly));
}

/// Change of this very second would hold a send up until the next one, so other coins are taken while there
/// are any.
#[tokio::test(flavor = "multi_thread")]
async fn coins_of_past_seconds_are_taken_first() {
    let rig = Rig::with(&[1_000, 2_000, 3_000]).await;
    // So that the funding is not of this second.
    rig.pay(1).await.unwrap();
    let mut ids = HashSet::new();
    for _ in 0..2 {
        let sent = rig.pay(10).await.unwrap();
        assert!(sent.transaction.inputs.iter().all(|input| !ids.contains(&input.spends.tx)));
        ids.insert(sent.id);
    }
}

/// All but one have to wait for the change of another.
#[tokio::test(flavor = "multi_thread")]
async fn sends_at_once_from_a_wallet_with_one_output() {
    let rig = Rig::with(&[3_000]).await;
    let sends = futures_util::future::join_all((0..20).map(|_| rig.pay(100))).await;
    let ids: HashSet<_> = sends.into_iter().map(|sent| sent.unwrap().id).collect();
    assert_eq!(ids.len(), 20);
    assert_eq!(rig.balance(TokenUid::Native).available, Amount::from(1_000));
}

/// The setting `wait_for_change` is off: what is on its way does not count.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_told_not_to_wait_for_change_refuses_at_once() {
    use crate::rig::{account, backend, devnet};
    use headless_wallet::devnet::{MiningFaults, MiningMode};
    use headless_wallet::keys::Mnemonic;
    use headless_wallet::service::{Options, Wallet};
    let (devnet, words) = (devnet().await, Mnemonic::generate().unwrap());
    let options = Options { wait_for_change: false, ..Options::default() };
    let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
    let rig = Rig { devnet, wallet, words };
    rig.until_ready().await;
    rig.fund(&[1_000]).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::NoMiners, ..MiningFaults::default() });
    let mut first = std::pin::pin!(rig.pay(100));
    assert!(futures_util::FutureExt::now_or_never(first.as_mut()).is_none());
    assert_eq!(
        headless_wallet::operations::send_failure(&rig.pay(100).await.unwrap_err()).error,
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
    assert_eq!(rig.free_outputs(), [], "the first is still under way");
    rig.devnet.set_mining_faults(MiningFaults::default());
    first.await.unwrap();
    rig.pay(100).await.unwrap();
}

/// What is left meanwhile would do, were it not spread over more outputs than a transaction can spend.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_waits_for_change_rather_than_spend_too_many_outputs() {
    let rig = Rig::with(&[1_000]).await;
    rig.fund(&[1; 260]).await;
    let (first, second) = futures_util::join!(rig.pay(500), rig.pay(258));
    let first = first.unwrap();
    assert_eq!(spent(&second.unwrap().transaction)[0].tx, first.id);
}

/// A send that waits for change holds nothing, so a stop does not wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_refuses_the_sends_that_wait_for_change() {
    use headless_wallet::devnet::{MiningFaults, MiningMode};
    let rig = Rig::with(&[1_000]).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::NoMiners, ..MiningFaults::default() });
    let mut first = std::pin::pin!(rig.pay(100));
    assert!(futures_util::FutureExt::now_or_never(first.as_mut()).is_none());
    let mut second = std::pin::pin!(rig.pay(200));
    assert!(futures_util::FutureExt::now_or_never(second.as_mut()).is_none(), "it waits");
    let mut stop = std::pin::pin!(rig.wallet.stop());
    assert!(futures_util::FutureExt::now_or_never(stop.as_mut()).is_none());
    assert_eq!(second.await.unwrap_err().to_string(), "Wallet is not ready.");
    rig.devnet.set_mining_faults(MiningFaults::default());
    stop.await;
    first.await.unwrap();
}

/// Nobody brings change: the refusal is not held up.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_of_more_than_all_sends_will_leave_is_refused_when_they_have_ended() {
    let rig = Rig::with(&[1_000]).await;
    let (first, second) = futures_util::join!(rig.pay(600), rig.pay(600));
    assert!(first.is_ok());
    assert_eq!(
        headless_wallet::operations::send_failure(&second.unwrap_err()).error,
        "Token: 00. Insufficient amount of tokens to fill the amount."
    );
}
