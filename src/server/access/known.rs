//! All keys of a server, for lookups by requests.

use super::grant::Grant;
use super::key::{KeyHash, StoredKey, hash_of};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Default)]
pub(in crate::server) struct Known {
    by_hash: HashMap<KeyHash, Entry>,
    by_name: HashMap<String, Entry>,
    /// Also revoked keys, and whether each is from the settings.
    pub all: Vec<(StoredKey, bool)>,
    /// Whether the store's keys were read, if there is a store.
    pub state: KnownState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::server) enum KnownState {
    #[default]
    Unread,
    Unreadable,
    Whole,
}

#[derive(Clone)]
pub(in crate::server) struct Entry {
    pub named: Arc<Named>,
    pub hash: KeyHash,
    /// When a rotated key ends, in Unix seconds.
    pub until: Option<u64>,
}

pub(in crate::server) struct Named {
    pub name: String,
    pub grant: Grant,
    pace: Arc<Pace>,
}

impl Known {
    /// The keys of the settings and of the store; the former win on equal names. Keys that were there before
    /// keep their request rates.
    pub fn of(settings: &[StoredKey], stored: &[StoredKey], state: KnownState, before: &Self) -> Self {
        let mut known = Self { state, ..Self::default() };
        let settings = settings.iter().map(|key| (key, true));
        for (key, is_setting) in settings.chain(stored.iter().map(|key| (key, false))) {
            if let Some(why) = known.why_not(key) {
                tracing::warn!("the API key {:?} is not used: {why}", key.name);
                continue;
            }
            known.all.push((key.clone(), is_setting));
            if key.revoked.is_some() {
                continue;
            }
            let pace =
                before.by_name.get(&key.name).map(|entry| entry.named.pace.clone()).unwrap_or_default();
            let (name, grant) = (key.name.clone(), key.grant.clone());
            let named = Arc::new(Named { name, grant, pace });
            if let Some(old) = &key.before {
                let (named, hash) = (named.clone(), old.hash);
                known.by_hash.insert(hash, Entry { named, hash, until: Some(old.until) });
            }
            let hash = key.hash;
            let entry = Entry { named, hash, until: None };
            known.by_name.insert(key.name.clone(), entry.clone());
            known.by_hash.insert(hash, entry);
        }
        known
    }

    /// Why a key is left out. Two names for one key could not be distinguished.
    fn why_not(&self, key: &StoredKey) -> Option<&'static str> {
        match key {
            _ if self.all.iter().any(|(other, is_setting)| *is_setting && other.name == key.name) => {
                Some("the settings have another one of that name")
            }
            _ if self.by_hash.contains_key(&key.hash) => Some("it is the same key as another one"),
            _ => None,
        }
    }

    /// Looked up by its hash, so that timing reveals nothing about keys.
    pub fn given(&self, key: &[u8]) -> Option<&Entry> {
        if self.by_hash.is_empty() { None } else { self.by_hash(&hash_of(key)) }
    }

    pub fn by_hash(&self, hash: &KeyHash) -> Option<&Entry> {
        self.by_hash.get(hash)
    }

    /// `None` if it was revoked.
    pub fn named(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name)
    }
}

impl Entry {
    /// In Unix seconds.
    pub fn ends(&self) -> Option<u64> {
        [self.until, self.named.grant.until].into_iter().flatten().min()
    }
    pub fn has_ended(&self, now: u64) -> bool {
        self.ends().is_some_and(|end| end <= now)
    }
}

impl Named {
    /// Counts a request; `Err` is how long to wait if it comes too soon.
    pub fn take_turn(&self) -> Result<(), Duration> {
        match self.grant.per_second {
            None => Ok(()),
            Some(rate) => self.pace.take_turn(rate),
        }
    }
}

/// The recent rate of requests, by the generic cell rate algorithm: a single number, the time at which all
/// requests would have come at the allowed rate.
struct Pace {
    begun: Instant,
    /// In nanoseconds after `begun`.
    even: AtomicU64,
}

const SECOND: u64 = 1_000_000_000;

impl Default for Pace {
    fn default() -> Self {
        Self { begun: Instant::now(), even: AtomicU64::new(0) }
    }
}

impl Pace {
    fn take_turn(&self, rate: u32) -> Result<(), Duration> {
        let now = u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.at(now, rate)
    }

    /// Allows a second's requests at once, then one at a time.
    fn at(&self, now: u64, rate: u32) -> Result<(), Duration> {
        let each = SECOND / u64::from(rate.max(1));
        let most = each * u64::from(rate.max(1));
        let taken = self.even.fetch_update(Relaxed, Relaxed, |even| {
            let next = even.max(now) + each;
            (next - now <= most).then_some(next)
        });
        taken.map(drop).map_err(|even| Duration::from_nanos(even + each - now - most))
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, SECOND};
    use std::time::Duration;

    #[test]
    fn as_many_come_as_may_in_a_second_and_then_at_their_rate() {
        let pace = Pace::default();
        for _ in 0..4 {
            assert_eq!(pace.at(7 * SECOND, 4), Ok(()));
        }
        assert_eq!(pace.at(7 * SECOND, 4), Err(Duration::from_millis(250)));
        assert_eq!(pace.at(7 * SECOND + SECOND / 4 - 1, 4), Err(Duration::from_nanos(1)));
        assert_eq!(pace.at(7 * SECOND + SECOND / 4, 4), Ok(()));
        assert_eq!(pace.at(7 * SECOND + SECOND / 4, 4), Err(Duration::from_millis(250)));
        // Refused requests count for nothing, and waiting earns no more than a second's requests.
        let count = (0..10).filter(|_| pace.at(60 * SECOND, 4).is_ok()).count();
        assert_eq!(count, 4);
        assert_eq!(Pace::default().at(0, 1), Ok(()));
    }
}
