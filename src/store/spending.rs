//! What was spent under limits: counted before a transaction is signed, so that no limit is passed by several
//! sends at once, nor by several servers.
//!
//! Whatever is signed can be sent by anybody who gets hold of it. So it counts from then on, and is taken
//! back only where the full node has not got it and nobody else had it.

use super::StoreError;
use crate::limits::{Assessment, Charge, Counted, PaymentId};

/// A place for it.
#[async_trait::async_trait]
pub trait Spending: Send + Sync {
    /// Counts a transaction under all of its limits, or not at all: it is durable once this returns. What was
    /// counted of it before, in the last day, is not again. `account` is the one that pays
    /// ([`Owner::name`](super::Owner::name)), which must run here. `by` is random, and tells who counts it.
    ///
    /// # Errors
    /// [`StoreError`] if that could not be kept; it may be counted nevertheless.
    async fn count(
        &self,
        account: &str,
        id: PaymentId,
        by: u64,
        assessment: &Assessment,
    ) -> Result<Counted, StoreError>;
    /// What [`Spending::count`] would say.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read.
    async fn look(&self, id: PaymentId, assessment: &Assessment) -> Result<Counted, StoreError>;
    /// Takes back what was counted of a transaction, as far as that is not longer ago than a day, and, where
    /// servers share it, nobody else has counted it since.
    ///
    /// # Errors
    /// [`StoreError`] if that could not be kept: then it stays counted; in a database, until that can be
    /// reached.
    async fn take_back(&self, id: PaymentId, by: u64, charges: &[Charge]) -> Result<(), StoreError>;
}
