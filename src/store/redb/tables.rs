//! The tables of a store's file: vertices, and everything else.

use super::error::RedbError;
use super::events;
use super::layout::{ABOUT, VERTICES};
use crate::ledger::{Outpoint, VertexId};
use crate::store::{
    EventFacts, FORMAT, RecordError, decode_changes, decode_vertex, encode_changes, encode_vertex,
};
use crate::wallet::ChangeSet;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError, WriteTransaction};

/// Outputs that the user locked, with the end of each lock.
const LOCKED: TableDefinition<'_, (&[u8; 32], u8), u32> = TableDefinition::new("locked outpoints");
pub(super) const KEY_FORMAT: &str = "format";
const KEY_OWNER: &str = "owner";
const KEY_COUNTERS: &str = "counters";

/// Initializes a new file. Verifies that an old one is a store, and the store of `owner` if one is given.
pub(super) fn prepare(database: &Database, owner: Option<&str>) -> Result<(), RedbError> {
    let reading = database.begin_read()?;
    let about = match reading.open_table(ABOUT) {
        Ok(about) => about,
        Err(redb::TableError::TableDoesNotExist(_)) => {
            return begin(database, owner.ok_or(RedbError::NotAStore)?);
        }
        Err(error) => return Err(error.into()),
    };
    let said =
        |key| Ok::<_, RedbError>(about.get(key)?.map(|said| said.value().to_vec()).unwrap_or_default());
    match said(KEY_FORMAT)?[..] {
        [FORMAT] => {}
        [version] if version > FORMAT => return Err(RecordError::Newer(version).into()),
        _ => return Err(RecordError::Damaged.into()),
    }
    match owner {
        Some(owner) if *owner.as_bytes() != *said(KEY_OWNER)? => Err(RedbError::OtherOwner),
        _ => Ok(()),
    }
}

fn begin(database: &Database, owner: &str) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    {
        writing.open_table(VERTICES)?;
        let mut about = writing.open_table(ABOUT)?;
        about.insert(KEY_FORMAT, &[FORMAT][..])?;
        about.insert(KEY_OWNER, owner.as_bytes())?;
    }
    Ok(writing.commit()?)
}

pub(super) fn owner(database: &Database) -> Result<String, RedbError> {
    let about = database.begin_read()?.open_table(ABOUT)?;
    let owner = about.get(KEY_OWNER)?.ok_or(RecordError::Damaged)?;
    String::from_utf8(owner.value().to_vec()).map_err(|_| RecordError::Damaged.into())
}

pub(super) fn read(database: &Database) -> Result<ChangeSet, RedbError> {
    let reading = database.begin_read()?;
    let mut changes = counters(&reading.open_table(ABOUT)?)?;
    for entry in reading.open_table(VERTICES)?.iter()? {
        let (id, record) = entry?;
        let id = VertexId(*id.value());
        changes.vertices.insert(id, decode_vertex(&id, record.value())?);
    }
    let locked = match reading.open_table(LOCKED) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(changes),
        locked => locked?,
    };
    for entry in locked.iter()? {
        let (place, until) = entry?;
        let (tx, index) = place.value();
        changes.locked_outpoints.insert(Outpoint { tx: VertexId(*tx), index }, Some(until.value()));
    }
    Ok(changes)
}

/// A change set, encoded as far as possible without the file.
pub(super) struct Records {
    vertices: Vec<(VertexId, Vec<u8>)>,
    others: ChangeSet,
}

impl Records {
    pub(super) fn of(changes: &ChangeSet) -> Self {
        Self {
            vertices: changes.vertices.iter().map(|(id, vertex)| (*id, encode_vertex(id, vertex))).collect(),
            others: changes.without_vertices(),
        }
    }
}

/// Merges changes into the file and makes events of their facts: all of it or nothing. Returns the last
/// event's number, if there are new ones.
pub(super) fn write(
    database: &Database,
    records: &Records,
    facts: &EventFacts,
) -> Result<Option<u64>, RedbError> {
    let Records { vertices, others } = records;
    let writing = database.begin_write()?;
    let announced = events::add_events(&writing, facts)?;
    if others.forget {
        events::mark_known(&writing)?;
    }
    {
        let mut table = writing.open_table(VERTICES)?;
        let mut about = writing.open_table(ABOUT)?;
        let mut kept = counters(&about)?;
        if others.forget {
            table.retain(|_, _| false)?;
        }
        for (id, record) in vertices {
            table.insert(&id.0, &**record)?;
        }
        write_locks(&writing, others)?;
        kept.merge(ChangeSet { locked_outpoints: Default::default(), ..others.without_vertices() });
        kept.mark_kept();
        about.insert(KEY_COUNTERS, &*encode_changes(&kept))?;
    }
    writing.commit()?;
    Ok(announced)
}

/// The table is made with the first lock.
fn write_locks(writing: &WriteTransaction, changes: &ChangeSet) -> Result<(), RedbError> {
    if changes.locked_outpoints.is_empty() && !changes.forget {
        return Ok(());
    }
    let mut locked = writing.open_table(LOCKED)?;
    if changes.forget {
        locked.retain(|_, _| false)?;
    }
    for (Outpoint { tx, index }, until) in &changes.locked_outpoints {
        match until {
            Some(until) => locked.insert((&tx.0, *index), until)?,
            None => locked.remove((&tx.0, *index))?,
        };
    }
    Ok(())
}

fn counters(about: &impl ReadableTable<&'static str, &'static [u8]>) -> Result<ChangeSet, RedbError> {
    match about.get(KEY_COUNTERS)? {
        None => Ok(ChangeSet::default()),
        Some(record) => Ok(decode_changes(record.value())?),
    }
}
