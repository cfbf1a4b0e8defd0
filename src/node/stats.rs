//! What became of requests to the node and the mining service, and of proofs of work, for operators.

use super::{Fault, MiningError};
use crate::net::{NetError, Response};
use crate::rt::Instant;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets, in seconds.
pub const BUCKETS: [f64; 9] = [0.001, 0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0];

/// How long something took, by buckets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Durations {
    /// How many were as short as each bound, and not as the one before.
    pub buckets: [u64; BUCKETS.len()],
    pub count: u64,
    pub seconds: f64,
}

impl Durations {
    pub fn note(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        self.count += 1;
        self.seconds += seconds;
        if let Some(bucket) = BUCKETS.iter().position(|bound| seconds <= *bound) {
            self.buckets[bucket] += 1;
        }
    }
}

/// What becomes of a request: an answer, which may be a refusal; none now (429 or 503); another status; or no
/// answer.
pub const REQUEST_OUTCOMES: [&str; 5] = ["answered", "busy", "error", "timeout", "unreachable"];
/// What becomes of a proof of work.
pub const POW_OUTCOMES: [&str; 4] = ["solved", "timeout", "unavailable", "failed"];

/// How often what became of something, and how long that took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts<const N: usize> {
    pub outcomes: [u64; N],
    /// Of all; of proofs of work, of those that were solved.
    pub durations: Durations,
}

pub(super) struct Counter<const N: usize>(Mutex<Counts<N>>);

impl<const N: usize> Default for Counter<N> {
    fn default() -> Self {
        Self(Mutex::new(Counts { outcomes: [0; N], durations: Durations::default() }))
    }
}

impl<const N: usize> Counter<N> {
    pub(super) fn counts(&self) -> Counts<N> {
        *self.lock()
    }
    fn lock(&self) -> MutexGuard<'_, Counts<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counter<{ REQUEST_OUTCOMES.len() }> {
    pub(super) fn note(&self, answer: &Result<Response, NetError>, took: Duration) {
        let outcome = match answer {
            Ok(Response { status: 429 | 503, .. }) => 1,
            Ok(Response { status, .. }) if *status >= 400 => 2,
            Ok(_) => 0,
            Err(NetError::Timeout(_)) => 3,
            Err(_) => 4,
        };
        let mut counts = self.lock();
        counts.outcomes[outcome] += 1;
        counts.durations.note(took);
    }
}

impl Counter<{ POW_OUTCOMES.len() }> {
    pub(super) fn note<T>(&self, solved: &Result<T, MiningError>, took: Duration) {
        let outcome = match solved {
            Ok(_) => 0,
            Err(MiningError::Timeout) => 1,
            Err(MiningError::RateLimited { .. } | MiningError::NoMiners) => 2,
            Err(MiningError::Call(call)) if !matches!(call.fault, Fault::Refused(_)) => 2,
            Err(_) => 3,
        };
        let mut counts = self.lock();
        counts.outcomes[outcome] += 1;
        if outcome == 0 {
            counts.durations.note(took);
        }
    }
}

/// What is known of the connections to the node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConnectionCounts {
    /// Open now.
    pub open: usize,
    /// Made since the start.
    pub made: u64,
    /// Those that could not be made, and those that broke.
    pub failed: u64,
    pub broken: u64,
    /// The best block's height, and how long ago it was reported first. `None` without a connection.
    pub best: Option<(u32, Duration)>,
}

/// The same, as it is counted.
#[derive(Default)]
pub(super) struct ConnectionCounter {
    pub(super) made: u64,
    pub(super) failed: u64,
    pub(super) broken: u64,
    best: Option<(u32, Instant)>,
}

impl ConnectionCounter {
    /// The node tells the height each second.
    pub(super) fn hear_height(&mut self, height: u32) {
        if self.best.is_none_or(|(known, _)| known != height) {
            self.best = Some((height, Instant::now()));
        }
    }
    pub(super) fn counts(&self, open: usize) -> ConnectionCounts {
        let Self { made, failed, broken, best } = *self;
        // Nothing is heard of it without a connection.
        let best = best.filter(|_| open > 0).map(|(height, since)| (height, since.elapsed()));
        ConnectionCounts { open, made, failed, broken, best }
    }
}
