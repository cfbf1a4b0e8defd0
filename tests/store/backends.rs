//! One suite for every backend.

use crate::cluster::Postgres;
use crate::given::changes;
use futures_util::future::join_all;
use headless_wallet::store::{
    DataDir, MemoryStores, Owner, PostgresStores, PushRecord, RECORD_LIFE, Store, StoreError, Stores,
};
use headless_wallet::wallet::ChangeSet;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

pub fn owner(wallet: u8) -> Owner {
    Owner { wallet: [wallet; 32], network: "privatenet".to_owned(), genesis: None }
}

/// Ends the process that has these, as far as others know.
pub async fn leave(stores: &dyn Stores) {
    if let Some(lease) = stores.lease() {
        lease.leave().await;
    }
}

/// What is to be tested: stores, and a way to be a new process.
trait Backend {
    /// How many histories are tried.
    const CASES: u32 = 12;
    /// Whether push records that are too old are deleted when another one is kept.
    const FORGETS_AT_ONCE: bool = true;
    fn new() -> Self;
    /// As after a restart, if the backend outlives the process.
    fn stores(&self) -> impl Stores + '_;
}

struct Memory(Arc<MemoryStores>);

struct Shared(Arc<MemoryStores>);

#[async_trait::async_trait]
impl Stores for Shared {
    async fn open(&self, owner: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        self.0.open(owner).await
    }
}

impl Backend for Memory {
    fn new() -> Self {
        Self(Default::default())
    }
    fn stores(&self) -> impl Stores + '_ {
        Shared(self.0.clone())
    }
}

struct Files(TempDir);

impl Backend for Files {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }
    fn stores(&self) -> impl Stores + '_ {
        DataDir::new(self.0.path()).unwrap()
    }
}

struct Database {
    _cluster: Arc<Postgres>,
    url: String,
}

impl Backend for Database {
    // Each restart is some processes here.
    const CASES: u32 = 4;
    const FORGETS_AT_ONCE: bool = false;
    fn new() -> Self {
        let cluster = Postgres::shared();
        Self { url: cluster.url(), _cluster: cluster }
    }
    fn stores(&self) -> impl Stores + '_ {
        PostgresStores::new(self.url.parse().unwrap())
    }
}

/// What is appended in any order of change sets and restarts is what their merger says.
fn keeps_what_was_appended<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut runner =
        TestRunner::new(Config { cases: B::CASES, failure_persistence: None, ..Config::default() });
    let appends = prop::collection::vec((changes(), any::<bool>()), 0..8);
    runner
        .run(&appends, |appends| {
            runtime.block_on(async {
                let backend = B::new();
                let mut expected = ChangeSet::default();
                let mut stores = backend.stores();
                let (mut store, kept) = stores.open(&owner(1)).await.unwrap();
                assert!(kept.is_empty());
                for (changes, restart) in appends {
                    expected.merge(changes.clone());
                    expected.mark_kept();
                    store.append(&changes).await.unwrap();
                    assert_eq!(store.load().await.unwrap(), expected);
                    if restart {
                        drop(store);
                        leave(&stores).await;
                        stores = backend.stores();
                        let kept;
                        (store, kept) = stores.open(&owner(1)).await.unwrap();
                        assert_eq!(kept, expected);
                    }
                }
            });
            Ok(())
        })
        .unwrap();
}

fn keeps_owners_apart<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = B::new();
        let changes = ChangeSet { best_height: Some(5), ..ChangeSet::default() };
        let stores = backend.stores();
        stores.open(&owner(1)).await.unwrap().0.append(&changes).await.unwrap();
        let genesis = Some(headless_wallet::ledger::VertexId([1; 32]));
        for other in
            [owner(2), Owner { genesis, ..owner(1) }, Owner { network: "testnet".to_owned(), ..owner(1) }]
        {
            assert!(stores.open(&other).await.unwrap().1.is_empty(), "{}", other.name());
        }
        assert_eq!(stores.open(&owner(1)).await.unwrap().1, changes);
    });
}

/// Two wallets of one account in one process.
fn is_shared_in_a_process<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = B::new();
        let stores = backend.stores();
        let (one, _) = stores.open(&owner(1)).await.unwrap();
        let (two, _) = stores.open(&owner(1)).await.unwrap();
        let changes = ChangeSet { current_index: Some(3), ..ChangeSet::default() };
        one.append(&changes).await.unwrap();
        assert_eq!(two.load().await.unwrap(), changes);
    });
}

fn record(key: u8, time: u32) -> PushRecord {
    PushRecord { key: [key; 32], request: [9; 32], time, transaction: vec![key; 300], is_open: false }
}

fn keeps_push_records_for_a_day<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = B::new();
        let kept = async |store: &dyn Store| {
            let mut kept = Vec::new();
            for key in 1..=4 {
                kept.push(store.push_records().unwrap().push_record([key; 32]).await.unwrap());
            }
            kept
        };
        let mut stores = backend.stores();
        let store = stores.open(&owner(1)).await.unwrap().0;
        assert_eq!(kept(&*store).await, [None, None, None, None]);
        let times = [(1, 1_000), (2, 1_000), (3, 1_001), (4, 2_000)];
        let records = || store.push_records().unwrap();
        records().keep_push_records(times.map(|(key, time)| record(key, time)).to_vec()).await.unwrap();
        let other = PushRecord { request: [8; 32], time: 3_000, ..record(1, 0) };
        // The last one of a key stands.
        records().keep_push_records(vec![record(1, 2_500), other.clone()]).await.unwrap();
        let all =
            [Some(other.clone()), Some(record(2, 1_000)), Some(record(3, 1_001)), Some(record(4, 2_000))];
        assert_eq!(kept(&*store).await, all);
        drop(store);
        leave(&stores).await;
        stores = backend.stores();
        let store = stores.open(&owner(1)).await.unwrap().0;
        assert_eq!(kept(&*store).await, all);
        let mut left = all;
        if B::FORGETS_AT_ONCE {
            let late = vec![record(6, 1_001 + RECORD_LIFE)];
            store.push_records().unwrap().keep_push_records(late).await.unwrap();
            left[1] = None;
            assert_eq!(kept(&*store).await, left);
        }
        // A history that is loaded anew leaves them, and another owner has none of them.
        store.append(&ChangeSet { forget: true, ..ChangeSet::default() }).await.unwrap();
        assert_eq!(kept(&*store).await, left);
        let stranger = stores.open(&owner(2)).await.unwrap().0;
        assert_eq!(kept(&*stranger).await, [None, None, None, None]);
    });
}

/// A push is open until its outcome is known.
fn keeps_open_pushes<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = B::new();
        let stores = backend.stores();
        let store = stores.open(&owner(1)).await.unwrap().0;
        let records = store.push_records().unwrap();
        let open = |key| PushRecord { is_open: true, ..record(key, 1_000) };
        let unkeyed = PushRecord { key: PushRecord::unkeyed([5; 16]), ..open(5) };
        let all = vec![open(1), open(2), open(3), record(4, 1_000), unkeyed.clone()];
        records.keep_push_records(all).await.unwrap();
        let found = async || {
            let mut found = records.open_pushes().await.unwrap();
            found.sort_by_key(|record| record.key);
            found
        };
        assert_eq!(found().await, [open(1), open(2), open(3), unkeyed.clone()]);
        records.settle(vec![[1; 32], [4; 32], [9; 32]]).await.unwrap();
        records.withdraw([2; 32]).await.unwrap();
        assert_eq!(found().await, [open(3), unkeyed.clone()]);
        // A repetition of its request finds it.
        assert_eq!(records.push_record([1; 32]).await, Ok(Some(record(1, 1_000))));
        assert_eq!(records.push_record([2; 32]).await, Ok(Some(record(2, 1_000))));
        records.settle(vec![unkeyed.key]).await.unwrap();
        assert_eq!(records.push_record(unkeyed.key).await, Ok(None));
        // However old it is.
        records.keep_push_records(vec![record(6, 1_001 + RECORD_LIFE)]).await.unwrap();
        assert_eq!(found().await, [open(3)]);
    });
}

macro_rules! suite {
    ($name:ident, $backend:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn keeps_what_was_appended() {
                super::keeps_what_was_appended::<$backend>();
            }
            #[test]
            fn keeps_owners_apart() {
                super::keeps_owners_apart::<$backend>();
            }
            #[test]
            fn is_shared_in_a_process() {
                super::is_shared_in_a_process::<$backend>();
            }
        }
    };
}
suite!(memory, Memory);
suite!(redb, Files);
suite!(postgres, Database);

/// Those that keep push records beside a wallet's history.
mod push_records {
    #[test]
    fn redb_keeps_them_for_a_day() {
        super::keeps_push_records_for_a_day::<super::Files>();
    }
    #[test]
    fn redb_keeps_open_ones() {
        super::keeps_open_pushes::<super::Files>();
    }
    #[test]
    fn postgres_keeps_open_ones() {
        super::keeps_open_pushes::<super::Database>();
    }
    #[test]
    fn postgres_keeps_them_for_a_day() {
        super::keeps_push_records_for_a_day::<super::Database>();
    }
}

// Documents of a server's own.

async fn replaced_only_by_whoever_knows_what_is_there(stores: &dyn Stores) {
    let documents = stores.documents().unwrap();
    assert_eq!(documents.read_document("a").await, Ok(None));
    assert_eq!(documents.document_version("a").await, Ok(None));
    assert_eq!(documents.replace_document("a", Some([7; 16]), "never").await, Ok(false));
    assert_eq!(documents.replace_document("a", None, "one").await, Ok(true));
    assert_eq!(documents.replace_document("a", None, "never").await, Ok(false));
    let one = documents.read_document("a").await.unwrap().unwrap();
    assert_eq!((&*one.text, documents.document_version("a").await), ("one", Ok(Some(one.version))));
    assert_eq!(documents.replace_document("a", Some(one.version), "one").await, Ok(true));
    let two = documents.read_document("a").await.unwrap().unwrap();
    assert_ne!(two.version, one.version, "of the same text, too");
    assert_eq!(documents.replace_document("a", Some(one.version), "never").await, Ok(false));
    assert_eq!(documents.read_document("b").await, Ok(None));

    // Of many at once that know the same, one is the first.
    let texts: Vec<_> = (0..20).map(|number| format!("{number} ") + &"x".repeat(100_000)).collect();
    let tries = texts.iter().map(|text| documents.replace_document("a", Some(two.version), text));
    let won: Vec<_> = join_all(tries).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    let place = won.iter().position(|won| *won).unwrap();
    assert_eq!(documents.read_document("a").await.unwrap().unwrap().text, texts[place]);
}

#[tokio::test]
async fn documents_in_a_directory() {
    let dir = TempDir::new().unwrap();
    let stores = DataDir::new(dir.path()).unwrap();
    replaced_only_by_whoever_knows_what_is_there(&stores).await;
    let path = dir.path().join("a.document");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    // They are none of the wallets' stores.
    assert_eq!(DataDir::files(dir.path()).unwrap(), Vec::<PathBuf>::new());
    for damaged in ["", "00", &format!("{}x", "00".repeat(16)), &format!("{}\n", "zz".repeat(16))] {
        std::fs::write(&path, damaged).unwrap();
        let place = path.display().to_string();
        let error = StoreError::Damaged { place, what: "it is damaged".to_owned() };
        let documents = stores.documents().unwrap();
        assert_eq!(documents.read_document("a").await, Err(error.clone()), "{damaged}");
        assert_eq!(documents.document_version("a").await, Err(error.clone()));
        assert_eq!(documents.replace_document("a", None, "never").await, Err(error));
    }
}

#[tokio::test]
async fn documents_in_a_database() {
    let postgres = Postgres::shared();
    let stores = PostgresStores::new(postgres.url().parse().unwrap());
    replaced_only_by_whoever_knows_what_is_there(&stores).await;
}
