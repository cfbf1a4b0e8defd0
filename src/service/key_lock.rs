//! Requests of one `Idempotency-Key` wait for each other at all servers on one store, as they do in a
//! process: whoever comes second finds what the first one did. That nothing is paid twice is seen to by the
//! record, which is one for all servers.

use super::idempotent::checked;
use super::inner::Inner;
use super::send::WAIT_FOR_CHANGE;
use super::{NotReady, SendError, SendKey};
use crate::rt::{self, Instant};
use crate::store::{LockedKey, PushRecord, SharedCluster};
use crate::wallet::PlanError;
use std::time::Duration;

/// How long until another server's lock is asked for again: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

/// A key that is locked in all servers until this is dropped.
pub(super) struct KeyLock {
    cluster: SharedCluster,
    key: [u8; 32],
    number: u64,
}

impl Drop for KeyLock {
    fn drop(&mut self) {
        self.cluster.unlock_key(self.key, self.number);
    }
}

impl Inner {
    /// The record of a key, which no other server works for until the lock is dropped.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if it is of another request, [`SendError::NotRecorded`] if it can't be read,
    /// [`SendError::SentElsewhere`] if another server is at it for too long.
    pub(super) async fn record_of(
        &self,
        key: SendKey,
    ) -> Result<(Option<KeyLock>, Option<PushRecord>), SendError> {
        if let Some(cluster) = &self.cluster {
            let (lock, record) = self.lock_key(cluster, key).await?;
            return Ok((Some(lock), record));
        }
        Ok((None, self.valid_record(key).await?))
    }

    async fn lock_key(
        &self,
        cluster: &SharedCluster,
        key: SendKey,
    ) -> Result<(KeyLock, Option<PushRecord>), SendError> {
        let turn = self.sends.begin().ok_or_else(NotReady::closed)?;
        let (others, began, mut pause) = (turn.others(), Instant::now(), FIRST_PAUSE);
        loop {
            let locked = tokio::select! {
                biased;
                locked = cluster.lock_key(key.name) => locked,
                away = cluster.away() => Err(away),
            };
            if let Some(LockedKey { number, record }) = locked.map_err(SendError::NotRecorded)? {
                let lock = KeyLock { cluster: cluster.clone(), key: key.name, number };
                return Ok((lock, checked(Ok(record), key)?));
            }
            if others.are_closed() {
                return Err(NotReady::closed().into());
            }
            if began.elapsed() > WAIT_FOR_CHANGE {
                return Err(SendError::SentElsewhere);
            }
            rt::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// What is answered to a request that was refused: that is the last word on its key only where no other
    /// server can have begun it, or have an input for it.
    pub(super) async fn last_word(&self, lock: Option<&KeyLock>, failure: SendError) -> SendError {
        let asks_to_repeat = matches!(
            failure,
            SendError::SentElsewhere
                | SendError::NotReserved(_)
                | SendError::NotRecorded(_)
                | SendError::AwaitsApproval { .. }
        );
        let Some(lock) = lock.filter(|_| !asks_to_repeat && !failure.may_be_sent()) else { return failure };
        if self.is_elsewhere(&failure) {
            return SendError::SentElsewhere;
        }
        let is_locked = tokio::select! {
            biased;
            is_locked = lock.cluster.has_key_locked(lock.key, lock.number) => is_locked,
            away = lock.cluster.away() => Err(away),
        };
        if matches!(is_locked, Ok(true)) { failure } else { SendError::SentElsewhere }
    }

    /// Whether an input is another server's: maybe for the same request, or that one is gone.
    fn is_elsewhere(&self, failure: &SendError) -> bool {
        let SendError::Plan(refusal) = failure else { return false };
        match **refusal {
            PlanError::LockedOrUsed { output, .. } => self.account.is_elsewhere(output),
            _ => false,
        }
    }
}
