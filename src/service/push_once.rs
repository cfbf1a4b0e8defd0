//! Pushing a transaction that was signed elsewhere for a key: it needs no wallet, so it is recorded in the
//! memory of the process. After that the ledger tells: it takes a payment only once.

use super::idempotent::{checked, read};
use super::pushing::{PushObserver, SamePayment, push};
use super::raw::detached;
use super::{Backend, IdempotentSend, SendError, SendKey, Sent};
use crate::ledger::{Transaction, VertexId};
use crate::node::{CallError, TxStatus};
use crate::rt;
use crate::store::{MemoryPushRecords, PushRecord, PushRecords};

impl Backend {
    /// [`Backend::push`], or what it came to when the key was there before, within a day. Requests of one key
    /// must come one after the other.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request. After [`SendError::Open`] a
    /// repetition finds out more.
    pub async fn push_once(
        &self,
        transaction: Transaction,
        key: SendKey,
        records: &MemoryPushRecords,
    ) -> Result<IdempotentSend, SendError> {
        let (records, since) = (records.clone(), rt::unix_seconds());
        let record = checked(records.push_record(key.name).await, key)?;
        let mut observer = ExternalRecorder { records, key, since, again: false };
        let Some(record) = record else {
            return self.push_before(observer, transaction).await.map(IdempotentSend::from);
        };
        (observer.since, observer.again) = (record.time, true);
        let sent = detached(push_again(self.clone(), observer, read(&record)?)).await?;
        Ok(IdempotentSend { sent, replayed: true })
    }
}

async fn push_again(
    backend: Backend,
    observer: ExternalRecorder,
    transaction: Transaction,
) -> Result<Sent, SendError> {
    let id = transaction.id()?;
    let status = backend.node.transaction(&id).await.map_err(|cause| SendError::Open { id, cause })?;
    if let Some(TxStatus { voided: false, .. }) = status {
        return Ok(Sent { id, transaction });
    }
    let pushed = push(&backend, transaction, 0, &observer, SamePayment::AnySignatures).await;
    match pushed {
        Ok((id, transaction)) => Ok(Sent { id, transaction }),
        Err(SendError::Node(cause)) => Err(SendError::Open { id, cause }),
        Err(failure) => Err(failure),
    }
}

struct ExternalRecorder {
    records: MemoryPushRecords,
    key: SendKey,
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
}

impl PushObserver for ExternalRecorder {
    fn purpose(&self) -> &[u8] {
        &self.key.name
    }
    fn pushed_before(&self) -> bool {
        self.again
    }
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        SendError::Open { id, cause }
    }
    async fn before_push(&self, transaction: &Transaction) -> Result<(), SendError> {
        let SendKey { name: key, request } = self.key;
        let transaction = transaction.to_bytes()?;
        let record = PushRecord { key, request, time: self.since, transaction };
        self.records.keep_push_records(vec![record]).await.map_err(SendError::NotRecorded)
    }
}
