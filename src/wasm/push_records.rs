//! Records of what was pushed for an idempotency key, among the entries of a JavaScript store.
//!
//! Such a store can put entries and can't remove single ones. So records have places, `push-0`, `push-1` and so on, and a new one takes
//! the first place whose record is a day old or forgotten: there are never more places than keys of one day.

use crate::rt;
use crate::store::{PushRecord, RECORD_LIFE, RecordChange};

/// What the keys of these entries begin with.
const PREFIX: &str = "push-";

/// All places, in their order.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<Option<PushRecord>>);

impl Places {
    /// Takes an entry of the store in, if it is one of these. A record that can't be read is none.
    pub fn read(&mut self, key: &str, bytes: &[u8]) -> bool {
        let Some(place) = key.strip_prefix(PREFIX).and_then(|place| place.parse::<u16>().ok()) else {
            return false;
        };
        let place = usize::from(place);
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] =
            bytes.split_first_chunk().and_then(|(key, bytes)| PushRecord::decode(*key, bytes).ok());
        true
    }

    /// The entries that the changes make.
    pub fn change(&mut self, changes: Vec<RecordChange>) -> Vec<(String, Vec<u8>)> {
        changes.into_iter().filter_map(|change| self.change_one(change)).collect()
    }

    fn change_one(&mut self, change: RecordChange) -> Option<(String, Vec<u8>)> {
        let place = match change {
            RecordChange::Forget(key) => {
                let place = self.place_of(&key)?;
                self.0[place] = None;
                place
            }
            RecordChange::Keep(record) => {
                let place = self.place_of(&record.key).unwrap_or_else(|| self.free_place());
                self.0[place] = Some(record);
                place
            }
        };
        Some(self.entry(place))
    }

    /// All entries, for a store that is written anew.
    pub fn entries(&self) -> Vec<(String, Vec<u8>)> {
        (0..self.0.len()).map(|place| self.entry(place)).collect()
    }

    /// The record of a key.
    pub fn get(&self, key: &[u8; 32]) -> Option<&PushRecord> {
        self.0.iter().flatten().find(|record| record.key == *key)
    }

    fn place_of(&self, key: &[u8; 32]) -> Option<usize> {
        self.0.iter().position(|record| record.as_ref().is_some_and(|record| record.key == *key))
    }

    fn free_place(&mut self) -> usize {
        let now = rt::unix_seconds();
        let is_free = |record: &Option<PushRecord>| {
            record.as_ref().is_none_or(|record| now.saturating_sub(record.time) > RECORD_LIFE)
        };
        self.0.iter().position(is_free).unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        })
    }

    fn entry(&self, place: usize) -> (String, Vec<u8>) {
        let bytes = self.0[place].as_ref().map_or_else(Vec::new, |record| {
            let mut bytes = record.key.to_vec();
            bytes.extend(record.encode());
            bytes
        });
        (format!("{PREFIX}{place}"), bytes)
    }
}
