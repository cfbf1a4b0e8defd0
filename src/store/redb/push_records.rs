//! The tables of push records. They are made with the first record.

use super::error::RedbError;
use crate::store::{PushRecord, RECORD_LIFE};
use redb::{Database, Durability, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError};

pub(super) const PUSH_RECORDS: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("push records");
/// For deleting old records.
const BY_TIME: TableDefinition<'_, (u32, &[u8; 32]), ()> = TableDefinition::new("push records by time");

pub(super) fn read(database: &Database, key: [u8; 32]) -> Result<Option<PushRecord>, RedbError> {
    let records = match database.begin_read()?.open_table(PUSH_RECORDS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        records => records?,
    };
    let record = records.get(&key)?;
    Ok(record.map(|record| PushRecord::decode(key, record.value())).transpose()?)
}

pub(super) fn all(database: &Database) -> Result<Vec<PushRecord>, RedbError> {
    let records = match database.begin_read()?.open_table(PUSH_RECORDS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        records => records?,
    };
    let mut all = Vec::new();
    for entry in records.iter()? {
        let (key, record) = entry?;
        all.push(PushRecord::decode(*key.value(), record.value())?);
    }
    Ok(all)
}

/// Writes all of them or none. Deletes records that are older than a day (measured from the newest of them)
/// and not open.
pub(super) fn write(database: &Database, records: &[PushRecord]) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    {
        let mut tables =
            Tables { records: writing.open_table(PUSH_RECORDS)?, by_time: writing.open_table(BY_TIME)? };
        for record in records {
            tables.forget(&record.key)?;
            tables.records.insert(&record.key, &*record.encode())?;
            tables.by_time.insert((record.time, &record.key), ())?;
            tables.forget_before(record.time.saturating_sub(RECORD_LIFE))?;
        }
    }
    Ok(writing.commit()?)
}

/// Settles pushes whose outcome is known. Records without a request's key are deleted.
pub(super) fn settle(
    database: &Database,
    keys: &[[u8; 32]],
    durability: Durability,
) -> Result<(), RedbError> {
    let mut writing = database.begin_write()?;
    writing.set_durability(durability).expect("no savepoint is made");
    {
        let mut tables =
            Tables { records: writing.open_table(PUSH_RECORDS)?, by_time: writing.open_table(BY_TIME)? };
        for key in keys {
            if PushRecord::is_unkeyed(key) {
                tables.forget(key)?;
                continue;
            }
            let known = tables.records.get(key)?.map(|record| PushRecord::decode(*key, record.value()));
            if let Some(known) = known.transpose()? {
                let settled = PushRecord { is_open: false, ..known };
                tables.records.insert(key, &*settled.encode())?;
            }
        }
    }
    Ok(writing.commit()?)
}

struct Tables<'a> {
    records: Table<'a, &'static [u8; 32], &'static [u8]>,
    by_time: Table<'a, (u32, &'static [u8; 32]), ()>,
}

impl Tables<'_> {
    fn forget(&mut self, key: &[u8; 32]) -> Result<(), RedbError> {
        let record = match self.records.remove(key)? {
            Some(record) => PushRecord::decode(*key, record.value())?,
            None => return Ok(()),
        };
        self.by_time.remove((record.time, key))?;
        Ok(())
    }

    fn forget_before(&mut self, time: u32) -> Result<(), RedbError> {
        let mut old = Vec::new();
        for place in self.by_time.range(..(time, &[0; 32]))? {
            old.push(*place?.0.value().1);
        }
        for key in old {
            let known = self.records.get(&key)?.map(|record| PushRecord::decode(key, record.value()));
            if known.transpose()?.is_none_or(|known| !known.is_open) {
                self.forget(&key)?;
            }
        }
        Ok(())
    }
}
