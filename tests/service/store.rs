//! A store that fails: the wallet goes on and says so.

use crate::rig::{Rig, account, backend, devnet};
use async_trait::async_trait;
use headless_wallet::keys::Mnemonic;
use headless_wallet::service::{Options, Wallet};
use headless_wallet::store::{MemoryStore, Owner, Store, StoreError, Stores};
use headless_wallet::wallet::ChangeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A disk that is full while it is said to be.
#[derive(Default)]
struct Disk {
    kept: MemoryStore,
    full: AtomicBool,
}

struct Disks(Arc<Disk>);

#[async_trait]
impl Stores for Disks {
    async fn open(&self, _: &Owner) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
        let kept = self.0.load().await?;
        Ok((self.0.clone(), kept))
    }
}

#[async_trait]
impl Store for Disk {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        self.kept.load().await
    }
    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(StoreError::Failed {
                place: "a.redb".to_owned(),
                what: "no storage space".to_owned(),
            });
        }
        self.kept.append(changes).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_does_not_stop_the_wallet() {
    let devnet = devnet().await;
    let words = Mnemonic::generate().unwrap();
    let disk = Arc::new(Disk::default());
    let options = Options { stores: Some(Arc::new(Disks(disk.clone()))), ..Options::default() };
    let wallet = Wallet::start(account(&words), backend(&devnet), options).await.unwrap();
    let rig = Rig { devnet, wallet, words };
    rig.until_ready().await;
    disk.full.store(true, Ordering::SeqCst);
    rig.fund(&[500]).await;
    let status = rig.until_status(|status| status.store_problem.is_some()).await;
    assert_eq!(
        status.store_problem.as_deref(),
        Some(
            "store a.redb: no storage space: what happens now is not kept, which is tried again within 10 s; until then a new \
             start asks the full node for it"
        )
    );
    rig.pay(100).await.unwrap();
    // What could not be kept is kept once there is space, at the latest at the end.
    disk.full.store(false, Ordering::SeqCst);
    let all = rig.wallet.read(|state, _| state.snapshot()).unwrap();
    rig.wallet.stop().await;
    // The node may have told of some of them again meanwhile.
    let kept = disk.load().await.unwrap();
    assert!(kept.vertices.keys().eq(all.vertices.keys()));
    assert_eq!((kept.address_count, kept.current_index), (all.address_count, all.current_index));
}
