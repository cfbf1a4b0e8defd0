//! The table of started wallets.

use super::account::{RUNS, lives, other, server_in};
use super::error::PgError;
use super::lease::Server;
use super::pool::{Fence, Pool};
use super::{Inner, store::PostgresStore};
use crate::store::{LeftWallet, ListenedTo, Started};
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// True for a row that counts: any server can start its wallet, or the only server that can start it runs it.
fn counts() -> String {
    format!(
        "(started.request is not null or exists (select from account, server \
             where account.id = started.account and account.epoch = started.epoch and {RUNS}))"
    )
}

/// A row with its account's name, and the other server that runs it.
fn find_row() -> String {
    format!(
        "select started.number, started.request, account.name, server.id, server.url, server.is_ending from started \
         join account on account.id = started.account left join {} on true \
         where started.network = $1 and started.name = $2 and {}",
        other("$3"),
        counts()
    )
}

fn started_in(row: &Row) -> Started {
    Started {
        number: row.get::<_, i64>(0).try_into().unwrap_or_default(),
        request: row.get(1),
        account: row.get(2),
        runs_on: row.get::<_, Option<i64>>(3).map(|_| server_in(row, 3)),
    }
}

pub(super) async fn find(
    pool: &Pool,
    me: i64,
    network: &str,
    name: &str,
) -> Result<Option<Started>, PgError> {
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&me as _, Type::INT8)];
    let rows = pool.begin_reading().await?.commit_with(&find_row(), &params).await?;
    Ok(rows.first().map(started_in))
}

/// Adds a wallet that runs here, unless another row counts. Returns the row that counts.
pub(super) async fn keep(
    pool: &Pool,
    fence: Fence,
    network: &str,
    name: &str,
    request: Option<&str>,
) -> Result<Started, PgError> {
    let insert = format!(
        "insert into started (network, name, account, request, epoch) values ($1, $2, $3, $4, $5) \
         on conflict (network, name) do update set number = default, account = excluded.account, \
             request = excluded.request, epoch = excluded.epoch \
         where not {}",
        counts()
    );
    let params = [
        (&network as _, Type::TEXT),
        (&name as _, Type::TEXT),
        (&fence.account as _, Type::INT8),
        (&request as _, Type::TEXT),
        (&fence.epoch as _, Type::INT8),
    ];
    let found_by = [params[0].clone(), params[1].clone(), (&fence.server as _, Type::INT8)];
    loop {
        let mut transaction = pool.begin_fenced(super::pool::Kind::Durable, fence).await?;
        transaction.execute(&insert, &params).await?;
        let rows = transaction.commit_with(&find_row(), &found_by).await?;
        // The row may be deleted at this moment.
        if let Some(row) = rows.first() {
            return Ok(started_in(row));
        }
    }
}

pub(super) async fn forget(pool: &Pool, network: &str, name: &str, number: u64) -> Result<(), PgError> {
    let delete = "delete from started where network = $1 and name = $2 and number = $3";
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&number as _, Type::INT8)];
    pool.begin_durable().await?.commit_with(delete, &params).await.map(drop)
}

/// Wallets that no server runs and that have open tasks or pushes, or listeners, or are to move here. This
/// server takes their accounts.
pub(super) async fn take_over(
    stores: &Arc<Inner>,
    network: &str,
    listened_to: &ListenedTo,
    but: &[u64],
    most: u32,
) -> Result<Vec<LeftWallet>, PgError> {
    let Inner { pool, server, .. } = &**stores;
    let but: Vec<i64> = but.iter().filter_map(|number| i64::try_from(*number).ok()).collect();
    let ids: Vec<&str> = match listened_to {
        ListenedTo::All => Vec::new(),
        ListenedTo::Ids(ids) => ids.iter().map(String::as_str).collect(),
    };
    let has_listener = match listened_to {
        ListenedTo::All => "$2::text[] is not null",
        ListenedTo::Ids(_) => "started.name = any($2)",
    };
    // Each part uses an index: many wallets have none of this.
    let left = format!(
        "select distinct started.account as id from started where started.network = $1 and started.request is not null \
         and (started.account = any(array(select distinct account from task where is_open)) \
             or started.account = any(array(select distinct account from push_record where is_open)) \
             or started.account = any(array(select id from account where wanted_by = $5)) \
             or {has_listener}) \
         and not (started.number = any($3)) \
         and not exists (select from account, server where account.id = started.account and {} \
             and (server.id = account.server or server.id = account.wanted_by and server.id <> $5)) \
         limit $4",
        lives!()
    );
    let most = i64::from(most);
    let me = server.now();
    let params = [
        (&network as _, Type::TEXT),
        (&ids as _, Type::TEXT_ARRAY),
        (&but as _, Type::INT8_ARRAY),
        (&most as _, Type::INT8),
        (&me as _, Type::INT8),
    ];
    // Mostly there are none: then nothing is locked, and no lease is needed.
    let tables = ["started", "account", "server", "task", "push_record"];
    if pool.alone(&tables, &format!(" {left}"), &params).await?.is_empty() {
        return Ok(Vec::new());
    }
    let (me, _taking) = (server.id(stores).await?, server.taking());
    // Rows that another server has locked are taken by that server.
    let take = format!(
        "with free as (select account.id from account where account.id in ({left}) for no key update skip locked), \
              taken as (update account set server = $5, epoch = epoch + 1, wanted_by = null from free where account.id = free.id \
                  and not exists (select from server where {RUNS}) \
                  and exists (select from server where id = $5 and lease_until > clock_timestamp()) \
                  returning account.id, account.name, account.epoch) \
         select taken.id, taken.epoch, taken.name, started.number, started.name from taken \
         join started on started.account = taken.id and started.network = $1 and started.request is not null"
    );
    let [network, ids, but, most, _] = params;
    let params = [network, ids, but, most, (&me as _, Type::INT8)];
    let rows = pool.begin_durable().await?.commit_with(&take, &params).await?;
    let mut held: Vec<Arc<PostgresStore>> = Vec::new();
    let taken = rows.iter().map(|row| {
        let fence = Fence { account: row.get(0), server: me, epoch: row.get(1) };
        let known = held.iter().find(|store| store.fence == fence).cloned();
        let store = known.unwrap_or_else(|| Server::opened(server, stores, fence, row.get(2)));
        held.push(store.clone());
        let number = row.get::<_, i64>(3).try_into().unwrap_or_default();
        LeftWallet { number, id: row.get(4), held: store }
    });
    Ok(taken.collect())
}
