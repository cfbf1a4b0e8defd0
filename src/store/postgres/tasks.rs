//! The table of tasks.

use super::error::PgError;
use super::pool::{Fenced, Kind, Pool};
use crate::store::{RecordError, TaskRecord};
use tokio_postgres::types::Type;

/// All of an account.
pub(super) async fn read(pool: &Pool, account: i64) -> Result<Vec<TaskRecord>, PgError> {
    let find = "select id, record from task where account = $1";
    let rows = pool.begin_reading().await?.commit_with(find, &[(&account, Type::INT8)]).await?;
    let task = |row: &tokio_postgres::Row| {
        let id = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
        Ok(TaskRecord::decode(id, row.get(1))?)
    };
    rows.iter().map(task).collect()
}

/// Writes a task. Only its end replaces a row: the first write of a task, if a connection delivers it late,
/// must not undo its cancellation.
pub(super) async fn write(of: Fenced<'_>, record: &TaskRecord, is_open: bool) -> Result<(), PgError> {
    let insert = "insert into task (account, id, record, is_open) values ($1, $2, $3, $4) \
                  on conflict (account, id) do update set record = excluded.record, is_open = excluded.is_open \
                  where not excluded.is_open";
    let (account, id, encoded) = (of.account(), &record.id[..], record.encode());
    let params = [
        (&account as _, Type::INT8),
        (&id as _, Type::BYTEA),
        (&encoded as _, Type::BYTEA),
        (&is_open as _, Type::BOOL),
    ];
    of.begin(Kind::Durable).await?.commit_with(insert, &params).await.map(drop)
}

pub(super) async fn forget(of: Fenced<'_>, ids: &[[u8; 16]]) -> Result<(), PgError> {
    let (account, ids): (i64, Vec<&[u8]>) = (of.account(), ids.iter().map(|id| &id[..]).collect());
    let delete = "delete from task where account = $1 and id = any($2)";
    let params = [(&account as _, Type::INT8), (&ids as _, Type::BYTEA_ARRAY)];
    of.begin(Kind::Writing).await?.commit_with(delete, &params).await.map(drop)
}
