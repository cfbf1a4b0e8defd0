//! The table of wallets that are started.

use super::error::PgError;
use super::held::{self, HeldId};
use super::lease::{IS_LEFT, Lease};
use super::pool::Pool;
use super::{Inner, rounds};
use crate::store::{LeftWallet, ListenedTo, Started};
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

fn started_in(row: &Row) -> Started {
    let number: i64 = row.get(0);
    Started { number: number.try_into().unwrap_or_default(), request: row.get(1) }
}

/// Takes a name for a request, unless it is taken; what stands then. `None` if it is held for another wallet.
pub(super) async fn keep(
    pool: &Pool,
    lease: &Lease,
    id: &HeldId,
    request: &str,
) -> Result<Option<Started>, PgError> {
    let insert = "insert into started (network, name, request) values ($1, $2, $3) \
                  on conflict (network, name) do nothing";
    let params = [(&id.network as _, Type::TEXT), (&id.name as _, Type::TEXT), (&request as _, Type::TEXT)];
    loop {
        let mut transaction = pool.begin_durable().await?;
        held::take_turn(&mut transaction, id).await?;
        if held::is_anothers(&mut transaction, id, lease.now()).await? {
            transaction.roll_back().await?;
            return Ok(None);
        }
        transaction.execute(insert, &params).await?;
        let rows = transaction.commit_with(FIND, &params[..2]).await?;
        // Somebody may stop it right now.
        if let Some(row) = rows.first() {
            return Ok(Some(started_in(row)));
        }
    }
}

const FIND: &str = "select number, request from started where network = $1 and name = $2";

pub(super) async fn find(pool: &Pool, network: &str, name: &str) -> Result<Option<Started>, PgError> {
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT)];
    let rows = pool.begin_reading().await?.commit_with(FIND, &params).await?;
    Ok(rows.first().map(started_in))
}

pub(super) async fn forget(pool: &Pool, network: &str, name: &str, number: u64) -> Result<(), PgError> {
    let delete = "delete from started where network = $1 and name = $2 and number = $3";
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&number as _, Type::INT8)];
    pool.begin_durable().await?.commit_with(delete, &params).await.map(drop)
}

/// It runs here: this server sees to it, unless another one does. Says whether it stands.
pub(super) async fn run_here(pool: &Pool, lease: &Lease, number: u64, owner: &str) -> Result<bool, PgError> {
    let server = lease.id(pool).await?;
    let run = format!(
        "update started set wallet = (select id from wallet where name = $2), \
             server = case when {IS_LEFT} then $3 else server end, \
             runs = runs or server = $3 or {IS_LEFT} where number = $1"
    );
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let params = [(&number as _, Type::INT8), (&owner as _, Type::TEXT), (&server as _, Type::INT8)];
    let mut transaction = pool.begin().await?;
    let stands = transaction.execute(&run, &params).await? == 1;
    transaction.commit().await?;
    Ok(stands)
}

/// Those that no server sees to and that have open tasks or pushes, or listeners; and those that were taken
/// over here and do not run yet: it may not have got to know that it has them.
pub(super) async fn take_over(
    stores: &Arc<Inner>,
    network: &str,
    listened_to: &ListenedTo,
    but: &[u64],
    most: u32,
) -> Result<Vec<LeftWallet>, PgError> {
    let (pool, lease) = (&stores.pool, &stores.server.lease);
    let but: Vec<i64> = but.iter().filter_map(|number| i64::try_from(*number).ok()).collect();
    let ids: Vec<&str> = match listened_to {
        ListenedTo::All => Vec::new(),
        ListenedTo::Ids(ids) => ids.iter().map(String::as_str).collect(),
    };
    let has_listener = match listened_to {
        ListenedTo::All => "$2::text[] is not null",
        ListenedTo::Ids(_) => "name = any($2)",
    };
    // Found by its indexes: there may be many that have none.
    let left = format!(
        "select number from started where network = $1 \
         and (wallet = any(array(select distinct wallet from task where is_open)) \
             or wallet = any(array(select distinct wallet from push_record where state = 1)) or {has_listener}) \
         and not (number = any($3)) and ({IS_LEFT} or started.server = $5 and not started.runs) \
         order by number limit $4"
    );
    let (most, me) = (i64::from(most), lease.now());
    let params = [
        (&network as _, Type::TEXT),
        (&ids as _, Type::TEXT_ARRAY),
        (&but as _, Type::INT8_ARRAY),
        (&most as _, Type::INT8),
        (&me as _, Type::INT8),
    ];
    // Mostly there are none: then nothing is locked, and no lease is needed.
    if pool
        .alone(&["started", "server", "task", "push_record"], &format!(" {left}"), &params)
        .await?
        .is_empty()
    {
        return Ok(Vec::new());
    }
    // They are taken under a lease, which is to be renewed from then on.
    rounds::run(stores)?;
    let server = lease.id(pool).await?;
    let take = format!(
        "update started set server = $5, runs = false from ({left} for update skip locked) as left_ones \
         where started.number = left_ones.number returning started.number, name"
    );
    let [network, ids, but, most, _] = params;
    let params = [network, ids, but, most, (&server as _, Type::INT8)];
    let rows = pool.begin().await?.commit_with(&take, &params).await?;
    let taken = |row: &Row| LeftWallet {
        number: row.get::<_, i64>(0).try_into().unwrap_or_default(),
        id: row.get(1),
    };
    Ok(rows.iter().map(taken).collect())
}

/// No server sees to it, if this one did.
pub(super) async fn leave(pool: &Pool, lease: &Lease, number: u64) -> Result<(), PgError> {
    let leave = "update started set server = null where number = $1 and server = $2";
    let (number, server) = (i64::try_from(number).unwrap_or(i64::MAX), lease.now());
    let params = [(&number as _, Type::INT8), (&server as _, Type::INT8)];
    pool.begin().await?.commit_with(leave, &params).await.map(drop)
}

/// Those of the numbers that stand no more.
pub(super) async fn stopped_among(pool: &Pool, numbers: &[u64]) -> Result<Vec<u64>, PgError> {
    let numbers: Vec<i64> = numbers.iter().filter_map(|number| i64::try_from(*number).ok()).collect();
    let stopped = " select number from unnest($1) as known (number) \
                   where not exists (select 1 from started where started.number = known.number)";
    let rows = pool.alone(&["started"], stopped, &[(&numbers, Type::INT8_ARRAY)]).await?;
    Ok(rows.iter().filter_map(|row| u64::try_from(row.get::<_, i64>(0)).ok()).collect())
}
