//! A clock that is set forward or back.

use crate::alone::alone;
use crate::rig::{Rig, account, backend, backend_at, devnet};
use crate::tap::Tap;
use futures_util::FutureExt;
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid};
use headless_wallet::rt::{shift_clock, unix_seconds};
use headless_wallet::service::{Options, Phase, Wallet};
use headless_wallet::wallet::{OutputRequest, SendRequest};
use std::pin::pin;

const HOUR: i32 = 3_600;
const DAY: i32 = 24 * HOUR;

/// Payments to the address that tests pay; none of them lost a conflict.
fn payments(rig: &Rig) -> usize {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    rig.devnet.read(|chain| {
        let all = chain.history_of(&to).map(|id| chain.vertex(&id).unwrap());
        all.inspect(|vertex| assert!(!vertex.voided)).count()
    })
}

/// The first word of a text that is a number.
fn number_in(text: &str) -> u32 {
    text.split(' ').find_map(|word| word.parse().ok()).unwrap()
}

/// As a fresh scan has it, with nothing reserved.
async fn is_as_new(rig: &Rig) {
    let fresh = Wallet::start(account(&rig.words), backend(&rig.devnet), Options::default()).await.unwrap();
    assert_eq!(fresh.ready().await.phase, Phase::Ready);
    let known = fresh.read(|state, _| state.snapshot()).unwrap();
    rig.until(|state, _| state.snapshot() == known).await;
    let free: u128 = rig.free_outputs().iter().map(|(_, value)| value).sum();
    assert_eq!(rig.balance(TokenUid::Native).available.cents(), free);
    fresh.stop().await;
}

/// Sees a payment that comes in now.
async fn follows(rig: &Rig) {
    let before = rig.balance(TokenUid::Native).available.cents();
    let address = rig.address(1);
    rig.devnet.change(|chain, now| chain.fund(address, Amount::from(5), now)).unwrap();
    rig.until(|state, now| state.balance(TokenUid::Native, now).available.cents() == before + 5).await;
    assert_eq!(rig.wallet.status().phase, Phase::Ready);
}

/// What a send has set aside stays so, however late it seems to be.
#[test]
fn set_forward_and_back_while_a_send_is_under_way() {
    alone("clock::set_forward_and_back_while_a_send_is_under_way", async {
        let rig = Rig::with(&[1_000]).await;
        rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::NoMiners, ..MiningFaults::default() });
        let mut first = pin!(rig.pay(100));
        assert!(first.as_mut().now_or_never().is_none());
        shift_clock(DAY);
        assert_eq!(rig.free_outputs(), []);
        let mut second = pin!(rig.pay(100));
        assert!(second.as_mut().now_or_never().is_none(), "waits for the first one's change");
        shift_clock(0);
        rig.devnet.set_mining_faults(MiningFaults::default());
        let (first, second) = futures_util::join!(first, second);
        assert_eq!(second.unwrap().transaction.inputs[0].spends.tx, first.unwrap().id);
        assert_eq!(payments(&rig), 2);
        is_as_new(&rig).await;
    });
}

#[test]
fn set_forward() {
    alone("clock::set_forward", async {
        let rig = Rig::with(&[1_000]).await;
        let free = rig.free_outputs();
        shift_clock(HOUR);
        assert_eq!(
            rig.pay(100).await.unwrap_err().to_string(),
            format!(
                "mining service {}submit-job: refused the transaction: tx-timestamp-invalid: its clock and this machine's are more \
                 than 5 minutes apart: check this machine's clock",
                rig.devnet.mining_url()
            )
        );
        assert_eq!(rig.free_outputs(), free);
        follows(&rig).await;
        shift_clock(200);
        rig.pay(100).await.unwrap();
        shift_clock(0);
        rig.pay(100).await.unwrap();
        assert_eq!(payments(&rig), 2);
        is_as_new(&rig).await;
    });
}

/// Within what nodes allow, transactions are dated right after what they spend.
#[test]
fn set_back_a_little_while_a_send_is_under_way() {
    alone("clock::set_back_a_little_while_a_send_is_under_way", async {
        let rig = Rig::with(&[1_000]).await;
        rig.devnet.set_mining_faults(MiningFaults { mode: MiningMode::NoMiners, ..MiningFaults::default() });
        let mut first = pin!(rig.pay(100));
        assert!(first.as_mut().now_or_never().is_none());
        shift_clock(-200);
        rig.devnet.set_mining_faults(MiningFaults::default());
        first.await.unwrap();
        rig.pay(100).await.unwrap();
        follows(&rig).await;
        shift_clock(0);
        rig.pay(100).await.unwrap();
        assert_eq!(payments(&rig), 3);
        is_as_new(&rig).await;
    });
}

/// Between the question for parents and the mining service, which would refuse to wait so long.
#[test]
fn set_back_a_little_before_the_mining_service_is_asked() {
    alone("clock::set_back_a_little_before_the_mining_service_is_asked", async {
        let devnet = devnet().await;
        let tap = Tap::on(&devnet.node_url()).await;
        let through = backend_at(tap.url(), &devnet.mining_url());
        let rig = Rig::through(devnet, through).await;
        rig.fund(&[1_000]).await;
        let held = NodeFaults { mode: NodeMode::Slow, path: "tx_parents".into(), ..NodeFaults::default() };
        rig.devnet.set_node_faults(held);
        let let_go = async {
            while !tap.requests().iter().any(|request| request.starts_with("tx_parents")) {
                tokio::task::yield_now().await;
            }
            shift_clock(-200);
            rig.devnet.set_node_faults(NodeFaults::default());
        };
        let (sent, ()) = futures_util::join!(rig.pay(100), let_go);
        sent.unwrap();
        assert_eq!(payments(&rig), 1);
        shift_clock(0);
        is_as_new(&rig).await;
    });
}

/// What would have to be dated an hour ahead is refused, saying so.
#[test]
fn set_back_far() {
    alone("clock::set_back_far", async {
        let rig = Rig::with(&[1_000]).await;
        let free = rig.free_outputs();
        shift_clock(-HOUR);
        let refusal = rig.pay(100).await.unwrap_err().to_string();
        let seconds = number_in(&refusal);
        // 295 of them a transaction can be dated ahead.
        assert!((3_200..=3_306).contains(&seconds), "{refusal}");
        let text = "the transaction spends one with a later timestamp: try again in {} s, and check this machine's clock";
        assert_eq!(refusal, text.replace("{}", &seconds.to_string()));
        assert_eq!(rig.free_outputs(), free);
        follows(&rig).await;
        shift_clock(0);
        rig.pay(100).await.unwrap();
        assert_eq!(payments(&rig), 1);
        is_as_new(&rig).await;
    });
}

/// What is locked until later looks free to a clock that is ahead, and is not sent.
#[test]
fn set_forward_past_a_time_lock() {
    alone("clock::set_forward_past_a_time_lock", async {
        let rig = Rig::with(&[1_000]).await;
        let unlocked = unix_seconds() + 150;
        let lock = OutputRequest::Pay {
            to: rig.address(0),
            value: Amount::from(1_000),
            token: TokenUid::Native,
            timelock: Some(unlocked),
        };
        rig.wallet.send(SendRequest { outputs: vec![lock], ..SendRequest::default() }).await.unwrap();
        let amounts = |rig: &Rig| {
            let balance = rig.balance(TokenUid::Native);
            (balance.available.cents(), balance.locked.cents())
        };
        assert_eq!(amounts(&rig), (0, 1_000));
        shift_clock(200);
        assert_eq!(amounts(&rig), (1_000, 0));
        let refusal = rig.pay(100).await.unwrap_err().to_string();
        let seconds = number_in(&refusal);
        assert!((31..=151).contains(&seconds), "{refusal}");
        let job = format!("mining service {}job-status", rig.devnet.mining_url());
        let what = format!("gave an invalid answer (its clock is {seconds} s behind)");
        assert_eq!(
            refusal,
            format!("{job}: {what}: check that `tx_mining_url` is the address of a mining service")
        );
        assert_eq!(rig.free_outputs().len(), 1, "nothing stays reserved");
        shift_clock(0);
        assert_eq!(amounts(&rig), (0, 1_000));
        assert_eq!(payments(&rig), 0);
        is_as_new(&rig).await;
    });
}
