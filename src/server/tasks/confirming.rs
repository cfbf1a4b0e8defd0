//! Which transactions of tasks are in a block: the node doesn't tell by itself.

use super::{Queue, Task, TaskState};
use crate::wallet::Event;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Most transactions that the node is asked for at a new block, the newest.
const MAX_CONFIRMED: usize = 100;

impl Queue {
    /// Asks the node at each new block which transactions are in one.
    pub(super) async fn follow_blocks(self: Arc<Self>) {
        let mut events = self.wallet.events();
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Ok(Event::BestHeight(_)) | Err(RecvError::Lagged(_)) => self.confirm().await,
                    Ok(_) => {}
                    Err(RecvError::Closed) => return,
                },
                () = self.is_closed() => return,
            }
        }
    }

    async fn confirm(&self) {
        let is_open = |task: &Task| matches!(&task.state, TaskState::Ended(outcome) if outcome.is_done() && !outcome.is_confirmed);
        for mut task in self.newest(MAX_CONFIRMED, is_open) {
            let TaskState::Ended(outcome) = &mut task.state else { continue };
            let Some(hash) = outcome.end.hash() else { continue };
            let status = self.wallet.node().transaction(&hash).await;
            if !matches!(status, Ok(Some(status)) if status.first_block.is_some() && !status.voided) {
                continue;
            }
            outcome.is_confirmed = true;
            if let Err(failure) = self.write(&task, Vec::new()).await {
                tracing::warn!("{failure}: that task {} is confirmed is not kept", task.id);
            }
            let mut table = self.table();
            // It may have been forgotten meanwhile.
            if table.tasks.contains_key(&task.id) {
                table.put(task);
            }
            drop(table);
            self.tell();
        }
    }
}
