//! A store on a disk that fails in the middle.

use super::layout::{ABOUT, VERTICES};
use super::push_records::PUSH_RECORDS;
use super::tables::KEY_FORMAT;
use super::*;
use crate::store::{FORMAT, RECORD_LIFE};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// A disk that is full, or fails, after `left` more bytes. Bytes written before stay, even in part.
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
    /// The disk as it is now, with space enough.
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

/// Writes as much as fits, then reads what a new process finds: all of the change, or nothing of it.
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
        // The process dies here: nothing is closed in order.
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
        "store disk: its format is version 2, which this program can't read: use the program that wrote it, or a \
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

fn note(key: u8, time: u32) -> PushRecord {
    PushRecord { key: [key; 32], request: [9; 32], time, transaction: vec![key; 300], is_open: false }
}

fn keep(note: &PushRecord) -> [PushRecord; 1] {
    [note.clone()]
}

#[test]
fn notes_are_kept_replaced_and_go_after_a_day() {
    let disk = Disk::default();
    disk.with_space(u64::MAX);
    let store = disk.store();
    store.write(&height(1)).unwrap();
    assert_eq!(store.read_push_record([1; 32]), Ok(None));
    let times = [(1, 1_000), (2, 1_000), (3, 1_001), (4, 2_000)];
    store.write_push_records(&times.map(|(key, time)| note(key, time))).unwrap();
    let other = PushRecord { request: [8; 32], time: 3_000, ..note(1, 0) };
    store.write_push_records(&keep(&other)).unwrap();
    drop(store);
    let store = disk.store();
    let kept = || [1, 2, 3, 4].map(|key| store.read_push_record([key; 32]).unwrap());
    assert_eq!(
        kept(),
        [Some(other.clone()), Some(note(2, 1_000)), Some(note(3, 1_001)), Some(note(4, 2_000))]
    );
    store.write_push_records(&keep(&note(6, 1_001 + RECORD_LIFE))).unwrap();
    assert_eq!(kept(), [Some(other), None, Some(note(3, 1_001)), Some(note(4, 2_000))]);
    assert_eq!(store.check(), Ok(height(1)));
    // Loading the history anew leaves them.
    store.write(&ChangeSet { forget: true, ..ChangeSet::default() }).unwrap();
    assert_eq!(store.read_push_record([3; 32]), Ok(Some(note(3, 1_001))));
}

#[test]
fn a_note_that_breaks_off_at_any_byte_is_there_or_not() {
    let disk = Disk::default();
    disk.with_space(u64::MAX);
    disk.store().write(&height(1)).unwrap();
    disk.store().write_push_records(&keep(&note(1, 1_000))).unwrap();
    let (changed, old) = (PushRecord { time: 2_000, ..note(1, 0) }, note(1, 1_000));
    let whole = {
        let disk = disk.copy();
        let store = disk.store();
        store.read().unwrap();
        let before = disk.left();
        store.write_push_records(&keep(&changed)).unwrap();
        before - disk.left()
    };
    let mut found = [0, 0];
    for bytes in (0..=whole).step_by(61) {
        let disk = disk.copy();
        let store = disk.store();
        store.read().unwrap();
        disk.with_space(bytes);
        let written = store.write_push_records(&keep(&changed));
        let after = disk.copy();
        std::mem::forget(store);
        let store = after.store();
        assert_eq!(store.check(), Ok(height(1)));
        let kept = store.read_push_record([1; 32]).unwrap().unwrap();
        assert!(kept == old || kept == changed, "after {bytes} bytes: {kept:?}");
        assert!(written.is_err() || kept == changed, "after {bytes} bytes");
        found[usize::from(kept == changed)] += 1;
    }
    assert!(found[0] > 0, "{found:?}");
}

#[test]
fn a_damaged_note_is_not_believed_and_leaves_the_history_alone() {
    let disk = Disk::default();
    disk.with_space(u64::MAX);
    disk.store().write(&height(1)).unwrap();
    disk.store().write_push_records(&keep(&note(1, 1_000))).unwrap();
    let put = |bytes: &[u8]| {
        let database = Builder::new().create_with_backend(disk.clone()).unwrap();
        let writing = database.begin_write().unwrap();
        writing.open_table(PUSH_RECORDS).unwrap().insert(&[1; 32], bytes).unwrap();
        writing.commit().unwrap();
    };
    let whole = note(1, 1_000).encode();
    for place in 1..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        assert_eq!(PushRecord::decode([1; 32], &damaged), Err(RecordError::Damaged));
    }
    assert_eq!(PushRecord::decode([2; 32], &whole), Err(RecordError::Damaged));
    put(&whole[1..]);
    let store = disk.store();
    let said = "store disk: a record is damaged";
    assert_eq!(store.read_push_record([1; 32]).unwrap_err().to_string(), said);
    assert_eq!(store.check().unwrap_err().to_string(), said);
    assert_eq!(store.read(), Ok(height(1)));
    drop(store);
    put(&[&[2], &whole[1..]].concat());
    let said = disk.store().read_push_record([1; 32]).unwrap_err().to_string();
    assert_eq!(
        said,
        "store disk: its format is version 2, which this program can't read: use the program that wrote it, or a later one"
    );
}

#[tokio::test]
async fn tasks_are_kept_each_once_until_they_are_forgotten() {
    let disk = Disk::default();
    disk.with_space(u64::MAX);
    let task = |id: u8, text: &str| TaskRecord { id: [id; 16], task: text.into() };
    let store = disk.store();
    assert_eq!(store.tasks().await, Ok(Vec::new()), "no table");
    for record in [task(2, "two"), task(1, "one"), task(2, "two, ended")] {
        store.keep_task(record, true).await.unwrap();
    }
    drop(store);
    let store = disk.store();
    assert_eq!(store.tasks().await, Ok(vec![task(1, "one"), task(2, "two, ended")]));
    store.forget_tasks(vec![[1; 16], [9; 16]]).await.unwrap();
    assert_eq!(store.tasks().await, Ok(vec![task(2, "two, ended")]));

    let mut damaged = task(2, "two").encode();
    damaged[3] ^= 1;
    assert_eq!(TaskRecord::decode([2; 16], &damaged), Err(RecordError::Damaged));
    assert_eq!(TaskRecord::decode([3; 16], &task(2, "two").encode()), Err(RecordError::Damaged));
    assert_eq!(TaskRecord::decode([2; 16], &[9, 9]), Err(RecordError::Newer(9)));
}
