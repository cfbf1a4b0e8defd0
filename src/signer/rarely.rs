//! What strangers can make happen as often as they like, and is told in the log all the same.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How often it is told at most.
const PAUSE: Duration = Duration::from_secs(60);

/// Tells something once in a while.
#[derive(Debug, Default)]
pub(super) struct Rarely(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    told: Option<Instant>,
    untold: u64,
}

impl Rarely {
    /// Warns of it if it is time to, and says how often nothing was said in between.
    pub(super) fn warn(&self, text: &str) {
        if let Some(untold) = self.turn(Instant::now()) {
            tracing::warn!("{text} (told once a minute at most: {untold} more before this)");
        }
    }

    /// How often it was not told before, if now it is to be.
    fn turn(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.told.is_some_and(|told| now.duration_since(told) < PAUSE) {
            state.untold += 1;
            return None;
        }
        state.told = Some(now);
        Some(std::mem::take(&mut state.untold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_often_is_told_once_a_minute() {
        let (rarely, start) = (Rarely::default(), Instant::now());
        let told =
            [0, 1, 59, 60, 61, 200, 201].map(|second| rarely.turn(start + Duration::from_secs(second)));
        assert_eq!(told, [Some(0), None, None, Some(2), None, Some(1), None]);
    }
}
