//! Proof of work by this machine: for networks without a mining service, or when it is down.

use super::MiningError;
use crate::ledger::{MiningJob, Transaction, VertexId};
use crate::rt;
use std::time::Duration;

/// Nonces tried at a stretch: some ten milliseconds.
const SLICE: u64 = 1 << 16;
/// A timestamp older than this is renewed, so that it is a recent one when the transaction is pushed.
const FRESH_SECONDS: u32 = 60;

/// Sets the parents and finds a timestamp of at least `min_timestamp` and a nonce for the weight that `transaction`
/// has. Takes 2^weight hashes on average; stops when the future is dropped.
///
/// `min_timestamp` must be past the parents' timestamps too.
pub async fn mine_locally(
    mut transaction: Transaction,
    parents: [VertexId; 2],
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    transaction.parents = parents.to_vec();
    wait_for(min_timestamp).await;
    loop {
        transaction.timestamp =
            rt::unix_seconds().max(transaction.timestamp.saturating_add(1)).max(min_timestamp);
        let job = MiningJob::new(&transaction.mining_bytes()?, transaction.weight);
        let mut start = 0;
        while start < 1 << 32 && rt::unix_seconds() < transaction.timestamp.saturating_add(FRESH_SECONDS) {
            let slice = job.clone();
            if let Some(nonce) = rt::calculate(move || slice.search(start..start + SLICE)).await {
                transaction.nonce = nonce;
                return Ok(transaction);
            }
            start += SLICE;
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
