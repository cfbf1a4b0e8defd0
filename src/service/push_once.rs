//! Pushing a transaction that was signed elsewhere for a key: it needs no wallet, so it is recorded in the
//! memory of the process, or in a store for those of no wallet. After that the ledger tells: it takes a
//! payment only once.

use super::detached::detached;
use super::idempotent::{checked, read};
use super::pushing::{PushObserver, SamePayment, Unrecorded, push};
use super::{Backend, IdempotentSend, SendError, SendKey, Sent, SharedAccounts};
use crate::ledger::{Transaction, VertexId};
use crate::node::{CallError, TxStatus};
use crate::rt::{self, BoxFuture};
use crate::store::{MemoryPushRecords, PushRecord, PushRecords, Store, Stores};
use std::sync::Arc;

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
        stores: Option<Arc<dyn Stores>>,
    ) -> Result<IdempotentSend, SendError> {
        let (backend, under_way) = (self.for_pushes(), shared.pushes.begin());
        let (keys, memory) = (shared.keys.clone(), shared.push_records().of(self.network.name()));
        detached(Box::pin(async move {
            let _under_way = under_way;
            let Some(key) = key else {
                return backend.push_before(Unrecorded::new(), transaction).await.map(Into::into);
            };
            let _turn = keys.lock(key.name).await;
            let records = Records::new(memory, stores, backend.network.name()).await?;
            let known = records.find(key).await?;
            let observer = ExternalRecorder::new(records, key, known.as_ref());
            let (replayed, sent) = match &known {
                Some(record) => (true, push_again(&backend, observer, read(record)?).await),
                None => (false, backend.push_before(Box::new(observer), transaction).await),
            };
            Ok(IdempotentSend { sent: sent?, replayed })
        }))
        .await
    }
}

async fn push_again(
    backend: &Backend,
    observer: ExternalRecorder,
    transaction: Transaction,
) -> Result<Sent, SendError> {
    let id = transaction.id()?;
    let status =
        backend.node.transaction(&id).await.map_err(|cause| SendError::Open { id, cause: cause.into() })?;
    if let Some(TxStatus { voided: false, .. }) = status {
        return Ok(Sent { id, transaction });
    }
    let pushed = push(backend, transaction, 0, &observer, SamePayment::AnySignatures).await;
    match pushed {
        Ok((id, transaction)) => Ok(Sent { id, transaction }),
        Err(SendError::Node(cause)) => Err(SendError::Open { id, cause: cause.into() }),
        Err(failure) => Err(failure),
    }
}

/// Where pushes are recorded.
enum Records {
    Memory(MemoryPushRecords),
    Store(Arc<dyn Store>),
}

impl Records {
    async fn new(
        memory: MemoryPushRecords,
        stores: Option<Arc<dyn Stores>>,
        network: &str,
    ) -> Result<Self, SendError> {
        if let Some(stores) = stores
            && let Some(store) = stores.pushes_of_nobody(network).await.map_err(SendError::Store)?
        {
            return Ok(Self::Store(store));
        }
        Ok(Self::Memory(memory))
    }

    fn place(&self) -> Option<&dyn PushRecords> {
        match self {
            Self::Memory(records) => Some(records),
            Self::Store(store) => store.push_records(),
        }
    }

    async fn find(&self, key: SendKey) -> Result<Option<PushRecord>, SendError> {
        let Some(place) = self.place() else { return Ok(None) };
        checked(place.push_record(key.name).await, key)
    }

    async fn keep(&self, record: PushRecord) -> Result<(), SendError> {
        let Some(place) = self.place() else { return Ok(()) };
        place.keep_push_records(vec![record]).await.map_err(SendError::NotRecorded)
    }
}

struct ExternalRecorder {
    records: Records,
    key: SendKey,
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
}

impl ExternalRecorder {
    /// For a request that comes now, or goes on from what is recorded.
    fn new(records: Records, key: SendKey, known: Option<&PushRecord>) -> Self {
        let since = known.map_or_else(rt::unix_seconds, |record| record.time);
        Self { records, key, since, again: known.is_some() }
    }
}

impl PushObserver for ExternalRecorder {
    fn salt(&self) -> &[u8] {
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
            // Without a wallet nobody pushes it again but by a repetition: it is never open.
            let record = PushRecord { key, request, time: self.since, transaction, is_open: false };
            self.records.keep(record).await
        })
    }
}
