//! How far loading a history has come, and when it should be done.

use crate::api::LoadProgress;
use crate::rt::Instant;
use std::time::Duration;

/// After how many addresses progress is told.
pub(super) const PROGRESS_EVERY: u32 = 20;
/// How often the log is told of a history that is being loaded.
const LOG_EVERY: Duration = Duration::from_secs(5);

/// How much of the history is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Addresses whose history was read to its end.
    pub addresses: u32,
    /// Transactions known.
    pub transactions: usize,
    /// When everything should be loaded, in Unix seconds. Only while it is being loaded, and only where it is known how many addresses
    /// there are: where an index limit says so, or an earlier start.
    pub estimated_end: Option<u32>,
}

impl Progress {
    pub(super) const NONE: Self = Self { addresses: 0, transactions: 0, estimated_end: None };
}

impl From<Progress> for LoadProgress {
    fn from(progress: Progress) -> Self {
        let Progress { addresses, transactions, estimated_end } = progress;
        Self { addresses, transactions, estimated_end }
    }
}

/// A history that is being loaded.
pub(super) struct Loading {
    began: Instant,
    logged: Instant,
    /// How many addresses there are, as far as that is known.
    all: Option<u32>,
}

impl Loading {
    pub(super) const fn begin(now: Instant, all: Option<u32>) -> Self {
        Self { began: now, logged: now, all }
    }

    /// How long it still takes when the others take as long for each as the first `done` addresses did, rounded up.
    pub(super) fn seconds_left(&self, done: u32, now: Instant) -> Option<u32> {
        let left = self.all?.checked_sub(done).filter(|left| *left > 0)?;
        let left = self.took(now).checked_mul(left)?.checked_div(done)?;
        u32::try_from(left.as_nanos().div_ceil(1_000_000_000)).ok()
    }

    /// Whether it is time to tell the log.
    pub(super) fn is_worth_a_line(&mut self, now: Instant) -> bool {
        let due = now.saturating_duration_since(self.logged) >= LOG_EVERY;
        if due {
            self.logged = now;
        }
        due
    }

    pub(super) fn took(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_rest_takes_as_long_for_each_as_what_is_done() {
        let began = Instant::now();
        let loading = Loading::begin(began, Some(2_000));
        let left = |done, seconds| loading.seconds_left(done, began + SECOND * seconds);
        assert_eq!(left(1, 1), Some(1_999));
        assert_eq!(left(500, 3), Some(9));
        assert_eq!(left(1_500, 10), Some(4), "3.3 s are rounded up");
        assert_eq!(left(2_000, 7), None, "that is the end");
    }

    #[test]
    fn nothing_is_said_of_an_end_that_is_not_known() {
        let began = Instant::now();
        let left = |all, done| Loading::begin(began, all).seconds_left(done, began + SECOND * 9);
        assert_eq!(left(Some(20), 0), None, "nothing is done");
        assert_eq!(left(Some(20), 21), None, "there are more");
        assert_eq!(left(None, 5), None, "nobody knows how many there are");
        assert_eq!(left(Some(u32::MAX), 1), None, "it takes longer than Unix seconds last");
    }

    #[test]
    fn the_log_is_told_now_and_then() {
        let began = Instant::now();
        let mut loading = Loading::begin(began, None);
        let told: Vec<u32> =
            (0..20).filter(|second| loading.is_worth_a_line(began + SECOND * *second)).collect();
        assert_eq!(told, [5, 10, 15]);
    }
}
