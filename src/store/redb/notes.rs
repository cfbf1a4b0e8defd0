//! The tables of notes. They are made with the first note; a file without them has none.

use super::trouble::Trouble;
use crate::store::{NOTE_LIFE, Note, NoteChange};
use redb::{Database, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError};

/// Notes by their keys.
pub(super) const NOTES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("notes");
/// The keys of notes by their time.
const BY_TIME: TableDefinition<'_, (u32, &[u8; 32]), ()> = TableDefinition::new("notes by time");

/// The note of a key.
pub(super) fn read(database: &Database, key: [u8; 32]) -> Result<Option<Note>, Trouble> {
    let notes = match database.begin_read()?.open_table(NOTES) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        notes => notes?,
    };
    let record = notes.get(&key)?;
    Ok(record.map(|record| Note::decode(key, record.value())).transpose()?)
}

/// Verifies all notes.
pub(super) fn check(database: &Database) -> Result<(), Trouble> {
    let notes = match database.begin_read()?.open_table(NOTES) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(()),
        notes => notes?,
    };
    for entry in notes.iter()? {
        let (key, record) = entry?;
        Note::decode(*key.value(), record.value())?;
    }
    Ok(())
}

/// Makes all changes or none, and lets go what is too old beside the newest of them.
pub(super) fn write(database: &Database, changes: &[NoteChange]) -> Result<(), Trouble> {
    let writing = database.begin_write()?;
    {
        let mut tables = Tables { notes: writing.open_table(NOTES)?, by_time: writing.open_table(BY_TIME)? };
        for change in changes {
            match change {
                NoteChange::Keep(note) => {
                    tables.forget(&note.key)?;
                    tables.notes.insert(&note.key, &*note.encode())?;
                    tables.by_time.insert((note.time, &note.key), ())?;
                    tables.forget_before(note.time.saturating_sub(NOTE_LIFE))?;
                }
                NoteChange::Forget(key) => tables.forget(key)?,
            }
        }
    }
    Ok(writing.commit()?)
}

struct Tables<'a> {
    notes: Table<'a, &'static [u8; 32], &'static [u8]>,
    by_time: Table<'a, (u32, &'static [u8; 32]), ()>,
}

impl Tables<'_> {
    fn forget(&mut self, key: &[u8; 32]) -> Result<(), Trouble> {
        let note = match self.notes.remove(key)? {
            Some(record) => Note::decode(*key, record.value())?,
            None => return Ok(()),
        };
        self.by_time.remove((note.time, key))?;
        Ok(())
    }

    fn forget_before(&mut self, time: u32) -> Result<(), Trouble> {
        while let Some(place) = self.first_before(time)? {
            self.notes.remove(&place.1)?;
            self.by_time.remove((place.0, &place.1))?;
        }
        Ok(())
    }

    fn first_before(&self, time: u32) -> Result<Option<(u32, [u8; 32])>, Trouble> {
        let first = self.by_time.range(..(time, &[0; 32]))?.next().transpose()?;
        Ok(first.map(|(place, _)| (place.value().0, *place.value().1)))
    }
}
