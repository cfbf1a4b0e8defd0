//! Faults of the network, each met while a history is loaded, while a wallet follows the node, or while it
//! sends. After each one the wallet is as a fresh scan of the same words would have it, nothing was sent
//! twice, nothing stays reserved, and it was ready only when that was true. `docs/reliability.md` lists them.

use crate::proxy::{Fault, Proxy};
use crate::rig::{PATIENCE, Rig, account, backend, backend_at, devnet, pay};
use headless_wallet::devnet::Devnet;
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::rt;
use headless_wallet::service::{Backend, Options, Phase, SendError, Sent, SyncMode, Wallet};
use headless_wallet::wallet::State;
use std::time::Duration;

/// So that silence is soon found out.
const REQUEST: Duration = Duration::from_secs(2);
const ALWAYS: usize = usize::MAX;

/// A wallet that reaches both services through proxies.
struct Tried {
    rig: Rig,
    node: Proxy,
    mining: Proxy,
}

async fn proxies(devnet: &Devnet) -> (Proxy, Proxy, Backend) {
    let node = Proxy::before(&devnet.node_url()).await;
    let mining = Proxy::before(&devnet.mining_url()).await;
    let mut backend = backend_at(&node.url(&devnet.node_url()), &mining.url(&devnet.mining_url()));
    backend.node = backend.node.with_limits(REQUEST, REQUEST * 3).with_connect_limit(REQUEST);
    (node, mining, backend)
}

impl Tried {
    /// Ready, with one coin of 1,000.
    async fn ready() -> Self {
        let devnet = devnet().await;
        let (node, mining, backend) = proxies(&devnet).await;
        let rig = Rig::through(devnet, backend).await;
        rig.fund(&[1_000]).await;
        Self { rig, node, mining }
    }

    /// What a wallet knows that starts now, without anything in the way.
    async fn fresh(&self) -> Wallet {
        let options = Options { sync_mode: SyncMode::Pages, ..Options::default() };
        let fresh =
            Wallet::start(account(&self.rig.words), backend(&self.rig.devnet), options).await.unwrap();
        assert_eq!(fresh.ready().await.phase, Phase::Ready);
        fresh
    }

    /// Checks all that must hold once the fault is over.
    async fn is_as_new(&self) {
        self.rig.until_ready().await;
        let fresh = self.fresh().await;
        let known = fresh.read(|state, _| state.snapshot()).unwrap();
        self.rig.until(|state, _| state.snapshot() == known).await;
        let fresh = Rig { devnet: devnet().await, wallet: fresh, words: self.rig.words.clone() };
        let sorted = |rig: &Rig| {
            let mut free = rig.free_outputs();
            free.sort();
            free
        };
        assert_eq!(sorted(&self.rig), sorted(&fresh), "nothing stays reserved");
        assert_eq!(self.rig.balance(TokenUid::Native), fresh.balance(TokenUid::Native));
        fresh.wallet.stop().await;
    }

    /// Valid payments to the address that tests pay.
    fn payments(&self) -> usize {
        let to = Address::p2pkh(Network::Privatenet, [7; 20]);
        self.rig.devnet.read(|chain| {
            chain.history_of(&to).filter(|id| chain.vertex(id).is_some_and(|vertex| !vertex.voided)).count()
        })
    }
}

// While a history is loaded

/// 170 transactions are more than a page.
const HISTORY: u64 = 170;

/// Starts a wallet whose history is loaded in spite of a fault that lasts until the status tells of it, or
/// (`times`) only so often.
async fn loads(sync_mode: SyncMode, path: &'static str, fault: Fault, times: usize) {
    let devnet = devnet().await;
    let (node, mining, backend) = proxies(&devnet).await;
    let words = Mnemonic::generate().unwrap();
    let keys = headless_wallet::keys::AccountKeys::from_mnemonic(&words, "");
    let hashes = keys.public().key_hashes(0..2);
    devnet
        .change(|chain, now| {
            (0..HISTORY).try_for_each(|n| {
                let to = Address::p2pkh(Network::Privatenet, hashes[usize::from(n % 2 == 1)]);
                chain.fund(to, Amount::from(1 + n), now).map(drop)
            })
        })
        .unwrap();
    let sum = Amount::from(HISTORY * (HISTORY + 1) / 2);

    node.fault(path, fault, times);
    let options = Options { sync_mode, ..Options::default() };
    let wallet = Wallet::start(account(&words), backend, options).await.unwrap();
    let mut status = wallet.watch();
    // The first time that it is ready, all is there.
    let watcher = wallet.clone();
    let first = tokio::spawn(async move {
        let mut status = watcher.watch();
        loop {
            status.wait_for(|status| status.phase == Phase::Ready).await.unwrap();
            let seen =
                |state: &State, now| (state.balance(TokenUid::Native, now).available, state.history_len());
            // The fault may still break the connection just after.
            if let Ok(first) = watcher.read(seen) {
                return first;
            }
        }
    });
    let rig = Rig { devnet, wallet, words };
    let tried = Tried { rig, node, mining };
    if times == ALWAYS {
        let said = status.wait_for(|status| status.problem.is_some() && status.phase != Phase::Ready);
        let said = tokio::time::timeout(PATIENCE, said).await.expect("the trouble is told").unwrap().clone();
        assert_eq!(said.phase, Phase::Connecting);
        assert!(said.problem.unwrap().starts_with("full node "));
        assert!(!first.is_finished(), "never ready before");
        tried.node.mend();
    }
    let first = tokio::time::timeout(PATIENCE, first).await.expect("becomes ready").unwrap();
    assert_eq!(first, (sum, HISTORY as usize));
    tried.is_as_new().await;
    assert_eq!(tried.rig.balance(TokenUid::Native).available, sum);
}

macro_rules! loading {
    ($($name:ident: $mode:ident, $path:literal, $fault:expr, $times:expr;)*) => {
        mod loading {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $name() {
                    loads(SyncMode::$mode, $path, $fault, $times).await;
                }
            )*
        }
    };
}

loading! {
    a_stream_reset_before_it_begins: XpubStream, "ws", Fault::Reset, ALWAYS;
    a_stream_reset_in_mid_frame: XpubStream, "ws", Fault::ResetAfter(20_000), ALWAYS;
    a_stream_that_is_never_opened: XpubStream, "ws", Fault::Silence, ALWAYS;
    a_stream_that_falls_silent: XpubStream, "ws", Fault::SilenceAfter(20_000), ALWAYS;
    a_stream_with_noise_in_it: XpubStream, "ws", Fault::Noise, ALWAYS;
    a_stream_by_list_reset_in_mid_frame: ManualStream, "ws", Fault::ResetAfter(20_000), ALWAYS;
    a_stream_by_list_that_falls_silent: ManualStream, "ws", Fault::SilenceAfter(20_000), ALWAYS;
    subscriptions_that_are_never_answered: Pages, "ws", Fault::Without("subscribe_address"), ALWAYS;
    a_stream_with_garbage_in_it: XpubStream, "ws", Fault::Garbage, ALWAYS;
    a_gateway_without_a_node_behind_it: XpubStream, "ws", Fault::Status(502, None), ALWAYS;
    a_gateway_that_asks_for_fewer_connections: XpubStream, "ws", Fault::Status(429, Some(1)), ALWAYS;
    a_page_whose_connection_is_reset: Pages, "address_history", Fault::Reset, ALWAYS;
    a_page_reset_in_its_middle: Pages, "address_history", Fault::ResetAfter(20_000), ALWAYS;
    a_page_that_never_comes: Pages, "address_history", Fault::Swallow, ALWAYS;
    a_page_that_falls_silent: Pages, "address_history", Fault::SilenceAfter(20_000), ALWAYS;
    a_page_that_is_no_http: Pages, "address_history", Fault::Noise, ALWAYS;
    a_page_of_garbage: Pages, "address_history", Fault::Garbage, ALWAYS;
    a_page_that_ends_too_early: Pages, "address_history", Fault::HalfBody, ALWAYS;
    a_page_that_comes_again_and_again: Pages, "address_history", Fault::Again, ALWAYS;
    pages_behind_a_gateway_that_fails: Pages, "address_history", Fault::Status(502, None), ALWAYS;
    pages_behind_a_gateway_that_fails_now_and_then: Pages, "address_history", Fault::Status(504, None), 2;
    pages_that_are_asked_for_too_fast: Pages, "address_history", Fault::Status(429, Some(1)), 2;
    a_height_that_never_comes: Pages, "feature", Fault::Silence, ALWAYS;
}

/// The connection is well, and the stream stands still: the history is loaded by pages instead.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_does_not_come_to_its_end() {
    loads(SyncMode::XpubStream, "ws", Fault::Without("stream:history:end"), 1).await;
}

// While a wallet follows the node

/// Breaks the connection of a wallet that is ready, pays it meanwhile, and sees to it that it is ready only
/// with that payment.
async fn follows(break_it: impl FnOnce(&Proxy)) {
    let tried = Tried::ready().await;
    let watcher = tried.rig.wallet.clone();
    let again = tokio::spawn(async move {
        let mut status = watcher.watch();
        status.wait_for(|status| status.phase != Phase::Ready).await.unwrap();
        status.wait_for(|status| status.phase == Phase::Ready).await.unwrap();
        watcher.read(|state, now| state.balance(TokenUid::Native, now).available)
    });
    let address = tried.rig.address(1);
    break_it(&tried.node);
    tried.rig.until_status(|status| status.phase != Phase::Ready).await;
    tried.rig.devnet.change(|chain, now| chain.fund(address, Amount::from(70), now)).unwrap();
    tried.node.mend();
    let again = tokio::time::timeout(PATIENCE, again).await.expect("becomes ready again").unwrap();
    assert_eq!(again.unwrap(), Amount::from(1_070));
    tried.is_as_new().await;
    tried.rig.pay(100).await.unwrap();
    assert_eq!(tried.payments(), 1);
    tried.is_as_new().await;
}

mod following {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_node_that_goes_away_and_comes_back() {
        follows(Proxy::refuse).await;
    }

    /// Each failure doubles the wait; who asks for it is not kept waiting.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_node_that_is_asked_for_at_once() {
        let tried = Tried::ready().await;
        let mut began = rt::unix_seconds();
        tried.node.refuse();
        let mut due = 0;
        for wait in [1, 2, 4, 8, 16, 30] {
            let status =
                tried.rig.until_status(|status| status.next_try.is_some_and(|time| time > due)).await;
            due = status.next_try.unwrap();
            assert!(due >= began + wait, "{due} is {wait} s after {began}");
            if wait == 30 {
                tried.node.mend();
                tried.node.until_it_listens().await;
            }
            began = rt::unix_seconds();
            tried.rig.wallet.reconnect();
        }
        assert_eq!(tried.rig.until_ready().await.next_try, None);
        assert!(rt::unix_seconds() < due);
        tried.is_as_new().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_connection_reset_in_mid_frame() {
        follows(|node| node.fault("ws", Fault::ResetAfter(10), ALWAYS)).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_connection_that_only_seems_to_stand() {
        follows(|node| node.fault("ws", Fault::Silence, 1)).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_connection_with_noise_on_it() {
        follows(|node| node.fault("ws", Fault::Noise, ALWAYS)).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_connection_with_garbage_on_it() {
        follows(|node| node.fault("ws", Fault::Garbage, ALWAYS)).await;
    }

    /// Another node takes its place that has not got so far: what that one doesn't know counts for nothing,
    /// until it does.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_node_that_is_further_behind() {
        let tried = Tried::ready().await;
        let behind = devnet().await;
        tried.node.switch_to(&behind.node_url());
        tried.rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::ZERO).await;
        tried.node.switch_to(&tried.rig.devnet.node_url());
        tried.rig.until(|state, now| state.balance(TokenUid::Native, now).available != Amount::ZERO).await;
        tried.is_as_new().await;
    }
}

// While a wallet sends

/// Sends during a fault; it may fail, but then nothing was sent.
async fn sends(fault: impl FnOnce(&Tried)) -> Result<Sent, SendError> {
    let tried = Tried::ready().await;
    fault(&tried);
    let outcome = tokio::time::timeout(PATIENCE, tried.rig.wallet.send(pay(100))).await.expect("ends");
    tried.node.mend();
    tried.mining.mend();
    tried.is_as_new().await;
    assert_eq!(tried.payments(), usize::from(outcome.is_ok()), "{outcome:?}");
    // Life goes on.
    tried.rig.pay(100).await.unwrap();
    assert_eq!(tried.payments(), 1 + usize::from(outcome.is_ok()));
    tried.is_as_new().await;
    outcome
}

macro_rules! sending {
    ($($name:ident: $service:ident, $path:literal, $fault:expr, $times:expr, $succeeds:literal;)*) => {
        mod sending {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $name() {
                    let outcome = sends(|tried| tried.$service.fault($path, $fault, $times)).await;
                    assert_eq!(outcome.is_ok(), $succeeds, "{outcome:?}");
                }
            )*
        }
    };
}

sending! {
    a_job_whose_submission_is_reset: mining, "submit-job", Fault::Reset, 1, true;
    a_job_whose_answer_is_reset: mining, "submit-job", Fault::ResetAfter(30), 1, true;
    a_job_that_can_not_be_submitted: mining, "submit-job", Fault::Reset, ALWAYS, false;
    a_job_that_is_submitted_too_fast: mining, "submit-job", Fault::Status(429, Some(1)), 1, true;
    a_mining_service_that_asks_for_fewer_jobs: mining, "submit-job", Fault::Status(429, Some(1)), ALWAYS, false;
    a_mining_service_behind_a_gateway_that_fails: mining, "submit-job", Fault::Status(502, None), ALWAYS, false;
    a_mining_service_that_talks_nonsense: mining, "submit-job", Fault::HalfBody, ALWAYS, false;
    a_job_whose_status_is_lost_now_and_then: mining, "job-status", Fault::ResetAfter(30), 2, true;
    a_push_that_is_reset_on_its_way: node, "push_tx", Fault::Reset, 1, true;
    a_push_whose_answer_is_reset: node, "push_tx", Fault::ResetAfter(20), 1, true;
    a_push_whose_answer_never_comes: node, "push_tx", Fault::Swallow, 1, true;
    a_push_that_never_arrives_and_is_never_answered: node, "push_tx", Fault::Silence, 1, true;
    a_push_that_is_answered_with_garbage: node, "push_tx", Fault::Garbage, 1, true;
    a_job_that_is_answered_with_garbage: mining, "submit-job", Fault::Garbage, 1, false;
    a_push_whose_answer_is_cut: node, "push_tx", Fault::HalfBody, 1, true;
    a_push_behind_a_gateway_that_times_out: node, "push_tx", Fault::Status(504, None), 1, true;
    a_push_that_comes_too_fast: node, "push_tx", Fault::Status(429, Some(1)), 1, true;
    a_push_that_a_gateway_forbids: node, "push_tx", Fault::Status(403, None), ALWAYS, false;
}

/// The answer of the push is lost, and so is the connection: the send still finds out that it went through.
#[tokio::test(flavor = "multi_thread")]
async fn sending_while_everything_breaks() {
    let tried = Tried::ready().await;
    tried.node.fault("push_tx", Fault::Swallow, 1);
    let wallet = tried.rig.wallet.clone();
    let send = tokio::spawn(async move { wallet.send(pay(100)).await });
    let arrived = async {
        while tried.payments() == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, arrived).await.unwrap();
    tried.node.refuse();
    tried.rig.until_status(|status| status.phase != Phase::Ready).await;
    tried.node.mend();
    tokio::time::timeout(PATIENCE, send).await.unwrap().unwrap().unwrap();
    assert_eq!(tried.payments(), 1);
    tried.is_as_new().await;
}

/// Those that wait for the change of another wait for the wallet to be ready again, too.
#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_change_while_the_connection_breaks() {
    let tried = Tried::ready().await;
    let watcher = tried.rig.wallet.clone();
    let broken =
        tokio::spawn(async move { watcher.watch().wait_for(|s| s.phase != Phase::Ready).await.map(drop) });
    let wallet = tried.rig.wallet.clone();
    let sends =
        tokio::spawn(
            async move { futures_util::future::join_all((0..4).map(|_| wallet.send(pay(100)))).await },
        );
    tried.rig.until(|state, now| state.balance(TokenUid::Native, now).available == Amount::from(900)).await;
    // The next send holds the change of the first.
    let planned = async {
        while !tried.rig.free_outputs().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, planned).await.unwrap();
    // The node is away for longer than the next send takes.
    tried.node.fault("ws", Fault::Status(502, None), ALWAYS);
    tried.node.switch_to(&tried.rig.devnet.node_url());
    let three_left = async {
        while tried.payments() < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, three_left).await.unwrap();
    broken.await.unwrap().unwrap();
    tried.node.mend();
    for sent in tokio::time::timeout(PATIENCE, sends).await.unwrap().unwrap() {
        sent.unwrap();
    }
    assert_eq!(tried.payments(), 4);
    tried.is_as_new().await;
}
