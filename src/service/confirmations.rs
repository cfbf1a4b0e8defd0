//! How firmly a transaction stands.

use super::Wallet;
use crate::ledger::Vertex;
use crate::node::CallError;

/// Why it can't be said.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfirmationsError {
    /// The node does not tell of the transaction: it does not know it, or does not answer.
    #[error("the full node does not tell how the transaction stands")]
    Transaction(#[source] Option<CallError>),
    /// The node does not tell how high the chain is.
    #[error("the full node does not tell how high the chain is")]
    Height(#[source] CallError),
}

impl Wallet {
    /// How many blocks have come since the one that confirmed a transaction; 0 until one does. The node is
    /// asked.
    ///
    /// # Errors
    /// [`ConfirmationsError`] says what the node does not tell.
    pub async fn confirmations(&self, vertex: &Vertex) -> Result<u32, ConfirmationsError> {
        let node = self.node();
        let status = match node.transaction(&vertex.id).await {
            Ok(Some(status)) => status,
            Ok(None) => return Err(ConfirmationsError::Transaction(None)),
            Err(failure) => return Err(ConfirmationsError::Transaction(Some(failure))),
        };
        // A block confirms itself.
        let first = status.first_block_height.or(vertex.height);
        let Some(first) = first.filter(|_| !status.voided) else { return Ok(0) };
        let best = node.best_height().await.map_err(ConfirmationsError::Height)?;
        Ok(best.saturating_sub(first))
    }
}
