//! This server among those on one database: its lease, and the look at what is new.

use super::chores::Chores;
use super::error::PgError;
use super::followed::Followed;
use super::held::HeldIds;
use super::lease::{IS_FREE, IS_GONE, IS_OPEN, Lease, millis};
use super::pool::Pool;
use crate::rt::{self, Instant};
use crate::store::{ClusterHealth, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_postgres::types::Type;

/// How often it is looked whether others did something.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How long the database must not have answered for sends that wait to be refused.
const AWAY_AFTER: Duration = Duration::from_secs(2);
/// How long the end of a server waits for that of its lease, which ends by itself, too.
const LEAVE_LIMIT: Duration = Duration::from_secs(1);

/// What this process does on the database beside its wallets' requests: one round for all of them.
#[derive(Default)]
pub(super) struct Server {
    pub(super) lease: Lease,
    pub(super) chores: Chores,
    pub(super) held: HeldIds,
    /// Wakes the rounds.
    wake: Notify,
    /// The wallets that somebody follows.
    followed: Mutex<HashMap<i64, Weak<Followed>>>,
    /// Why the last round had no answer, if it had none.
    problem: watch::Sender<Option<StoreError>>,
    /// What the last round has found, and when the lease was renewed.
    health: Mutex<(ClusterHealth, Option<Instant>)>,
    is_running: AtomicBool,
    /// The rounds are to end.
    is_leaving: AtomicBool,
    /// They have, and the lease with them.
    left: Notify,
    /// The connections that the rounds have opened: a crash of the database ends each of them.
    opened: AtomicU64,
    /// One more than where this server is among all of them, in parts of 2^32; 0 as long as that is not
    /// known.
    share: AtomicU64,
}

impl Server {
    /// Begins the next round at once.
    pub(super) fn look_now(&self) {
        self.wake.notify_one();
    }

    /// What happens to a wallet, from the next round on.
    pub(super) fn follow(&self, wallet: i64) -> Arc<Followed> {
        let mut followed = lock(&self.followed);
        followed.retain(|_, wallet| wallet.strong_count() > 0);
        followed.get(&wallet).and_then(Weak::upgrade).unwrap_or_else(|| {
            let new = Arc::new(Followed::new());
            followed.insert(wallet, Arc::downgrade(&new));
            new
        })
    }

    /// See [`crate::store::Cluster::share`].
    pub(super) fn share(&self) -> Option<u32> {
        self.share.load(Ordering::Relaxed).checked_sub(1).and_then(|share| u32::try_from(share).ok())
    }

    /// As of the last round.
    pub(super) fn health(&self) -> ClusterHealth {
        let (health, renewed) = lock(&self.health).clone();
        let problem = self.problem.borrow().as_ref().map(ToString::to_string);
        ClusterHealth { problem, lease_renewed: renewed.map(|time| time.elapsed()), ..health }
    }

    /// Waits until no round has had an answer for a while, and says why.
    pub(super) async fn away(&self) -> StoreError {
        let mut problem = self.problem.subscribe();
        loop {
            // The sender is held here.
            let now = problem.wait_for(Option::is_some).await.ok().and_then(|problem| problem.clone());
            let is_back = rt::timeout(AWAY_AFTER, problem.wait_for(Option::is_none)).await;
            if let (Some(failure), Err(rt::Elapsed)) = (now, is_back) {
                return failure;
            }
        }
    }

    /// Whether the last round had no answer.
    pub(super) fn is_away(&self) -> bool {
        self.problem.borrow().is_some()
    }

    /// Why the database gave no answer, if it gave none. It is said once.
    pub(super) fn found(&self, problem: Option<StoreError>) {
        match (&problem, self.problem.send_replace(problem.clone())) {
            (Some(now), None) => tracing::error!("{now}"),
            (None, Some(_)) => tracing::info!("the store answers again"),
            _ => {}
        }
    }

    /// Whether the rounds are to begin now: they were not, and so nobody else begins them.
    pub(super) fn is_first(&self) -> bool {
        !self.is_running.swap(true, Ordering::SeqCst)
    }

    /// Waits for the next round: it comes by itself, or earlier when it is asked for.
    pub(super) async fn next_round(&self) {
        let _ = rt::timeout(LOOK_EVERY, self.wake.notified()).await;
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::SeqCst)
    }

    /// The rounds have ended, and with them the lease.
    pub(super) fn has_left(&self) {
        self.is_leaving.store(false, Ordering::SeqCst);
        self.is_running.store(false, Ordering::SeqCst);
        self.left.notify_one();
    }

    /// Ends the rounds and the lease, if the database can be told in a moment.
    pub(super) async fn leave(&self) {
        if self.is_running.load(Ordering::SeqCst) {
            self.is_leaving.store(true, Ordering::SeqCst);
            self.wake.notify_one();
            let _ = rt::timeout(LEAVE_LIMIT, self.left.notified()).await;
        }
    }

    fn followed(&self) -> HashMap<i64, Arc<Followed>> {
        let followed = lock(&self.followed);
        followed.iter().filter_map(|(id, wallet)| Some((*id, wallet.upgrade()?))).collect()
    }

    /// All that a round is for, in one statement: the lease is renewed if that is due, and it is looked what
    /// is new of the wallets, and what servers that are gone have left.
    pub(super) async fn look(&self, pool: &Pool, renews: bool) -> Result<Seen, PgError> {
        let followed = self.followed();
        // Also before it sends anything: so it knows its place among all servers.
        let id = if followed.is_empty() { self.lease.now() } else { self.lease.id(pool).await? };
        let wallets: Vec<i64> = followed.keys().copied().collect();
        let waits = |wallet: &Arc<Followed>| wallet.waiting.load(Ordering::Relaxed) > 0;
        let waits: Vec<i64> = followed.iter().filter(|(_, of)| waits(of)).map(|(id, _)| *id).collect();
        let schema = pool.url().schema();
        // A crash of the database may take back that a lease was renewed: no disk is waited for.
        let look = format!(
            ", renewed as (update \"{schema}\".server set waits_for = $5, \
                     expires_at = clock_timestamp() + $2 * interval '1 ms' \
                 where id = $1 and ($3 or waits_for <> $5) and expires_at > clock_timestamp() \
                     and pg_catalog.set_config('synchronous_commit', 'off', true) = 'off' returning 1) \
             select 0, wallet, seq from news where wallet = any($4) \
             union all select 1, wallet, count(*) from push_record where wallet = any($4) and {IS_OPEN} group by wallet \
             union all select case when bool_or(server is not null and {IS_FREE}) then 2 else 9 end, wallet, count(*) \
                 from task where wallet = any($4) and is_open group by wallet \
             union all select 3, 0, count(*) from renewed \
             union all select 4, 0, count(*) from reservation where state = 0 and {IS_GONE} \
             union all select 5, 0, count(*) from reservation where state = 0 and server = $1 \
             union all select 6, 0, count(*) from push_record where wallet = any($4) and state = 1 \
             union all select 7, count(*) filter (where id < $1), count(*) from server \
                 where expires_at > clock_timestamp() \
             union all select distinct 8, wallet, 1 from server, unnest(waits_for) as wallet \
                 where id <> $1 and expires_at > clock_timestamp() and wallet = any($4)"
        );
        let params = [
            (&id as _, Type::INT8),
            (&millis() as _, Type::INT8),
            (&renews as _, Type::BOOL),
            (&wallets as _, Type::INT8_ARRAY),
            (&waits as _, Type::INT8_ARRAY),
        ];
        let (mut seen, mut has_lease) = (Seen::default(), true);
        let mut health = ClusterHealth::default();
        let tables = ["news", "push_record", "reservation", "server", "task"];
        let rows = pool.alone(&tables, &look, &params).await?;
        let opened = pool.opened();
        if ![0, opened].contains(&self.opened.swap(opened, Ordering::SeqCst)) {
            for wallet in followed.values() {
                wallet.reconnected.store(opened, Ordering::SeqCst);
                wallet.news.send_replace(-1);
            }
        }
        let (mut others_wait, mut have_tasks) = (HashSet::new(), HashSet::new());
        for row in rows {
            let (what, wallet, number): (i32, i64, i64) = (row.get(0), row.get(1), row.get(2));
            match (what, followed.get(&wallet)) {
                (0, Some(followed)) => {
                    followed.news.send_if_modified(|news| std::mem::replace(news, number) != number);
                }
                (1, Some(followed)) => followed.open.notify_one(),
                (8, _) => drop(others_wait.insert(wallet)),
                (2 | 9, Some(followed)) => {
                    have_tasks.insert(wallet);
                    if what == 2 {
                        followed.left_tasks.notify_one();
                    }
                }
                (3, _) => has_lease = id == 0 || !renews || number == 1,
                (4, _) => seen.is_anything_left = number > 0,
                (5, _) => {
                    health.reserved = number.try_into().unwrap_or_default();
                    seen.has_open_sends |= number > 0;
                }
                (7, _) if id != 0 => {
                    let share = (i128::from(wallet) << 32) / i128::from(number.max(1));
                    self.share.store(u64::try_from(share).map_or(0, |share| share + 1), Ordering::Relaxed);
                }
                (6, _) => {
                    health.open_pushes = number.try_into().unwrap_or_default();
                    seen.has_open_sends |= number > 0;
                }
                _ => {}
            }
        }
        for (id, wallet) in &followed {
            wallet.others_wait.store(others_wait.contains(id), Ordering::Relaxed);
            wallet.has_tasks.store(have_tasks.contains(id), Ordering::Relaxed);
        }
        if !has_lease {
            tracing::warn!("this server was not heard of for too long: what it had reserved is free again");
            self.lease.ended(id);
        }
        let mut known = lock(&self.health);
        let renewed = if renews { Some(Instant::now()) } else { known.1 };
        *known = (health, renewed.filter(|_| id != 0 && has_lease));
        Ok(seen)
    }
}

/// What a round has found to be done.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// Whether a server that is gone has left reservations.
    pub(super) is_anything_left: bool,
    /// Whether this server has reserved something, or a push is recorded and not settled.
    pub(super) has_open_sends: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
