//! What is particular to stores that are files.

use crate::backends::owner;
use headless_wallet::store::{DataDir, RedbStore, StoreError, Stores};
use headless_wallet::wallet::ChangeSet;
use tempfile::TempDir;

fn height(height: u32) -> ChangeSet {
    ChangeSet { best_height: Some(height), ..ChangeSet::default() }
}

#[test]
fn the_name_tells_network_genesis_and_wallet() {
    let mut owner = owner(0xab);
    assert_eq!(owner.name(), format!("privatenet-unknown-{}", "ab".repeat(20)));
    owner.genesis = Some(headless_wallet::ledger::VertexId([0xcd; 32]));
    owner.network = "nano/../Testnet".to_owned();
    assert_eq!(owner.name(), format!("nano----testnet-cdcdcdcdcdcdcdcd-{}", "ab".repeat(20)));
}

#[cfg(unix)]
#[test]
fn others_of_the_machine_can_not_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let inner = dir.path().join("data");
    DataDir::new(&inner).unwrap();
    let path = inner.join("one.redb");
    let _store = RedbStore::open(&path, "somebody").unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&inner), mode(&path)), (0o700, 0o600));
}

#[test]
fn an_open_store_is_locked() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("one.redb");
    let store = RedbStore::open(&path, "somebody").unwrap();
    let failure = RedbStore::open(&path, "somebody").err().unwrap();
    assert_eq!(failure, StoreError::InUse(path.display().to_string()));
    assert_eq!(
        failure.to_string(),
        format!(
            "store {}: another process uses it: end that one, or give one of the two another --data-dir",
            path.display()
        )
    );
    drop(store);
    RedbStore::open(&path, "somebody").unwrap();
}

#[test]
fn a_renamed_store_is_noticed() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("one.redb");
    RedbStore::open(&path, "somebody").unwrap();
    assert_eq!(
        RedbStore::open(&path, "other").err().unwrap().to_string(),
        format!("store {}: it belongs to another wallet or chain, and was renamed", path.display())
    );
}

/// Whatever becomes of the file: a wallet gets a store, empty or as it was, and never a mixture.
#[test]
fn a_file_cut_off_or_overwritten_anywhere_is_moved_aside_or_whole() {
    let dir = TempDir::new().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let path = dir.path().join(format!("{}.redb", owner(1).name()));
    RedbStore::open(&path, &owner(1).name()).unwrap().write(&height(1)).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let damaged = (0..whole.len()).step_by(whole.len() / 60 + 1).flat_map(|at| {
        let mut overwritten = whole.clone();
        let end = whole.len().min(at + 600);
        overwritten[at..end].iter_mut().for_each(|byte| *byte ^= 0x55);
        [whole[..at].to_vec(), overwritten]
    });
    for (number, bytes) in damaged.enumerate() {
        std::fs::write(&path, bytes).unwrap();
        let (store, kept) = runtime.block_on(DataDir::new(dir.path()).unwrap().open(&owner(1))).unwrap();
        assert!(kept == height(1) || kept.is_empty(), "damage {number}: {kept:?}");
        runtime.block_on(store.append(&height(2))).unwrap();
        assert_eq!(runtime.block_on(store.load()).unwrap(), height(2));
    }
}

#[test]
fn compacting_keeps_everything() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("one.redb");
    {
        let store = RedbStore::open(&path, "somebody").unwrap();
        (0..50).for_each(|number| store.write(&height(number)).unwrap());
    }
    let sizes = RedbStore::compact(&path).unwrap();
    assert!(sizes.after <= sizes.before, "{sizes:?}");
    assert_eq!(sizes.after, std::fs::metadata(&path).unwrap().len());
    let store = RedbStore::open_any(&path).unwrap();
    assert_eq!(store.check().unwrap(), height(49));
    assert_eq!(store.owner().unwrap(), "somebody");
}
