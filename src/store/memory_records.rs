//! Push records for as long as the process runs, for wallets that are not stored.

use super::{PushRecord, PushRecords, RECORD_LIFE, StoreError};
use crate::ledger::sha256d;
use crate::rt;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MAX_RECORDS: usize = 100_000;
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// What a record takes besides its transaction, at most.
const RECORD_BYTES: usize = 320;

/// The push records of all accounts of a process; each account sees its own. Clones share the records. When
/// there is no room, new keys are refused; a record is never dropped early.
#[derive(Clone)]
pub struct MemoryPushRecords {
    owner: Arc<str>,
    table: Arc<Mutex<Table>>,
}

struct Table {
    max_records: usize,
    max_bytes: usize,
    records: HashMap<[u8; 32], PushRecord>,
    by_time: BTreeSet<(u32, [u8; 32])>,
    bytes: usize,
}

impl Default for MemoryPushRecords {
    /// 100,000 records or 64 MiB, whichever is reached first.
    fn default() -> Self {
        Self::with_room(MAX_RECORDS, MAX_BYTES)
    }
}

impl MemoryPushRecords {
    pub fn with_room(max_records: usize, max_bytes: usize) -> Self {
        let (records, by_time) = (HashMap::new(), BTreeSet::new());
        let table = Table { max_records, max_bytes, records, by_time, bytes: 0 };
        Self { owner: Arc::from(""), table: Arc::new(Mutex::new(table)) }
    }

    /// The records of one owner: equal keys of different owners are different keys.
    pub fn of(&self, owner: &str) -> Self {
        Self { owner: Arc::from(owner), table: self.table.clone() }
    }

    /// The key under which a record of the owner is kept.
    fn place(&self, key: &[u8; 32]) -> [u8; 32] {
        // The key has a fixed length, so two pairs are never equal.
        sha256d(&[self.owner.as_bytes(), key].concat())
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.expire(rt::unix_seconds());
        table
    }
}

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl PushRecords for MemoryPushRecords {
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let mut table = self.table();
        let added = records.iter().filter(|record| !table.records.contains_key(&self.place(&record.key)));
        let (count, bytes) = added.fold((0, 0), |(count, bytes), record| (count + 1, bytes + size(record)));
        table.check_room(count, bytes)?;
        for record in records {
            table.put(self.place(&record.key), record);
        }
        Ok(())
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let table = self.table();
        match table.records.get(&self.place(&key)) {
            Some(record) => Ok(Some(record.clone())),
            None => table.check_room(1, RECORD_BYTES).map(|()| None),
        }
    }

    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError> {
        let table = self.table();
        let is_own =
            |(place, record): &(&[u8; 32], &PushRecord)| record.is_open && self.place(&record.key) == **place;
        Ok(table.records.iter().filter(is_own).map(|(_, record)| record.clone()).collect())
    }

    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError> {
        let mut table = self.table();
        for place in keys.iter().map(|key| self.place(key)) {
            table.records.entry(place).and_modify(|record| record.is_open = false);
        }
        Ok(())
    }

    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        self.settle(vec![key]).await
    }
}

impl Table {
    fn put(&mut self, place: [u8; 32], record: PushRecord) {
        self.remove(&place);
        self.bytes += size(&record);
        self.by_time.insert((record.time, place));
        self.records.insert(place, record);
    }

    fn remove(&mut self, place: &[u8; 32]) {
        if let Some(record) = self.records.remove(place) {
            self.bytes -= size(&record);
            self.by_time.remove(&(record.time, *place));
        }
    }

    fn expire(&mut self, now: u32) {
        while let Some((time, place)) = self.by_time.first().copied()
            && now.saturating_sub(time) > RECORD_LIFE
        {
            self.remove(&place);
        }
    }

    fn check_room(&self, count: usize, bytes: usize) -> Result<(), StoreError> {
        if count == 0
            || (self.records.len() + count <= self.max_records && self.bytes + bytes <= self.max_bytes)
        {
            return Ok(());
        }
        let oldest = self.by_time.first().map_or(0, |(time, _)| *time);
        let age = rt::unix_seconds().saturating_sub(oldest);
        Err(StoreError::Full {
            records: self.records.len(),
            retry_after: (RECORD_LIFE + 1).saturating_sub(age),
        })
    }
}

fn size(record: &PushRecord) -> usize {
    RECORD_BYTES + record.transaction.len()
}
