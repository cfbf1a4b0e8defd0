//! The table of tasks. It is made with the first one.

use super::error::RedbError;
use crate::store::TaskRecord;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError};

const TASKS: TableDefinition<'_, &[u8; 16], &[u8]> = TableDefinition::new("tasks");

pub(super) fn read(database: &Database) -> Result<Vec<TaskRecord>, RedbError> {
    let tasks = match database.begin_read()?.open_table(TASKS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        tasks => tasks?,
    };
    let mut records = Vec::new();
    for entry in tasks.iter()? {
        let (id, record) = entry?;
        records.push(TaskRecord::decode(*id.value(), record.value())?);
    }
    Ok(records)
}

pub(super) fn write(database: &Database, record: &TaskRecord) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    writing.open_table(TASKS)?.insert(&record.id, &*record.encode())?;
    Ok(writing.commit()?)
}

pub(super) fn forget(database: &Database, ids: &[[u8; 16]]) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    {
        let mut tasks = writing.open_table(TASKS)?;
        for id in ids {
            tasks.remove(id)?;
        }
    }
    Ok(writing.commit()?)
}
