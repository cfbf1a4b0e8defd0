//! Open pushes, whose outcome is unknown: of sends that ran out of time, and of a process that was killed, on
//! any machine. They are pushed again here until the node or the ledger answers.
//!
//! This is safe because the same bytes are pushed: they are one transaction, however often and from wherever
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

/// The time limit of one try.
const TRY_LIMIT: Duration = Duration::from_secs(10);
/// A node may answer neither yes nor no for some of them.
const TRIES_AT_ONCE: usize = 16;

impl RunningAccount {
    /// Makes a push open, or keeps it open: it may be on the ledger. `inputs` is its reservation, if it has
    /// one.
    pub fn keep_open(&self, recorded: Recorded, inputs: Option<Reservation>) {
        let inputs =
            inputs.and_then(Reservation::keep).or_else(|| self.open.take_inputs(&recorded.record.key));
        // A record found at the start has no reservation yet.
        let inputs = inputs.unwrap_or_else(|| self.reserve_inputs(&recorded.record));
        if let Some(before) = self.open.add(recorded, Some(inputs)) {
            self.release(before);
        }
    }

    /// Reserves all that a recorded push spends, even outputs that the wallet does not know.
    fn reserve_inputs(&self, record: &PushRecord) -> ReservationId {
        let transaction = Transaction::from_bytes_with_v2(&record.transaction).ok();
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

    /// Releases the inputs of a push that is no longer open.
    pub fn end_open(&self, key: &[u8; 32]) {
        if let Some(inputs) = self.open.remove(key) {
            self.release(inputs);
        }
    }

    /// Reserves the inputs of pushes that were left open, before anything is sent.
    pub fn find_open(&self, records: Vec<PushRecord>) {
        for record in records {
            let transaction = Transaction::from_bytes_with_v2(&record.transaction).ok();
            match transaction.and_then(|transaction| transaction.id().ok()) {
                Some(id) => self.keep_open(Recorded { id, record, is_kept: true }, None),
                None => tracing::error!("a push that was recorded can't be read, and is passed over"),
            }
        }
    }

    /// Repeats a recorded push. Returns whether its outcome is known.
    async fn end_open_push(&self, open: &Recorded) -> Result<bool, StoreError> {
        let (key, id) = (open.record.key, open.id);
        if !open.is_kept {
            // Without a confirmed record it was never pushed, and the caller was told that it may not be
            // sent.
            self.records.withdraw(key).await?;
            return Ok(true);
        }
        let Ok(transaction) = Transaction::from_bytes_with_v2(&open.record.transaction) else {
            return Ok(true);
        };
        let (node, inputs) = (self.pusher(), transaction.spends());
        let limit = node.read_limit().min(TRY_LIMIT);
        let pushed = node.push_until_known(&id, &open.record.transaction, &inputs, true, limit).await;
        let is_sent = match pushed {
            Ok(()) | Err(PushError::AlreadyExists { .. }) => true,
            Err(PushError::Conflict { .. } | PushError::Voided { .. } | PushError::Rejected { .. }) => false,
            // No node will ever accept this timestamp.
            Err(PushError::TooEarly { after, .. }) if after >= transaction.timestamp => false,
            Err(PushError::TooEarly { .. } | PushError::NotSent(_) | PushError::Unknown(_)) => {
                return Ok(false);
            }
        };
        let what = if is_sent { "the node has it" } else { "the node refuses it" };
        tracing::info!("a push of transaction {id} whose outcome was not known: {what}");
        if is_sent {
            self.apply_push(id, transaction);
        }
        // If a crash undoes this, the same bytes are pushed once more, which changes nothing.
        self.records.settle(key);
        Ok(true)
    }

    /// Applies the transaction to the history, unless it is known.
    fn apply_push(&self, id: VertexId, transaction: Transaction) {
        let is_known = self.state.read().vertex(&id).is_some();
        if !is_known {
            self.sent(Pushed { id, transaction, spends: None });
        }
    }
}

/// Runs until it is aborted.
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
    // A repeated request does the same.
    let _lock = account.keys.lock(key).await;
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
