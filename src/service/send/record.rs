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
use crate::service::account::live_state::lock;
use crate::service::account::open_pushes::Recorded;
use crate::service::account::reserve::Reservation;
use crate::service::{SendError, SendKey, Sent};
use crate::store::{PushRecord, StoreError};
use std::sync::{Arc, Mutex};

/// Records the transactions of one send. Clones are of the same send.
#[derive(Clone)]
pub struct Recorder(Arc<OneSend>);

struct OneSend {
    account: Arc<RunningAccount>,
    /// Of its request, if that has one.
    key: Option<SendKey>,
    /// That of its record.
    name: [u8; 32],
    /// When the first request came.
    since: u32,
    /// Whether it may have been pushed before: then a refusal proves nothing.
    again: bool,
    records: bool,
    /// What may be in the store, and is not known to be settled.
    recorded: Mutex<Option<Recorded>>,
    /// What it spends, until it has ended.
    inputs: Mutex<Option<Reservation>>,
}

impl Recorder {
    /// For a request that comes now.
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

    /// For a repetition, which pushes what is recorded.
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

    /// The result of a send, once what it has recorded and not sent is taken back: before anybody is told so.
    /// Where that can't be done, whoever finds the record pushes it, and that is what is to be told.
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
                // It is taken back later: nobody relies on its being sent.
                lock(&self.0.recorded).iter_mut().for_each(|recorded| recorded.is_kept = false);
                Err(SendError::RecordUnclear { id, cause })
            }
        }
    }

    /// The inputs of the send, which are released with its end.
    pub fn hold(&self, inputs: Option<Reservation>) {
        *lock(&self.0.inputs) = inputs;
    }

    /// The send has ended, and its inputs are released. What may be on the ledger keeps them, until that is
    /// known.
    pub fn end(&self, result: &Result<Sent, SendError>) {
        // Also where another transaction that is as good has spent its inputs: this one can't come any more.
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
    /// What may be on the ledger, and is not known to be, is brought to its end by others. Says whether there
    /// is such.
    fn leave_open(&self) -> bool {
        let recorded = lock(&self.recorded).take();
        recorded.map(|recorded| self.account.keep_open(recorded, lock(&self.inputs).take())).is_some()
    }
}

impl Drop for OneSend {
    /// A send that was cut off.
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

    /// With a key, a repetition finds out.
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
