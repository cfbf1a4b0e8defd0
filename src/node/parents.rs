//! Which transactions a new one confirms: the node is asked once for all sends of a moment.

use super::wire::Text;
use super::{CallError, FullNode};
use crate::ledger::VertexId;
use crate::rt::Instant;
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Mutex;

/// How long an answer serves later sends. Proof of work takes longer, so parents are older when they reach
/// the node.
const RECENT: Duration = Duration::from_secs(1);

type Answer = Result<[VertexId; 2], CallError>;

/// The last answer. Clones share it, and wait for each other's question.
#[derive(Clone, Default)]
pub(super) struct RecentParents(Arc<Recent>);

#[derive(Default)]
struct Recent {
    last: Mutex<Option<Told>>,
    /// Whether a transaction with the last answer's parents was refused.
    refused: AtomicBool,
}

struct Told {
    asked: Instant,
    told: Instant,
    answer: Answer,
}

impl Told {
    /// Whether it answers a caller who has waited for it since `wanted`.
    fn serves(&self, wanted: Instant) -> bool {
        match self.answer {
            Ok(_) => self.told >= wanted || self.asked.elapsed() < RECENT,
            // One that came quickly may be a single request's: whoever waited asks, too.
            Err(_) => self.told >= wanted && self.told - self.asked >= RECENT,
        }
    }
}

impl FullNode {
    /// Two transactions for a new one to confirm, as `GET tx_parents` told them at most a second ago.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked. Those who waited a second or more for the same question get
    /// it, too; all others ask anew.
    pub async fn recent_parents(&self) -> Result<[VertexId; 2], CallError> {
        let wanted = Instant::now();
        let Recent { last, refused } = &*self.parents.0;
        let mut last = last.lock().await;
        if refused.swap(false, Relaxed) {
            *last = None;
        }
        if let Some(told) = last.as_ref().filter(|told| told.serves(wanted)) {
            return told.answer.clone();
        }
        let asked = Instant::now();
        let answer = self.tx_parents().await;
        *last = Some(Told { asked, told: Instant::now(), answer: answer.clone() });
        answer
    }

    /// Asks for parents anew next time: the node has not taken a transaction that had the recent ones.
    pub(crate) fn forget_recent_parents(&self) {
        self.parents.0.refused.store(true, Relaxed);
    }

    /// `GET tx_parents`: two transactions for a new one to confirm.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, or its answer has not two parents.
    pub async fn tx_parents(&self) -> Result<[VertexId; 2], CallError> {
        #[derive(Deserialize)]
        struct Wire {
            tx_parents: [Text<VertexId>; 2],
        }
        let wire: Wire = self.endpoint.for_pushes().read("tx_parents", &[]).await?;
        Ok(wire.tx_parents.map(|h| h.0))
    }
}
