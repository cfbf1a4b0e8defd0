//! Sends that are not made twice, even if the process dies between a send and its answer.
//!
//! ```text
//! plan → sign → proof of work → note the transaction for the key, durably → push → answer
//!
//! the same key again, in any process:
//!   no note                             → nothing was pushed: sent anew
//!   noted, and on the ledger            → answered
//!   noted, not on the ledger            → its inputs are held, and the same bytes pushed again: they are one transaction
//!   noted, but another valid transaction spends one of its inputs → it can't come any more: sent anew
//! ```
//!
//! A note says what was pushed, not what became of it: that is asked of the ledger. So one durable write before the push is all, and
//! whenever the process dies, the note is right. A transaction that the node refuses, or that certainly did not get there, is forgotten
//! before its caller is told, so that a repetition is planned anew; but only by the send that made it: another process may have pushed
//! what is repeated, and then a refusal proves nothing.
//!
//! That a noted transaction is on the ledger must mean that it was sent for its key. So its signatures are made for the key: another
//! request that pays the same from the same inputs in the same second makes another transaction.

use super::inner::Inner;
use super::send::{Reservation, TO_ITS_END, WAIT_FOR_CHANGE, Witness, push};
use super::turns::Turn;
use super::{NotReady, Operation, Phase, SendError, Sent, Status, Wallet};
use crate::ledger::{Outpoint, Transaction, VertexId};
use crate::node::TxStatus;
use crate::rt::{self, Instant};
use crate::store::{NOTE_LIFE, Note, NoteChange, StoreError};
use crate::wallet::{PlanError, State};
use std::sync::Arc;

/// What tells a request from all others, and from its repetitions with something else in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendKey {
    /// Stands for the key: the same for all repetitions.
    pub name: [u8; 32],
    /// Stands for what is asked for.
    pub request: [u8; 32],
}

/// What came of a request with a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Once {
    /// What was sent.
    pub sent: Sent,
    /// Whether it was for an earlier request with the key.
    pub earlier: bool,
}

impl From<Sent> for Once {
    /// For this request.
    fn from(sent: Sent) -> Self {
        Self { sent, earlier: false }
    }
}

impl Wallet {
    /// [`Wallet::carry_out`], or what it came to when the key was there before, within a day, be it in another process. Requests of one
    /// key must come one after the other.
    ///
    /// Without a store that keeps notes it is carried out each time.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request. After [`SendError::Open`] a repetition finds out more.
    pub async fn carry_out_once(&self, operation: Operation, key: SendKey) -> Result<Once, SendError> {
        self.check_can_send()?;
        if !self.keeps_notes() {
            return self.carry_out(operation).await.map(Once::from);
        }
        if let Some(sent) = self.earlier(key).await? {
            return Ok(Once { sent, earlier: true });
        }
        self.carry_out_before(self.noting(key), operation).await.map(Once::from).map_err(open)
    }

    /// [`Wallet::push_signed`] in the same way.
    pub async fn push_signed_once(&self, transaction: Transaction, key: SendKey) -> Result<Once, SendError> {
        self.check_ready()?;
        if !self.keeps_notes() {
            return self.push_signed(transaction).await.map(Once::from);
        }
        if let Some(sent) = self.earlier(key).await? {
            return Ok(Once { sent, earlier: true });
        }
        self.push_signed_before(self.noting(key), transaction).await.map(Once::from).map_err(open)
    }

    fn keeps_notes(&self) -> bool {
        self.inner.keeper.as_ref().is_some_and(|keeper| keeper.keeps_notes())
    }

    fn noting(&self, key: SendKey) -> Noting {
        Noting { wallet: self.inner.clone(), key, since: rt::unix_seconds(), again: false }
    }

    /// Brings to its end what was begun for the key; `None` where that is nothing, or can't come to the ledger any more.
    async fn earlier(&self, key: SendKey) -> Result<Option<Sent>, SendError> {
        let mut turn = self.inner.sends.begin().ok_or_else(|| NotReady(Status::new(Phase::Closed)))?;
        let Some(note) = self.inner.note(key.name).await? else { return Ok(None) };
        if rt::unix_seconds().saturating_sub(note.time) > NOTE_LIFE {
            return Ok(None);
        }
        if note.request != key.request {
            return Err(SendError::KeyTaken);
        }
        let transaction = Transaction::from_bytes(&note.transaction).map_err(|error| {
            let (place, what) = ("of the wallet".to_owned(), error.to_string());
            SendError::NoNotes(StoreError::Damaged { place, what })
        })?;
        let id = transaction.id()?;
        let inputs = match self.wait_for_inputs(&mut turn, id, &transaction.spends()).await? {
            Stand::OnLedger => return Ok(Some(Sent { id, transaction })),
            Stand::Impossible(rival) => {
                tracing::info!(
                    "a request is repeated whose transaction {id} lost its input to {rival}: sent anew"
                );
                return Ok(None);
            }
            Stand::Open(inputs) => inputs,
        };
        let witness = Noting { wallet: self.inner.clone(), key, since: note.time, again: true };
        self.see_through(turn, inputs, push_again(witness, id, transaction)).await.map(Some).map_err(open)
    }

    /// Holds the inputs of a noted transaction, if it may still come to the ledger. Where a send under way has one of them, its end is
    /// waited for: most likely it spends it.
    async fn wait_for_inputs(
        &self,
        turn: &mut Turn,
        id: VertexId,
        inputs: &[Outpoint],
    ) -> Result<Stand, SendError> {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Looked at before the state, so that no end in between is missed.
            let mut others = turn.others();
            let refusal = match self.inner.stand(turn, id, inputs) {
                Err(refusal @ PlanError::LockedOrUsed { .. }) => refusal,
                stand => return Ok(stand?),
            };
            self.wait_for_another(&mut others, deadline, refusal).await?;
        }
    }
}

/// Pushes a noted transaction again, unless the node has it.
async fn push_again(witness: Noting, id: VertexId, transaction: Transaction) -> Result<Sent, SendError> {
    let wallet = witness.wallet.clone();
    let sent = match wallet.backend.node.transaction(&id).await {
        Ok(Some(TxStatus { voided: false, .. })) => (id, transaction),
        Ok(Some(TxStatus { voided: true, .. })) => {
            return Err(SendError::Rejected(format!("Transaction {id} is voided.")));
        }
        Ok(None) => {
            let min_timestamp = wallet.state().min_timestamp(&transaction.spends());
            let pushed = push(&wallet.backend, transaction, min_timestamp, &witness).await;
            pushed.map_err(|failure| match failure {
                // That it did not get there now does not tell that it has not been there before.
                SendError::Node(cause) => SendError::Unknown { id, cause },
                failure => failure,
            })?
        }
        Err(cause) => return Err(SendError::Unknown { id, cause }),
    };
    let (id, transaction) = sent;
    wallet.apply(|state| state.apply_pushed(&transaction, id));
    Ok(Sent { id, transaction })
}

/// How it stands with a noted transaction, by what the wallet knows.
enum Stand {
    OnLedger,
    /// This valid transaction spends one of its inputs.
    Impossible(VertexId),
    /// Its inputs, held.
    Open(Option<Reservation>),
}

impl Inner {
    async fn note(&self, key: [u8; 32]) -> Result<Option<Note>, SendError> {
        let Some(keeper) = &self.keeper else { return Ok(None) };
        keeper.note(key).await.map_err(SendError::NoNotes)
    }

    async fn change_note(&self, change: NoteChange) -> Result<(), StoreError> {
        match &self.keeper {
            Some(keeper) => keeper.change_note(change).await,
            None => Ok(()),
        }
    }

    fn stand(
        self: &Arc<Self>,
        turn: &mut Turn,
        id: VertexId,
        inputs: &[Outpoint],
    ) -> Result<Stand, PlanError> {
        let mut state = self.state();
        if state.vertex(&id).is_some_and(|vertex| !vertex.voided) {
            return Ok(Stand::OnLedger);
        }
        if let Some(rival) = rival(&state, id, inputs) {
            return Ok(Stand::Impossible(rival));
        }
        match state.hold(inputs, rt::unix_seconds(), TO_ITS_END) {
            Ok(held) => {
                turn.holds_inputs();
                Ok(Stand::Open(Some(Reservation { wallet: self.clone(), id: held })))
            }
            // By itself: the node has told of that before the wallet heard of the transaction.
            Err(PlanError::AlreadySpent { .. }) => Ok(Stand::Open(None)),
            Err(refusal) => Err(refusal),
        }
    }
}

/// A valid transaction other than `id` that spends one of these outputs.
fn rival(state: &State, id: VertexId, outputs: &[Outpoint]) -> Option<VertexId> {
    let spender = |output: &Outpoint| {
        let vertex = state.vertex(&output.tx)?;
        vertex.outputs.get(usize::from(output.index))?.spent_by
    };
    outputs.iter().filter_map(spender).find(|spender| *spender != id)
}

/// Notes each transaction before it is pushed.
struct Noting {
    wallet: Arc<Inner>,
    key: SendKey,
    /// When the first request came.
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
}

impl Witness for Noting {
    fn purpose(&self) -> &[u8] {
        &self.key.name
    }

    async fn before_push(&self, transaction: &Transaction) -> Result<(), SendError> {
        let SendKey { name: key, request } = self.key;
        let note = Note { key, request, time: self.since, transaction: transaction.to_bytes()? };
        self.wallet.change_note(NoteChange::Keep(note)).await.map_err(SendError::NoNotes)?;
        tracing::debug!("send: noted");
        Ok(())
    }

    async fn refused(&self) {
        if self.again {
            return;
        }
        // Left in place it does no harm: a repetition then pushes the same bytes again.
        if let Err(failure) = self.wallet.change_note(NoteChange::Forget(self.key.name)).await {
            tracing::warn!("{failure}: a refused transaction stays noted for its Idempotency-Key");
        }
    }
}

/// With a note, a repetition finds out.
fn open(failure: SendError) -> SendError {
    match failure {
        SendError::Unknown { id, cause } => SendError::Open { id, cause },
        failure => failure,
    }
}
