//! Reserved inputs, and sends under way. A stop waits for the sends of its wallet; sends of an account wait
//! for each other's change.

use super::{ReservationCounts, RunningAccount};
use crate::rt;
use crate::wallet::{PlanError, ReservationId, State};
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A reservation that lasts until the send has ended, not for a time.
pub const TO_ITS_END: u32 = u32::MAX;

/// A plan's inputs and the number of its call, released when the send ends, however it ends. After a success
/// they are spent, and there is nothing to release.
pub struct Reservation {
    account: Arc<RunningAccount>,
    id: Option<ReservationId>,
}

impl Reservation {
    /// Must be called while the state is still locked.
    pub fn new(account: &Arc<RunningAccount>, id: ReservationId) -> Self {
        account.count_reservation();
        Self::again(account, id)
    }

    /// A reservation that is counted already.
    pub fn again(account: &Arc<RunningAccount>, id: ReservationId) -> Self {
        Self { account: account.clone(), id: Some(id) }
    }

    /// Keeps the reservation until [`RunningAccount::release`].
    pub fn keep(mut self) -> Option<ReservationId> {
        self.id.take()
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.account.release(id);
        }
    }
}

impl RunningAccount {
    /// Reserves a plan's inputs: planning and reserving are one step, while the state is locked.
    pub fn reserve<T>(
        self: &Arc<Self>,
        state: &mut State,
        plan: impl FnOnce(&mut State) -> Result<(ReservationId, T), PlanError>,
    ) -> Result<(T, Reservation), PlanError> {
        let (id, planned) = plan(state)?;
        Ok((planned, Reservation::new(self, id)))
    }

    /// Must be called while the state is still locked: a send that finds these inputs reserved must also find
    /// a reservation to wait for.
    pub fn count_reservation(&self) {
        self.reservations.send_modify(|reservations| reservations.live += 1);
    }

    pub fn release(&self, id: ReservationId) {
        self.state.write().release(id);
        self.reservations.send_modify(|reservations| {
            reservations.live -= 1;
            reservations.ended += 1;
        });
    }
}

pub struct InFlightSends {
    count: watch::Sender<Count>,
    reservations: watch::Sender<ReservationCounts>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    open: bool,
    may_wait: bool,
    under_way: usize,
}

impl InFlightSends {
    pub fn new(account: &RunningAccount) -> Self {
        let count = Count { open: true, may_wait: true, under_way: 0 };
        Self { count: watch::Sender::new(count), reservations: account.reservations.clone() }
    }

    /// Counts a send until the guard is dropped; `None` once closed.
    pub fn begin(&self) -> Option<SendGuard> {
        let mut open = false;
        self.count.send_modify(|count| {
            open = count.open;
            count.under_way += usize::from(open);
        });
        open.then(|| SendGuard { count: self.count.clone(), reservations: self.reservations.clone() })
    }

    /// Accepts no more sends, and refuses those that wait.
    pub fn close(&self) {
        self.count.send_modify(|count| (count.open, count.may_wait) = (false, false));
    }

    /// Refuses sends that wait for others, now and later.
    pub fn end_waiting(&self) {
        self.count.send_modify(|count| count.may_wait = false);
    }

    pub async fn end(&self) {
        // `self` has the sender, so waiting can't fail.
        let _ = self.count.subscribe().wait_for(|count| count.under_way == 0).await;
    }
}

/// A send that is under way until this is dropped.
pub struct SendGuard {
    count: watch::Sender<Count>,
    reservations: watch::Sender<ReservationCounts>,
}

impl SendGuard {
    pub fn others(&self) -> OtherSends {
        let reservations = self.reservations.subscribe();
        let ended = reservations.borrow().ended;
        OtherSends { count: self.count.subscribe(), reservations, ended }
    }
}

impl Drop for SendGuard {
    fn drop(&mut self) {
        self.count.send_modify(|count| count.under_way -= 1);
    }
}

pub struct OtherSends {
    count: watch::Receiver<Count>,
    reservations: watch::Receiver<ReservationCounts>,
    ended: u64,
}

impl OtherSends {
    /// Waits until a send that had reserved inputs has ended since the snapshot.
    pub async fn one_ended_within(&mut self, limit: Duration) -> WaitOutcome {
        let closed = pin!(self.count.wait_for(|count| !count.may_wait));
        let settled = pin!(
            self.reservations
                .wait_for(|reservations| reservations.ended != self.ended || reservations.live == 0)
        );
        match rt::timeout(limit, select(closed, settled)).await {
            Ok(Either::Left(_)) => WaitOutcome::Closed,
            Ok(Either::Right((Ok(reservations), _))) if reservations.ended != self.ended => {
                WaitOutcome::Ended
            }
            Ok(_) | Err(rt::Elapsed) => WaitOutcome::Nothing,
        }
    }

    pub fn are_closed(&self) -> bool {
        !self.count.borrow().may_wait
    }
}

pub enum WaitOutcome {
    Ended,
    /// No send can end, or none did in time.
    Nothing,
    Closed,
}
