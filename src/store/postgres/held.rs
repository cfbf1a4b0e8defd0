//! The table of ids that servers hold for wallets which they alone can start.

use super::error::PgError;
use super::lease::Lease;
use super::pool::{ANSWER_LIMIT, Pool, Transaction};
use crate::rt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::MutexGuard;
use tokio_postgres::types::Type;

/// How long the database is waited for when an id is let go: the rounds do that later, too.
const LET_GO_LIMIT: Duration = Duration::from_secs(1);

/// Those that this server holds.
#[derive(Default)]
pub(super) struct HeldIds {
    /// Locked while the database is asked, so that it hears of one thing after the other.
    held: tokio::sync::Mutex<Held>,
    /// Those that it holds no more.
    ended: Mutex<Vec<HeldId>>,
}

#[derive(Default)]
struct Held {
    /// Each with the lease under which it is.
    ids: Vec<(HeldId, i64)>,
    /// Those of which the database is to be told that they are not.
    let_go: Vec<HeldId>,
}

impl HeldIds {
    /// Holds an id, unless it is taken or held for another wallet.
    pub(super) async fn hold(&self, pool: &Pool, lease: &Lease, id: HeldId) -> Result<bool, PgError> {
        let mut held = self.lock().await?;
        let server = lease.id(pool).await?;
        // Where there is no answer it may hold all the same.
        held.let_go.push(id.clone());
        let holds = hold(pool, server, &id).await?;
        if holds {
            held.let_go.retain(|other| !other.is_named_as(&id));
            held.ids.push((id, server));
        }
        Ok(holds)
    }

    /// Lets one go, in one of the next rounds if the database can't be told now.
    pub(super) async fn let_go(&self, pool: &Pool, lease: &Lease, id: HeldId) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        let now = async { self.lock().await?.tell_of_let_go(pool, lease.now()).await };
        let _ = rt::timeout(LET_GO_LIMIT, now).await;
    }

    /// Has the database know of them, under the lease that there is now. Where a start asks for an id, the
    /// next round does.
    pub(super) async fn keep_up(&self, pool: &Pool, lease: &Lease) -> Result<(), PgError> {
        let Ok(mut held) = self.held.try_lock() else { return Ok(()) };
        held.take_ended(&self.ended);
        let now = lease.now();
        if now == 0 {
            return Ok(());
        }
        held.tell_of_let_go(pool, now).await?;
        let of_other_leases = held.ids.iter().filter(|(_, lease)| *lease != now);
        let ids: Vec<HeldId> = of_other_leases.map(|(id, _)| id.clone()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        for name in hold_again(pool, now, &ids).await? {
            tracing::error!(
                "the id {name:?} is another wallet's at another server since this one was not heard of: stop one of the two"
            );
        }
        held.ids.iter_mut().for_each(|(_, lease)| *lease = now);
        Ok(())
    }

    async fn lock(&self) -> Result<MutexGuard<'_, Held>, PgError> {
        let held = rt::timeout(ANSWER_LIMIT, self.held.lock()).await;
        let mut held = held.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
        held.take_ended(&self.ended);
        Ok(held)
    }
}

impl Held {
    fn take_ended(&mut self, ended: &Mutex<Vec<HeldId>>) {
        for ended in std::mem::take(&mut *ended.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.ids.retain(|(id, _)| !id.is_named_as(&ended));
            self.let_go.push(ended);
        }
    }

    async fn tell_of_let_go(&mut self, pool: &Pool, server: i64) -> Result<(), PgError> {
        if !self.let_go.is_empty() {
            let_go(pool, server, &self.let_go).await?;
            self.let_go.clear();
        }
        Ok(())
    }
}

/// An id, and the name of the store of the wallet that it is to be.
#[derive(Clone)]
pub(super) struct HeldId {
    pub(super) network: String,
    pub(super) name: String,
    pub(super) owner: String,
}

impl HeldId {
    pub(super) fn new(network: &str, name: &str, owner: &str) -> Self {
        Self { network: network.to_owned(), name: name.to_owned(), owner: owner.to_owned() }
    }

    fn is_named_as(&self, other: &Self) -> bool {
        self.network == other.network && self.name == other.name
    }
}

/// That another server than `$4` holds an id, `$1` and `$2`, for another wallet than `$3`, and lives.
const IS_ANOTHERS: &str = "select 1 from held_id where network = $1 and name = $2 and owner <> $3 \
     and server in (select id from server where id <> $4 and expires_at > clock_timestamp())";

/// Takes the turn of an id, among all servers, until the transaction ends.
pub(super) async fn take_turn(transaction: &mut Transaction<'_>, id: &HeldId) -> Result<(), PgError> {
    let turn = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))";
    let params = [(&id.network as _, Type::TEXT), (&id.name as _, Type::TEXT)];
    transaction.query(turn, &params).await.map(drop)
}

/// Whether it is held for another wallet than its owner, by another server than this one.
pub(super) async fn is_anothers(
    transaction: &mut Transaction<'_>,
    id: &HeldId,
    server: i64,
) -> Result<bool, PgError> {
    let params = [
        (&id.network as _, Type::TEXT),
        (&id.name as _, Type::TEXT),
        (&id.owner as _, Type::TEXT),
        (&server as _, Type::INT8),
    ];
    Ok(transaction.query_opt(IS_ANOTHERS, &params).await?.is_some())
}

async fn hold(pool: &Pool, server: i64, id: &HeldId) -> Result<bool, PgError> {
    let mut transaction = pool.begin().await?;
    take_turn(&mut transaction, id).await?;
    let started = "select 1 from started where network = $1 and name = $2";
    let params = [(&id.network as _, Type::TEXT), (&id.name as _, Type::TEXT)];
    if transaction.query_opt(started, &params).await?.is_some()
        || is_anothers(&mut transaction, id, server).await?
    {
        transaction.roll_back().await?;
        return Ok(false);
    }
    let insert = "insert into held_id (network, name, owner, server) values ($1, $2, $3, $4) \
                  on conflict (network, name, server) do update set owner = excluded.owner";
    let params = [
        (&id.network as _, Type::TEXT),
        (&id.name as _, Type::TEXT),
        (&id.owner as _, Type::TEXT),
        (&server as _, Type::INT8),
    ];
    transaction.execute(insert, &params).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Holds them under a new lease, too. Gives those that are another wallet's by now.
async fn hold_again(pool: &Pool, server: i64, ids: &[HeldId]) -> Result<Vec<String>, PgError> {
    let column = |of: fn(&HeldId) -> &str| ids.iter().map(of).collect::<Vec<_>>();
    let (networks, names) = (column(|id| &id.network), column(|id| &id.name));
    let owners = column(|id| &id.owner);
    let params = [
        (&networks as _, Type::TEXT_ARRAY),
        (&names as _, Type::TEXT_ARRAY),
        (&owners as _, Type::TEXT_ARRAY),
        (&server as _, Type::INT8),
    ];
    let mut transaction = pool.begin().await?;
    let insert = "insert into held_id (network, name, owner, server) \
                  select network, name, owner, $4 from unnest($1, $2, $3) as mine (network, name, owner) \
                  on conflict (network, name, server) do update set owner = excluded.owner";
    transaction.execute(insert, &params).await?;
    let others = "select distinct mine.name from unnest($1, $2, $3) as mine (network, name, owner) \
                  left join held_id as other on other.network = mine.network and other.name = mine.name \
                      and other.owner <> mine.owner \
                      and other.server in (select id from server where id <> $4 and expires_at > clock_timestamp()) \
                  left join started on started.network = mine.network and started.name = mine.name \
                  left join wallet on wallet.id = started.wallet \
                  where other.name is not null or wallet.name <> mine.owner";
    let rows = transaction.commit_with(others, &params).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

async fn let_go(pool: &Pool, server: i64, ids: &[HeldId]) -> Result<(), PgError> {
    let (networks, names): (Vec<&str>, Vec<&str>) = ids.iter().map(|id| (&*id.network, &*id.name)).unzip();
    let delete = "delete from held_id using unnest($1, $2) as mine (network, name) \
                  where held_id.network = mine.network and held_id.name = mine.name and server = $3";
    let params =
        [(&networks as _, Type::TEXT_ARRAY), (&names as _, Type::TEXT_ARRAY), (&server as _, Type::INT8)];
    pool.begin().await?.commit_with(delete, &params).await.map(drop)
}
