//! Pushing a transaction that was signed elsewhere for a key: it needs no wallet, so it is recorded in the
//! memory of the process, or where all servers find it that share their wallets. After that the ledger tells:
//! it takes a payment only once.

use super::detached::detached;
use super::idempotent::{checked, read};
use super::live_state::lock;
use super::pushing::{PushObserver, SamePayment, Unrecorded, push};
use super::{Backend, IdempotentSend, SendError, SendKey, Sent, SharedAccounts};
use crate::ledger::{Transaction, VertexId};
use crate::node::{CallError, TxStatus};
use crate::rt::{self, BoxFuture};
#[cfg(feature = "native")]
use crate::store::SharedCluster;
use crate::store::{MemoryPushRecords, PushRecord, PushRecords, Stores};
use std::sync::{Arc, Mutex};

/// How often other servers may be faster with a key.
const MAX_OUTRUN: u32 = 5;

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
        let (keys, memory) = (shared.pushed_keys.clone(), shared.push_records().of(self.network.name()));
        detached(Box::pin(async move {
            let _under_way = under_way;
            let Some(key) = key else {
                return backend.push_before(Unrecorded::new(), transaction).await.map(Into::into);
            };
            let _turn = keys.lock(key.name).await;
            let records = Records::new(memory, stores, backend.network.name()).await?;
            for _ in 0..MAX_OUTRUN {
                let known = records.find(key).await?;
                let observer = ExternalRecorder::new(records.clone(), key, known.as_ref());
                let (replayed, sent) = match &known {
                    Some(record) => (true, push_again(&backend, observer, read(record)?).await),
                    None => (false, backend.push_before(Box::new(observer), transaction.clone()).await),
                };
                match sent {
                    // Another server was faster with the key: that push is this one's, too.
                    Err(SendError::SentElsewhere) => {}
                    sent => return Ok(IdempotentSend { sent: sent?, replayed }),
                }
            }
            Err(SendError::SentElsewhere)
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
#[derive(Clone)]
enum Records {
    Memory(MemoryPushRecords),
    #[cfg(feature = "native")]
    Shared(SharedCluster),
}

impl Records {
    #[cfg_attr(
        not(feature = "native"),
        allow(unused_variables, clippy::unused_async, reason = "none is shared")
    )]
    async fn new(
        memory: MemoryPushRecords,
        stores: Option<Arc<dyn Stores>>,
        network: &str,
    ) -> Result<Self, SendError> {
        #[cfg(feature = "native")]
        if let Some(stores) = stores
            && let Some(store) = stores.open_pushes(network).await.map_err(SendError::NotRecorded)?
            && let Some(cluster) = store.cluster()
        {
            return Ok(Self::Shared(cluster));
        }
        Ok(Self::Memory(memory))
    }

    async fn find(&self, key: SendKey) -> Result<Option<PushRecord>, SendError> {
        let record = match self {
            Self::Memory(records) => records.push_record(key.name).await,
            #[cfg(feature = "native")]
            Self::Shared(cluster) => cluster.push_record(key.name).await,
        };
        checked(record, key)
    }

    /// Keeps a record, unless another server has one of the key, other than the one it takes the place of.
    #[cfg_attr(
        not(feature = "native"),
        allow(unused_variables, reason = "in memory it takes that place anyway")
    )]
    async fn keep(&self, record: PushRecord, instead_of: Option<[u8; 32]>) -> Result<(), SendError> {
        match self {
            Self::Memory(records) => records.keep_push_records(vec![record]).await,
            #[cfg(feature = "native")]
            Self::Shared(cluster) => match cluster.keep_first(&record, instead_of).await {
                Ok(Some(_)) => return Err(SendError::SentElsewhere),
                kept => kept.map(drop),
            },
        }
        .map_err(SendError::NotRecorded)
    }
}

struct ExternalRecorder {
    records: Records,
    key: SendKey,
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
    /// The mark of the record that it takes the place of.
    instead_of: Mutex<Option<[u8; 32]>>,
}

impl ExternalRecorder {
    /// For a request that comes now, or goes on from what is recorded.
    fn new(records: Records, key: SendKey, known: Option<&PushRecord>) -> Self {
        Self {
            records,
            key,
            since: known.map_or_else(rt::unix_seconds, |record| record.time),
            again: known.is_some(),
            instead_of: Mutex::new(known.map(PushRecord::mark)),
        }
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
            let record = PushRecord { key, request, time: self.since, transaction };
            let (mark, instead_of) = (record.mark(), *lock(&self.instead_of));
            self.records.keep(record, instead_of).await?;
            *lock(&self.instead_of) = Some(mark);
            Ok(())
        })
    }
}
