//! What something takes: on the clock, which other programs hold up, and of the processors.

use std::time::{Duration, Instant};

/// What something took. Of the processors, that is what this whole process did meanwhile.
#[derive(Clone, Copy)]
pub struct Cost {
    pub wall: Duration,
    pub processor: Duration,
}

impl Cost {
    pub const MOST: Self = Self { wall: Duration::MAX, processor: Duration::MAX };

    pub fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), processor: self.processor.min(other.processor) }
    }
}

/// Runs from its start on.
pub struct Clock(Instant, Duration);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now(), processor_time())
    }
    pub fn read(&self) -> Cost {
        Cost { wall: self.0.elapsed(), processor: processor_time().saturating_sub(self.1) }
    }
}

pub fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Processor time of this process so far; none where the system doesn't say.
fn processor_time() -> Duration {
    let nanos = || -> Option<u64> {
        let mut sum = 0;
        for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
            let Ok(stat) = std::fs::read_to_string(task.path().join("schedstat")) else { continue };
            sum += stat.split_whitespace().next()?.parse::<u64>().ok()?;
        }
        Some(sum)
    };
    Duration::from_nanos(nanos().unwrap_or(0))
}
