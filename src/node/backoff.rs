//! Waiting longer after each failure, and not in step with everybody else who failed at the same time.

use crate::rt;
use std::time::Duration;

/// Delays that double from `first` to `most`, each with up to a quarter more at random.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    attempt: u32,
}

impl Backoff {
    /// Delays from `first` to `most`.
    pub const fn new(first: Duration, most: Duration) -> Self {
        Self { first, most, attempt: 0 }
    }
    /// For connecting again to a node: from 1 s to 30 s.
    pub const fn reconnect() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(30))
    }
    /// How long to wait this time.
    pub fn next_delay(&mut self) -> Duration {
        let doubled = 2u32.saturating_pow(self.attempt);
        self.attempt = self.attempt.saturating_add(1);
        let delay = self.first.saturating_mul(doubled).min(self.most);
        // Without randomness there is still the delay.
        let random = rt::random().map_or(0, |bytes| u64::from(u32::from_le_bytes(bytes) % 1000));
        let extra = delay.as_micros().saturating_mul(random.into()) / 4000;
        delay + Duration::from_micros(u64::try_from(extra).unwrap_or(0))
    }
    /// To be called after a success: the next delay is the first again.
    pub const fn reset(&mut self) {
        self.attempt = 0;
    }
}
