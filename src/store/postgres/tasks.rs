//! The table of tasks.

use super::error::PgError;
use super::lease::{IS_FREE, Lease};
use super::pool::Pool;
use super::statement::Param;
use crate::store::{RecordError, TaskRecord};
use tokio_postgres::types::Type;

/// All of a wallet, or those that are to be carried out.
pub(super) async fn read(pool: &Pool, wallet: i64, only_open: bool) -> Result<Vec<TaskRecord>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = "select id, record from task where wallet = $1 and (is_open or not $2)";
    let rows = reading.query(find, &[(&wallet, Type::INT8), (&only_open, Type::BOOL)]).await?;
    reading.commit().await?;
    let record = |row: &tokio_postgres::Row| {
        let id = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
        Ok(TaskRecord::decode(id, row.get(1))?)
    };
    rows.iter().map(record).collect()
}

/// Keeps one in the place of what was kept of it.
pub(super) async fn write(
    pool: &Pool,
    wallet: i64,
    record: &TaskRecord,
    is_open: bool,
) -> Result<(), PgError> {
    let insert = "insert into task (wallet, id, record, is_open) values ($1, $2, $3, $4) \
                  on conflict (wallet, id) do update set record = excluded.record, is_open = excluded.is_open";
    durably(pool, insert, wallet, record, Some((&is_open, Type::BOOL))).await.map(drop)
}

/// Keeps what became of an open one, if no server carries it out.
pub(super) async fn withdraw(pool: &Pool, wallet: i64, record: &TaskRecord) -> Result<bool, PgError> {
    let update = format!(
        "update task set record = $3, is_open = false where wallet = $1 and id = $2 and is_open and {IS_FREE}"
    );
    durably(pool, &update, wallet, record, None).await.map(|rows| rows == 1)
}

async fn durably(
    pool: &Pool,
    statement: &str,
    wallet: i64,
    record: &TaskRecord,
    more: Option<Param<'_>>,
) -> Result<u64, PgError> {
    let (id, encoded) = (&record.id[..], record.encode());
    let mut params: Vec<Param<'_>> = vec![(&wallet, Type::INT8), (&id, Type::BYTEA), (&encoded, Type::BYTEA)];
    params.extend(more);
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

/// Forgets these.
pub(super) async fn forget(pool: &Pool, wallet: i64, ids: &[[u8; 16]]) -> Result<(), PgError> {
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let mut transaction = pool.begin().await?;
    let delete = "delete from task where wallet = $1 and id = any($2)";
    transaction.execute(delete, &[(&wallet, Type::INT8), (&ids, Type::BYTEA_ARRAY)]).await?;
    transaction.commit().await
}
