//! Bringing pushes to their end whose outcome is not known: those of sends that ran out of time, and those
//! that a process recorded before it was killed, whichever machine it ran on. It is one road for both.
//!
//! It is safe because the very same bytes are pushed: they are one transaction, however often and by whoever
//! they are pushed. Until the node or the ledger tells its outcome, nothing else of the account spends its
//! inputs. What was refused, or lost an input, is settled: it is not pushed again on its own.

use super::inner::Inner;
use super::open_pushes::{OpenPush, Recorded};
use super::pushing::Pushed;
use crate::ledger::{Transaction, VertexId};
use crate::node::PushError;
use crate::rt;
use crate::store::{PushRecord, StoreError};
use crate::wallet::CallNumber;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::sync::Arc;
use std::time::Duration;

/// How long it is tried at a time.
const TRY_LIMIT: Duration = Duration::from_secs(10);
/// Most that are tried at a time: of some the node says neither yes nor no.
const TRIES_AT_ONCE: usize = 16;

impl Inner {
    /// A push that may be on the ledger, with all that it spends.
    pub(super) fn open_push(&self, recorded: Recorded) -> OpenPush {
        let transaction = Transaction::from_bytes(&recorded.record.transaction).ok();
        let call = transaction.as_ref().and_then(|transaction| {
            let header = transaction.nano()?;
            let address = self.state.read().index_of(&header.caller)?;
            Some(CallNumber { address, seqnum: header.seqnum })
        });
        let outputs = transaction.map(|transaction| transaction.spends()).unwrap_or_default();
        OpenPush::new(recorded, outputs, call)
    }

    /// Reserves the inputs of an open push in the state, too, once nothing else does.
    pub(super) fn hold_open(&self, key: &[u8; 32]) {
        self.account.open.hold(key, &self.state);
    }

    /// Has the account know of the pushes that were left open, and of no others, before anything is sent.
    pub(super) fn find_open(&self, records: Vec<PushRecord>) {
        self.account.open.clear();
        for record in records {
            let transaction = Transaction::from_bytes(&record.transaction).ok();
            match transaction.and_then(|transaction| transaction.id().ok()) {
                Some(id) => {
                    let key = record.key;
                    self.account.keep_open(self.open_push(Recorded { id, record, is_kept: true }));
                    self.hold_open(&key);
                }
                None => tracing::error!("a push that was recorded can't be read, and is passed over"),
            }
        }
    }

    /// Pushes what is recorded again: gives whether its outcome is known by now.
    async fn end_open_push(&self, open: &Recorded) -> Result<bool, StoreError> {
        let (key, id) = (open.record.key, open.id);
        if !open.is_kept {
            // What may not be recorded is not pushed: its caller knows that it may not be sent.
            self.withdraw_push(key).await?;
            return Ok(true);
        }
        let Ok(transaction) = Transaction::from_bytes(&open.record.transaction) else { return Ok(true) };
        let (node, inputs) = (self.backend.node.for_pushes(), transaction.spends());
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
        self.settle_push(key);
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

/// Pushes what is open, until it is aborted. Of the wallets of an account one does: the next one goes on when
/// that is stopped.
pub(super) async fn run(wallet: Arc<Inner>) {
    let account = &wallet.account;
    let _turn = account.recovery.lock().await;
    account.open.stop_trying();
    let mut under_way = FuturesUnordered::new();
    loop {
        for key in account.open.begin_due(TRIES_AT_ONCE - under_way.len()) {
            under_way.push(try_again(&wallet, key));
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

async fn try_again(wallet: &Inner, key: [u8; 32]) {
    let account = &wallet.account;
    // A repetition of its request does the same.
    let _turn = account.keys.lock(key).await;
    let Some(open) = account.open.get(&key) else { return };
    match wallet.end_open_push(&open).await {
        Ok(true) => account.end_open(&key),
        Ok(false) => account.open.try_later(&key),
        Err(failure) => {
            tracing::warn!("{failure}: a push that was recorded is not brought to its end yet");
            account.open.try_later(&key);
        }
    }
}
