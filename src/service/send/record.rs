//! The record of a send, written before the push.
//!
//! ```text
//! record (durable, open) → push → accepted: settled
//!                               → refused: withdrawn before the caller reads that nothing was sent
//!                               → unknown: open, and pushed again by `recover`
//! ```
//!
//! Requests with an `Idempotency-Key` are recorded in the store, or in the memory of the process where there
//! is none; requests without a key where the store demands it.

use super::push::PushObserver;
use crate::ledger::{Transaction, VertexId};
use crate::node::CallError;
use crate::rt::{self, BoxFuture};
use crate::service::account::RunningAccount;
use crate::service::account::Sent;
use crate::service::account::live_state::lock;
use crate::service::account::open_pushes::Recorded;
use crate::service::account::reserve::Reservation;
use crate::service::error::SendError;
use crate::service::guard::SendKey;
use crate::store::{PushRecord, StoreError};
use std::sync::{Arc, Mutex};

/// Records the transactions of one send. Clones belong to the same send.
#[derive(Clone)]
pub struct Recorder(Arc<OneSend>);

struct OneSend {
    account: Arc<RunningAccount>,
    key: Option<SendKey>,
    name: [u8; 32],
    /// When the first request came, in Unix seconds.
    since: u32,
    /// Whether it may have been pushed before: then a refusal proves nothing.
    again: bool,
    records: bool,
    /// The record that may be in the store and is not known to be settled.
    recorded: Mutex<Option<Recorded>>,
    /// Its inputs, until it has ended.
    inputs: Mutex<Option<Reservation>>,
}

impl Recorder {
    pub fn new(account: &Arc<RunningAccount>, key: Option<SendKey>) -> Self {
        let name = key.map_or_else(
            || {
                // Without random numbers the time has to do.
                let random = rt::random().unwrap_or_else(|| u128::from(rt::unix_millis()).to_be_bytes());
                PushRecord::unkeyed(random)
            },
            |key| key.name,
        );
        Self(Arc::new(OneSend {
            key,
            name,
            since: rt::unix_seconds(),
            again: false,
            records: key.is_some() || account.records.records_each_push,
            recorded: Mutex::default(),
            inputs: Mutex::default(),
            account: account.clone(),
        }))
    }

    /// For a repeated request, which pushes the recorded transaction.
    pub fn again(account: &Arc<RunningAccount>, key: SendKey, id: VertexId, record: PushRecord) -> Self {
        Self(Arc::new(OneSend {
            account: account.clone(),
            inputs: Mutex::default(),
            key: Some(key),
            name: key.name,
            since: record.time,
            again: true,
            records: true,
            recorded: Mutex::new(Some(Recorded { id, record, is_kept: true })),
        }))
    }

    /// The result of a send, after its unsent record was withdrawn. If it can't be withdrawn, the next
    /// process that finds the record pushes it, and the error says so.
    pub async fn withdrawn<T>(&self, sent: Result<T, SendError>) -> Result<T, SendError> {
        let failure = match sent {
            Err(failure) if !failure.may_be_sent() => failure,
            sent => return sent,
        };
        let Some(id) = lock(&self.0.recorded).as_ref().map(|recorded| recorded.id) else {
            return Err(failure);
        };
        match self.0.account.records.withdraw(self.0.name).await {
            Ok(()) => {
                lock(&self.0.recorded).take();
                Err(failure)
            }
            Err(cause) => {
                // It is withdrawn later: nobody relies on its being sent.
                lock(&self.0.recorded).iter_mut().for_each(|recorded| recorded.is_kept = false);
                Err(SendError::RecordUnclear { id, cause })
            }
        }
    }

    pub fn hold(&self, inputs: Option<Reservation>) {
        *lock(&self.0.inputs) = inputs;
    }

    /// Ends the send and releases its inputs. If the transaction may be on the ledger, they stay reserved
    /// until that is known.
    pub fn end(&self, result: &Result<Sent, SendError>) {
        // Also if another equivalent transaction has spent its inputs: this one is void then.
        if result.is_ok() && lock(&self.0.recorded).take().is_some() {
            self.0.account.records.settle(self.0.name);
        }
        if !self.0.leave_open() {
            self.0.account.end_open(&self.0.name);
            lock(&self.0.inputs).take();
        }
    }
}

impl OneSend {
    /// Leaves a transaction that may be on the ledger to `recover`. Returns whether there was one.
    fn leave_open(&self) -> bool {
        let recorded = lock(&self.recorded).take();
        recorded.map(|recorded| self.account.keep_open(recorded, lock(&self.inputs).take())).is_some()
    }
}

impl Drop for OneSend {
    /// The send was aborted.
    fn drop(&mut self) {
        self.leave_open();
    }
}

impl PushObserver for Recorder {
    fn salt(&self) -> &[u8] {
        &self.0.name
    }

    fn key(&self) -> Option<SendKey> {
        self.0.key
    }

    fn pushed_before(&self) -> bool {
        self.0.again
    }

    /// With a key, a repeated request finds out.
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        let cause = cause.into();
        if self.0.key.is_some() { SendError::Open { id, cause } } else { SendError::Unknown { id, cause } }
    }

    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            let send = &*self.0;
            if !send.records {
                return Ok(());
            }
            let (id, request) = (transaction.id()?, send.key.map_or([0; 32], |key| key.request));
            let (key, time, transaction) = (send.name, send.since, transaction.to_bytes()?);
            let record = PushRecord { key, request, time, transaction, is_open: true };
            // From here on it may be recorded, whatever the store answers.
            let before =
                lock(&send.recorded).replace(Recorded { id, record: record.clone(), is_kept: false });
            let kept = send.account.records.keep(record).await;
            let mut recorded = lock(&send.recorded);
            match kept {
                Ok(()) => {
                    recorded.iter_mut().for_each(|recorded| recorded.is_kept = true);
                    tracing::debug!("send: recorded");
                    Ok(())
                }
                Err(cause) => {
                    if !matches!(cause, StoreError::Unclear { .. }) {
                        *recorded = before;
                    }
                    Err(match (send.key, &cause) {
                        (Some(_), StoreError::Taken) | (None, _) => SendError::Store(cause),
                        (Some(_), _) => SendError::NotRecorded(cause),
                    })
                }
            }
        })
    }
}
