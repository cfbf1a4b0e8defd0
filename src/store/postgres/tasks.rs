//! The table of tasks.

use super::error::PgError;
use super::lease::{IS_FREE, Lease};
use super::pool::Pool;
use super::statement::Param;
use crate::store::{RecordError, SharedTask, TaskFacts, TaskRecord};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// Which ones are read.
pub(super) enum Which {
    All,
    Open,
    OfId([u8; 16]),
    OfKey([u8; 32]),
}

pub(super) async fn read(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    which: &Which,
) -> Result<Vec<SharedTask>, PgError> {
    let (which, value): (&str, &[u8]) = match which {
        Which::All => ("$3 = ''", &[]),
        Which::Open => ("$3 = '' and is_open", &[]),
        Which::OfId(id) => ("id = $3", id),
        Which::OfKey(key) => ("key = $3", key),
    };
    let me = lease.now();
    let params = [(&wallet as _, Type::INT8), (&me as _, Type::INT8), (&value as _, Type::BYTEA)];
    let find = format!(
        " select id, record, is_open and server <> $2 and not {IS_FREE} from task where wallet = $1 and {which}"
    );
    let rows = pool.alone(&["task", "server"], &find, &params).await?;
    let task = |row: &Row| {
        let id = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
        let is_elsewhere = row.get::<_, Option<bool>>(2).unwrap_or_default();
        Ok(SharedTask { record: TaskRecord::decode(id, row.get(1))?, is_elsewhere })
    };
    rows.iter().map(task).collect()
}

/// Keeps one in the place of what was kept of it, unless another server carries it out, or it has ended.
pub(super) async fn write(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    record: &TaskRecord,
    facts: TaskFacts,
) -> Result<bool, PgError> {
    // One that was made before there were keys stays without.
    let insert = format!(
        "insert into task (wallet, id, record, is_open, key) select $1, $2, $3, $4, \
             case when exists (select from task where wallet = $1 and key = $5) then null else $5 end \
         on conflict (wallet, id) do update set record = excluded.record, is_open = excluded.is_open, \
             key = case when $5 is null then null else task.key end \
         where task.is_open and (task.server = {} or {IS_FREE})",
        lease.now()
    );
    durably(pool, &insert, wallet, record, Some(facts)).await.map(|rows| rows == 1)
}

/// Keeps more of one that has ended, if it is not forgotten, nor another server's.
pub(super) async fn write_ended(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    record: &TaskRecord,
) -> Result<(), PgError> {
    let update = format!(
        "update task set record = $3, is_open = false where wallet = $1 and id = $2 \
         and (not is_open or task.server = {} or {IS_FREE})",
        lease.now()
    );
    durably(pool, &update, wallet, record, None).await.map(drop)
}

/// Keeps a new one, unless another one has its key. Says whether it did.
pub(super) async fn write_first(
    pool: &Pool,
    wallet: i64,
    record: &TaskRecord,
    facts: TaskFacts,
) -> Result<bool, PgError> {
    let insert = "insert into task (wallet, id, record, is_open, key) values ($1, $2, $3, $4, $5) \
                  on conflict (wallet, key) where key is not null do nothing";
    durably(pool, insert, wallet, record, Some(facts)).await.map(|rows| rows == 1)
}

/// Keeps that an open one was cancelled, if no server has begun with it: one that was paused, or is gone, may
/// have sent what it asks for.
pub(super) async fn withdraw(
    pool: &Pool,
    wallet: i64,
    record: &TaskRecord,
    send: [u8; 32],
) -> Result<bool, PgError> {
    let update = "update task set record = $3, is_open = false, key = null \
                  where wallet = $1 and id = $2 and is_open and server is null and not exists (\
                      select from push_record where wallet = $1 and push_record.key = $4 \
                      and (state is not null or send is null))";
    let (id, encoded) = (&record.id[..], record.encode());
    let params = [
        (&wallet as _, Type::INT8),
        (&id as _, Type::BYTEA),
        (&encoded as _, Type::BYTEA),
        (&&send[..] as _, Type::BYTEA),
    ];
    let mut transaction = pool.begin_durable().await?;
    let rows = transaction.execute(update, &params).await?;
    transaction.commit().await?;
    Ok(rows == 1)
}

async fn durably(
    pool: &Pool,
    statement: &str,
    wallet: i64,
    record: &TaskRecord,
    facts: Option<TaskFacts>,
) -> Result<u64, PgError> {
    let (id, encoded) = (&record.id[..], record.encode());
    let mut params: Vec<Param<'_>> = vec![(&wallet, Type::INT8), (&id, Type::BYTEA), (&encoded, Type::BYTEA)];
    let key = facts.as_ref().and_then(|facts| facts.key.as_ref()).map(|key| &key[..]);
    if let Some(facts) = &facts {
        params.extend([(&facts.is_open as _, Type::BOOL), (&key as _, Type::BYTEA)]);
    }
    let mut transaction = pool.begin_durable().await?;
    let rows = transaction.execute(statement, &params).await?;
    transaction.commit().await?;
    Ok(rows)
}

/// Makes an open task this server's, if it is nobody's or this server's already.
pub(super) async fn claim(pool: &Pool, lease: &Lease, wallet: i64, id: [u8; 16]) -> Result<bool, PgError> {
    let server = lease.id(pool).await?;
    let mut transaction = pool.begin().await?;
    let claim = format!(
        "update task set server = $3 where wallet = $1 and id = $2 and is_open and (task.server = $3 or {IS_FREE})"
    );
    let params = [(&wallet as _, Type::INT8), (&&id[..] as _, Type::BYTEA), (&server as _, Type::INT8)];
    let claimed = transaction.execute(&claim, &params).await? == 1;
    transaction.commit().await?;
    Ok(claimed)
}

/// Leaves tasks to all servers that this one had claimed, each with its wallet.
pub(super) async fn give_back(pool: &Pool, lease: &Lease, tasks: &[(i64, [u8; 16])]) -> Result<(), PgError> {
    let (wallets, ids): (Vec<i64>, Vec<&[u8]>) = tasks.iter().map(|(wallet, id)| (*wallet, &id[..])).unzip();
    let give = "update task set server = null from unnest($1, $2) as given (wallet, id) \
                where task.wallet = given.wallet and task.id = given.id and is_open and server = $3";
    let server = lease.now();
    let params =
        [(&wallets as _, Type::INT8_ARRAY), (&ids as _, Type::BYTEA_ARRAY), (&server as _, Type::INT8)];
    pool.begin_durable().await?.commit_with(give, &params).await.map(drop)
}

/// Forgets these.
pub(super) async fn forget(pool: &Pool, wallet: i64, ids: &[[u8; 16]]) -> Result<(), PgError> {
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let mut transaction = pool.begin().await?;
    let delete = "delete from task where wallet = $1 and id = any($2)";
    transaction.execute(delete, &[(&wallet, Type::INT8), (&ids, Type::BYTEA_ARRAY)]).await?;
    transaction.commit().await
}
