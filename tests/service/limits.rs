//! The documented conditions of troubleshooting: what the caller is told, what the status says, and that life
//! goes on.

use crate::rig::{Rig, account, backend, devnet};
use headless_wallet::devnet::{MiningFaults, MiningMode, SubscriptionLimits};
use headless_wallet::keys::Mnemonic;
use headless_wallet::service::{Options, Phase, SyncMode, Wallet};
use headless_wallet::wallet::Scan;

#[tokio::test(flavor = "multi_thread")]
async fn too_many_empty_addresses_in_a_stream() {
    too_many_empty_addresses(SyncMode::XpubStream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_empty_addresses_by_pages() {
    too_many_empty_addresses(SyncMode::Pages).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_empty_addresses_in_a_stream_by_list() {
    too_many_empty_addresses(SyncMode::ManualStream).await;
}

async fn too_many_empty_addresses(sync_mode: SyncMode) {
    let devnet = devnet().await;
    devnet.set_limits(SubscriptionLimits {
        max_subscribed_empty_addresses: Some(4),
        ..SubscriptionLimits::default()
    });
    let options = Options { sync_mode, ..Options::default() };
    let words = Mnemonic::generate().unwrap();
    let wallet = Wallet::start(account(&words), backend(&devnet), options.clone()).await.unwrap();
    let status = wallet.ready().await;
    assert_eq!(status.phase, Phase::Error);
    assert_eq!(
        status.problem.as_deref(),
        Some(
            "Reached maximum number of subscribed addresses without output. Use the default `gapLimit` of the wallet service, or \
             set `gapLimit` and the full node's WS_MAX_SUBS_ADDRS_EMPTY to the same value; then stop the wallet and start it \
             again. (The full node said: Reached maximum number of subscribed empty addresses (4).)"
        )
    );
    wallet.stop().await;
    // The remedy works.
    let options = Options { scan: Scan::GapLimit(4), ..options };
    let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
    assert_eq!(wallet.ready().await.phase, Phase::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_addresses_of_any_kind() {
    let devnet = devnet().await;
    devnet.set_limits(SubscriptionLimits {
        max_subscribed_addresses: Some(3),
        ..SubscriptionLimits::default()
    });
    let words = Mnemonic::generate().unwrap();
    let wallet = Wallet::start(account(&words), backend(&devnet), Options::default()).await.unwrap();
    let status = wallet.ready().await;
    assert_eq!(status.phase, Phase::Error);
    assert_eq!(
        status.problem.as_deref(),
        Some(
            "Reached maximum number of subscribed addresses. The full node watches no more addresses for one wallet: use a full \
             node with a higher WS_MAX_SUBS_ADDRS_CONN; then stop the wallet and start it again. (The full node said: Reached \
             maximum number of subscribed addresses (3).)"
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn proof_of_work_timeout() {
    let rig = Rig::with(&[500]).await;
    rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() });
    let text = "Timeout solving transaction's proof-of-work.\n\nAll transactions need to solve a proof-of-work as an anti spam \
                mechanism. Currently, Hathor Labs provides this service for free, but their servers may be fully loaded right \
                now.\n\nWait and resend; when sending several transactions, leave more time between them.";
    assert_eq!(rig.pay(100).await.unwrap_err().to_string(), text);
    let status = rig.wallet.status();
    assert_eq!((status.phase, status.problem.as_deref()), (Phase::Ready, Some(text)));
    // Nothing is reserved, and the next send goes through and clears the status.
    assert_eq!(rig.free_outputs().len(), 1);
    rig.devnet.set_mining_faults(MiningFaults::default());
    rig.pay(100).await.unwrap();
    assert_eq!(rig.wallet.status().problem, None);
}
