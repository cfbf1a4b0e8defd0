//! What a server does for all on the database beside its requests and its rounds. It may have to wait for
//! rows that others have, by which no lease must end.

use super::error::PgError;
use super::events;
use super::freeing::{disown, release, tell};
use super::key_locks::{self, KeyLock};
use super::lease::Lease;
use super::pool::Pool;
use super::{spending, tasks};
use crate::limits::{Charge, PaymentId};
use crate::store::SendId;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_postgres::types::Type;

/// Most rows of one statement: after hours without a database there may be many. The rest has the next round.
const AT_ONCE: usize = 10_000;

/// What is to be done.
#[derive(Default)]
pub(super) struct Chores {
    /// The sends that may have reserved something: what others have reserved under this lease is left of a
    /// commit whose answer was lost.
    begun: Mutex<HashSet<SendId>>,
    /// What is to be freed.
    released: Mutex<Vec<SendId>>,
    /// Of what it is to be found out what became of it.
    disowned: Mutex<Vec<SendId>>,
    /// Tasks that this server had claimed and carries out no more, each with its wallet.
    given_back: Mutex<Vec<(i64, [u8; 16])>>,
    /// The same of listeners that it tells no more.
    sinks_given_back: Mutex<Vec<(i64, [u8; 16])>>,
    /// The numbers under which keys of wallets are locked, or about to be: one of a key in a process.
    locked: Mutex<HashMap<(i64, [u8; 32]), i64>>,
    /// Keys that are locked no more.
    unlocked: Mutex<Vec<KeyLock>>,
    /// What was counted of payments, by which send, and is to be taken back.
    spent: Mutex<Vec<(i64, PaymentId, Vec<Charge>)>>,
    /// How often it is still to be looked for locks that are left: since any was let go, twice.
    sweeps: AtomicU8,
    /// There is something to do.
    pub(super) added: Notify,
}

impl Chores {
    /// A send is about to reserve something. Gives whether that is new.
    pub(super) fn begins(&self, send: SendId) -> bool {
        lock(&self.begun).insert(send)
    }

    /// Frees what a send has reserved.
    pub(super) fn release(&self, send: SendId) {
        lock(&self.begun).remove(&send);
        lock(&self.released).push(send);
        self.added.notify_one();
    }

    /// Leaves it to all servers to find out what became of a send.
    pub(super) fn disown(&self, send: SendId) {
        lock(&self.begun).remove(&send);
        lock(&self.disowned).push(send);
        self.added.notify_one();
    }

    /// Leaves a task of a wallet to all servers.
    pub(super) fn give_back(&self, wallet: i64, task: [u8; 16]) {
        lock(&self.given_back).push((wallet, task));
        self.added.notify_one();
    }

    /// This server claims a task of a wallet, anew if it was to be given back.
    pub(super) fn claims(&self, wallet: i64, task: [u8; 16]) {
        lock(&self.given_back).retain(|other| *other != (wallet, task));
    }

    /// The same of a listener.
    pub(super) fn claims_sink(&self, wallet: i64, sink: [u8; 16]) {
        lock(&self.sinks_given_back).retain(|other| *other != (wallet, sink));
    }

    /// Leaves a listener of a wallet to all servers.
    pub(super) fn give_sink_back(&self, wallet: i64, sink: [u8; 16]) {
        lock(&self.sinks_given_back).push((wallet, sink));
        self.added.notify_one();
    }

    /// A key is about to be locked.
    pub(super) fn locks(&self, KeyLock { wallet, key, number }: KeyLock) {
        lock(&self.locked).insert((wallet, key), number);
    }

    /// The number under which a key is locked.
    pub(super) fn lock_of(&self, wallet: i64, key: [u8; 32]) -> Option<i64> {
        lock(&self.locked).get(&(wallet, key)).copied()
    }

    /// Another server has. An earlier try whose answer was lost may come later, and lock it.
    pub(super) fn has_not_locked(&self, KeyLock { wallet, key, number }: KeyLock) {
        let mut locked = lock(&self.locked);
        if locked.get(&(wallet, key)) == Some(&number) {
            locked.remove(&(wallet, key));
        }
        self.sweeps.store(2, Ordering::Relaxed);
    }

    /// Lets other servers lock a key.
    pub(super) fn unlock(&self, key: KeyLock) {
        self.has_not_locked(key);
        lock(&self.unlocked).push(key);
        self.added.notify_one();
    }

    /// Takes back what was counted of a payment.
    pub(super) fn take_back(&self, by: i64, id: PaymentId, charges: Vec<Charge>) {
        lock(&self.spent).push((by, id, charges));
        self.added.notify_one();
    }

    /// A send has come to its end.
    pub(super) fn ended(&self, send: SendId) {
        lock(&self.begun).remove(&send);
    }

    /// Does what was added. Gives whether there is anything that others wait for.
    pub(super) async fn do_added(&self, pool: &Pool, lease: &Lease) -> Result<bool, PgError> {
        let released = each_of(&self.released, async |sends| release(pool, sends).await).await?;
        let disowned = each_of(&self.disowned, async |sends| disown(pool, sends).await).await?;
        let tasks =
            each_of(&self.given_back, async |tasks| tasks::give_back(pool, lease, tasks).await).await?;
        each_of(&self.unlocked, async |keys| key_locks::unlock(pool, keys).await).await?;
        let take_back = async |spent: &[(i64, PaymentId, Vec<Charge>)]| {
            for (by, id, charges) in spent {
                spending::take_back(pool, *by, *id, charges).await?;
            }
            Ok(())
        };
        let give_sinks = async |sinks: &[_]| events::give_sinks_back(pool, lease, sinks).await;
        let sinks = each_of(&self.sinks_given_back, give_sinks).await?;
        each_of(&self.spent, take_back).await?;
        Ok(sinks || tasks || disowned || released)
    }

    /// Lets go keys that are locked under this lease for nothing that is under way: a commit whose answer was
    /// lost may come later than what was to undo it, and a crash of the database may take that back.
    pub(super) async fn unlock_what_is_over(&self, pool: &Pool, lease: &Lease) -> Result<(), PgError> {
        let due = self.sweeps.load(Ordering::Relaxed);
        if due == 0 {
            return Ok(());
        }
        let locked = || lock(&self.locked).values().copied().collect();
        key_locks::unlock_all_but(pool, lease, locked).await?;
        let _ = self.sweeps.compare_exchange(due, due - 1, Ordering::Relaxed, Ordering::Relaxed);
        Ok(())
    }

    /// Frees what is reserved under this lease by sends that are over, and leaves it to all servers to find
    /// out what became of those that are recorded: a commit whose answer was lost may come later than what
    /// was to undo it, and a crash of the database takes back that a push was settled.
    pub(super) async fn release_what_is_over(&self, pool: &Pool, lease: &Lease) -> Result<(), PgError> {
        let server = lease.now();
        let mut transaction = pool.begin().await?;
        // Its time is from here on that of the database: whatever is begun later is younger.
        transaction.query("select", &[]).await?;
        let begun: Vec<SendId> = lock(&self.begun).iter().copied().collect();
        let begun: Vec<&[u8]> = begun.iter().map(|send| &send.0[..]).collect();
        let over = "delete from reservation where state = 0 and server = $1 and not (send = any($2)) \
                    and at < now() - interval '2 s' returning wallet";
        let params = [(&server as _, Type::INT8), (&begun as _, Type::BYTEA_ARRAY)];
        let freed = transaction.query(over, &params).await?;
        tell(&mut transaction, freed.iter().map(|row| row.get(0)).collect()).await?;
        let open = "update push_record set server = null where (wallet, key) in (\
                        select wallet, key from push_record \
                        where state = 1 and server = $1 and not (send = any($2)) and at < now() - interval '2 s' \
                        for update skip locked)";
        transaction.execute(open, &params).await?;
        transaction.commit().await
    }
}

/// Does what is to be done for some sends or tasks, so many at most; for the same again later if that fails.
/// Gives whether there were any.
async fn each_of<T>(
    all: &Mutex<Vec<T>>,
    work: impl AsyncFnOnce(&[T]) -> Result<(), PgError>,
) -> Result<bool, PgError> {
    let taken: Vec<T> = {
        let mut all = lock(all);
        let some = all.len().min(AT_ONCE);
        all.drain(..some).collect()
    };
    if taken.is_empty() {
        return Ok(false);
    }
    let done = work(&taken).await;
    if done.is_err() {
        lock(all).extend(taken);
    }
    done.map(|()| true)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
