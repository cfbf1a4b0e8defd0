//! The jobs that the service knows, and the way of one from submission to its end.

use super::Service;
use crate::devnet::chain::PushError;
use crate::devnet::faults::MiningMode;
use crate::devnet::{timestamp_now, unix_now};
use crate::ledger::{MiningJob, Transaction, VertexId};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a finished job is remembered, in seconds.
const RETENTION: f64 = 300.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Pending,
    GettingParents,
    Enqueued,
    Mining,
    Done,
    Failed,
    Timeout,
}

impl Status {
    pub(super) const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Timeout)
    }
}

/// A number of seconds that the service writes without a point when it knows nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Expected {
    Nothing,
    Seconds(f64),
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_u8(0),
            Self::Seconds(seconds) => serializer.serialize_f64(*seconds),
        }
    }
}

/// A job as the service shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct JobJson {
    job_id: String,
    pub(super) status: Status,
    pub(super) message: String,
    pub(super) created_at: f64,
    pub(super) tx: JobTx,
    timeout: f64,
    submitted_at: Option<f64>,
    total_time: Option<f64>,
    expected_queue_time: Expected,
    expected_mining_time: Expected,
    expected_total_time: Expected,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct JobTx {
    nonce: Option<String>,
    pub(super) parents: Vec<String>,
    timestamp: Option<u32>,
    weight: f64,
}

/// What a client wants done.
pub(super) struct Order {
    pub(super) tx: Transaction,
    pub(super) add_parents: bool,
    pub(super) propagate: bool,
    /// Seconds.
    pub(super) timeout: f64,
}

/// One job; workers and handlers share it.
pub(super) struct Job {
    pub(super) order: Order,
    shown: Mutex<JobJson>,
    finished_at: Mutex<Option<f64>>,
    given_up: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn new(id: VertexId, order: Order, expected: Expected) -> Self {
        let shown = JobJson {
            job_id: id.to_string(),
            status: Status::Pending,
            message: String::new(),
            created_at: unix_now(),
            tx: JobTx {
                nonce: None,
                parents: order.tx.parents.iter().map(ToString::to_string).collect(),
                timestamp: None,
                weight: order.tx.weight,
            },
            timeout: order.timeout,
            submitted_at: None,
            total_time: None,
            expected_queue_time: Expected::Nothing,
            expected_mining_time: expected,
            expected_total_time: expected,
        };
        Self {
            order,
            shown: Mutex::new(shown),
            finished_at: Mutex::new(None),
            given_up: AtomicBool::new(false),
        }
    }

    pub(super) fn shown(&self) -> JobJson {
        lock(&self.shown).clone()
    }

    fn status(&self) -> Status {
        lock(&self.shown).status
    }

    /// Changes what is shown, unless the job is finished already.
    pub(super) fn update(&self, change: impl FnOnce(&mut JobJson)) {
        let mut shown = lock(&self.shown);
        if shown.status.is_final() {
            return;
        }
        change(&mut shown);
        if shown.status.is_final() {
            *lock(&self.finished_at) = Some(unix_now());
            self.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the job as it should.
    pub(super) fn finish(&self, nonce: u32, timestamp: u32) {
        let now = unix_now();
        self.update(|shown| {
            shown.tx.nonce = Some(format!("{nonce:08x}"));
            shown.tx.timestamp = Some(timestamp);
            shown.submitted_at = Some(now);
            shown.total_time = Some(now - shown.created_at);
            shown.status = Status::Done;
        });
    }

    /// Whether nobody waits for the result any more.
    pub(super) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

/// All jobs, and the places for those that are mined.
pub(super) struct Jobs {
    jobs: Mutex<HashMap<VertexId, Arc<Job>>>,
    /** As many jobs are mined at once as the machine has processors. */
    pub(super) miners: Semaphore,
}

impl Default for Jobs {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { jobs: Mutex::default(), miners: Semaphore::new(processors) }
    }
}

/// Why a job can't be cancelled.
pub(super) enum CancelError {
    NotFound,
    Finished,
}

impl Jobs {
    fn remembered(&self) -> MutexGuard<'_, HashMap<VertexId, Arc<Job>>> {
        let mut jobs = lock(&self.jobs);
        let oldest = unix_now() - RETENTION;
        jobs.retain(|_, job| lock(&job.finished_at).is_none_or(|finished| finished > oldest));
        jobs
    }

    pub(super) fn get(&self, id: &VertexId) -> Option<Arc<Job>> {
        self.remembered().get(id).cloned()
    }

    /// A new job, which has to be started; or the error, which is none: the job for the same bytes, if there
    /// is one that did not time out.
    pub(super) fn add(&self, id: VertexId, order: Order, expected: Expected) -> Result<Arc<Job>, Arc<Job>> {
        let mut jobs = self.remembered();
        if let Some(job) = jobs.get(&id)
            && job.status() != Status::Timeout
        {
            return Err(job.clone());
        }
        let job = Arc::new(Job::new(id, order, expected));
        jobs.insert(id, job.clone());
        Ok(job)
    }

    /// Forgets a job that is not finished.
    pub(super) fn cancel(&self, id: &VertexId) -> Result<(), CancelError> {
        let mut jobs = self.remembered();
        let job = jobs.get(id).ok_or(CancelError::NotFound)?;
        if job.status().is_final() {
            return Err(CancelError::Finished);
        }
        job.given_up.store(true, Ordering::Relaxed);
        jobs.remove(id);
        Ok(())
    }

    /// All jobs, oldest first.
    pub(super) fn all(&self) -> Vec<JobJson> {
        let mut jobs: Vec<JobJson> = self.remembered().values().map(|job| job.shown()).collect();
        jobs.sort_by(|a, b| a.created_at.total_cmp(&b.created_at));
        jobs
    }
}

// The way of one job from submission to its end.

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
