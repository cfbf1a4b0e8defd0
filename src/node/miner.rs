//! Proof of work: by the service, on this machine, or both.

#[cfg(feature = "native")]
use super::stats::{Counter, Counts, POW_OUTCOMES, REQUEST_OUTCOMES};
use super::{Backoff, CallError, Fault, FullNode, Health, Job, JobState, MiningError, MiningService};
use crate::ledger::{MiningJob, Transaction, VertexId, target_met};
use crate::net::brief;
use crate::rt::{self, Instant};
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the service has for a transaction that this machine can do as well: what the service itself gives
/// one job.
const SERVICE_LIMIT: Duration = Duration::from_secs(20);
/// How long a service that failed is left alone.
const PAUSE: Duration = Duration::from_secs(30);

/// Who does the proof of work, as the setting `mining` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mining {
    /// The mining service. When it does not, sends fail, saying why. What has to be dated ahead of the clock
    /// is the exception: the service dates by its clock alone, so this machine does that.
    #[default]
    Service,
    /// This machine, on all cores, in the background.
    Local,
    /// The mining service; this machine when it is down, overloaded or too slow.
    ServiceThenLocal,
}

impl FromStr for Mining {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "service" => Ok(Self::Service),
            "local" => Ok(Self::Local),
            "service-then-local" => Ok(Self::ServiceThenLocal),
            _ => Err(()),
        }
    }
}

/// What gives transactions their parents, timestamp and nonce. Clones are the same miner.
#[derive(Clone)]
pub struct Miner(Arc<Mutex<Shared>>);

#[derive(Clone)]
struct Shared {
    service: Option<MiningService>,
    local: bool,
    /// When the service may be asked again.
    resumes: Option<Instant>,
    #[cfg(feature = "native")]
    work: Arc<Counter<{ POW_OUTCOMES.len() }>>,
}

impl From<MiningService> for Miner {
    /// The service alone.
    fn from(service: MiningService) -> Self {
        Self::new(Some(service), false)
    }
}

impl Miner {
    fn new(service: Option<MiningService>, local: bool) -> Self {
        Self(Arc::new(Mutex::new(Shared {
            service,
            local,
            resumes: None,
            #[cfg(feature = "native")]
            work: Arc::default(),
        })))
    }

    /// What the mining service says of its health, tried once; `None` where there is no service.
    pub async fn health(&self) -> Option<Result<Health, CallError>> {
        let service = self.shared().service.clone();
        match service {
            Some(service) => Some(service.health().await),
            None => None,
        }
    }

    /// This machine alone.
    pub fn local() -> Self {
        Self::new(None, true)
    }

    /// The service, and this machine when it is down, overloaded, or takes more than 20 s. After that this
    /// machine goes first for half a minute.
    pub fn service_then_local(service: MiningService) -> Self {
        Self::new(Some(service), true)
    }

    /// Works as `other` does from now on, as do all clones. What is being solved already stays with who
    /// solves it.
    pub fn reconfigure(&self, other: &Self) {
        let shared = other.shared().clone();
        *self.shared() = shared;
    }

    /// Has a signed transaction solved: it comes back with a timestamp of at least `min_timestamp`, which is
    /// one past the greatest timestamp of what it spends, with the parents that it has or else with new ones
    /// that `node` has, and a nonce. When service and machine both fail, the service's failure is told.
    ///
    /// # Errors
    /// [`MiningError::Call`] if the node gives no parents; else why the service, or this machine where it
    /// alone does the work, found no solution.
    pub async fn solve(
        &self,
        node: &FullNode,
        transaction: Transaction,
        min_timestamp: u32,
    ) -> Result<Transaction, MiningError> {
        #[cfg(feature = "native")]
        let (work, began) = (self.shared().work.clone(), Instant::now());
        let solved = self.solve_by_any(node, transaction, min_timestamp).await;
        #[cfg(feature = "native")]
        work.note(&solved, began.elapsed());
        solved
    }

    async fn solve_by_any(
        &self,
        node: &FullNode,
        transaction: Transaction,
        min_timestamp: u32,
    ) -> Result<Transaction, MiningError> {
        let Shared { service, local, resumes, .. } = self.shared().clone();
        let Some(mut service) = service.filter(|_| !is_far_ahead(min_timestamp)) else {
            return solve_locally(node, transaction, min_timestamp).await;
        };
        service.endpoint = service.endpoint.in_lane(node.endpoint.lane.of_pushes());
        if local
            && resumes.is_some_and(|time| Instant::now() < time)
            && let Ok(solved) = solve_locally(node, transaction.clone(), min_timestamp).await
        {
            return Ok(solved);
        }
        let asked = with_parents(node, transaction.clone()).await?;
        // The clock may have been set back while the node was asked.
        if is_far_ahead(min_timestamp) {
            return solve_locally(node, transaction, min_timestamp).await;
        }
        if !local {
            return service.solve(asked, min_timestamp).await;
        }
        let mut capped = service;
        capped.solve_limit = capped.solve_limit.min(SERVICE_LIMIT);
        let failure = match capped.solve(asked, min_timestamp).await {
            Ok(solved) => {
                self.shared().resumes = None;
                return Ok(solved);
            }
            Err(failure) if is_of_the_service(&failure) => failure,
            Err(failure) => return Err(failure),
        };
        self.shared().resumes = Some(Instant::now() + PAUSE);
        tracing::info!("{failure}: this machine does the proof of work");
        solve_locally(node, transaction, min_timestamp).await.map_err(|_| failure)
    }

    /// What became of proofs of work, and of requests to the service, if there is one.
    #[cfg(feature = "native")]
    pub fn counts(&self) -> (Counts<{ POW_OUTCOMES.len() }>, Option<Counts<{ REQUEST_OUTCOMES.len() }>>) {
        let shared = self.shared();
        (shared.work.counts(), shared.service.as_ref().map(|service| service.endpoint.requests.counts()))
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The transaction with parents of our own node, unless it has some: one of the mining service's choice could
/// be void, and the transaction with it.
async fn with_parents(node: &FullNode, mut transaction: Transaction) -> Result<Transaction, CallError> {
    if transaction.parents.is_empty() {
        transaction.parents = node.recent_parents().await?.into();
    }
    Ok(transaction)
}

async fn solve_locally(
    node: &FullNode,
    transaction: Transaction,
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    let (parents, min_timestamp) = match transaction.parents.as_slice() {
        [one, other] => ([*one, *other], min_timestamp),
        _ => choose_parents(node, &transaction, min_timestamp).await?,
    };
    mine_locally(transaction, parents, min_timestamp).await
}

/// The node's newest transactions and a timestamp past them; older ones when these are far ahead of the
/// clock.
async fn choose_parents(
    node: &FullNode,
    transaction: &Transaction,
    min_timestamp: u32,
) -> Result<([VertexId; 2], u32), CallError> {
    let (parents, newest) = node.parents_and_time().await?;
    if newest < min_timestamp || !is_far_ahead(newest) {
        return Ok((parents, min_timestamp.max(newest.saturating_add(1))));
    }
    Ok((node.older_parents(transaction).await?, min_timestamp))
}

/// Whether another miner may do better: not so where the transaction is what is wrong.
const fn is_of_the_service(failure: &MiningError) -> bool {
    match failure {
        MiningError::Timeout
        | MiningError::RateLimited { .. }
        | MiningError::NoMiners
        | MiningError::Ended { .. }
        | MiningError::Call(_) => true,
        MiningError::TooEarly { .. } | MiningError::Refused { .. } | MiningError::Encode(_) => false,
    }
}

// Having a transaction solved by the mining service: submit, look often at first, submit again if it had no
// time.

/// Submissions of one transaction before it counts as a timeout.
const MAX_SUBMISSIONS: u32 = 3;
/// Tries to get a job submitted at all.
const MAX_SUBMIT_TRIES: u32 = 4;
/// The longest pause that the service can ask for before it counts as a refusal.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(15);
/// The first look at a job, soon enough for a trivial one; each later wait is half as long again.
const FIRST_POLL: Duration = Duration::from_millis(2);
/// The longest wait between two looks.
const LONGEST_POLL: Duration = Duration::from_millis(250);
/// The wait between two looks once the service has asked for fewer requests.
const POLITE_POLL: Duration = Duration::from_secs(1);
/// Most seconds that the service's clock may be behind ours.
const MOST_CLOCK_LAG: u32 = 30;
/// Most seconds that a transaction may be dated ahead (full node: `MAX_FUTURE_TIMESTAMP_ALLOWED`).
const MOST_CLOCK_LEAD: u32 = 300;
/// Failed jobs of one transaction within a few seconds that there may be from earlier sends.
const MAX_FAILED_BEFORE: u32 = 10;
/// Looks in a row that may fail.
const MAX_FAILED_POLLS: u32 = 5;

/// Asks the service to stop working on a job that nobody waits for any more.
struct CancelOnDrop {
    service: MiningService,
    job_id: Option<String>,
}

impl CancelOnDrop {
    fn disarm(&mut self) {
        self.job_id = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(job_id) = self.job_id.take() {
            let service = self.service.clone();
            // The job would end by itself; it only takes a miner's time until then.
            rt::spawn_if_possible(async move {
                let _ = service.cancel(&job_id).await;
            });
        }
    }
}

impl MiningService {
    /// Has a signed transaction solved: it comes back with parents (of the service's choice unless it has
    /// them), a timestamp of at least `min_timestamp`, and a nonce, and the proof of work is checked. When
    /// the future is dropped the job is cancelled.
    ///
    /// The service takes its own time as the timestamp, so this waits until the clock shows `min_timestamp`,
    /// which is one past the greatest timestamp of what the transaction spends.
    ///
    /// # Errors
    /// [`MiningError::TooEarly`] if waiting for `min_timestamp` takes all the time there is,
    /// [`MiningError::Timeout`] when it is up; else what the service says, or [`MiningError::Call`] if that
    /// is of no use (a wrong solution, too). [`MiningError::Encode`] if the transaction can't be written.
    pub async fn solve(
        &self,
        transaction: Transaction,
        min_timestamp: u32,
    ) -> Result<Transaction, MiningError> {
        let seconds = min_timestamp.saturating_sub(rt::unix_seconds());
        if Duration::from_secs(seconds.into()) >= self.solve_limit {
            return Err(MiningError::TooEarly { seconds });
        }
        match rt::timeout(self.solve_limit, self.submit_and_follow(transaction, min_timestamp)).await {
            Ok(result) => result,
            Err(rt::Elapsed) => Err(MiningError::Timeout),
        }
    }

    async fn submit_and_follow(
        &self,
        mut transaction: Transaction,
        min_timestamp: u32,
    ) -> Result<Transaction, MiningError> {
        transaction.nonce = 0;
        let mut earliest = min_timestamp;
        let mut submissions = 0;
        loop {
            wait_for(earliest).await;
            transaction.timestamp = rt::unix_seconds();
            // The same bytes would be the same job, even one that has ended.
            earliest = transaction.timestamp.saturating_add(1);
            let job = self.submit_anew(&mut transaction).await?;
            if let Some(done) = self.follow(job).await? {
                let solved = self.solved(transaction.clone(), done)?;
                let ahead = solved.timestamp.saturating_sub(rt::unix_seconds());
                if ahead > MOST_CLOCK_LEAD {
                    return Err(self.invalid_answer(&format!("its clock is {ahead} s ahead")));
                }
                if solved.timestamp >= min_timestamp {
                    return Ok(solved);
                }
                // The service's clock is behind ours: wait for as long as it lacks.
                let lacks = min_timestamp - solved.timestamp;
                if lacks > MOST_CLOCK_LAG {
                    return Err(self.invalid_answer(&format!("its clock is {lacks} s behind")));
                }
                earliest = earliest.max(rt::unix_seconds().saturating_add(lacks));
                continue;
            }
            submissions += 1;
            if submissions == MAX_SUBMISSIONS {
                return Err(MiningError::Timeout);
            }
        }
    }

    /// Submits as a job that has not failed before: a failed one is given again for the same bytes. The
    /// timestamp, which the service overwrites, tells jobs apart.
    async fn submit_anew(&self, transaction: &mut Transaction) -> Result<Job, MiningError> {
        let mut failed = 0;
        loop {
            let job = self.submit_patiently(transaction).await?;
            if !matches!(job.state, JobState::Failed | JobState::Cancelled) || failed == MAX_FAILED_BEFORE {
                return Ok(job);
            }
            failed += 1;
            transaction.timestamp = transaction.timestamp.saturating_sub(1);
        }
    }

    /// Submits; the same bytes are the same job, so trying again is harmless.
    async fn submit_patiently(&self, transaction: &Transaction) -> Result<Job, MiningError> {
        let add_parents = transaction.parents.is_empty();
        let transaction = transaction.to_bytes()?;
        let mut backoff = Backoff::new(LONGEST_POLL, LONGEST_RETRY_AFTER);
        let mut tries = 0;
        loop {
            let failure = match self.submit(&transaction, add_parents).await {
                Ok(job) => return Ok(job),
                Err(failure) => failure,
            };
            tries += 1;
            let asked = match &failure {
                MiningError::RateLimited { retry_after } => retry_after.unwrap_or(POLITE_POLL),
                MiningError::Call(call) if call.is_transient() => Duration::ZERO,
                _ => return Err(failure),
            };
            if tries == MAX_SUBMIT_TRIES || asked > LONGEST_RETRY_AFTER {
                return Err(failure);
            }
            rt::sleep(backoff.next_delay().max(asked)).await;
        }
    }

    /// Looks at a job until it is done; `None` if the service had no time for it or has forgotten it.
    async fn follow(&self, mut job: Job) -> Result<Option<Job>, MiningError> {
        let mut guard = CancelOnDrop { service: self.clone(), job_id: Some(job.id.clone()) };
        let mut wait = FIRST_POLL;
        let mut shortest = FIRST_POLL;
        let mut failed = 0;
        loop {
            match job.state {
                JobState::Done => {
                    guard.disarm();
                    return Ok(Some(job));
                }
                JobState::Timeout => {
                    guard.disarm();
                    return Ok(None);
                }
                state @ (JobState::Failed | JobState::Cancelled) => {
                    guard.disarm();
                    let url = self.endpoint.printable_url("job-status");
                    return Err(MiningError::Ended { url, state, message: brief(&job.message) });
                }
                _ if job.expected_total_time == Some(-1.0) => return Err(MiningError::NoMiners),
                JobState::Pending | JobState::GettingParents | JobState::Enqueued | JobState::Mining => {}
            }
            rt::sleep(wait).await;
            wait = (wait * 3 / 2).min(longest_poll(job.expected_total_time)).max(shortest);
            match self.status(&job.id).await {
                Ok(seen) => {
                    job = seen;
                    failed = 0;
                }
                Err(MiningError::Refused { code, .. }) if code == "job-not-found" => {
                    guard.disarm();
                    return Ok(None);
                }
                Err(MiningError::RateLimited { retry_after }) => {
                    shortest = retry_after.unwrap_or_default().max(POLITE_POLL);
                    wait = wait.max(shortest);
                }
                Err(MiningError::Call(call)) if call.is_transient() && failed < MAX_FAILED_POLLS => {
                    failed += 1;
                    wait = wait.max(LONGEST_POLL);
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Puts what a job found into the transaction, and checks it: a wrong answer must not get as far as the
    /// node.
    fn solved(&self, mut transaction: Transaction, job: Job) -> Result<Transaction, MiningError> {
        let nonce = job.tx.nonce.ok_or_else(|| self.invalid_answer("a job that is done has no nonce"))?;
        transaction.nonce = u32::from_str_radix(&nonce, 16)
            .map_err(|_| self.invalid_answer("the nonce is not hexadecimal"))?;
        transaction.timestamp =
            job.tx.timestamp.ok_or_else(|| self.invalid_answer("a job that is done has no timestamp"))?;
        if job.tx.parents.len() != 2 {
            return Err(self.invalid_answer("a job that is done has not two parents"));
        }
        if !transaction.parents.is_empty() && transaction.parents != job.tx.parents {
            return Err(self.invalid_answer("a job that is done has other parents than it was given"));
        }
        transaction.parents = job.tx.parents;
        if job.tx.weight.is_nan() || job.tx.weight < transaction.weight {
            return Err(self.invalid_answer("the weight is less than that asked for"));
        }
        transaction.weight = job.tx.weight;
        if !target_met(&transaction.id()?, transaction.weight) {
            return Err(self.invalid_answer("the nonce does not solve the transaction"));
        }
        Ok(transaction)
    }

    fn invalid_answer(&self, what: &str) -> MiningError {
        MiningError::Call(self.endpoint.error("job-status", Fault::InvalidAnswer(what.to_owned())))
    }
}

/// A tenth of the time that the job should take, so that looking costs little time and few requests.
fn longest_poll(expected_seconds: Option<f64>) -> Duration {
    match expected_seconds {
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => {
            Duration::from_secs_f64((seconds / 10.0).clamp(0.025, LONGEST_POLL.as_secs_f64()))
        }
        _ => LONGEST_POLL,
    }
}

// Proof of work by this machine: for networks without a mining service, or when it is down.

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
