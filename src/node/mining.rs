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
/// A timestamp older than this is renewed, so that it is a recent one when the transaction is pushed.
const FRESH_SECONDS: u32 = 60;
/// Time for one transaction, as much as the mining service has for all its jobs for it.
const LIMIT: Duration = Duration::from_secs(75);
/// A transaction that would take this many times the limit on average is not begun.
const HOPELESS: f64 = 3.0;

/// Sets the parents and finds a timestamp of at least `min_timestamp` and a nonce for the weight that `transaction`
/// has. Takes 2^weight hashes on average, on all cores, in the background; stops when the future is dropped, and gives up with
/// [`MiningError::Timeout`] after 75 s, or at once when it is clear that they won't do.
///
/// `min_timestamp` must be past the parents' timestamps too.
pub async fn mine_locally(
    transaction: Transaction,
    parents: [VertexId; 2],
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    let seconds = min_timestamp.saturating_sub(rt::unix_seconds());
    if Duration::from_secs(seconds.into()) >= LIMIT {
        return Err(MiningError::TooEarly { seconds });
    }
    wait_for(min_timestamp).await;
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
    loop {
        transaction.timestamp =
            rt::unix_seconds().max(transaction.timestamp.saturating_add(1)).max(min_timestamp);
        let job = MiningJob::new(&transaction.mining_bytes()?, transaction.weight);
        // Often this is all that it takes; and it shows how fast this machine is.
        let (first, began) = (job.clone(), Instant::now());
        if let Some(nonce) = rt::calculate(move || first.search(0..SLICE)).await {
            transaction.nonce = nonce;
            return Ok(transaction);
        }
        let slices = transaction.weight.exp2() / SLICE as f64 / rt::cores() as f64;
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

/// Waits until the clock shows `timestamp`.
pub(super) async fn wait_for(timestamp: u32) {
    let wait = (u64::from(timestamp) * 1000).saturating_sub(rt::unix_millis());
    if wait > 0 {
        rt::sleep(Duration::from_millis(wait)).await;
    }
}
