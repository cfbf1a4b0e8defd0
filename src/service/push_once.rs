//! Pushing a transaction that was signed elsewhere for a key: it needs no wallet, so it is recorded in the
//! memory of the process. After that the ledger tells: it takes a payment only once.

use super::detached::detached;
use super::idempotent::{checked, read};
use super::pushing::{PushObserver, SamePayment, Unrecorded, push};
use super::{Backend, IdempotentSend, SendError, SendKey, Sent, SharedAccounts};
use crate::ledger::{Transaction, VertexId};
use crate::node::{CallError, TxStatus};
use crate::rt::{self, BoxFuture};
use crate::store::{MemoryPushRecords, PushRecord, PushRecords};

impl Backend {
    /// [`Backend::push`], counted among the pushes of the process; with a key, or what it came to when the
    /// key was there before, within a day. Requests of one key wait for each other.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request. After [`SendError::Open`] a
    /// repetition finds out more.
    pub async fn push_once(
        &self,
        transaction: Transaction,
        key: Option<SendKey>,
        shared: &SharedAccounts,
    ) -> Result<IdempotentSend, SendError> {
        let (backend, under_way) = (self.clone(), shared.pushes.begin());
        let (keys, records) = (shared.pushed_keys.clone(), shared.push_records().of(self.network.name()));
        detached(Box::pin(async move {
            let _under_way = under_way;
            let Some(key) = key else {
                return backend.push_before(Unrecorded::new(), transaction).await.map(Into::into);
            };
            let _turn = keys.lock(key.name).await;
            let since = rt::unix_seconds();
            let record = checked(records.push_record(key.name).await, key)?;
            let mut observer = Box::new(ExternalRecorder { records, key, since, again: false });
            let Some(record) = record else {
                return backend.push_before(observer, transaction).await.map(Into::into);
            };
            (observer.since, observer.again) = (record.time, true);
            let sent = push_again(backend, *observer, read(&record)?).await?;
            Ok(IdempotentSend { sent, replayed: true })
        }))
        .await
    }
}

async fn push_again(
    backend: Backend,
    observer: ExternalRecorder,
    transaction: Transaction,
) -> Result<Sent, SendError> {
    let id = transaction.id()?;
    let status =
        backend.node.transaction(&id).await.map_err(|cause| SendError::Open { id, cause: cause.into() })?;
    if let Some(TxStatus { voided: false, .. }) = status {
        return Ok(Sent { id, transaction });
    }
    let pushed = push(&backend, transaction, 0, &observer, SamePayment::AnySignatures).await;
    match pushed {
        Ok((id, transaction)) => Ok(Sent { id, transaction }),
        Err(SendError::Node(cause)) => Err(SendError::Open { id, cause: cause.into() }),
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
        SendError::Open { id, cause: cause.into() }
    }
    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            let SendKey { name: key, request } = self.key;
            let transaction = transaction.to_bytes()?;
            let record = PushRecord { key, request, time: self.since, transaction };
            self.records.keep_push_records(vec![record]).await.map_err(SendError::NotRecorded)
        })
    }
}
