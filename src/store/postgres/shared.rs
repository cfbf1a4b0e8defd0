//! One wallet, as the servers on a database share it.

use super::chores::Chores;
use super::error::PgError;
use super::followed::Followed;
use super::key_locks::{self, KeyLock};
use super::{Inner, cluster, news, push_records};
use crate::rt::{self, Instant};
use crate::store::{
    Cluster, ClusterNews, LockedKey, OpenPush, PushOutcome, PushRecord, Recorded, Reserved, SendId,
    SharedClaim, StoreError,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long it is tried to record what is about to be pushed, and to take that back: where a commit had no
/// answer, the next try finds out whether it holds.
const RECORD_LIMIT: Duration = Duration::from_secs(5);
const RECORD_PAUSE: Duration = Duration::from_millis(200);

pub(super) struct SharedWallet {
    stores: Arc<Inner>,
    wallet: i64,
    followed: Arc<Followed>,
    /// [`Followed::reconnected`] when news were read last.
    reconnected: AtomicU64,
    /// The highest number of news that this server has heard of.
    told: AtomicU64,
}

impl SharedWallet {
    pub(super) fn new(stores: Arc<Inner>, wallet: i64) -> Self {
        let followed = stores.server.follow(wallet);
        Self { stores, wallet, followed, reconnected: AtomicU64::new(0), told: AtomicU64::new(0) }
    }

    async fn server(&self) -> Result<i64, PgError> {
        self.stores.server.lease.id(&self.stores.pool).await
    }

    fn heard_of(&self, seq: u64) -> u64 {
        self.told.fetch_max(seq, Ordering::SeqCst);
        seq
    }

    fn failed(&self, error: PgError) -> StoreError {
        self.stores.failed(error)
    }

    /// A send that is not recorded has ended, unless it has something to release.
    fn has_reserved_nothing(&self, send: SendId, claims: usize) {
        if claims == 0 {
            self.stores.server.chores.ended(send);
        }
    }
}

/// Unlocks a key when it is dropped.
struct Unlock<'a> {
    chores: &'a Chores,
    lock: KeyLock,
}

impl Drop for Unlock<'_> {
    fn drop(&mut self) {
        self.chores.unlock(self.lock);
    }
}

/// A send that this server is at, until this is dropped.
struct Begun<'a> {
    chores: &'a Chores,
    send: SendId,
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.chores.ended(self.send);
    }
}

#[async_trait::async_trait]
impl Cluster for SharedWallet {
    async fn reserve(
        &self,
        send: SendId,
        claims: &[SharedClaim],
        may_be_locked: bool,
    ) -> Result<Reserved, StoreError> {
        let Inner { calls, server, .. } = &*self.stores;
        server.chores.begins(send);
        let reserved = cluster::reserve(calls, &server.lease, self.wallet, send, claims, may_be_locked).await;
        if matches!(reserved, Ok(Reserved::Taken(_))) {
            server.chores.ended(send);
        }
        reserved.map_err(|error| self.failed(error))
    }

    fn release(&self, send: SendId) {
        self.stores.server.chores.release(send);
    }

    fn disown(&self, send: SendId) {
        self.stores.server.chores.disown(send);
    }

    async fn record(
        &self,
        send: SendId,
        claims: usize,
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Recorded, StoreError> {
        let (began, calls) = (Instant::now(), &self.stores.calls);
        // Also one that had nothing to reserve.
        self.stores.server.chores.begins(send);
        let lock = self.stores.server.chores.lock_of(self.wallet, record.key);
        let push = cluster::Push { wallet: self.wallet, send, claims, record, instead_of, lock };
        // Of a try of which it is not known whether it holds.
        let mut unanswered = None;
        loop {
            let recorded = async {
                let server = self.server().await?;
                cluster::record(calls, server, &push).await
            };
            match (recorded.await, unanswered) {
                (Err(error), before) if began.elapsed() < RECORD_LIMIT => {
                    unanswered = if error.is_not_reached() { before } else { Some(error) };
                    rt::sleep(RECORD_PAUSE).await;
                }
                (Err(error), None) if error.is_not_reached() => {
                    self.has_reserved_nothing(send, claims);
                    return Ok(Recorded::NotReached(self.failed(error)));
                }
                // An earlier try may have held, and another server may have brought it to its end since.
                (Ok(Recorded::Lost), Some(error)) | (Err(error), _) => return Err(self.failed(error)),
                (Ok(recorded), _) => {
                    if recorded != Recorded::Kept {
                        self.has_reserved_nothing(send, claims);
                    }
                    return Ok(recorded);
                }
            }
        }
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let record = push_records::read(&self.stores.calls, self.wallet, key).await;
        record.map_err(|error| self.failed(error))
    }

    async fn lock_key(&self, key: [u8; 32]) -> Result<Option<LockedKey>, StoreError> {
        let Inner { calls, server, .. } = &*self.stores;
        let number = getrandom::u64().map_err(|_| self.failed(PgError::Randomness))?;
        let lock = KeyLock { wallet: self.wallet, key, number: number.cast_signed() };
        // Where there is no answer, or nobody waits for it any more, it may be locked all the same.
        server.chores.locks(lock);
        let unlock = Unlock { chores: &server.chores, lock };
        let locked = key_locks::lock(calls, &server.lease, lock).await;
        let is_nothing = match &locked {
            Ok(record) => record.is_none(),
            Err(error) => error.is_not_reached(),
        };
        if is_nothing {
            server.chores.has_not_locked(lock);
        }
        if is_nothing || locked.is_ok() {
            std::mem::forget(unlock);
        }
        let record = locked.map_err(|error| self.failed(error))?;
        Ok(record.map(|record| LockedKey { number, record }))
    }

    async fn has_key_locked(&self, key: [u8; 32], number: u64) -> Result<bool, StoreError> {
        let Inner { calls, server, .. } = &*self.stores;
        let lock = KeyLock { wallet: self.wallet, key, number: number.cast_signed() };
        key_locks::is_locked(calls, &server.lease, lock).await.map_err(|error| self.failed(error))
    }

    fn unlock_key(&self, key: [u8; 32], number: u64) {
        let lock = KeyLock { wallet: self.wallet, key, number: number.cast_signed() };
        self.stores.server.chores.unlock(lock);
    }

    async fn keep_first(
        &self,
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Option<PushRecord>, StoreError> {
        let first = push_records::keep_first(&self.stores.calls, self.wallet, record, instead_of).await;
        first.map_err(|error| self.failed(error))
    }

    async fn settle(&self, send: SendId) -> Result<u64, StoreError> {
        let settled = cluster::settle(&self.stores.calls, self.wallet, send).await;
        self.stores.server.chores.ended(send);
        settled.map(|seq| self.heard_of(seq)).map_err(|error| self.failed(error))
    }

    async fn withdraw(&self, send: SendId) -> Result<bool, StoreError> {
        let (began, Inner { calls, server, .. }) = (Instant::now(), &*self.stores);
        // The one that it was recorded under, most likely: a later one has nothing to take back.
        let lease = server.lease.now();
        let withdrawn = loop {
            match cluster::withdraw(calls, lease, self.wallet, send).await {
                Err(_) if began.elapsed() < RECORD_LIMIT => rt::sleep(RECORD_PAUSE).await,
                withdrawn => break withdrawn,
            }
        };
        server.chores.ended(send);
        withdrawn.map_err(|error| self.failed(error))
    }

    async fn take_open(&self, push: &OpenPush) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        // What this server is at is not taken from itself: under its new lease it could be withdrawn. And as
        // long as it is at it, nothing else of this server leaves it to others.
        if !server.chores.begins(push.send) {
            return Ok(false);
        }
        // Also where nobody waits for the answer any more.
        let begun = Begun { chores: &server.chores, send: push.send };
        let taken = async { cluster::take_open(pool, self.server().await?, self.wallet, push).await };
        let taken = taken.await.map_err(|error| self.failed(error))?;
        if taken {
            std::mem::forget(begun);
        }
        Ok(taken)
    }

    async fn settle_open(&self, push: &OpenPush, outcome: PushOutcome) -> Result<Option<u64>, StoreError> {
        let settled = cluster::settle_open(&self.stores.pool, self.wallet, push, outcome).await;
        self.stores.server.chores.ended(push.send);
        let settled = settled.map_err(|error| self.failed(error))?;
        Ok(settled.map(|seq| self.heard_of(seq)))
    }

    async fn take_address(&self, current: u32, most: u32) -> Result<(u32, u64), StoreError> {
        let taken = news::take_address(&self.stores.pool, self.wallet, current, most).await;
        taken.map(|(index, seq)| (index, self.heard_of(seq))).map_err(|error| self.failed(error))
    }

    async fn latest(&self) -> Result<u64, StoreError> {
        let latest = news::latest(&self.stores.calls, self.wallet).await;
        latest.map(|seq| self.heard_of(seq)).map_err(|error| self.failed(error))
    }

    async fn look_for(&self, seq: u64) -> Result<bool, StoreError> {
        let was_told = self.latest().await? >= seq;
        if was_told {
            self.stores.server.look_now();
        }
        Ok(was_told)
    }

    fn share(&self) -> Option<u32> {
        self.stores.server.share()
    }

    fn wait_begins(&self) {
        self.followed.waiting.fetch_add(1, Ordering::Relaxed);
    }

    fn wait_ends(&self) {
        self.followed.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    async fn away(&self) -> StoreError {
        self.stores.server.away().await
    }

    fn others_wait(&self) -> bool {
        self.followed.others_wait.load(Ordering::Relaxed)
    }

    async fn news(&self, after: Option<u64>) -> Result<ClusterNews, StoreError> {
        let now = || self.followed.reconnected.load(Ordering::SeqCst);
        let before = self.reconnected.load(Ordering::SeqCst);
        if let Some(after) = after.and_then(|after| i64::try_from(after).ok()) {
            let is_news = |latest: &i64| *latest > after || now() != before;
            // The sender is held here.
            let _ = self.followed.news.subscribe().wait_for(is_news).await;
        }
        let now = now();
        let news = async {
            let server = self.server().await?;
            if now != before {
                // Numbers that a crash took back were told to callers, who ask for no less.
                news::raise(&self.stores.pool, self.wallet, self.told.load(Ordering::SeqCst)).await?;
            }
            // Where numbers come again, all that was lately is read.
            news::read(&self.stores.pool, server, self.wallet, after.filter(|_| now == before)).await
        };
        let news = news.await.map_err(|error| self.failed(error))?;
        self.reconnected.store(now, Ordering::SeqCst);
        self.heard_of(news.seq);
        Ok(news)
    }

    async fn open_pushes(&self) -> Result<Vec<OpenPush>, StoreError> {
        self.followed.open.notified().await;
        let open = cluster::open_pushes(&self.stores.pool, self.wallet).await;
        open.map_err(|error| self.failed(error))
    }
}
