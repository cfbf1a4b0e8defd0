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

    /// That another server has an input is not the last word on a request with a key: it may have it for the
    /// same request, or be gone. While this one had lost touch, another one may have begun the same request.
    pub(super) fn unless_elsewhere(&self, failure: SendError) -> SendError {
        let is_elsewhere = match &failure {
            SendError::LeaseEnded => true,
            SendError::Plan(refusal) => match **refusal {
                PlanError::LockedOrUsed { output, .. } => self.account.is_elsewhere(output),
                _ => false,
            },
            _ => false,
        };
        if is_elsewhere { SendError::SentElsewhere } else { failure }
    }

    /// What another server has recorded for a key while this one was not heard of: that is what came of a
    /// request that was refused here.
    ///
    /// # Errors
    /// [`SendError::NotRecorded`] if that can't be looked up: then the refusal is not the last word.
    pub(super) async fn record_of_others(
        &self,
        key: SendKey,
        instead_of: Option<[u8; 32]>,
        failure: &SendError,
    ) -> Result<Option<PushRecord>, SendError> {
        let Some(cluster) = &self.cluster else { return Ok(None) };
        let is_before_record =
            matches!(failure, SendError::Plan(_) | SendError::Limit(_) | SendError::SentElsewhere);
        if !is_before_record {
            return Ok(None);
        }
        let found = tokio::select! {
            biased;
            found = cluster.push_record(key.name) => found,
            away = cluster.away() => Err(away),
        };
        match checked(found, key) {
            // This one's refusal is as right.
            Err(SendError::KeyTaken) => Ok(None),
            found => Ok(found?.filter(|record| Some(record.mark()) != instead_of)),
        }
    }
}
