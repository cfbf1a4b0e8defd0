//! The way of one job from submission to its end.

use super::Service;
use super::jobs::{Job, Status};
use crate::devnet::basics::timestamp_now;
use crate::devnet::chain::PushError;
use crate::devnet::faults::MiningMode;
use crate::ledger::{MiningJob, Transaction};
use std::sync::Arc;
use std::time::Duration;

/// Nonces tried on the spot: trivial jobs need no more.
const FIRST_NONCES: u64 = 1 << 10;
/// Nonces tried between two looks at whether the result is still wanted.
const CHUNK: u64 = 1 << 16;
const ALL_NONCES: u64 = 1 << 32;

/// Works a job; its time ends wherever it is by then.
pub(super) async fn work(service: Service, job: Arc<Job>) {
    let timeout = Duration::from_secs_f64(job.order.timeout);
    tokio::select! {
        () = steps(&service, &job) => {}
        () = tokio::time::sleep(timeout) => {}
        () = service.shared.stopped() => {}
    }
    // Whatever did not finish by now has timed out; this also tells a miner that is still at it to stop.
    job.update(|shown| shown.status = Status::Timeout);
}

async fn steps(service: &Service, job: &Arc<Job>) {
    let faults = service.shared.faults.mining();
    let mut tx = job.order.tx.clone();
    if job.order.add_parents {
        job.update(|shown| shown.status = Status::GettingParents);
        tx.parents = service.shared.read(|chain| chain.tx_parents(timestamp_now())).to_vec();
        let parents = tx.parents.iter().map(ToString::to_string).collect();
        job.update(|shown| shown.tx.parents = parents);
    }
    job.update(|shown| shown.status = Status::Enqueued);
    match faults.mode {
        MiningMode::NoMiners => return std::future::pending().await,
        MiningMode::Timeout => return,
        MiningMode::Failed => return fail(job, "The mining service was told to fail".to_owned()),
        MiningMode::Normal | MiningMode::Down => {}
    }
    if !faults.delay.is_zero() {
        tokio::time::sleep(faults.delay).await;
    }
    let Ok(_place) = service.jobs.miners.acquire().await else { return };
    job.update(|shown| shown.status = Status::Mining);
    // Whatever the parents' timestamps are: the real service does not look at them either.
    tx.timestamp = timestamp_now();
    let Some(solved) = solve(job, tx).await else { return };
    if job.order.propagate
        && let Err(message) = propagate(service, &solved)
    {
        return fail(job, format!("Fullnode rejected transaction (PushTxFailed): {message}"));
    }
    job.finish(solved.nonce, solved.timestamp);
}

fn fail(job: &Job, message: String) {
    job.update(|shown| {
        shown.status = Status::Failed;
        shown.message = message;
    });
}

async fn solve(job: &Arc<Job>, mut tx: Transaction) -> Option<Transaction> {
    let search = MiningJob::new(&tx.mining_bytes().ok()?, tx.weight);
    if let Some(nonce) = search.search(0..FIRST_NONCES) {
        tx.nonce = nonce;
        return Some(tx);
    }
    let job = job.clone();
    tokio::task::spawn_blocking(move || search_on(&job, tx)).await.ok()?
}

/// Tries every nonce of one second after the other, until one works or nobody wants it any more.
fn search_on(job: &Job, mut tx: Transaction) -> Option<Transaction> {
    loop {
        let search = MiningJob::new(&tx.mining_bytes().ok()?, tx.weight);
        for start in (0..ALL_NONCES).step_by(CHUNK as usize) {
            if job.is_given_up() {
                return None;
            }
            if let Some(nonce) = search.search(start..start + CHUNK) {
                tx.nonce = nonce;
                return Some(tx);
            }
        }
        tx.timestamp = tx.timestamp.saturating_add(1).max(timestamp_now());
    }
}

fn propagate(service: &Service, tx: &Transaction) -> Result<(), String> {
    let bytes = tx.to_bytes().map_err(|error| error.to_string())?;
    service.shared.change(|chain, now| chain.push(&bytes, now)).map(drop).map_err(|error| match error {
        PushError::Unanswered => "Cannot push tx or block".to_owned(),
        error => error.to_string(),
    })
}
