//! Transactions that are made here and signed elsewhere.

use super::in_flight::TO_ITS_END;
use super::template::OracleSignatures;
use super::{NotReady, Operation, SendError, Wallet};
use crate::ledger::Transaction;
use crate::rt;
use crate::wallet::State;

/// Inputs of a proposal are set aside for this long, should nobody give them back: a week, because those who
/// sign may be people.
const SET_ASIDE_SECONDS: u32 = 7 * 24 * 60 * 60;

impl Wallet {
    /// Makes the transaction that an operation would send: unsigned, without parents and proof of work, and,
    /// where it only sends, without weight and timestamp, as hathor-wallet-headless gives it. A wallet that
    /// can't sign does it too.
    ///
    /// Its inputs are set aside for a week if `set_aside`, or until they are given back or spent; otherwise
    /// another send may take them.
    ///
    /// # Errors
    /// [`SendError::Plan`] if it can't be built, [`SendError::Node`] if the node can't be asked of the tokens
    /// moved.
    pub async fn propose(&self, mut operation: Operation, set_aside: bool) -> Result<Transaction, SendError> {
        self.check_ready()?;
        operation.complete(self, OracleSignatures::Signed).await?;
        let mut transaction = if set_aside {
            let _turn = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
            let now = rt::unix_seconds();
            // Held until they are locked, so that nothing takes them in between.
            let plan = |state: &mut State| {
                let plan = operation.plan(state, now, TO_ITS_END)?;
                Ok((plan.reservation, plan.transaction))
            };
            let (planned, _held) = self.inner.account.reserve(&mut self.inner.write(), plan)?;
            self.check_melted(&planned).await.map_err(SendError::Node)?;
            let until = now.saturating_add(SET_ASIDE_SECONDS);
            self.inner.account.lock_reserved(&planned.spends(), now, until).await?;
            planned
        } else {
            let planned = operation.plan_unreserved(&mut self.inner.write())?;
            self.check_melted(&planned).await.map_err(SendError::Node)?;
            planned
        };
        if let Operation::Send(_) = operation {
            transaction.timestamp = 0;
        } else {
            transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        }
        Ok(transaction)
    }
}
