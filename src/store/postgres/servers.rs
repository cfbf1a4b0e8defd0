//! This server among those on one database: the rounds in which it renews its lease, and looks what is new.

use super::Inner;
use super::error::PgError;
use super::freeing::{disown, free_what_is_left, release, tell, tidy};
use super::held::HeldIds;
use super::lease::{IS_FREE, IS_GONE, IS_OPEN, Lease, millis};
use super::pool::Pool;
use super::tasks;
use crate::rt::{self, Instant};
use crate::store::{ClusterHealth, SendId, StoreError};
use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_postgres::types::Type;
use tracing::Instrument;

/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_millis(400);
/// How often it is looked whether others did something.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How often it is looked for what is reserved and should not be.
const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// After how long without an answer it is said that the database gives none: it is waited for all the same.
const SILENT_AFTER: Duration = Duration::from_secs(2);
/// How long the database must not have answered for sends that wait to be refused.
const AWAY_AFTER: Duration = Duration::from_secs(2);
/// How long the end of a server waits for that of its lease, which ends by itself, too.
const LEAVE_LIMIT: Duration = Duration::from_secs(1);
/// How often what is too old is let go.
const TIDY_EVERY: Duration = Duration::from_secs(600);

/// What this process does on the database beside its wallets' requests: one round for all of them.
#[derive(Default)]
pub(super) struct Server {
    pub(super) lease: Lease,
    /// The sends that may have reserved something: what others have reserved under this lease is left of a
    /// commit whose answer was lost.
    begun: Mutex<HashSet<SendId>>,
    /// What is to be freed.
    released: Mutex<Vec<SendId>>,
    /// Of what it is to be found out what became of it.
    disowned: Mutex<Vec<SendId>>,
    /// Tasks that this server had claimed and carries out no more, each with its wallet.
    given_back: Mutex<Vec<(i64, [u8; 16])>>,
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

/// What is known of a wallet that somebody follows.
pub(super) struct Followed {
    /// The number of its last news.
    pub(super) news: watch::Sender<i64>,
    /// Changes when numbers of news may come again: what a crash of the database takes back of them is given
    /// anew.
    pub(super) reconnected: AtomicU64,
    /// Sends that wait here for outputs of other servers.
    pub(super) waiting: AtomicUsize,
    /// Such sends wait at other servers.
    pub(super) others_wait: AtomicBool,
    /// There are pushes that somebody must bring to their end.
    pub(super) open: Notify,
    /// There are tasks to be carried out, or being carried out.
    pub(super) has_tasks: AtomicBool,
    /// There are tasks that a server had begun which is gone.
    pub(super) left_tasks: Notify,
}

impl Server {
    /// A send is about to reserve something.
    pub(super) fn begins(&self, send: SendId) {
        lock(&self.begun).insert(send);
    }

    /// Frees what a send has reserved, in the next round.
    pub(super) fn release(&self, send: SendId) {
        lock(&self.begun).remove(&send);
        lock(&self.released).push(send);
        self.wake.notify_one();
    }

    /// Leaves it to all servers to find out what became of a send, from the next round on.
    pub(super) fn disown(&self, send: SendId) {
        lock(&self.begun).remove(&send);
        lock(&self.disowned).push(send);
        self.wake.notify_one();
    }

    /// Leaves a task of a wallet to all servers, from the next round on.
    pub(super) fn give_back(&self, wallet: i64, task: [u8; 16]) {
        lock(&self.given_back).push((wallet, task));
        self.wake.notify_one();
    }

    /// A send has come to its end.
    pub(super) fn ended(&self, send: SendId) {
        lock(&self.begun).remove(&send);
    }

    /// Begins the next round at once.
    pub(super) fn look_now(&self) {
        self.wake.notify_one();
    }

    /// What happens to a wallet, from the next round on.
    pub(super) fn follow(&self, wallet: i64) -> Arc<Followed> {
        let mut followed = lock(&self.followed);
        followed.retain(|_, wallet| wallet.strong_count() > 0);
        followed.get(&wallet).and_then(Weak::upgrade).unwrap_or_else(|| {
            let new = Arc::new(Followed {
                news: watch::Sender::new(-1),
                reconnected: AtomicU64::new(0),
                waiting: AtomicUsize::new(0),
                others_wait: AtomicBool::new(false),
                open: Notify::new(),
                has_tasks: AtomicBool::new(false),
                left_tasks: Notify::new(),
            });
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

    /// Why the database gave no answer, if it gave none. It is said once.
    fn found(&self, problem: Option<StoreError>) {
        match (&problem, self.problem.send_replace(problem.clone())) {
            (Some(now), None) => tracing::error!("{now}"),
            (None, Some(_)) => tracing::info!("the store answers again"),
            _ => {}
        }
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

    async fn release_all(&self, pool: &Pool) -> Result<(), PgError> {
        each_of(&self.released, async |sends| release(pool, sends).await).await?;
        each_of(&self.disowned, async |sends| disown(pool, sends).await).await?;
        each_of(&self.given_back, async |given| tasks::give_back(pool, &self.lease, given).await).await
    }

    /// Frees what is reserved under this lease by sends that are over, and leaves it to all servers to find
    /// out what became of those that are recorded: a commit whose answer was lost may come later than what
    /// was to undo it, and a crash of the database takes back that a push was settled.
    async fn release_what_is_over(&self, pool: &Pool) -> Result<(), PgError> {
        let begun: Vec<SendId> = lock(&self.begun).iter().copied().collect();
        let begun: Vec<&[u8]> = begun.iter().map(|send| &send.0[..]).collect();
        let server = self.lease.now();
        let mut transaction = pool.begin().await?;
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

    /// All that a round is for, in one statement: the lease is renewed if that is due, and it is looked what
    /// is new of the wallets, and what servers that are gone have left.
    async fn look(&self, pool: &Pool, renews: bool) -> Result<Seen, PgError> {
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
        let mut seen = Seen { has_lease: true, is_anything_left: false, has_open_sends: false };
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
                (3, _) => seen.has_lease = id == 0 || !renews || number == 1,
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
        if !seen.has_lease {
            tracing::warn!("this server was not heard of for too long: what it had reserved is free again");
            self.lease.ended(id);
        }
        let mut known = lock(&self.health);
        let renewed = if renews { Some(Instant::now()) } else { known.1 };
        *known = (health, renewed.filter(|_| id != 0 && seen.has_lease));
        Ok(seen)
    }
}

/// Does what is to be done for some sends or tasks; for the same again later if that fails.
async fn each_of<T>(
    all: &Mutex<Vec<T>>,
    work: impl AsyncFnOnce(&[T]) -> Result<(), PgError>,
) -> Result<(), PgError> {
    let taken = std::mem::take(&mut *lock(all));
    if taken.is_empty() {
        return Ok(());
    }
    let done = work(&taken).await;
    if done.is_err() {
        lock(all).extend(taken);
    }
    done
}

/// What a round has found.
struct Seen {
    /// Whether this server has its lease still, or none yet.
    has_lease: bool,
    /// Whether a server that is gone has left reservations.
    is_anything_left: bool,
    /// Whether this server has reserved something, or a push is recorded and not settled.
    has_open_sends: bool,
}

/// Begins the rounds, once, in a thread and over a connection of their own: the lease must not end because
/// the server is busy. They end with the stores.
pub(super) fn run(stores: &Arc<Inner>) -> Result<(), PgError> {
    if stores.server.is_running.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let pool = Pool::new(stores.pool.url().clone());
    let rounds = rounds(Arc::downgrade(stores), pool, stores.server.clone());
    rt::on_own_thread("store", rounds.in_current_span()).map_err(|error| {
        stores.server.is_running.store(false, Ordering::SeqCst);
        PgError::NoThread(error)
    })
}

async fn rounds(stores: Weak<Inner>, pool: Pool, server: Arc<Server>) {
    let (mut renewed, mut swept, mut tidied) = (Instant::now(), Instant::now(), Instant::now());
    let is_leaving = || server.is_leaving.load(Ordering::SeqCst);
    while let Some(stores) = stores.upgrade().filter(|_| !is_leaving()) {
        let round = async {
            server.release_all(&pool).await?;
            let renews = renewed.elapsed() >= RENEW_EVERY;
            if renews {
                renewed = Instant::now();
            }
            let mut look = pin!(server.look(&pool, renews));
            let seen = match rt::timeout(SILENT_AFTER, &mut look).await {
                Ok(seen) => seen?,
                Err(rt::Elapsed) => {
                    server.found(Some(stores.failed(PgError::Silent(SILENT_AFTER))));
                    look.await?
                }
            };
            server.held.keep_up(&pool, &server.lease).await?;
            if seen.is_anything_left {
                free_what_is_left(&pool).await?;
            }
            if seen.has_open_sends && swept.elapsed() >= SWEEP_EVERY {
                swept = Instant::now();
                server.release_what_is_over(&pool).await?;
            }
            if tidied.elapsed() >= TIDY_EVERY {
                tidied = Instant::now();
                tidy(&pool).await?;
            }
            Ok(())
        };
        let now = round.await.err().map(|error| stores.failed(error));
        let is_away = now.is_some();
        server.found(now);
        drop(stores);
        let _ = rt::timeout(LOOK_EVERY, server.wake.notified()).await;
        // While the database is away, each release would wake a round that fails.
        if is_away {
            rt::sleep(LOOK_EVERY).await;
        }
    }
    server.lease.end(&pool).await;
    server.is_leaving.store(false, Ordering::SeqCst);
    server.is_running.store(false, Ordering::SeqCst);
    server.left.notify_one();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
