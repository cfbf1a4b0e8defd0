//! The sends under way: a stop waits for them, and sends wait for each other's change.

use crate::rt;
use std::time::Duration;
use tokio::sync::watch;

/// The sends of one wallet.
pub(super) struct Sends(watch::Sender<Count>);

#[derive(Clone, Copy, Debug)]
struct Count {
    /// Whether more are taken.
    open: bool,
    under_way: usize,
    /// Those of them that hold inputs.
    holding: usize,
    /// Those that held inputs and have ended.
    ended: u64,
}

impl Default for Sends {
    fn default() -> Self {
        Self(watch::Sender::new(Count { open: true, under_way: 0, holding: 0, ended: 0 }))
    }
}

impl Sends {
    /// Counts a send until the turn is dropped; `None` once closed.
    pub(super) fn begin(&self) -> Option<Turn> {
        let mut open = false;
        self.0.send_modify(|count| {
            open = count.open;
            count.under_way += usize::from(open);
        });
        open.then(|| Turn { sends: self.0.clone(), holds_inputs: false })
    }

    /// Takes no more.
    pub(super) fn close(&self) {
        self.0.send_modify(|count| count.open = false);
    }

    /// Waits for those under way.
    pub(super) async fn end(&self) {
        // The sender is held here, so waiting can't fail.
        let _ = self.0.subscribe().wait_for(|count| count.under_way == 0).await;
    }
}

/// One send, under way until this is dropped.
pub(super) struct Turn {
    sends: watch::Sender<Count>,
    holds_inputs: bool,
}

impl Turn {
    /// To be called once inputs are reserved for it, before the wallet's state is free again: who finds them gone there must find
    /// somebody here who has them.
    pub(super) fn holds_inputs(&mut self) {
        self.holds_inputs = true;
        self.sends.send_modify(|count| count.holding += 1);
    }

    /// The others as they are now.
    pub(super) fn others(&self) -> Others {
        let sends = self.sends.subscribe();
        let ended = sends.borrow().ended;
        Others { sends, ended }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let holding = usize::from(self.holds_inputs);
        self.sends.send_modify(|count| {
            count.under_way -= 1;
            count.holding -= holding;
            count.ended += holding as u64;
        });
    }
}

/// The other sends, as they were at one time.
pub(super) struct Others {
    sends: watch::Receiver<Count>,
    ended: u64,
}

impl Others {
    /// Waits until one that held inputs has ended since.
    pub(super) async fn one_ended_within(&mut self, limit: Duration) -> Awaited {
        let settled = |count: &Count| !count.open || count.ended != self.ended || count.holding == 0;
        match rt::timeout(limit, self.sends.wait_for(settled)).await {
            Ok(Ok(count)) if !count.open => Awaited::Closed,
            Ok(Ok(count)) if count.ended != self.ended => Awaited::Ended,
            Ok(_) | Err(rt::Elapsed) => Awaited::Nothing,
        }
    }

    /// Whether the wallet is being stopped.
    pub(super) fn are_closed(&self) -> bool {
        !self.sends.borrow().open
    }
}

/// What came of waiting for other sends.
pub(super) enum Awaited {
    /// One has ended.
    Ended,
    /// None can, or none did in time.
    Nothing,
    /// The wallet is being stopped.
    Closed,
}
