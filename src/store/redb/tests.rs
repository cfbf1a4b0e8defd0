//! A store on a disk that fails in the middle.

use super::tables::{ABOUT, KEY_FORMAT, VERTICES};
use super::*;
use crate::store::FORMAT;
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
