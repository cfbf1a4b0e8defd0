//! Telling that transactions are confirmed. A full node tells of what enters the history and of what becomes
//! void, but not of blocks that come: so those that are told and not settled are asked after at each block.

use super::facts::fact;
use super::inner::Inner;
use crate::ledger::VertexId;
use crate::store::{EventLog, Standing, StoreError};
use crate::wallet::Event;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Most transactions that are asked after for one block, one after the other.
const MOST_ASKED: usize = 64;

/// Tells of transactions that have so many confirmations, until it is aborted.
pub(super) async fn follow(wallet: Arc<Inner>, confirmations: u32) {
    let mut events = wallet.state.events.subscribe();
    let mut following = Following::default();
    loop {
        match events.recv().await {
            Ok(Event::BestHeight(_)) | Err(RecvError::Lagged(_)) => {}
            Ok(_) => continue,
            Err(RecvError::Closed) => return,
        }
        if let Err(failure) = following.confirm(&wallet, confirmations).await {
            tracing::warn!("{failure}: which transactions are confirmed is told later");
        }
    }
}

/// Transactions that are told and not settled.
#[derive(Default)]
struct Following {
    /// Each with the height of its block, where it is known to be in one.
    unconfirmed: HashMap<VertexId, Option<u32>>,
    /// Which events that comes of.
    known: Option<i64>,
    /// Where the next block goes on.
    last: Option<VertexId>,
}

impl Following {
    async fn confirm(&mut self, wallet: &Inner, confirmations: u32) -> Result<(), StoreError> {
        let Some(store) = wallet.state.writer.as_ref().and_then(|writer| writer.store()) else {
            return Ok(());
        };
        let Some(log) = store.event_log() else { return Ok(()) };
        self.look(log).await?;
        let Some(best) = wallet.state.read().best_height() else { return Ok(()) };
        for id in self.due(best, confirmations) {
            let status = match wallet.backend.node.transaction(&id).await {
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
            self.unconfirmed.insert(id, first);
            if let Some(first) = first.filter(|first| best.saturating_sub(*first) >= confirmations) {
                let state = wallet.state.read();
                let fact = fact(&state, &vertex, Standing::Confirmed, Some(first));
                wallet.state.state_fact(fact);
            }
        }
        Ok(())
    }

    /// Reads which there are, where that may have changed.
    async fn look(&mut self, log: &dyn EventLog) -> Result<(), StoreError> {
        let now = *log.watch().borrow();
        if self.known != Some(now) {
            let unconfirmed = log.unconfirmed().await?;
            let before = std::mem::take(&mut self.unconfirmed);
            let known = |id: &VertexId| before.get(id).copied().flatten();
            self.unconfirmed = unconfirmed.into_iter().map(|id| (id, known(&id))).collect();
            self.known = Some(now);
        }
        Ok(())
    }

    /// Those that may have enough of them now, in turns.
    fn due(&self, best: u32, confirmations: u32) -> Vec<VertexId> {
        let may_be =
            |first: &Option<u32>| first.is_none_or(|first| best.saturating_sub(first) >= confirmations);
        let mut due: Vec<VertexId> =
            self.unconfirmed.iter().filter(|(_, first)| may_be(first)).map(|(id, _)| *id).collect();
        due.sort_unstable();
        let start = self.last.map_or(0, |last| due.partition_point(|id| *id <= last));
        let len = due.len().max(1);
        due.rotate_left(start % len);
        due.truncate(MOST_ASKED);
        due
    }
}
