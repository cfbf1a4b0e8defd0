//! Which server runs which account, as the command line shows it, and moving accounts.

use super::account::{LEASE, lives};
use super::error::PgError;
use super::pool::Pool;
use crate::store::{AccountState, LiveServer};
use tokio_postgres::types::Type;

/// The accounts that have started wallets, and the servers that live.
pub(super) async fn all(pool: &Pool) -> Result<(Vec<AccountState>, Vec<LiveServer>), PgError> {
    let servers = concat!(
        "select server.id, server.url, \
         greatest(0, extract(epoch from clock_timestamp() - server.lease_until) * 1000 + $1)::int8, \
         (select count(*) from account where account.server = server.id) \
         from server where ",
        lives!(),
        " order by server.id"
    );
    let accounts = concat!(
        "select account.name, array_agg(started.name order by started.name), server.id, account.epoch, \
         account.wanted_by, bool_and(started.request is not null) \
         from account join started on started.account = account.id \
         left join server on server.id = account.server and ",
        lives!(),
        " where started.request is not null or (started.epoch = account.epoch and server.id is not null) \
         group by account.id, server.id order by 2"
    );
    let lease = i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX);
    let mut reading = pool.begin_reading().await?;
    let servers = reading.query(servers, &[(&lease, Type::INT8)]).await?;
    let accounts = reading.commit_with(accounts, &[]).await?;
    let unsigned = |number: i64| u64::try_from(number).unwrap_or_default();
    let servers = servers.iter().map(|row| LiveServer {
        id: unsigned(row.get(0)),
        url: row.get(1),
        renewed: unsigned(row.get(2)),
        accounts: unsigned(row.get(3)),
    });
    let accounts = accounts.iter().map(|row| AccountState {
        name: row.get(0),
        wallets: row.get(1),
        server: row.get::<_, Option<i64>>(2).map(unsigned),
        epoch: unsigned(row.get(3)),
        wanted_by: row.get::<_, Option<i64>>(4).map(unsigned),
        is_movable: row.get(5),
    });
    Ok((accounts.collect(), servers.collect()))
}

/// Has an account that was taken so often move to a server that lives.
pub(super) async fn move_to(pool: &Pool, account: &AccountState, server: u64) -> Result<bool, PgError> {
    let wanted = concat!(
        "update account set wanted_by = $3 where name = $1 and epoch = $2 \
         and exists (select from server where id = $3 and ",
        lives!(),
        ") returning 1"
    );
    let (epoch, server) = (account.epoch.cast_signed(), server.cast_signed());
    let params = [(&account.name as _, Type::TEXT), (&epoch as _, Type::INT8), (&server as _, Type::INT8)];
    Ok(!pool.begin_durable().await?.commit_with(wanted, &params).await?.is_empty())
}
