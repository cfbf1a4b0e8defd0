//! Sends that are not made twice, even if the process dies between a send and its answer.
//!
//! ```text
//! plan → sign → proof of work → record the transaction for the key → push → answer
//!
//! the same key again, in any process that has the record:
//!   no record                              → nothing was pushed: sent anew
//!   recorded, and on the ledger            → answered
//!   recorded, not on the ledger            → its inputs are held, and the same bytes pushed again: they are one transaction
//!   recorded, but another valid transaction spends one of its inputs → it can't come any more: sent anew
//! ```
//!
//! Records are durable where the wallet is kept in a store, and else in the memory of the process. A record
//! says what was pushed, not what became of it: that is asked of the ledger. So one write before the push is
//! all, and whenever the process dies, the record is right. It stays whatever the node says of the push: who
//! denies a transaction may have taken it, and whatever answers with a failure may have passed it on.
//!
//! That a recorded transaction is on the ledger must mean that it was sent for its key. So its signatures are
//! made for the key: another request that pays the same from the same inputs in the same second makes another
//! transaction.

use super::cluster::{ClusterRecorder, Locked};
use super::detached::detached;
use super::in_flight::SendGuard;
use super::inner::Inner;
use super::open_inputs::PushState;
use super::push_recorder::PushRecorder;
use super::pushing::{PushObserver, Pushed, SamePayment, as_good, push};
use super::send::WAIT_FOR_CHANGE;
use super::{NotReady, Operation, SendError, Sent, Wallet};
use crate::ledger::{Outpoint, Transaction, VertexId};
use crate::node::TxStatus;
use crate::rt::{self, BoxFuture, Instant, SendOutsideWasm};
use crate::store::{PushRecord, PushRecords, RECORD_LIFE, StoreError};
use crate::wallet::PlanError;

/// What tells a request from all others, and from its repetitions with something else in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendKey {
    /// Stands for the key: the same for all repetitions. One of another account is another key.
    pub name: [u8; 32],
    /// Stands for what is asked for.
    pub request: [u8; 32],
}

/// What came of a request with a key.
#[derive(Clone, Debug, PartialEq)]
pub struct IdempotentSend {
    /// What was sent.
    pub sent: Sent,
    /// Whether it was for an earlier request with the key.
    pub replayed: bool,
}

impl From<Sent> for IdempotentSend {
    /// For this request.
    fn from(sent: Sent) -> Self {
        Self { sent, replayed: false }
    }
}

impl Wallet {
    /// [`Wallet::carry_out`], or what it came to when the key was there before, within a day; in another
    /// process, too, if the wallet is kept in a store that keeps push records. Requests of one key wait for
    /// each other, and go on when their caller goes away.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request. After [`SendError::Open`] a
    /// repetition finds out more.
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

    /// [`Wallet::push_signed`] in the same way.
    ///
    /// # Errors
    /// Those of [`Wallet::carry_out_once`].
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

    /// What `push` comes to, which records for the key what was signed elsewhere before it pushes it; or what
    /// it came to when the key was there before.
    pub(super) async fn push_once(
        &self,
        key: SendKey,
        push: impl FnOnce(Box<PushRecorder>) -> Sending + SendOutsideWasm + 'static,
    ) -> Result<IdempotentSend, SendError> {
        self.check_ready()?;
        self.once(key, SamePayment::AnySignatures, push).await
    }

    pub(super) async fn once(
        &self,
        key: SendKey,
        same: SamePayment,
        send: impl FnOnce(Box<PushRecorder>) -> Sending + SendOutsideWasm + 'static,
    ) -> Result<IdempotentSend, SendError> {
        let wallet = self.clone();
        let work = async move {
            let (_lock, record) = wallet.inner.record_of(key).await?;
            let instead_of = match wallet.replay(key, same, record).await? {
                Replay::Sent(sent) => {
                    wallet.inner.note_latest().await;
                    return Ok(IdempotentSend { sent, replayed: true });
                }
                Replay::Anew(mark) => mark,
            };
            let sent = send(wallet.recorder(key, instead_of)).await;
            #[cfg(not(target_arch = "wasm32"))]
            let sent = match sent {
                Err(failure) => Err(wallet.inner.last_word(_lock.as_ref(), failure).await),
                sent => sent,
            };
            sent.map(IdempotentSend::from)
        };
        self.in_turn(key, Box::pin(work)).await
    }

    /// Works when no other request with the key is under way, in any wallet of the account, and to the end,
    /// whatever becomes of the caller: its next try must find what this one did.
    pub(super) async fn in_turn<T: SendOutsideWasm + 'static>(
        &self,
        key: SendKey,
        work: BoxFuture<'static, Result<T, SendError>>,
    ) -> Result<T, SendError> {
        let keys = self.inner.account.keys.clone();
        let in_turn = async move {
            let _turn = keys.lock(key.name).await;
            work.await
        };
        detached(Box::pin(in_turn)).await
    }

    /// Records for a key, in the place of a record with a mark.
    pub(super) fn recorder(&self, key: SendKey, instead_of: Option<[u8; 32]>) -> Box<PushRecorder> {
        Box::new(PushRecorder::new(self.inner.clone(), key, instead_of))
    }

    /// Brings to its end what was begun for the key, unless that is nothing, or can't come to the ledger any
    /// more.
    async fn replay(
        &self,
        key: SendKey,
        same: SamePayment,
        record: Option<PushRecord>,
    ) -> Result<Replay, SendError> {
        let mut turn = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let Some(record) = record else { return Ok(Replay::Anew(None)) };
        let mark = Some(record.mark());
        let transaction = read(&record)?;
        let id = transaction.id()?;
        let may_be_there = |failure| match self.inner.cluster {
            Some(_) => may_be_there(id, failure),
            None => failure,
        };
        let inputs = self.wait_for_inputs(&mut turn, id, &transaction.spends()).await;
        let inputs = match inputs.map_err(may_be_there)? {
            PushState::OnLedger => return Ok(Replay::Sent(Sent { id, transaction })),
            PushState::Conflict(spender) => {
                match as_good(&self.pushes().node, &transaction, spender, same).await {
                    Ok(Some((id, transaction))) => return Ok(Replay::Sent(Sent { id, transaction })),
                    Ok(None) => {
                        tracing::info!(
                            "a request is repeated whose transaction {id} lost its input to {spender}: sent anew"
                        );
                        return Ok(Replay::Anew(mark));
                    }
                    Err(cause) => {
                        tracing::warn!(
                            "a request is repeated whose transaction {id} is pushed again: {cause}"
                        );
                        None
                    }
                }
            }
            PushState::Open(inputs) => inputs,
        };
        let mut recorder = self.recorder(key, mark);
        recorder.goes_on_from(&record);
        let shared = inputs.as_ref().filter(|inputs| inputs.shared.is_some());
        let (observer, is_shared): (Box<dyn PushObserver>, bool) = match shared {
            Some(inputs) => (ClusterRecorder::over(recorder, inputs), true),
            None => (recorder, false),
        };
        let wallet = self.clone();
        let push = async move {
            if is_shared {
                observer.before_push(&transaction).await?;
            }
            push_again(&wallet, &*observer, id, transaction, same).await
        };
        self.run_detached(turn, inputs, Box::pin(push)).await.map(Replay::Sent).map_err(may_be_there)
    }

    /// Holds the inputs of a recorded transaction, if it may still come to the ledger. Where a send under way
    /// has one of them, its end is waited for: most likely it spends it.
    async fn wait_for_inputs(
        &self,
        turn: &mut SendGuard,
        id: VertexId,
        inputs: &[Outpoint],
    ) -> Result<PushState, SendError> {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Looked at before the state, so that no end in between is missed.
            let mut others = turn.others();
            let refusal = match self.inner.push_state(turn, id, inputs) {
                Err(refusal @ PlanError::LockedOrUsed { .. }) => refusal,
                Ok(PushState::Open(Some(mut held))) => {
                    if self.inner.reserve_everywhere(&mut held, Locked::Too).await? {
                        return Ok(PushState::Open(Some(held)));
                    }
                    drop(held);
                    turn.let_inputs_go();
                    // What others have is known now: the next look finds it, or waits for it.
                    continue;
                }
                state => return Ok(state?),
            };
            self.wait_for_another(&mut others, deadline, refusal).await?;
        }
    }
}

/// What came of the record of a key.
#[allow(clippy::large_enum_variant, reason = "it is given away at once")]
enum Replay {
    Sent(Sent),
    /// It is to be sent, in the place of what has this mark.
    Anew(Option<[u8; 32]>),
}

/// A send on its way.
pub(super) type Sending = BoxFuture<'static, Result<Sent, SendError>>;

/// That this server could not push a recorded transaction again does not tell that it was not sent before.
fn may_be_there(id: VertexId, failure: SendError) -> SendError {
    let what = match failure {
        SendError::NotReserved(cause) => return SendError::RecordUnclear { id, cause },
        SendError::LeaseEnded => "it had lost touch with this server",
        // By that transaction itself.
        SendError::Plan(refusal) if matches!(*refusal, PlanError::LockedOrUsed { .. }) => {
            "a server is still pushing it"
        }
        failure => return failure,
    };
    let cause = StoreError::Failed { place: "of the wallet".to_owned(), what: what.to_owned() };
    SendError::RecordUnclear { id, cause }
}

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
            let min_timestamp = wallet.inner.state.read().min_timestamp(&transaction.spends());
            let pushed = push(&backend, transaction, min_timestamp, observer, same).await;
            pushed.map_err(|failure| match failure {
                // That it did not get there now does not tell that it has not been there before.
                SendError::Node(cause) => SendError::Open { id, cause: cause.into() },
                failure => failure,
            })?
        }
        Err(cause) => return Err(SendError::Open { id, cause: cause.into() }),
    };
    Ok(Pushed { id, transaction, spends: None })
}

/// The transaction that is recorded.
pub(super) fn read(record: &PushRecord) -> Result<Transaction, SendError> {
    Transaction::from_bytes(&record.transaction).map_err(|error| damaged(&error))
}

pub(super) fn damaged(error: &impl ToString) -> SendError {
    let (place, what) = ("of the wallet".to_owned(), error.to_string());
    SendError::NotRecorded(StoreError::Damaged { place, what })
}

/// The record, unless it is too old to count.
///
/// # Errors
/// [`SendError::KeyTaken`] if it is of another request.
pub(super) fn checked(
    record: Result<Option<PushRecord>, StoreError>,
    key: SendKey,
) -> Result<Option<PushRecord>, SendError> {
    let is_young = |record: &PushRecord| rt::unix_seconds().saturating_sub(record.time) <= RECORD_LIFE;
    match record.map_err(SendError::NotRecorded)?.filter(is_young) {
        Some(record) if record.request != key.request => Err(SendError::KeyTaken),
        record => Ok(record),
    }
}

impl Inner {
    /// [`Self::valid_record`]: a page is the only one that works for a key.
    #[cfg(target_arch = "wasm32")]
    pub(super) async fn record_of(&self, key: SendKey) -> Result<((), Option<PushRecord>), SendError> {
        Ok(((), self.valid_record(key).await?))
    }

    /// The record of a key in this process, or where the wallet is kept.
    pub(super) async fn valid_record(&self, key: SendKey) -> Result<Option<PushRecord>, SendError> {
        let record = match &self.state.writer {
            Some(writer) if writer.keeps_push_records() => writer.push_record(key.name).await,
            _ => self.memory_records.push_record(key.name).await,
        };
        checked(record, key)
    }

    pub(super) async fn keep_push_record(&self, record: PushRecord) -> Result<(), StoreError> {
        match &self.state.writer {
            Some(writer) if writer.keeps_push_records() => writer.keep_push_record(record).await,
            _ => self.memory_records.keep_push_records(vec![record]).await,
        }
    }
}
