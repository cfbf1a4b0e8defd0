//! The servers on one database: the lease of this one, and what the ends of others' leave behind.

use super::Inner;
use super::error::PgError;
use super::pool::{Pool, Transaction};
use crate::rt::{self, Instant};
use crate::store::SendId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_postgres::types::Type;
use tracing::Instrument;

/// How long a server that is not heard of keeps what it has reserved.
const LEASE: Duration = Duration::from_secs(6);
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How often it is looked whether others did something.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What this process does on the database beside its wallets' requests: one round for all of them.
#[derive(Default)]
pub(super) struct Server {
    pub(super) lease: Lease,
    /// What is to be freed.
    released: Mutex<Vec<SendId>>,
    /// Wakes the rounds.
    wake: Notify,
    /// The wallets that somebody follows.
    followed: Mutex<HashMap<i64, Weak<Followed>>>,
    is_running: AtomicBool,
}

/// What is known of a wallet that somebody follows.
pub(super) struct Followed {
    /// The number of its last news.
    pub(super) news: watch::Sender<i64>,
    /// There are pushes that somebody must bring to their end.
    pub(super) open: Notify,
}

impl Server {
    /// Frees what a send has reserved, in the next round.
    pub(super) fn release(&self, send: SendId) {
        lock(&self.released).push(send);
        self.wake.notify_one();
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
            let new = Arc::new(Followed { news: watch::Sender::new(-1), open: Notify::new() });
            followed.insert(wallet, Arc::downgrade(&new));
            new
        })
    }

    fn followed(&self) -> HashMap<i64, Arc<Followed>> {
        let followed = lock(&self.followed);
        followed.iter().filter_map(|(id, wallet)| Some((*id, wallet.upgrade()?))).collect()
    }

    async fn release_all(&self, pool: &Pool) -> Result<(), PgError> {
        let sends = std::mem::take(&mut *lock(&self.released));
        if sends.is_empty() {
            return Ok(());
        }
        let released = release(pool, &sends).await;
        if released.is_err() {
            lock(&self.released).extend(sends);
        }
        released
    }

    async fn look(&self, pool: &Pool) -> Result<(), PgError> {
        let followed = self.followed();
        if followed.is_empty() {
            return Ok(());
        }
        let wallets: Vec<i64> = followed.keys().copied().collect();
        let reading = pool.begin_reading().await?;
        let latest = "select wallet, seq from news where wallet = any($1)";
        let rows = reading.query(latest, &[(&wallets, Type::INT8_ARRAY)]).await?;
        reading.commit().await?;
        for row in rows {
            let (wallet, latest): (i64, i64) = (row.get(0), row.get(1));
            if let Some(followed) = followed.get(&wallet) {
                followed.news.send_if_modified(|news| std::mem::replace(news, latest) != latest);
            }
        }
        Ok(())
    }

    async fn look_for_open_pushes(&self, pool: &Pool) -> Result<(), PgError> {
        let followed = self.followed();
        let wallets: Vec<i64> = followed.keys().copied().collect();
        let reading = pool.begin_reading().await?;
        let open = format!("select distinct wallet from push_record where wallet = any($1) and {IS_OPEN}");
        let rows = reading.query(&open, &[(&wallets, Type::INT8_ARRAY)]).await?;
        reading.commit().await?;
        let open = rows.iter().filter_map(|row| followed.get(&row.get::<_, i64>(0)));
        open.for_each(|wallet| wallet.open.notify_one());
        Ok(())
    }
}

/// Begins the rounds, once. They end with the stores.
pub(super) fn run(stores: &Arc<Inner>) {
    if !stores.server.is_running.swap(true, Ordering::SeqCst) {
        let rounds = rounds(Arc::downgrade(stores), stores.server.clone());
        rt::spawn(rounds.in_current_span());
    }
}

async fn rounds(stores: Weak<Inner>, server: Arc<Server>) {
    let mut renewed = Instant::now();
    let mut problem = None;
    while let Some(stores) = stores.upgrade() {
        let pool = &stores.pool;
        let round = async {
            server.release_all(pool).await?;
            server.look(pool).await?;
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                server.lease.renew(pool).await?;
                server.look_for_open_pushes(pool).await?;
            }
            Ok(())
        };
        let now = round.await.err().map(|error| stores.failed(error).to_string());
        match &now {
            Some(now) if problem.is_none() => tracing::error!("{now}"),
            None if problem.is_some() => tracing::info!("the store answers again"),
            _ => {}
        }
        problem = now;
        drop(stores);
        let _ = rt::timeout(LOOK_EVERY, server.wake.notified()).await;
        // While the database is away, each release would wake a round that fails.
        if problem.is_some() {
            rt::sleep(LOOK_EVERY).await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This server's lease. Its id is 0 as long as it has none.
#[derive(Default)]
pub(super) struct Lease(AtomicI64);

impl Lease {
    /// Under which id it reserves. A server that has no lease gets one.
    pub(super) async fn id(&self, pool: &Pool) -> Result<i64, PgError> {
        match self.0.load(Ordering::SeqCst) {
            0 => self.begin(pool).await,
            id => Ok(id),
        }
    }

    async fn begin(&self, pool: &Pool) -> Result<i64, PgError> {
        let transaction = pool.begin().await?;
        let begin =
            "insert into server (expires_at) values (clock_timestamp() + $1 * interval '1 ms') returning id";
        let id = transaction.query_one(begin, &[(&millis(), Type::INT8)]).await?.get(0);
        transaction.commit().await?;
        // Another task may have been faster: both leases stand, and one of them is not renewed.
        self.0.store(id, Ordering::SeqCst);
        Ok(id)
    }

    /// It has ended, as the database says.
    pub(super) fn ended(&self, id: i64) {
        let _ = self.0.compare_exchange(id, 0, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Renews it, if it has not ended, and frees what servers have left whose leases have.
    async fn renew(&self, pool: &Pool) -> Result<(), PgError> {
        let id = self.0.load(Ordering::SeqCst);
        let transaction = pool.begin().await?;
        if id != 0 {
            let renew = "update server set expires_at = clock_timestamp() + $2 * interval '1 ms' \
                         where id = $1 and expires_at > clock_timestamp()";
            let params = [(&id as _, Type::INT8), (&millis() as _, Type::INT8)];
            if transaction.execute(renew, &params).await? == 0 {
                tracing::warn!(
                    "this server was not heard of for too long: what it had reserved is free again"
                );
                self.ended(id);
            }
        }
        transaction.commit().await?;
        free_what_is_left(pool).await
    }
}

fn millis() -> i64 {
    i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX)
}

/// Whether a server's lease has ended. Who renews it afterwards finds that it has: that is looked at by the
/// clock, and here by the time at which the statement began, before it looked at any row.
const IS_GONE: &str = "not exists (select 1 from server where server.id = reservation.server and server.expires_at > statement_timestamp())";

/// Whether a push is to be brought to its end: its server is gone, or has not got to know for a minute what
/// became of it.
pub(super) const IS_OPEN: &str = "push_record.state = 1 and (push_record.at < now() - interval '1 min' \
     or not exists (select 1 from server \
         where server.id = push_record.server and server.expires_at > statement_timestamp()))";

/// Frees what was reserved and not recorded by servers that are gone. What somebody else is at is left for
/// the next time.
async fn free_what_is_left(pool: &Pool) -> Result<(), PgError> {
    let transaction = pool.begin().await?;
    let free = format!(
        "delete from reservation where (wallet, claim) in (\
             select wallet, claim from reservation \
             where state = 0 and {IS_GONE} \
             for update skip locked) returning wallet"
    );
    let freed = transaction.query(&free, &[]).await?;
    let wallets: Vec<i64> = freed.iter().map(|row| row.get(0)).collect();
    tell(&transaction, wallets).await?;
    transaction.execute("delete from server where expires_at < now() - interval '1 day'", &[]).await?;
    transaction.commit().await
}

/// Frees what sends have reserved and not recorded.
async fn release(pool: &Pool, sends: &[SendId]) -> Result<(), PgError> {
    let sends: Vec<&[u8]> = sends.iter().map(|send| &send.0[..]).collect();
    let transaction = pool.begin().await?;
    let release = "delete from reservation where send = any($1) and state = 0 returning wallet";
    let freed = transaction.query(release, &[(&sends, Type::BYTEA_ARRAY)]).await?;
    tell(&transaction, freed.iter().map(|row| row.get(0)).collect()).await?;
    transaction.commit().await
}

/// Lets all servers know that there is something new. In the order of the wallets, so that no two of them
/// wait for each other.
async fn tell(transaction: &Transaction<'_>, mut wallets: Vec<i64>) -> Result<(), PgError> {
    wallets.sort_unstable();
    wallets.dedup();
    for wallet in wallets {
        tell_of(transaction, wallet).await?;
    }
    Ok(())
}

/// The same of one wallet. Gives the number of the news.
pub(super) async fn tell_of(transaction: &Transaction<'_>, wallet: i64) -> Result<i64, PgError> {
    let tell = "insert into news (wallet, seq) values ($1, 1) \
                on conflict (wallet) do update set seq = news.seq + 1 returning seq";
    Ok(transaction.query_one(tell, &[(&wallet, Type::INT8)]).await?.get(0))
}
