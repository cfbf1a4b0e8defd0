//! What was spent under limits: counted before a transaction is signed, so that several sends or servers at
//! once can't exceed a limit.
//!
//! A signed transaction can be sent by anyone who obtains it. So it counts once signed, and is taken back
//! only if the full node has not got it and nobody else had it.

use super::StoreError;
use crate::limits::{Assessment, Charge, Counted, PaymentId};

#[async_trait::async_trait]
pub trait Spending: Send + Sync {
    /// Counts a transaction under all of its limits, or not at all, durably. A transaction counted within the
    /// last day is not counted again. `account` pays ([`Owner::name`](super::Owner::name)) and must run here.
    /// `by` is random and identifies the send that counts.
    ///
    /// # Errors
    /// [`StoreError`]: the transaction may be counted nevertheless.
    async fn count(
        &self,
        account: &str,
        id: PaymentId,
        by: u64,
        assessment: &Assessment,
    ) -> Result<Counted, StoreError>;
    /// The result [`Spending::count`] would have.
    async fn look(&self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError>;
    /// Takes back what was counted of a transaction within the last day, unless another send has counted it
    /// since.
    ///
    /// # Errors
    /// [`StoreError`]: it stays counted; in a database, until that can be reached.
    /// reached.
    async fn take_back(&self, id: PaymentId, by: u64, charges: &[Charge]) -> Result<(), StoreError>;
}
