//! What a send records of itself before it is pushed.
//!
//! ```text
//! record (durable, open) → push → taken: settled
//!                               → refused: withdrawn, durably, before anybody is told that nothing was sent
//!                               → not known: open, and brought to its end by `recovery`
//! ```
//!
//! Requests with an `Idempotency-Key` are recorded wherever there is a store, or else in the memory of the
//! process; requests without one where the store says so.

use super::inner::Inner;
use super::live_state::lock;
use super::open_pushes::Recorded;
use super::pushing::PushObserver;
use super::reservation::Reservation;
use super::{SendError, SendKey, Sent};
use crate::ledger::{Transaction, VertexId};
use crate::node::CallError;
use crate::rt::{self, BoxFuture};
use crate::store::{PushRecord, StoreError};
use std::sync::{Arc, Mutex};

/// Records the transactions of one send. Clones are of the same send.
#[derive(Clone)]
pub(super) struct Recorder(Arc<OneSend>);

struct OneSend {
    wallet: Arc<Inner>,
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
}

impl Recorder {
    /// For a request that comes now.
    pub(super) fn new(wallet: &Arc<Inner>, key: Option<SendKey>) -> Self {
        let name = key.map_or_else(
            || {
                // Without random numbers the time has to do.
                let random = rt::random().unwrap_or_else(|| u128::from(rt::unix_millis()).to_be_bytes());
                PushRecord::unkeyed(random)
            },
            |key| key.name,
        );
        #[cfg_attr(target_arch = "wasm32", allow(clippy::arc_with_non_send_sync))]
        Self(Arc::new(OneSend {
            key,
            name,
            since: rt::unix_seconds(),
            again: false,
            records: key.is_some() || wallet.records_each_push(),
            recorded: Mutex::default(),
            wallet: wallet.clone(),
        }))
    }

    /// For a repetition, which pushes what is recorded.
    pub(super) fn again(wallet: &Arc<Inner>, key: SendKey, id: VertexId, record: PushRecord) -> Self {
        #[cfg_attr(target_arch = "wasm32", allow(clippy::arc_with_non_send_sync))]
        Self(Arc::new(OneSend {
            wallet: wallet.clone(),
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
    pub(super) async fn withdrawn<T>(&self, sent: Result<T, SendError>) -> Result<T, SendError> {
        let failure = match sent {
            Err(failure) if !failure.may_be_sent() => failure,
            sent => return sent,
        };
        let Some(id) = lock(&self.0.recorded).as_ref().map(|recorded| recorded.id) else {
            return Err(failure);
        };
        match self.0.wallet.withdraw_push(self.0.name).await {
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

    /// The send has ended, and its inputs are released with this. What may be on the ledger keeps them, until
    /// that is known.
    pub(super) fn end(&self, result: &Result<Sent, SendError>, inputs: Option<Reservation>) {
        let wallet = &self.0.wallet;
        if result.is_ok() {
            // Also where another transaction that is as good has spent its inputs: this one can't come any
            // more.
            if lock(&self.0.recorded).take().is_some() {
                wallet.settle_push(self.0.name);
            }
        }
        let Some(recorded) = lock(&self.0.recorded).take() else {
            return wallet.account.end_open(&self.0.name);
        };
        // Nothing comes in between: what is open is nobody else's, whether or not it is held in the state.
        wallet.account.keep_open(wallet.open_push(recorded));
        drop(inputs);
        wallet.hold_open(&self.0.name);
    }
}

impl Drop for OneSend {
    /// A send that was cut off.
    fn drop(&mut self) {
        if let Some(recorded) = lock(&self.recorded).take() {
            self.wallet.account.keep_open(self.wallet.open_push(recorded));
        }
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
            let kept = send.wallet.keep_push_record(record).await;
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

impl Inner {
    pub(super) fn records_each_push(&self) -> bool {
        self.records.records_each_push
    }

    /// Keeps a record, durably.
    pub(super) async fn keep_push_record(&self, record: PushRecord) -> Result<(), StoreError> {
        self.records.keep(record).await
    }

    /// The outcome of a push is known.
    pub(super) fn settle_push(&self, key: [u8; 32]) {
        self.records.settle(key);
    }

    /// Nobody pushes it again.
    pub(super) async fn withdraw_push(&self, key: [u8; 32]) -> Result<(), StoreError> {
        self.records.withdraw(key).await
    }
}
