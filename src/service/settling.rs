//! Events for confirmed transactions. A full node notifies of transactions that enter the history or become
//! void, but not of each block. So the wallet asks for transactions with an event once they may have enough
//! blocks.

use super::account::RunningAccount;
use super::account::facts::fact;
use crate::ledger::VertexId;
use crate::store::{EventLog, Standing, StoreError};
use crate::wallet::Event;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Most transactions asked for per block, one at a time.
const MOST_ASKED: usize = 64;

/// Makes events of transactions with `confirmations` blocks, until it is aborted.
pub(super) async fn follow(wallet: Arc<RunningAccount>, confirmations: u32) {
    let mut events = wallet.state.events.subscribe();
    let height = wallet.state.read().best_height().unwrap_or_default();
    let mut following = Following { confirmations, height, ..Following::default() };
    let mut is_failing = false;
    loop {
        match events.recv().await {
            Ok(Event::NewVertex(id) | Event::UpdatedVertex { id, voided: Some(false) }) => {
                following.heard_of(&wallet, id);
                continue;
            }
            Ok(Event::BestHeight(height)) => following.height = height,
            Ok(_) => continue,
            // It does not matter which were missed: unknown ones are asked for.
            Err(RecvError::Lagged(_)) => {
                following.height = wallet.state.read().best_height().unwrap_or_default();
            }
            Err(RecvError::Closed) => return,
        }
        match following.confirm(&wallet).await {
            Ok(()) => is_failing = false,
            // Logged once, not at each block.
            Err(failure) if !std::mem::replace(&mut is_failing, true) => {
                tracing::warn!("{failure}: events of confirmed transactions come later");
            }
            Err(_) => {}
        }
    }
}

#[derive(Default)]
struct Following {
    confirmations: u32,
    /// The height of the best block, by the wallet's events.
    height: u32,
    /// The height at which each transaction appeared: no earlier block has it.
    seen_at: HashMap<VertexId, u32>,
    /// Transactions with an event, with the height at which they may have enough blocks.
    unconfirmed: HashMap<VertexId, u32>,
    /// The number of the last event that `unconfirmed` includes.
    known: Option<i64>,
    /// Where the next block continues.
    last: Option<VertexId>,
}

impl Following {
    /// A transaction that is in a block already is asked for at the next block.
    fn heard_of(&mut self, wallet: &RunningAccount, id: VertexId) {
        let vertex = wallet.state.read().vertex(&id);
        if vertex.is_some_and(|vertex| vertex.first_block.is_none() && vertex.height.is_none()) {
            self.seen_at.insert(id, self.height);
        }
    }

    async fn confirm(&mut self, wallet: &RunningAccount) -> Result<(), StoreError> {
        let store = wallet.state.writer.as_ref().and_then(|writer| writer.store());
        let Some(store) = store else { return Ok(()) };
        let Some(log) = store.event_log() else { return Ok(()) };
        self.look(log).await?;
        let node = wallet.loader();
        for id in self.due() {
            let status = match node.transaction(&id).await {
                Ok(status) => status,
                Err(failure) => {
                    tracing::debug!("how {id} stands is not known: {failure}");
                    break;
                }
            };
            self.last = Some(id);
            let Some(vertex) = wallet.state.read().vertex(&id) else { continue };
            let first = status.filter(|status| !status.voided).and_then(|status| status.first_block_height);
            // A block confirms itself.
            let first = first.or(vertex.height);
            // A transaction without a block can at best be in the next one.
            let enough = first.unwrap_or(self.height.saturating_add(1)).saturating_add(self.confirmations);
            self.unconfirmed.insert(id, enough.max(self.height.saturating_add(1)));
            if first.is_some() && enough <= self.height {
                let state = wallet.state.read();
                let fact = fact(&state, &vertex, Standing::Confirmed, first);
                wallet.state.state_fact(fact);
            }
        }
        Ok(())
    }

    /// Reads the transactions again if there may be new ones.
    async fn look(&mut self, log: &dyn EventLog) -> Result<(), StoreError> {
        let now = *log.watch().borrow();
        if self.known != Some(now) {
            let unconfirmed = log.unconfirmed().await?;
            let before = std::mem::take(&mut self.unconfirmed);
            let after = |seen: &u32| seen.saturating_add(1).saturating_add(self.confirmations);
            // Those from before this process are asked for at once.
            let from = |id: VertexId| {
                let known = before.get(&id).copied().or_else(|| self.seen_at.get(&id).map(after));
                (id, known.unwrap_or(0))
            };
            let unconfirmed = unconfirmed.into_iter().map(from).collect();
            self.seen_at.retain(|_, seen| after(seen) > self.height);
            (self.unconfirmed, self.known) = (unconfirmed, Some(now));
        }
        Ok(())
    }

    /// The transactions that may have enough blocks now, in rotation.
    fn due(&self) -> Vec<VertexId> {
        let due = self.unconfirmed.iter().filter(|(_, from)| **from <= self.height);
        let mut due: Vec<VertexId> = due.map(|(id, _)| *id).collect();
        due.sort_unstable();
        let start = self.last.map_or(0, |last| due.partition_point(|id| *id <= last));
        let len = due.len().max(1);
        due.rotate_left(start % len);
        due.truncate(MOST_ASKED);
        due
    }
}
