//! The sends under way: a stop waits for them, and sends wait for each other's change, in all wallets of an
//! account.

use super::shared::{Held, SharedAccount};
use crate::rt;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The sends of one wallet.
pub(super) struct InFlightSends {
    count: watch::Sender<Count>,
    account: Arc<SharedAccount>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    /// Whether more are taken.
    open: bool,
    /// Whether one may wait for others.
    may_wait: bool,
    under_way: usize,
}

impl InFlightSends {
    pub(super) fn new(account: Arc<SharedAccount>) -> Self {
        Self { count: watch::Sender::new(Count { open: true, may_wait: true, under_way: 0 }), account }
    }

    /// Counts a send until the turn is dropped; `None` once closed.
    pub(super) fn begin(&self) -> Option<SendGuard> {
        let mut open = false;
        self.count.send_modify(|count| {
            open = count.open;
            count.under_way += usize::from(open);
        });
        let (count, account) = (self.count.clone(), self.account.clone());
        open.then(|| SendGuard { count, account, holds_inputs: false })
    }

    /// Takes no more, and refuses those that wait.
    pub(super) fn close(&self) {
        self.count.send_modify(|count| (count.open, count.may_wait) = (false, false));
    }

    /// Refuses those that wait for others, and all that would.
    pub(super) fn end_waiting(&self) {
        self.count.send_modify(|count| count.may_wait = false);
    }

    /// Waits for those under way.
    pub(super) async fn end(&self) {
        // The sender is held here, so waiting can't fail.
        let _ = self.count.subscribe().wait_for(|count| count.under_way == 0).await;
    }
}

/// One send, under way until this is dropped.
pub(super) struct SendGuard {
    count: watch::Sender<Count>,
    account: Arc<SharedAccount>,
    holds_inputs: bool,
}

impl SendGuard {
    /// To be called once inputs are reserved for it, before the wallet's state is free again: who finds them
    /// gone there must find somebody here who has them.
    pub(super) fn holds_inputs(&mut self) {
        self.holds_inputs = true;
        self.account.held.send_modify(|held| held.holding += 1);
    }

    /// The others as they are now.
    pub(super) fn others(&self) -> OtherSends {
        let held = self.account.held.subscribe();
        let ended = held.borrow().ended;
        OtherSends { count: self.count.subscribe(), held, ended }
    }
}

impl Drop for SendGuard {
    fn drop(&mut self) {
        if self.holds_inputs {
            self.account.held.send_modify(|held| {
                held.holding -= 1;
                held.ended += 1;
            });
        }
        self.count.send_modify(|count| count.under_way -= 1);
    }
}

/// The other sends of the account, as they were at one time.
pub(super) struct OtherSends {
    count: watch::Receiver<Count>,
    held: watch::Receiver<Held>,
    ended: u64,
}

impl OtherSends {
    /// Waits until one that held inputs has ended since.
    pub(super) async fn one_ended_within(&mut self, limit: Duration) -> WaitOutcome {
        let closed = pin!(self.count.wait_for(|count| !count.may_wait));
        let settled = pin!(
            self.held.wait_for(|held| { held.ended != self.ended || held.holding == 0 && held.open == 0 })
        );
        match rt::timeout(limit, select(closed, settled)).await {
            Ok(Either::Left(_)) => WaitOutcome::Closed,
            Ok(Either::Right((Ok(held), _))) if held.ended != self.ended => WaitOutcome::Ended,
            Ok(_) | Err(rt::Elapsed) => WaitOutcome::Nothing,
        }
    }

    /// Whether they are waited for no more: the wallet is about to be stopped.
    pub(super) fn are_closed(&self) -> bool {
        !self.count.borrow().may_wait
    }
}

/// What came of waiting for other sends.
pub(super) enum WaitOutcome {
    /// One has ended.
    Ended,
    /// None can, or none did in time.
    Nothing,
    /// The wallet is about to be stopped.
    Closed,
}
