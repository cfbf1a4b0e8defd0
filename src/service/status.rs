//! The status of a running wallet, with the progress of a load and its estimated end.

use crate::api::{FeatureWarning, LoadProgress};
use crate::node::UnsupportedFeature;
use crate::rt::Instant;
use crate::wallet::Scan;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Numbered as clients of the documented interface know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Not connected, and not trying to be.
    Closed = 0,
    Connecting = 1,
    Syncing = 2,
    /// Every page of the history was read: balances are right, sends are accepted.
    Ready = 3,
    /// Loading failed in a way that waiting doesn't fix; the wallet can only be stopped.
    Error = 4,
    Processing = 5,
}

impl Phase {
    /// Whether the wallet is ready or can't become so any more.
    pub(super) const fn is_settled(self) -> bool {
        matches!(self, Self::Ready | Self::Error | Self::Closed)
    }

    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "Closed",
            Self::Connecting => "Connecting",
            Self::Syncing => "Syncing",
            Self::Ready => "Ready",
            Self::Error => "Error",
            Self::Processing => "Processing",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub phase: Phase,
    /// The component at fault, its message, and the remedy.
    pub problem: Option<String>,
    /// Why changes are not stored, though they should be. The wallet works nevertheless.
    pub store_problem: Option<String>,
    /// When the full node is tried again, in Unix seconds; `None` unless the wallet waits for it. See
    /// [`super::Wallet::reconnect`].
    pub next_try: Option<u32>,
    pub progress: Progress,
    /// The number of the account's addresses that are loaded, in the order of derivation.
    pub(super) loaded: u32,
    /// The network's active or coming features that this version does not support.
    pub unsupported_features: Arc<[UnsupportedFeature]>,
}

impl Status {
    pub(super) fn new(phase: Phase) -> Self {
        Self {
            phase,
            problem: None,
            store_problem: None,
            next_try: None,
            progress: Progress::NONE,
            loaded: 0,
            unsupported_features: Arc::from([]),
        }
    }

    pub fn warnings(&self) -> Vec<FeatureWarning> {
        self.unsupported_features.iter().map(FeatureWarning::from).collect()
    }
}

impl From<&UnsupportedFeature> for FeatureWarning {
    fn from(feature: &UnsupportedFeature) -> Self {
        Self { feature: feature.name.clone(), state: feature.state.name(), message: feature.to_string() }
    }
}

pub(super) const PROGRESS_EVERY: u32 = 20;
/// The shortest interval between reports of progress: each wakes all watchers.
const REPORT_EVERY: Duration = Duration::from_millis(100);
const LOG_EVERY: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Addresses whose history was read to its end.
    pub addresses: u32,
    pub transactions: usize,
    /// The estimated end of the load, in Unix seconds, at the pace so far; `None` before the first address is
    /// done. The number of addresses is known from an index limit or an earlier start. Otherwise as many
    /// addresses are expected to follow as were found so far; fewer if their first uses are recent, or if
    /// there are unused addresses.
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

pub(super) struct Loading {
    began: Instant,
    reported: Instant,
    logged: Instant,
    /// The number of addresses known when the load began.
    known: u32,
    gap_limit: u32,
    /// When the first and the last of the addresses found since were first used, in Unix seconds.
    uses: (u32, u32),
}

impl Loading {
    pub(super) const fn begin(now: Instant, known: u32, scan: Option<Scan>) -> Self {
        let gap_limit = match scan {
            Some(Scan::GapLimit(limit)) => limit,
            Some(Scan::IndexLimit { .. }) | None => 0,
        };
        Self { began: now, reported: now, logged: now, known, gap_limit, uses: (u32::MAX, 0) }
    }

    /// A vertex of this time uses an address further on than all before.
    pub(super) fn found(&mut self, time: u32) {
        self.uses = (self.uses.0.min(time), time);
    }

    /// How many addresses remain, given `all` so far.
    fn left(&self, done: u32, all: u32, today: u32) -> u32 {
        let (sure, found) = (all.saturating_sub(done), all.saturating_sub(self.known));
        let (first, last) = self.uses;
        let (past, to_come) = (last.saturating_sub(first), today.saturating_sub(last));
        let more = share(found, to_come, past);
        sure.saturating_add(share(more, sure, self.gap_limit))
    }

    /// How long the rest takes, rounded up, if each address takes as long as each of the first `done` of
    /// `all` did.
    pub(super) fn seconds_left(&self, done: u32, all: u32, now: Instant, today: u32) -> Option<u32> {
        let left = self.left(done, all, today);
        let seconds = self.took(now).as_secs_f64() * f64::from(left) / f64::from(done);
        (left > 0 && done > 0).then_some(seconds.ceil() as u32)
    }

    pub(super) fn is_report_due(&mut self, now: Instant) -> bool {
        is_due(&mut self.reported, REPORT_EVERY, now)
    }

    pub(super) fn is_log_due(&mut self, now: Instant) -> bool {
        is_due(&mut self.logged, LOG_EVERY, now)
    }

    pub(super) fn took(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }
}

/// Whether `every` has passed since `last`, which is then set to `now`.
fn is_due(last: &mut Instant, every: Duration, now: Instant) -> bool {
    let due = now.saturating_duration_since(*last) >= every;
    if due {
        *last = now;
    }
    due
}

/// `of` × `part` / `whole`, rounded down; at most `of`.
fn share(of: u32, part: u32, whole: u32) -> u32 {
    if part < whole { (u64::from(of) * u64::from(part) / u64::from(whole)) as u32 } else { of }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    const TODAY: u32 = 1_700_000_000;

    #[test]
    fn the_rest_takes_as_long_for_each_as_what_is_done() {
        let began = Instant::now();
        for scan in [Scan::IndexLimit { first: 0, last: 1_999 }, Scan::GapLimit(20)] {
            let loading = Loading::begin(began, 2_000, Some(scan));
            let left = |done, seconds| loading.seconds_left(done, 2_000, began + SECOND * seconds, TODAY);
            assert_eq!(left(0, 1), None, "nothing is done");
            assert_eq!(left(1, 1), Some(1_999));
            assert_eq!(left(500, 3), Some(9));
            assert_eq!(left(1_500, 10), Some(4), "3.3 s are rounded up");
            assert_eq!(left(2_000, 7), None, "that is the end");
        }
        let loading = Loading::begin(began, u32::MAX, Some(Scan::GapLimit(20)));
        let left = loading.seconds_left(1, u32::MAX, began + SECOND * 9, TODAY);
        assert_eq!(left, Some(u32::MAX), "it takes longer than Unix seconds last");
    }

    /// A wallet that was never loaded, with a gap limit of 20. It takes a second for ten addresses.
    fn seconds_left(uses: &[u32], done: u32, used: u32) -> Option<u32> {
        let began = Instant::now();
        let mut loading = Loading::begin(began, 20, Some(Scan::GapLimit(20)));
        uses.iter().for_each(|time| loading.found(*time));
        loading.seconds_left(done, used + 20, began + SECOND * done / 10, TODAY)
    }

    #[test]
    fn a_history_is_expected_to_go_on_for_as_long_again() {
        assert_eq!(seconds_left(&[], 10, 0), Some(1), "an unused wallet ends at the gap limit");
        let uses = [TODAY - 100, TODAY - 50];
        assert_eq!(seconds_left(&uses[..1], 1, 1), Some(3), "20 and 1 are to come");
        assert_eq!(seconds_left(&uses, 80, 100), Some(14), "40 are sure, and 100 as likely as not");
        assert_eq!(seconds_left(&uses, 100, 100), Some(12));
        assert_eq!(seconds_left(&uses, 1_000, 1_000), Some(102));
    }

    #[test]
    fn a_history_that_comes_near_the_present_is_near_its_end() {
        let left = |last| seconds_left(&[TODAY - 1_000, last], 1_000, 1_000);
        assert_eq!(left(TODAY - 900), Some(102), "more than as long again is not expected");
        assert_eq!(left(TODAY - 500), Some(102));
        assert_eq!(left(TODAY - 200), Some(27), "20 and a quarter of 1,000");
        assert_eq!(left(TODAY), Some(2));
        assert_eq!(left(TODAY + 10), Some(2), "the clock is slow");
        assert_eq!(left(TODAY - 2_000), Some(102), "the addresses were not used in their order");
    }

    #[test]
    fn unused_addresses_in_a_row_are_a_sign_of_the_end() {
        let left = |done| seconds_left(&[TODAY - 1_000, TODAY - 500], done, 1_000);
        assert_eq!(left(1_005), Some(77), "15, and three quarters of 1,000");
        assert_eq!(left(1_010), Some(51));
        assert_eq!(left(1_019), Some(6), "1, and a twentieth of 1,000");
        assert_eq!(left(1_020), None);
    }

    #[test]
    fn what_an_earlier_start_knew_is_not_expected_again() {
        let began = Instant::now();
        let mut loading = Loading::begin(began, 1_020, Some(Scan::GapLimit(20)));
        let left =
            |loading: &Loading, done, all| loading.seconds_left(done, all, began + SECOND * done / 10, TODAY);
        assert_eq!(left(&loading, 500, 1_020), Some(52));
        loading.found(TODAY - 10);
        assert_eq!(left(&loading, 1_000, 1_030), Some(4), "30 are sure, and 10 more as likely as not");
    }

    #[test]
    fn the_log_is_told_now_and_then() {
        let began = Instant::now();
        let mut loading = Loading::begin(began, 20, Some(Scan::GapLimit(20)));
        let reported: Vec<u32> =
            (0..20).filter(|second| loading.is_log_due(began + SECOND * *second)).collect();
        assert_eq!(reported, [5, 10, 15]);
    }
}
