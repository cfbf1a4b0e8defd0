//! Pushing a transaction, and knowing what became of it.

use super::endpoint::refusal;
use super::error::is_of_gateway;
use super::{Backoff, CallError, Fault, FullNode, TxStatus, object};
use crate::ledger::{Outpoint, VertexId};
use crate::rt::{self, Instant};
use serde::Deserialize;
use std::time::Duration;

const PATH: &str = "push_tx";
/// Pauses between questions about a transaction whose fate is unknown.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Why a push was no success.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PushError {
    /// The node refused it, in its words: it is not on the ledger.
    #[error("{message}")]
    Rejected { message: String },
    /// The node has it, and another one that spends the same as it does won.
    #[error("{message}")]
    Voided { message: String },
    /// Refused because its timestamp is not after that of a transaction it spends or confirms: with one past
    /// `after`, or with other parents if it is `confirmed`, it can be solved again and pushed.
    #[error("{message}")]
    TooEarly { message: String, after: u32, confirmed: bool },
    /// The node has it already: as good as a success, unless it is voided.
    #[error("{message}")]
    AlreadyExists { message: String },
    /// Lost to another valid transaction, which spends one of its inputs: found out after a push that had no
    /// answer.
    #[error("{message}")]
    Conflict { message: String, spender: VertexId },
    /// It did not get to the node, or the node's guard turned it away: it is not on the ledger.
    #[error("{0}")]
    NotSent(CallError),
    /// It may be on the ledger or not.
    #[error("{0}")]
    Unknown(CallError),
}

impl FullNode {
    /// `POST push_tx`, tried once.
    ///
    /// # Errors
    /// [`PushError::Rejected`], [`PushError::TooEarly`] or [`PushError::AlreadyExists`] if the node says so,
    /// [`PushError::NotSent`] if it did not get there or the node's guard turned it away, else
    /// [`PushError::Unknown`].
    pub async fn push_tx(&self, transaction: &[u8]) -> Result<(), PushError> {
        #[derive(Deserialize)]
        struct Pushed {
            success: bool,
        }
        let json = format!(r#"{{"hex_tx":"{}","force":false}}"#, hex::encode(transaction));
        let response = match self.endpoint.for_pushes().post(PATH, &[], json).await {
            Ok(response) => response,
            Err(failure @ CallError { fault: Fault::Unreachable(_) | Fault::Busy, .. }) => {
                return Err(PushError::NotSent(failure));
            }
            Err(failure) => return Err(PushError::Unknown(failure)),
        };
        let status = Fault::Status { status: response.status, retry_after: response.retry_after };
        match refusal(&response.body) {
            Some(message) if response.status != 429 && !is_of_gateway(response.status) => {
                return Err(rejected(message));
            }
            _ => {}
        }
        match response.status {
            // What answers so is no node that took the transaction.
            300..500 => Err(PushError::NotSent(self.endpoint.error(PATH, status))),
            200..300 => match object::read::<Pushed>(&response.body) {
                Ok(Pushed { success: true }) => Ok(()),
                Ok(Pushed { success: false }) => Err(rejected("refused without a reason".to_owned())),
                Err(e) => {
                    Err(PushError::Unknown(self.endpoint.error(PATH, Fault::InvalidAnswer(e.to_string()))))
                }
            },
            _ => Err(PushError::Unknown(self.endpoint.error(PATH, status))),
        }
    }

    /// Pushes until the outcome is known or `limit` has passed. When it is unknown the node is asked for the
    /// transaction, and the same bytes are pushed again, which is harmless: they are one transaction. Also
    /// when the node asks for fewer requests the push is made again, later.
    ///
    /// Once a push had no answer, or where one was made `before` this call, only the ledger tells what became
    /// of it. That a later push is refused proves nothing: there may be several nodes at one address, of
    /// which one has the transaction and another one lacks what it spends. It is a failure then only if the
    /// ledger has another valid transaction that spends one of `inputs`.
    ///
    /// What the node has already is a success.
    ///
    /// # Errors
    /// [`PushError::Rejected`] if no push can have got there before, [`PushError::TooEarly`] if none of this
    /// call can, [`PushError::Voided`] or [`PushError::Conflict`] if another transaction won,
    /// [`PushError::NotSent`] if none got there, and [`PushError::Unknown`] only if the time was up.
    pub async fn push_until_known(
        &self,
        id: &VertexId,
        bytes: &[u8],
        inputs: &[Outpoint],
        before: bool,
        limit: Duration,
    ) -> Result<(), PushError> {
        let deadline = Instant::now() + limit;
        let mut backoff = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        // Why the outcome of a push that may have reached a node is not known.
        let mut lost: Option<CallError> = None;
        loop {
            let failure = match self.push_tx(bytes).await {
                Err(PushError::AlreadyExists { .. }) => return Ok(()),
                Err(PushError::Unknown(failure)) => lost.get_or_insert(failure).clone(),
                // An earlier push is still open, so "not sent" says nothing about it.
                Err(PushError::NotSent(failure))
                    if lost.is_some() || failure.is_rate_limit() || failure.fault == Fault::Busy =>
                {
                    failure
                }
                // Solved again for a later second it spends the same inputs, so that the ledger takes one of
                // the two, whatever became of a push before this call.
                Err(early @ PushError::TooEarly { .. }) if lost.is_none() => return Err(early),
                Err(PushError::Rejected { message } | PushError::TooEarly { message, .. })
                    if before || lost.is_some() =>
                {
                    if let Ok(Some(spender)) = self.until(deadline).spender(inputs, Some(id)).await {
                        return Err(PushError::Conflict { message, spender });
                    }
                    let refused = self.endpoint.error(PATH, Fault::Refused(message));
                    lost.get_or_insert(refused).clone()
                }
                known => return known,
            };
            let mut asked = failure.retry_after().unwrap_or_default();
            loop {
                let pause = backoff.next_delay().max(std::mem::take(&mut asked));
                if Instant::now() + pause > deadline {
                    return Err(lost.map_or(PushError::NotSent(failure), PushError::Unknown));
                }
                rt::sleep(pause).await;
                if lost.is_none() {
                    break;
                }
                match self.until(deadline).transaction(id).await {
                    Ok(Some(TxStatus { voided: false, .. })) => return Ok(()),
                    Ok(Some(TxStatus { voided: true, .. })) => {
                        let message =
                            format!("Transaction {id} is voided: another one spends the same as it does.");
                        return Err(PushError::Voided { message });
                    }
                    Ok(None) => break,
                    Err(_) => {}
                }
            }
        }
    }

    /// The same node, asked for what became of a push until `deadline` at most.
    fn until(&self, deadline: Instant) -> Self {
        let mut node = self.for_pushes();
        let left = deadline.saturating_duration_since(Instant::now());
        node.endpoint.read_limit = left.min(node.endpoint.read_limit);
        node
    }
}

fn rejected(message: String) -> PushError {
    if message.starts_with("Transaction already exists") {
        return PushError::AlreadyExists { message };
    }
    match too_early(&message) {
        Some((after, confirmed)) => PushError::TooEarly { message, after, confirmed },
        None => PushError::Rejected { message },
    }
}

/// The other's timestamp in `full validation failed: tx=… timestamp=…, spent_tx=… timestamp=…` (or
/// `parent=…`), and whether it is a parent.
fn too_early(message: &str) -> Option<(u32, bool)> {
    let (_, other) = message.strip_prefix("full validation failed: tx=")?.split_once(", ")?;
    let confirmed = other.starts_with("parent=");
    if !confirmed && !other.starts_with("spent_tx=") {
        return None;
    }
    Some((other.split_once(" timestamp=")?.1.parse().ok()?, confirmed))
}
