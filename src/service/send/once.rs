//! Requests with an `Idempotency-Key`: they are carried out once, even if the process dies between a send and
//! its answer.
//!
//! ```text
//! plan → sign → proof of work → record the transaction for the key → push → answer
//!
//! the same key again, in any process that has the record:
//!   no record                      → nothing was pushed: sent anew
//!   recorded, and on the ledger    → answered
//!   recorded, not on the ledger    → its inputs are reserved, and the same bytes pushed again
//!   recorded, an input is spent by
//!     another valid transaction    → it can't come any more: sent anew
//! ```
//!
//! A record has what was pushed, not its outcome: the ledger decides that. So one write before the push is
//! enough, and the record is right whenever the process dies. It stays whatever the node answers to the push:
//! a node that denies a transaction may have accepted it, and one that fails may have relayed it.
//!
//! A recorded transaction on the ledger must have been sent for its key. So its signatures depend on the key:
//! another request that pays the same from the same inputs in the same second makes another transaction.
//!
//! Requests that make a transaction or a text without sending it use the same records.

use super::WAIT_FOR_CHANGE;
use super::push::{PushObserver, SamePayment, as_good, push};
use super::record::Recorder;
use crate::ledger::{Outpoint, Transaction, VertexId};
use crate::node::TxStatus;
use crate::rt::{self, BoxFuture, Instant, SendOutsideWasm};
use crate::service::account::Pushed;
use crate::service::account::Sent;
use crate::service::account::reserve::{Reservation, SendGuard, TO_ITS_END};
use crate::service::detached::detached;
use crate::service::error::{NotReady, SendError};
use crate::service::guard::SendKey;
use crate::service::send::operation::Operation;
use crate::service::wallet::{Inner, Wallet};
use crate::store::{PushRecord, RECORD_LIFE, StoreError};
use crate::wallet::{PlanError, State};

#[derive(Clone, Debug, PartialEq)]
pub struct IdempotentSend {
    pub sent: Sent,
    /// Whether the result is that of an earlier request with the key.
    pub replayed: bool,
}

impl From<Sent> for IdempotentSend {
    fn from(sent: Sent) -> Self {
        Self { sent, replayed: false }
    }
}

impl Wallet {
    /// [`Wallet::carry_out`], or the earlier result if the key was used within a day; in another process,
    /// too, if the wallet's store keeps push records. Requests of one key wait for each other, and continue
    /// when their caller goes away.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was used for another request. After [`SendError::Open`] a repeated
    /// request finds out more.
    pub async fn carry_out_once(
        &self,
        operation: Operation,
        key: SendKey,
    ) -> Result<IdempotentSend, SendError> {
        self.check_can_send()?;
        let wallet = self.clone();
        let send = async move |recorder| {
            if let Some(guard) = &wallet.guard {
                guard.asked_before(key).await?;
            }
            wallet.carry_out_before(recorder, operation).await
        };
        self.once(key, SamePayment::SameSignatures, |recorder| Box::pin(send(recorder))).await
    }

    /// [`Wallet::push_signed`] with a key, as [`Wallet::carry_out_once`].
    pub async fn push_signed_once(
        &self,
        transaction: Transaction,
        key: SendKey,
    ) -> Result<IdempotentSend, SendError> {
        let wallet = self.clone();
        self.push_once(key, |recorder| {
            Box::pin(async move { wallet.push_signed_before(recorder, transaction).await })
        })
        .await
    }

    /// The result of `push`, which records an externally signed transaction for the key before it pushes it;
    /// or the earlier result.
    pub(in crate::service) async fn push_once(
        &self,
        key: SendKey,
        push: impl FnOnce(Recorder) -> Sending + SendOutsideWasm + 'static,
    ) -> Result<IdempotentSend, SendError> {
        self.check_ready()?;
        self.once(key, SamePayment::AnySignatures, push).await
    }

    pub(in crate::service) async fn once(
        &self,
        key: SendKey,
        same: SamePayment,
        send: impl FnOnce(Recorder) -> Sending + SendOutsideWasm + 'static,
    ) -> Result<IdempotentSend, SendError> {
        let wallet = self.clone();
        let work = async move {
            if let Some(record) = wallet.inner.valid_record(key).await?
                && let Some(sent) = wallet.replay(key, same, record).await?
            {
                return Ok(IdempotentSend { sent, replayed: true });
            }
            send(Recorder::new(&wallet.inner.account, Some(key))).await.map(IdempotentSend::from)
        };
        self.exclusively(key, Box::pin(work)).await
    }

    /// Runs work while no other request with the key is under way, in any wallet of the account. It survives
    /// its caller, whose next try must find its result.
    pub(in crate::service) async fn exclusively<T: SendOutsideWasm + 'static>(
        &self,
        key: SendKey,
        work: BoxFuture<'static, Result<T, SendError>>,
    ) -> Result<T, SendError> {
        let keys = self.inner.account.keys.clone();
        let exclusively = async move {
            let _lock = keys.lock(key.name).await;
            work.await
        };
        detached(Box::pin(exclusively)).await
    }

    /// Brings an earlier request of the key to an outcome. `None` if its transaction can't come to the ledger
    /// any more.
    async fn replay(
        &self,
        key: SendKey,
        same: SamePayment,
        record: PushRecord,
    ) -> Result<Option<Sent>, SendError> {
        let counted = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let transaction = read(&record)?;
        let id = transaction.id()?;
        let inputs = match self.wait_for_inputs(&counted, key, id, &transaction.spends()).await? {
            PushState::OnLedger => return Ok(Some(Sent { id, transaction })),
            PushState::Conflict(spender) => {
                match as_good(&self.pushes().node, &transaction, spender, same).await {
                    Ok(Some((id, transaction))) => return Ok(Some(Sent { id, transaction })),
                    Ok(None) => {
                        tracing::info!(
                            "a request is repeated whose transaction {id} lost its input to {spender}: sent anew"
                        );
                        self.inner.account.end_open(&key.name);
                        return Ok(None);
                    }
                    Err(cause) => {
                        // Without proof of the conflict: pushing the same bytes can't pay twice.
                        tracing::warn!(
                            "a request is repeated whose transaction {id} is pushed again: {cause}"
                        );
                        None
                    }
                }
            }
            PushState::Open(inputs) => inputs,
        };
        let recorder = Recorder::again(&self.inner.account, key, id, record);
        let (wallet, observer) = (self.clone(), recorder.clone());
        let push = async move { push_again(&wallet, &observer, id, transaction, same).await };
        self.run_detached(counted, inputs, recorder, Box::pin(push)).await.map(Some)
    }

    /// Reserves the inputs of a recorded transaction, if it may still come to the ledger. If a send under way
    /// has one of them, waits for its end: most likely it spends it.
    async fn wait_for_inputs(
        &self,
        counted: &SendGuard,
        key: SendKey,
        id: VertexId,
        inputs: &[Outpoint],
    ) -> Result<PushState, SendError> {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Taken before the state, so that no end in between is missed.
            let mut others = counted.others();
            let refusal = match self.inner.push_state(key, id, inputs) {
                Err(refusal @ PlanError::LockedOrUsed { .. }) => refusal,
                state => return Ok(state?),
            };
            self.wait_for_another(&mut others, deadline, refusal).await?;
        }
    }
}

/// The state of a recorded transaction, as far as the wallet knows.
enum PushState {
    OnLedger,
    /// This other valid transaction spends one of its inputs.
    Conflict(VertexId),
    Open(Option<Reservation>),
}

pub type Sending = BoxFuture<'static, Result<Sent, SendError>>;

/// Pushes a recorded transaction again, unless the node has it.
async fn push_again(
    wallet: &Wallet,
    observer: &dyn PushObserver,
    id: VertexId,
    transaction: Transaction,
    same: SamePayment,
) -> Result<Pushed, SendError> {
    let backend = wallet.pushes();
    let (id, transaction) = match backend.node.transaction(&id).await {
        Ok(Some(TxStatus { voided: false, .. })) => (id, transaction),
        Ok(Some(TxStatus { voided: true, .. })) => {
            return Err(SendError::Rejected(format!("Transaction {id} is voided.")));
        }
        Ok(None) => {
            let min_timestamp = wallet.inner.read().min_timestamp(&transaction.spends());
            let pushed = push(&backend, transaction, min_timestamp, observer, same).await;
            pushed.map_err(|failure| match failure {
                // It did not get there now, but may have got there before.
                SendError::Node(cause) => SendError::Open { id, cause: cause.into() },
                failure => failure,
            })?
        }
        Err(cause) => return Err(SendError::Open { id, cause: cause.into() }),
    };
    Ok(Pushed { id, transaction, spends: None })
}

pub fn read(record: &PushRecord) -> Result<Transaction, SendError> {
    Transaction::from_bytes_with_v2(&record.transaction).map_err(|error| damaged(&error))
}

pub fn damaged(error: &impl ToString) -> SendError {
    let (place, what) = ("of the wallet".to_owned(), error.to_string());
    SendError::NotRecorded(StoreError::Damaged { place, what })
}

/// The record, unless it has expired. The record of an open push never expires: its transaction may still
/// come to the ledger.
///
/// # Errors
/// [`SendError::KeyTaken`] if it is of another request.
pub fn checked(
    record: Result<Option<PushRecord>, StoreError>,
    key: SendKey,
) -> Result<Option<PushRecord>, SendError> {
    let counts =
        |record: &PushRecord| record.is_open || rt::unix_seconds().saturating_sub(record.time) <= RECORD_LIFE;
    match record.map_err(SendError::NotRecorded)?.filter(counts) {
        Some(record) if record.request != key.request => Err(SendError::KeyTaken),
        record => Ok(record),
    }
}

impl Inner {
    pub async fn valid_record(&self, key: SendKey) -> Result<Option<PushRecord>, SendError> {
        checked(self.account.records.record(key.name).await, key)
    }

    /// The state of a recorded transaction; reserves its inputs if it may still come.
    fn push_state(&self, key: SendKey, id: VertexId, inputs: &[Outpoint]) -> Result<PushState, PlanError> {
        let account = &self.account;
        let mut state = account.state.write();
        if state.vertex(&id).is_some_and(|vertex| !vertex.voided) {
            return Ok(PushState::OnLedger);
        }
        if let Some(spender) = conflict(&state, id, inputs) {
            return Ok(PushState::Conflict(spender));
        }
        // A repeated request takes over the reservation of the open push.
        let own = account.open.take_inputs(&key.name);
        match (state.hold(inputs, own, rt::unix_seconds(), TO_ITS_END), own) {
            (Ok(_), Some(own)) => Ok(PushState::Open(Some(Reservation::again(account, own)))),
            (Ok(held), None) => Ok(PushState::Open(Some(Reservation::new(account, held)))),
            (Err(refusal), own) => {
                account.open.give_back(&key.name, own);
                match refusal {
                    // Spent by itself: the node sent it before the wallet applied it.
                    PlanError::AlreadySpent { .. } => Ok(PushState::Open(None)),
                    refusal => Err(refusal),
                }
            }
        }
    }
}

/// A valid transaction other than `id` that spends one of these outputs.
fn conflict(state: &State, id: VertexId, outputs: &[Outpoint]) -> Option<VertexId> {
    let spender = |output: &Outpoint| {
        let vertex = state.vertex(&output.tx)?;
        vertex.outputs.get(usize::from(output.index))?.spent_by
    };
    outputs.iter().filter_map(spender).find(|spender| *spender != id)
}

/// A transaction that was made for a request and not sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub transaction: Transaction,
    /// Whether it was made for an earlier request with the key.
    pub replayed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedText {
    pub text: String,
    /// Whether it is that of an earlier request with the key.
    pub replayed: bool,
}

impl Wallet {
    /// The result of `make`, or the earlier result of the key. It is not pushed. Requests of one key wait for
    /// each other, and continue when their caller goes away.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was used for another request, and the errors of `make`.
    pub async fn make_once(
        &self,
        key: SendKey,
        make: impl Future<Output = Result<Transaction, SendError>> + SendOutsideWasm + 'static,
    ) -> Result<Recorded, SendError> {
        let wallet = self.clone();
        let make = async move {
            // A stop waits for the record of what was set aside.
            let sends = &wallet.inner.sends;
            let _counted = sends.begin().ok_or_else(NotReady::closed)?;
            if let Some(record) = wallet.inner.valid_record(key).await? {
                let transaction = read(&record)?;
                // It may have been signed for another caller.
                wallet.inner.admit_given(&wallet.guard, &transaction).await?;
                return Ok(Recorded { transaction, replayed: true });
            }
            let transaction = make.await?;
            wallet.keep_answer(key, transaction.to_bytes()?).await?;
            Ok(Recorded { transaction, replayed: false })
        };
        self.exclusively(key, Box::pin(make)).await
    }

    /// As [`Wallet::make_once`], for a text, and with errors of its own. Without a key nothing is recorded,
    /// but it continues to its end nevertheless.
    pub async fn answer_once<E: From<SendError> + SendOutsideWasm + 'static>(
        &self,
        key: Option<SendKey>,
        make: impl Future<Output = Result<String, E>> + SendOutsideWasm + 'static,
    ) -> Result<RecordedText, E> {
        let wallet = self.clone();
        let Some(key) = key else {
            let make = async move {
                let _counted = wallet.inner.sends.begin().ok_or_else(NotReady::closed)?;
                Ok(make.await.map(|text| RecordedText { text, replayed: false }))
            };
            return detached(Box::pin(make)).await?;
        };
        let make = async move {
            let sends = &wallet.inner.sends;
            let _counted = sends.begin().ok_or_else(NotReady::closed)?;
            if let Some(record) = wallet.inner.valid_record(key).await? {
                return Ok(Ok(RecordedText { text: text_of(record)?, replayed: true }));
            }
            let text = match make.await {
                Ok(text) => text,
                Err(error) => return Ok(Err(error)),
            };
            wallet.keep_answer(key, text.clone().into_bytes()).await?;
            Ok(Ok(RecordedText { text, replayed: false }))
        };
        self.exclusively(key, Box::pin(make)).await?
    }

    async fn keep_answer(&self, key: SendKey, answer: Vec<u8>) -> Result<(), SendError> {
        let SendKey { name: key, request } = key;
        let record =
            PushRecord { key, request, time: rt::unix_seconds(), transaction: answer, is_open: false };
        self.inner.account.records.keep(record).await.map_err(SendError::NotRecorded)
    }
}

fn text_of(record: PushRecord) -> Result<String, SendError> {
    String::from_utf8(record.transaction).map_err(|error| damaged(&error))
}
