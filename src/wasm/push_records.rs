//! Records of what was pushed for an idempotency key, among the entries of a JavaScript store.
//!
//! Such a store can put entries and can't remove single ones. So records have places, `push-0`, `push-1` and
//! so on, and a new one takes the first place whose record is a day old: there are never more places than
//! keys of one day.

use crate::rt;
use crate::store::{PushRecord, RECORD_LIFE, RecordError};

/// What the keys of these entries begin with.
const PREFIX: &str = "push-";

/// All places, in their order.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<Place>);

/// What stands at a place.
#[derive(Clone, Default)]
enum Place {
    #[default]
    Free,
    Record(PushRecord),
    /// Something was pushed for this key, and what it was can't be read: the key must not be carried out
    /// anew.
    Unreadable {
        key: [u8; 32],
        entry: Vec<u8>,
        error: RecordError,
    },
}

impl Place {
    fn key(&self) -> Option<&[u8; 32]> {
        match self {
            Self::Free => None,
            Self::Record(record) => Some(&record.key),
            Self::Unreadable { key, .. } => Some(key),
        }
    }
}

impl Places {
    /// Takes an entry of the store in, if it is one of these.
    pub fn read(&mut self, key: &str, bytes: &[u8]) -> bool {
        let Some(place) = key.strip_prefix(PREFIX).and_then(|place| place.parse::<u16>().ok()) else {
            return false;
        };
        let place = usize::from(place);
        if self.0.len() <= place {
            self.0.resize(place + 1, Place::Free);
        }
        self.0[place] = match bytes.split_first_chunk() {
            None => Place::Free,
            Some((key, record)) => match PushRecord::decode(*key, record) {
                Ok(record) => Place::Record(record),
                Err(error) => Place::Unreadable { key: *key, entry: bytes.to_vec(), error },
            },
        };
        true
    }

    /// Takes records in, and gives the entries that they make.
    pub fn keep(&mut self, records: Vec<PushRecord>) -> Vec<(String, Vec<u8>)> {
        let entry = |record: PushRecord| {
            let place = self.place_of(&record.key).unwrap_or_else(|| self.free_place());
            self.0[place] = Place::Record(record);
            self.entry(place)
        };
        records.into_iter().map(entry).collect()
    }

    /// All entries, for a store that is written anew.
    pub fn entries(&self) -> Vec<(String, Vec<u8>)> {
        (0..self.0.len()).map(|place| self.entry(place)).collect()
    }

    /// The record of a key.
    ///
    /// # Errors
    /// Why it can't be read.
    pub fn get(&self, key: &[u8; 32]) -> Result<Option<PushRecord>, RecordError> {
        match self.0.iter().find(|place| place.key() == Some(key)) {
            None | Some(Place::Free) => Ok(None),
            Some(Place::Record(record)) => Ok(Some(record.clone())),
            Some(Place::Unreadable { error, .. }) => Err(*error),
        }
    }

    /// The records of pushes whose outcome is not known.
    pub fn open(&self) -> Vec<PushRecord> {
        let open = |place: &Place| match place {
            Place::Record(record) if record.is_open => Some(record.clone()),
            _ => None,
        };
        self.0.iter().filter_map(open).collect()
    }

    fn place_of(&self, key: &[u8; 32]) -> Option<usize> {
        self.0.iter().position(|place| place.key() == Some(key))
    }

    fn free_place(&mut self) -> usize {
        let now = rt::unix_seconds();
        let is_free = |place: &Place| match place {
            Place::Free => true,
            Place::Record(record) => !record.is_open && now.saturating_sub(record.time) > RECORD_LIFE,
            Place::Unreadable { .. } => false,
        };
        self.0.iter().position(is_free).unwrap_or_else(|| {
            self.0.push(Place::Free);
            self.0.len() - 1
        })
    }

    fn entry(&self, place: usize) -> (String, Vec<u8>) {
        let bytes = match &self.0[place] {
            Place::Record(record) => [&record.key[..], &record.encode()].concat(),
            Place::Unreadable { entry, .. } => entry.clone(),
            Place::Free => Vec::new(),
        };
        (format!("{PREFIX}{place}"), bytes)
    }
}
