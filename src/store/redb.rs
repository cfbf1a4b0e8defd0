//! A store in one file: a redb database, whose commits are atomic and survive a crash at any byte.
//!
//! Change sets are merged into the file as they are appended, so that it holds each vertex once and never grows by being used. Other
//! processes are locked out while it is open.

use super::encode::{FORMAT, decode_changes, decode_vertex, encode_changes, encode_vertex};
use super::{RecordError, Store, StoreError};
use crate::ledger::VertexId;
use crate::wallet::ChangeSet;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Vertices by their ids.
const VERTICES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("vertices");
/// The rest of the change sets, and what the file is.
const ABOUT: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("about");
const KEY_FORMAT: &str = "format";
const KEY_OWNER: &str = "owner";
const KEY_COUNTERS: &str = "counters";

/// The file is read once and then written to: pages are hardly ever wanted again, and a process may have a thousand files open.
const CACHE_BYTES: usize = 256 * 1024;
/// Files below this size are not worth making smaller.
const COMPACT_FROM_BYTES: u64 = 4 * 1024 * 1024;
/// A file is made smaller when no more than one in so many of its bytes is used.
const COMPACT_USED_SHARE: u64 = 3;
/// How long to wait for a process that is just ending to let go of the file.
const TAKEOVER_TRIES: u32 = 20;
const TAKEOVER_PAUSE: Duration = Duration::from_millis(50);

type Opener = Box<dyn Fn() -> Result<Database, DatabaseError> + Send + Sync>;

/// A store in a file. Open in one place at a time; closed when dropped.
pub struct RedbStore(Arc<Inner>);

struct Inner {
    /// For error texts.
    place: String,
    owner: Option<String>,
    opener: Opener,
    /// `None` before the first use and after a failure, which redb can only recover from by opening the file again.
    database: Mutex<Option<Database>>,
}

/// What compacting a store came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes of the file before.
    pub before: u64,
    /// Bytes of the file now.
    pub after: u64,
}

impl RedbStore {
    /// Opens the store of `owner` (see [`Owner::name`](super::Owner::name)) in the file at `path`, which is made if there is none,
    /// and makes the file smaller if most of it is unused.
    ///
    /// Blocks.
    pub fn open(path: &Path, owner: &str) -> Result<Self, StoreError> {
        let store = Self::at(path, Some(owner), true);
        store.0.with(|database| {
            if worthwhile(path, database)? {
                database.compact()?;
            }
            Ok(())
        })?;
        Ok(store)
    }

    /// Opens the store in an existing file, whosever it is. Blocks.
    pub fn open_any(path: &Path) -> Result<Self, StoreError> {
        let store = Self::at(path, None, false);
        store.0.with(|_| Ok(()))?;
        Ok(store)
    }

    fn at(path: &Path, owner: Option<&str>, create: bool) -> Self {
        let file = PathBuf::from(path);
        let opener = move || {
            let mut builder = Builder::new();
            builder.set_cache_size(CACHE_BYTES);
            if create {
                private_file(&file)?;
                builder.create(&file)
            } else {
                builder.open(&file)
            }
        };
        Self::over(path.display().to_string(), owner, Box::new(opener))
    }

    fn over(place: String, owner: Option<&str>, opener: Opener) -> Self {
        let owner = owner.map(str::to_owned);
        Self(Arc::new(Inner { place, owner, opener, database: Mutex::new(None) }))
    }

    /// Whose it is. Blocks.
    pub fn owner(&self) -> Result<String, StoreError> {
        self.0.with(|database| {
            let about = database.begin_read()?.open_table(ABOUT)?;
            let owner = about.get(KEY_OWNER)?.ok_or(Trouble::Record(RecordError::Damaged))?;
            String::from_utf8(owner.value().to_vec()).map_err(|_| Trouble::Record(RecordError::Damaged))
        })
    }

    /// [`Store::load`], verifying every record. Blocks.
    pub fn read(&self) -> Result<ChangeSet, StoreError> {
        self.0.with(|database| {
            let reading = database.begin_read()?;
            let mut changes = counters(&reading.open_table(ABOUT)?)?;
            for entry in reading.open_table(VERTICES)?.iter()? {
                let (id, record) = entry?;
                let id = VertexId(*id.value());
                changes.vertices.insert(id, decode_vertex(id, record.value())?);
            }
            Ok(changes)
        })
    }

    /// [`Store::append`]. Blocks.
    pub fn write(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.0.with(|database| write(database, changes))
    }

    /// Reads everything there is and verifies it, the file's own structure too. Gives what it holds. Blocks.
    pub fn check(&self) -> Result<ChangeSet, StoreError> {
        self.0.with(|database| {
            if database.check_integrity()? { Ok(()) } else { Err(Trouble::Record(RecordError::Damaged)) }
        })?;
        self.read()
    }

    /// Makes the file at `path` as small as it can be. Blocks.
    pub fn compact(path: &Path) -> Result<Compacted, StoreError> {
        let store = Self::open_any(path)?;
        let size = || {
            std::fs::metadata(path)
                .map(|file| file.len())
                .map_err(|error| store.0.error(Trouble::Redb(error.into())))
        };
        let before = size()?;
        store.0.with(|database| Ok(database.compact().map(drop)?))?;
        *store.0.database.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(Compacted { before, after: size()? })
    }
}

#[async_trait::async_trait]
impl Store for RedbStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.read()).await
    }

    async fn append(&self, changes: ChangeSet) -> Result<(), StoreError> {
        let store = Self(self.0.clone());
        blocking(&self.0.place, move || store.write(&changes)).await
    }
}

/// Does what blocks on a thread for such work. A panic there (a damaged file may confuse redb) is an error like any other.
pub(super) async fn blocking<T: Send + 'static>(
    place: &str,
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|failure| {
        Err(StoreError::Damaged { place: place.to_owned(), what: format!("reading it broke off: {failure}") })
    })
}

impl Inner {
    /// Works with the database, opening it if need be. After a failure it is closed, so that the next use opens it again.
    fn with<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, Trouble>) -> Result<T, StoreError> {
        let mut slot = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out meanwhile: should redb panic, a database in an unknown state is not used again.
        let mut database = match slot.take() {
            Some(database) => database,
            None => self.open()?,
        };
        let result = work(&mut database);
        if result.is_ok() {
            *slot = Some(database);
        }
        result.map_err(|trouble| self.error(trouble))
    }

    fn open(&self) -> Result<Database, StoreError> {
        let mut tries = 1;
        let database = loop {
            match (self.opener)() {
                Err(DatabaseError::DatabaseAlreadyOpen) if tries < TAKEOVER_TRIES => {
                    tries += 1;
                    std::thread::sleep(TAKEOVER_PAUSE);
                }
                opened => break opened.map_err(|error| self.error(error))?,
            }
        };
        self.prepare(&database).map_err(|trouble| self.error(trouble))?;
        Ok(database)
    }

    /// Writes what the file is into a new one, and reads it in an old one.
    fn prepare(&self, database: &Database) -> Result<(), Trouble> {
        let reading = database.begin_read()?;
        let said = match reading.open_table(ABOUT) {
            Ok(about) => {
                let format = about.get(KEY_FORMAT)?.map(|format| format.value().to_vec());
                let owner = about.get(KEY_OWNER)?.map(|owner| owner.value().to_vec());
                Some((format.unwrap_or_default(), owner.unwrap_or_default()))
            }
            Err(redb::TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(error.into()),
        };
        match (said, &self.owner) {
            (Some((format, said)), owner) => {
                match format[..] {
                    [FORMAT] => {}
                    [version] if version > FORMAT => return Err(RecordError::Newer(version).into()),
                    _ => return Err(RecordError::Damaged.into()),
                }
                match owner {
                    Some(owner) if *owner.as_bytes() != *said => Err(Trouble::OtherOwner),
                    _ => Ok(()),
                }
            }
            (None, None) => Err(Trouble::NotAStore),
            (None, Some(owner)) => {
                let writing = database.begin_write()?;
                {
                    writing.open_table(VERTICES)?;
                    let mut about = writing.open_table(ABOUT)?;
                    about.insert(KEY_FORMAT, &[FORMAT][..])?;
                    about.insert(KEY_OWNER, owner.as_bytes())?;
                }
                Ok(writing.commit()?)
            }
        }
    }

    fn error(&self, trouble: impl Into<Trouble>) -> StoreError {
        let place = self.place.clone();
        match trouble.into() {
            Trouble::Redb(redb::Error::DatabaseAlreadyOpen) => StoreError::InUse(place),
            Trouble::Redb(redb::Error::Io(error)) if error.kind() != std::io::ErrorKind::InvalidData => {
                StoreError::Failed { place, what: error.to_string() }
            }
            Trouble::Redb(
                error @ (redb::Error::PreviousIo
                | redb::Error::DatabaseClosed
                | redb::Error::ValueTooLarge(_)),
            ) => StoreError::Failed { place, what: error.to_string() },
            Trouble::Redb(error) => StoreError::Damaged { place, what: format!("it is damaged: {error}") },
            Trouble::Record(error @ RecordError::Newer(_)) => StoreError::Newer { place, error },
            Trouble::Record(error) => StoreError::Damaged { place, what: error.to_string() },
            Trouble::NotAStore => {
                StoreError::Damaged { place, what: "it is no store of a wallet".to_owned() }
            }
            Trouble::OtherOwner => StoreError::Damaged {
                place,
                what: "it belongs to another wallet or chain, and was renamed".to_owned(),
            },
        }
    }
}

fn write(database: &Database, changes: &ChangeSet) -> Result<(), Trouble> {
    let writing = database.begin_write()?;
    {
        let mut vertices = writing.open_table(VERTICES)?;
        let mut about = writing.open_table(ABOUT)?;
        let mut kept = counters(&about)?;
        if changes.forget {
            vertices.retain(|_, _| false)?;
        }
        for (id, vertex) in &changes.vertices {
            vertices.insert(&id.0, &*encode_vertex(vertex))?;
        }
        kept.merge(ChangeSet { vertices: Default::default(), ..*changes });
        kept.forget = false;
        about.insert(KEY_COUNTERS, &*encode_changes(&kept))?;
    }
    Ok(writing.commit()?)
}

fn counters(about: &impl ReadableTable<&'static str, &'static [u8]>) -> Result<ChangeSet, Trouble> {
    match about.get(KEY_COUNTERS)? {
        None => Ok(ChangeSet::default()),
        Some(record) => Ok(decode_changes(record.value())?),
    }
}

fn worthwhile(path: &Path, database: &Database) -> Result<bool, Trouble> {
    let size = std::fs::metadata(path).map_err(DatabaseError::from)?.len();
    if size < COMPACT_FROM_BYTES {
        return Ok(false);
    }
    let stats = database.begin_write()?.stats()?;
    let used = stats.stored_bytes().saturating_add(stats.metadata_bytes());
    Ok(used.saturating_mul(COMPACT_USED_SHARE) <= size)
}

/// Makes the file, readable to its owner alone: who pays whom is nobody else's business.
fn private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// What went wrong, before it is known to whom.
enum Trouble {
    Redb(redb::Error),
    Record(RecordError),
    NotAStore,
    OtherOwner,
}

impl From<RecordError> for Trouble {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

macro_rules! from_redb {
    ($($error:ident),*) => { $(
        impl From<redb::$error> for Trouble {
            fn from(error: redb::$error) -> Self {
                Self::Redb(error.into())
            }
        }
    )* };
}
from_redb!(CommitError, CompactionError, DatabaseError, StorageError, TableError, TransactionError);

#[cfg(test)]
mod tests {
    use super::*;
    use redb::StorageBackend;
    use redb::backends::InMemoryBackend;
    use std::io;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A disk that is full, or gone, after so many more bytes. What was written before stays, torn or not.
    #[derive(Clone, Debug, Default)]
    struct Disk(Arc<DiskInner>);

    #[derive(Debug, Default)]
    struct DiskInner {
        bytes: InMemoryBackend,
        left: AtomicU64,
    }

    impl Disk {
        fn with_space(&self, bytes: u64) {
            self.0.left.store(bytes, Ordering::SeqCst);
        }
        fn left(&self) -> u64 {
            self.0.left.load(Ordering::SeqCst)
        }
        fn store(&self) -> RedbStore {
            let disk = self.clone();
            let opener = move || Builder::new().create_with_backend(disk.clone());
            RedbStore::over("disk".to_owned(), Some("somebody"), Box::new(opener))
        }
        /// As the disk is now, with as much space as anybody could want.
        fn copy(&self) -> Self {
            let copy = Self::default();
            let len = self.0.bytes.len().unwrap();
            let mut bytes = vec![0; usize::try_from(len).unwrap()];
            self.0.bytes.read(0, &mut bytes).unwrap();
            copy.0.bytes.set_len(len).unwrap();
            copy.0.bytes.write(0, &bytes).unwrap();
            copy.with_space(u64::MAX);
            copy
        }
    }

    impl StorageBackend for Disk {
        fn len(&self) -> io::Result<u64> {
            self.0.bytes.len()
        }
        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            self.0.bytes.read(offset, out)
        }
        fn set_len(&self, len: u64) -> io::Result<()> {
            self.0.bytes.set_len(len)
        }
        fn sync_data(&self) -> io::Result<()> {
            if self.left() == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            let (wanted, left) = (data.len() as u64, self.left());
            let fits = wanted.min(left);
            self.with_space(left - fits);
            self.0.bytes.write(offset, &data[..usize::try_from(fits).unwrap()])?;
            if fits < wanted { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    fn height(height: u32) -> ChangeSet {
        ChangeSet { best_height: Some(height), ..ChangeSet::default() }
    }

    /// Writes as much as fits, then looks at what a new process finds: all of the change, or nothing of it.
    #[test]
    fn a_write_that_breaks_off_at_any_byte_leaves_all_or_nothing() {
        let disk = Disk::default();
        disk.with_space(u64::MAX);
        disk.store().write(&height(1)).unwrap();
        let whole = {
            let disk = disk.copy();
            let store = disk.store();
            store.read().unwrap();
            let before = disk.left();
            store.write(&height(2)).unwrap();
            before - disk.left()
        };
        let mut found = [0, 0];
        for bytes in (0..=whole).step_by(61) {
            let disk = disk.copy();
            let store = disk.store();
            store.read().unwrap();
            disk.with_space(bytes);
            let written = store.write(&height(2));
            // The process dies here: nothing is closed in an orderly way.
            let after = disk.copy();
            std::mem::forget(store);
            let kept = after.store().check().unwrap();
            assert!(kept == height(1) || kept == height(2), "after {bytes} bytes: {kept:?}");
            assert!(written.is_err() || kept == height(2), "after {bytes} bytes");
            found[usize::from(kept == height(2))] += 1;
        }
        assert!(found[0] > 0, "{found:?}");
    }

    #[test]
    fn a_full_disk_is_said_and_space_heals_it() {
        let disk = Disk::default();
        disk.with_space(u64::MAX);
        let store = disk.store();
        store.write(&height(1)).unwrap();
        disk.with_space(100);
        assert_eq!(
            store.write(&height(2)),
            Err(StoreError::Failed { place: "disk".to_owned(), what: "no storage space".to_owned() })
        );
        assert!(store.write(&height(2)).is_err());
        disk.with_space(u64::MAX);
        store.write(&height(2)).unwrap();
        assert_eq!(store.read(), Ok(height(2)));
    }

    #[test]
    fn a_later_format_is_refused_and_left_alone() {
        let disk = Disk::default();
        disk.with_space(u64::MAX);
        disk.store().write(&height(1)).unwrap();
        {
            let database = Builder::new().create_with_backend(disk.clone()).unwrap();
            let writing = database.begin_write().unwrap();
            writing.open_table(ABOUT).unwrap().insert(KEY_FORMAT, &[FORMAT + 1][..]).unwrap();
            writing.commit().unwrap();
        }
        assert_eq!(
            disk.store().read().unwrap_err().to_string(),
            "store disk: its format is version 2, and this program reads versions up to 1: use the program that wrote it, or a \
             later one"
        );
    }

    #[test]
    fn a_damaged_record_is_found() {
        let disk = Disk::default();
        disk.with_space(u64::MAX);
        disk.store().write(&height(1)).unwrap();
        {
            let database = Builder::new().create_with_backend(disk.clone()).unwrap();
            let writing = database.begin_write().unwrap();
            writing.open_table(VERTICES).unwrap().insert(&[1; 32], &[0; 40][..]).unwrap();
            writing.commit().unwrap();
        }
        assert_eq!(disk.store().read().unwrap_err().to_string(), "store disk: a record is damaged");
    }
}
