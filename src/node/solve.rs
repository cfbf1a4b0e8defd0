//! Having a transaction solved by the mining service: submit, look often at first, submit again if it had no
//! time.

use super::mining::wait_for;
use super::{Backoff, Fault, Job, JobState, MiningError, MiningService};
use crate::ledger::{Transaction, target_met};
use crate::net::brief;
use crate::rt;
use std::time::Duration;

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
