//! Open pushes, whose outcome is not known: of sends that ran out of time, and of a process that was
//! killed, whichever machine it ran on. Both are pushed again here until the node or the ledger answers.
//!
//! This is safe because the same bytes are pushed: they are one transaction, however often and by whoever
//! they are pushed. Until the outcome is known, nothing else of the account spends their inputs. A
//! transaction that was refused, or lost an input, is settled and not pushed again.

use crate::ledger::{Transaction, VertexId};
use crate::node::PushError;
use crate::rt;
use crate::service::account::Pushed;
use crate::service::account::RunningAccount;
use crate::service::account::open_pushes::Recorded;
use crate::service::account::reserve::Reservation;
use crate::store::{PushRecord, StoreError};
use crate::wallet::{CallNumber, ReservationId};
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::sync::Arc;
use std::time::Duration;

/// How long it is tried at a time.
const TRY_LIMIT: Duration = Duration::from_secs(10);
/// Most that are tried at a time: of some the node says neither yes nor no.
const TRIES_AT_ONCE: usize = 16;

impl RunningAccount {
    /// A push is open from now on, or still: it may be on the ledger. `inputs` is what is reserved for it, if
    /// that is.
    pub fn keep_open(&self, recorded: Recorded, inputs: Option<Reservation>) {
        let inputs =
            inputs.and_then(Reservation::keep).or_else(|| self.open.take_inputs(&recorded.record.key));
        let inputs = inputs.unwrap_or_else(|| self.reserve_inputs(&recorded.record));
        if let Some(before) = self.open.add(recorded, Some(inputs)) {
            self.release(before);
        }
    }

    /// Reserves all that a recorded push spends, known or not.
    fn reserve_inputs(&self, record: &PushRecord) -> ReservationId {
        let transaction = Transaction::from_bytes(&record.transaction).ok();
        let outputs = transaction.as_ref().map(Transaction::spends).unwrap_or_default();
        let mut state = self.state.write();
        let call = transaction.as_ref().and_then(Transaction::nano).and_then(|header| {
            let address = state.index_of(&header.caller)?;
            Some(CallNumber { address, seqnum: header.seqnum })
        });
        let id = state.reserve(&outputs, call);
        self.count_reservation();
        id
    }

    /// A push is not open any more, if it was.
    pub fn end_open(&self, key: &[u8; 32]) {
        if let Some(inputs) = self.open.remove(key) {
            self.release(inputs);
        }
    }

    /// Has the account know of the pushes that were left open before anything is sent.
    pub fn find_open(&self, records: Vec<PushRecord>) {
        for record in records {
            let transaction = Transaction::from_bytes(&record.transaction).ok();
            match transaction.and_then(|transaction| transaction.id().ok()) {
                Some(id) => self.keep_open(Recorded { id, record, is_kept: true }, None),
                None => tracing::error!("a push that was recorded can't be read, and is passed over"),
            }
        }
    }

    /// Pushes what is recorded again: gives whether its outcome is known by now.
    async fn end_open_push(&self, open: &Recorded) -> Result<bool, StoreError> {
        let (key, id) = (open.record.key, open.id);
        if !open.is_kept {
            // What may not be recorded is not pushed: its caller knows that it may not be sent.
            self.records.withdraw(key).await?;
            return Ok(true);
        }
        let Ok(transaction) = Transaction::from_bytes(&open.record.transaction) else { return Ok(true) };
        let (node, inputs) = (self.pusher(), transaction.spends());
        let limit = node.read_limit().min(TRY_LIMIT);
        let pushed = node.push_until_known(&id, &open.record.transaction, &inputs, true, limit).await;
        let is_sent = match pushed {
            Ok(()) | Err(PushError::AlreadyExists { .. }) => true,
            Err(PushError::Conflict { .. } | PushError::Voided { .. } | PushError::Rejected { .. }) => false,
            // With this timestamp it is valid at no node, whenever it is pushed.
            Err(PushError::TooEarly { after, .. }) if after >= transaction.timestamp => false,
            Err(PushError::TooEarly { .. } | PushError::NotSent(_) | PushError::Unknown(_)) => {
                return Ok(false);
            }
        };
        let what = if is_sent { "the node has it" } else { "the node refuses it" };
        tracing::info!("a push of transaction {id} whose outcome was not known: {what}");
        if is_sent {
            self.hear_of_push(id, transaction);
        }
        self.records.settle(key);
        Ok(true)
    }

    /// Takes in what was pushed, unless it is known.
    fn hear_of_push(&self, id: VertexId, transaction: Transaction) {
        let is_known = self.state.read().vertex(&id).is_some();
        if !is_known {
            self.sent(Pushed { id, transaction, spends: None });
        }
    }
}

/// Pushes what is open, until it is aborted.
pub async fn run(account: Arc<RunningAccount>) {
    let mut under_way = FuturesUnordered::new();
    loop {
        for key in account.open.begin_due(TRIES_AT_ONCE - under_way.len()) {
            under_way.push(try_again(&account, key));
        }
        let wait = async {
            match account.open.next_due() {
                Some(wait) => rt::sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        let is_full = under_way.len() == TRIES_AT_ONCE;
        tokio::select! {
            biased;
            Some(()) = under_way.next() => {}
            () = account.open.added.notified() => {}
            () = wait, if !is_full => {}
        }
    }
}

async fn try_again(account: &RunningAccount, key: [u8; 32]) {
    // A repetition of its request does the same.
    let _turn = account.keys.lock(key).await;
    let Some(open) = account.open.get(&key) else { return };
    match account.end_open_push(&open).await {
        Ok(true) => account.end_open(&key),
        Ok(false) => account.open.try_later(&key),
        Err(failure) => {
            tracing::warn!("{failure}: a push that was recorded is not brought to its end yet");
            account.open.try_later(&key);
        }
    }
}
