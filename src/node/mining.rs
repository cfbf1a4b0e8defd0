//! Proof of work by this machine: for networks without a mining service, or when it is down.

use super::MiningError;
use crate::ledger::{MiningJob, Transaction, VertexId};
use crate::rt::{self, Instant};
use std::ops::ControlFlow;
use std::time::Duration;

/// Nonces tried at a stretch: some ten milliseconds.
const SLICE: u64 = 1 << 16;
/// How many nonces there are.
const NONCES: u64 = 1 << 32;
/// How far ahead of the clock a transaction may be dated: the node takes 300 s
/// (`MAX_FUTURE_TIMESTAMP_ALLOWED`), and its clock may be a little behind this one.
const MOST_AHEAD: u32 = 295;
/// A timestamp that is ahead of the clock by this much is waited for: what is dated ahead holds up those who
/// build on it.
const SHORT_WAIT: u32 = 3;
/// A timestamp older than this is renewed, so that it is a recent one when the transaction is pushed.
const FRESH_SECONDS: u32 = 60;
/// Time for one transaction, as much as the mining service has for all its jobs for it.
const LIMIT: Duration = Duration::from_secs(75);
/// A transaction that would take this many times the limit on average is not begun.
const HOPELESS: f64 = 3.0;

/// Sets the parents and finds a timestamp of at least `min_timestamp` and a nonce for the weight that
/// `transaction` has. Takes 2^weight hashes on average, on all cores, in the background; stops when the
/// future is dropped, and gives up with [`MiningError::Timeout`] after 75 s, or at once when it is clear that
/// they won't do.
///
/// `min_timestamp` must be past the parents' timestamps too. When it is more than some seconds ahead of the
/// clock, the transaction is dated ahead, as far as nodes allow it; only for what is beyond that is waited.
///
/// # Errors
/// [`MiningError::TooEarly`] if the wait for `min_timestamp` would be too long, [`MiningError::Timeout`] if
/// no nonce is found in time, [`MiningError::Encode`] if the transaction can't be written.
pub async fn mine_locally(
    transaction: Transaction,
    parents: [VertexId; 2],
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    let start =
        if is_far_ahead(min_timestamp) { min_timestamp.saturating_sub(MOST_AHEAD) } else { min_timestamp };
    let seconds = start.saturating_sub(rt::unix_seconds());
    if Duration::from_secs(seconds.into()) >= LIMIT {
        return Err(MiningError::TooEarly { seconds });
    }
    wait_for(start).await;
    match rt::timeout(LIMIT, search(transaction, parents, min_timestamp)).await {
        Ok(result) => result,
        Err(rt::Elapsed) => Err(MiningError::Timeout),
    }
}

async fn search(
    mut transaction: Transaction,
    parents: [VertexId; 2],
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    transaction.parents = parents.to_vec();
    let mut earliest = min_timestamp;
    loop {
        transaction.timestamp = rt::unix_seconds().max(earliest);
        earliest = transaction.timestamp.saturating_add(1);
        let job = MiningJob::new(&transaction.mining_bytes()?, transaction.weight);
        // Often this is all that it takes; and it shows how fast this machine is.
        let (first, began) = (job.clone(), Instant::now());
        if let Some(nonce) = rt::in_background(move || first.search(0..SLICE)).await {
            transaction.nonce = nonce;
            return Ok(transaction);
        }
        let slices = rt::exp2(transaction.weight) / SLICE as f64 / rt::cores() as f64;
        if began.elapsed().as_secs_f64() * slices > HOPELESS * LIMIT.as_secs_f64() {
            return Err(MiningError::Timeout);
        }
        let stale_at = transaction.timestamp.saturating_add(FRESH_SECONDS);
        let found = rt::search(move |piece| {
            let start = piece.saturating_add(1).saturating_mul(SLICE);
            if start >= NONCES || rt::unix_seconds() >= stale_at {
                return ControlFlow::Break(None);
            }
            match job.search(start..start + SLICE) {
                None => ControlFlow::Continue(()),
                found => ControlFlow::Break(found),
            }
        });
        if let Some(nonce) = found.await {
            transaction.nonce = nonce;
            return Ok(transaction);
        }
    }
}

/// Whether it would take long until the clock shows `timestamp`.
pub(crate) fn is_far_ahead(timestamp: u32) -> bool {
    timestamp.saturating_sub(rt::unix_seconds()) > SHORT_WAIT
}

/// Waits until the clock shows `timestamp`.
pub(super) async fn wait_for(timestamp: u32) {
    let wait = (u64::from(timestamp) * 1000).saturating_sub(rt::unix_millis());
    if wait > 0 {
        rt::sleep(Duration::from_millis(wait)).await;
    }
}
