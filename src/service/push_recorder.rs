//! What is recorded for a key before it is pushed.

use super::inner::Inner;
use super::pushing::{KeyedRecord, PushObserver};
use super::{SendError, SendKey};
use crate::ledger::{Transaction, VertexId};
use crate::node::CallError;
use crate::rt::{self, BoxFuture};
use crate::store::PushRecord;
use std::sync::Arc;

/// Records each transaction before it is pushed.
pub(super) struct PushRecorder {
    wallet: Arc<Inner>,
    key: SendKey,
    /// When the first request came.
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
    /// The mark of the record that it takes the place of.
    instead_of: Option<[u8; 32]>,
}

impl PushRecorder {
    /// For a request that comes now.
    pub(super) fn new(wallet: Arc<Inner>, key: SendKey, instead_of: Option<[u8; 32]>) -> Self {
        Self { wallet, key, since: rt::unix_seconds(), again: false, instead_of }
    }

    /// What is recorded is pushed again.
    pub(super) fn goes_on_from(&mut self, record: &PushRecord) {
        (self.since, self.again) = (record.time, true);
    }
}

impl PushObserver for PushRecorder {
    fn salt(&self) -> &[u8] {
        &self.key.name
    }

    fn key(&self) -> Option<SendKey> {
        Some(self.key)
    }

    fn pushed_before(&self) -> bool {
        self.again
    }

    /// With a record, a repetition finds out.
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        SendError::Open { id, cause: cause.into() }
    }

    fn record(&self, transaction: &Transaction) -> Result<Option<KeyedRecord>, SendError> {
        let SendKey { name: key, request } = self.key;
        let record = PushRecord { key, request, time: self.since, transaction: transaction.to_bytes()? };
        Ok(Some((record, self.instead_of)))
    }

    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            if let Some((record, _)) = self.record(transaction)? {
                let recorded = self.wallet.keep_push_record(record).await;
                recorded.map_err(SendError::NotRecorded)?;
            }
            tracing::debug!("send: recorded");
            Ok(())
        })
    }
}
