//! One suite for every backend.

use crate::given::changes;
use headless_wallet::store::{DataDir, MemoryStores, Owner, Store, Stores};
use headless_wallet::wallet::ChangeSet;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tempfile::TempDir;

pub fn owner(wallet: u8) -> Owner {
    Owner { wallet: [wallet; 32], network: "privatenet".to_owned(), genesis: None }
}

/// What is to be tested: stores, and a way to be a new process.
trait Backend {
    fn new() -> Self;
    /// As after a restart, if the backend outlives the process.
    fn stores(&self) -> impl Stores + '_;
}

struct Memory(std::sync::Arc<MemoryStores>);

struct Shared(std::sync::Arc<MemoryStores>);

#[async_trait::async_trait]
impl Stores for Shared {
    async fn open(
        &self,
        owner: &Owner,
    ) -> Result<(std::sync::Arc<dyn Store>, ChangeSet), headless_wallet::store::StoreError> {
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

/// What is appended in any order of change sets and restarts is what their merger says.
fn keeps_what_was_appended<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let appends = prop::collection::vec((changes(), any::<bool>()), 0..8);
    runner
        .run(&appends, |appends| {
            runtime.block_on(async {
                let backend = B::new();
                let mut expected = ChangeSet::default();
                let (mut store, kept) = backend.stores().open(&owner(1)).await.unwrap();
                assert!(kept.is_empty());
                for (changes, restart) in appends {
                    expected.merge(changes.clone());
                    expected.mark_kept();
                    store.append(&changes).await.unwrap();
                    assert_eq!(store.load().await.unwrap(), expected);
                    if restart {
                        drop(store);
                        let kept;
                        (store, kept) = backend.stores().open(&owner(1)).await.unwrap();
                        assert_eq!(kept, expected);
                    }
                }
            });
            Ok(())
        })
        .unwrap();
}

fn keeps_owners_apart<B: Backend>() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
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
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
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
