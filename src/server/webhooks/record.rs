//! The stored state of a listener and of each delivery, as JSON.

use crate::net::{NetError, Posted};
use crate::rt;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The pause after the first failed post, in milliseconds; each later pause is twice as long, up to the
/// longest.
const FIRST_PAUSE: u64 = 2_000;
const LONGEST_PAUSE: u64 = 3_600_000;
/// For listeners whose events are retried forever, in milliseconds.
const LONGEST_PAUSE_FOR_EVER: u64 = 30_000;
const GIVE_UP_AFTER: u64 = 24 * 3_600_000;
/// The status with which a listener unsubscribes for good.
const GONE: u16 = 410;
const BRIEF: usize = 200;

/// The state of the next event for a listener. Times are Unix milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::server) struct SinkState {
    pub attempts: u32,
    pub failing_since: u64,
    pub next_try: u64,
    pub is_off: bool,
}

impl SinkState {
    /// Unreadable bytes count as a new state.
    pub fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("numbers and flags are JSON")
    }

    /// After a post at `now` that failed.
    pub(super) fn failed(&mut self, now: u64, outcome: &Outcome, is_for_ever: bool) {
        self.attempts = self.attempts.saturating_add(1);
        if self.failing_since == 0 {
            self.failing_since = now;
        }
        let gone = outcome.status == Some(GONE);
        self.is_off = !is_for_ever && (gone || now.saturating_sub(self.failing_since) >= GIVE_UP_AFTER);
        let asked = outcome.retry_after.map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let pause = pause(self.attempts).max(asked.min(LONGEST_PAUSE));
        self.next_try = now + if is_for_ever { pause.min(LONGEST_PAUSE_FOR_EVER) } else { pause };
    }
}

/// Between half and all of twice the one before: listeners that failed together return at different times.
fn pause(attempts: u32) -> u64 {
    let doubled = FIRST_PAUSE.checked_shl(attempts.saturating_sub(1)).unwrap_or(LONGEST_PAUSE);
    let most = if attempts > 20 { LONGEST_PAUSE } else { doubled.min(LONGEST_PAUSE) };
    let drawn = u64::from(getrandom::u32().unwrap_or_default());
    most / 2 + drawn % (most / 2 + 1)
}

#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub status: Option<u16>,
    pub error: Option<String>,
    pub retry_after: Option<Duration>,
}

impl Outcome {
    pub fn of(posted: Result<Posted, NetError>) -> Self {
        match posted {
            Ok(Posted { status, .. }) if (200..300).contains(&status) => {
                Self { status: Some(status), error: None, retry_after: None }
            }
            Ok(Posted { status, retry_after, text }) => {
                let said: String = text.chars().take(BRIEF).collect();
                let colon = if said.is_empty() { "" } else { ": " };
                let error = Some(format!("status {status}{colon}{said}"));
                Self { status: Some(status), error, retry_after }
            }
            Err(failure) => Self { status: None, error: Some(failure.to_string()), retry_after: None },
        }
    }

    pub fn is_taken(&self) -> bool {
        self.error.is_none()
    }
}

/// The delivery of one event to one listener. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::server) struct Delivery {
    pub event_id: String,
    pub event: String,
    pub attempts: u32,
    pub is_delivered: bool,
    pub status: Option<u16>,
    pub error: Option<String>,
    pub first: u64,
    pub last: u64,
    pub next_try: Option<u64>,
}

impl Delivery {
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers are JSON")
    }

    pub(super) fn new(event_id: &str, event: &str) -> Self {
        let now = rt::unix_millis();
        let (event_id, event) = (event_id.to_owned(), event.to_owned());
        let (status, error, next_try) = (None, None, None);
        Self {
            event_id,
            event,
            attempts: 0,
            is_delivered: false,
            status,
            error,
            first: now,
            last: now,
            next_try,
        }
    }

    pub(super) fn note(&mut self, outcome: &Outcome, next_try: Option<u64>) {
        self.attempts = self.attempts.saturating_add(1);
        self.is_delivered |= outcome.is_taken();
        (self.status, self.error) = (outcome.status, outcome.error.clone());
        (self.last, self.next_try) = (rt::unix_millis(), next_try.filter(|_| !self.is_delivered));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry_after: Option<Duration>) -> Outcome {
        Outcome::of(Ok(Posted { status, retry_after, text: "no".to_owned() }))
    }

    #[test]
    fn pauses_grow_to_an_hour_and_a_listener_is_off_after_a_day() {
        let (mut state, mut now, mut pauses) = (SinkState::default(), 1_000, Vec::new());
        while !state.is_off {
            state.failed(now, &refused(500, None), false);
            pauses.push(state.next_try - now);
            now = state.next_try;
        }
        for (place, pause) in pauses.iter().enumerate() {
            let most = (2_000 << place.min(11)).min(3_600_000);
            assert!((most / 2..=most).contains(pause), "{place}: {pause}");
        }
        assert!((86_400_000..86_400_000 + 3_600_000).contains(&(now - 1_000 - pauses[pauses.len() - 1])));
        assert!((30..70).contains(&pauses.len()), "{}", pauses.len());
        assert_eq!(SinkState::read(&state.write()), state);
        assert_eq!(SinkState::read(b""), SinkState::default());
    }

    #[test]
    fn a_listener_says_when_and_that_it_is_gone() {
        let mut state = SinkState::default();
        state.failed(1_000, &refused(429, Some(Duration::from_secs(600))), false);
        assert_eq!((state.next_try, state.is_off), (601_000, false));
        state.failed(2_000, &refused(503, Some(Duration::from_secs(1_000_000))), false);
        assert_eq!((state.next_try, state.failing_since), (3_602_000, 1_000));
        state.failed(3_000, &refused(410, None), false);
        assert!(state.is_off);
        assert_eq!(refused(500, None).error.as_deref(), Some("status 500: no"));
    }
}
