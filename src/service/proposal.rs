//! Transactions that are made here and signed elsewhere.

use super::{Operation, SendError, Wallet};
use crate::ledger::Transaction;
use crate::rt;

/// Inputs of a proposal are set aside for this long, should nobody give them back: a week, because those who sign may be people.
const SET_ASIDE_SECONDS: u32 = 7 * 24 * 60 * 60;

impl Wallet {
    /// Makes the transaction that an operation would send: unsigned, without parents and proof of work, and, where it only sends,
    /// without weight and timestamp, as the existing service gives it. A wallet that can't sign does it too.
    ///
    /// Its inputs are set aside for a week if `set_aside`, or until they are given back or spent; otherwise another send may take
    /// them.
    ///
    /// # Errors
    /// [`SendError::Plan`] if it can't be built, [`SendError::Node`] if the node can't be asked of the tokens moved.
    pub async fn propose(&self, mut operation: Operation, set_aside: bool) -> Result<Transaction, SendError> {
        self.check_ready()?;
        operation.complete(&self.inner).await?;
        let mut state = self.inner.state();
        let mut transaction = operation.plan_unreserved(&mut state)?;
        if set_aside {
            let now = rt::unix_seconds();
            state.mark(&transaction.spends(), now, now.saturating_add(SET_ASIDE_SECONDS));
        }
        drop(state);
        if let Operation::Send(_) = operation {
            transaction.timestamp = 0;
        } else {
            transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        }
        Ok(transaction)
    }
}
