//! The audit log's table. All servers add to one chain; its head's row serializes them.

use super::error::PgError;
use super::pool::Pool;
use crate::store::RecordError;
use crate::store::audit::AuditHead;
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// Adds a line. Fails if the lines that this process has seen are gone: another log in their place would hide
/// what happened before.
pub(super) async fn append(
    pool: &Pool,
    entry: Map<String, Value>,
    seen: &Mutex<AuditHead>,
) -> Result<AuditHead, PgError> {
    let before = *seen.lock().unwrap_or_else(PoisonError::into_inner);
    let known = i64::try_from(before.count).map_err(|_| RecordError::Damaged)?;
    let mut transaction = pool.begin_durable().await?;
    let find = "select count, hash, (select line from audit where n = $1) from audit_head for update";
    let row = transaction.query_one(find, &[(&known, Type::INT8)]).await?;
    let line: Option<&str> = row.get(2);
    if before.count > 0 && line.and_then(AuditHead::of) != Some(before) || head_of(&row)?.count < before.count
    {
        return Err(PgError::AuditReplaced);
    }
    let (text, head) = head_of(&row)?.next(entry);
    let count = i64::try_from(head.count).map_err(|_| RecordError::Damaged)?;
    let hash = &head.hash[..];
    let insert = "insert into audit (n, line) values ($1, $2)";
    transaction.execute(insert, &[(&count, Type::INT8), (&text, Type::TEXT)]).await?;
    let update = "update audit_head set count = $1, hash = $2";
    transaction.commit_with(update, &[(&count, Type::INT8), (&hash, Type::BYTEA)]).await?;
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.count < head.count {
        *seen = head;
    }
    Ok(head)
}

/// Adds lines unchanged to a log that goes up to `before`; then it goes up to `head`.
pub(super) async fn keep_lines(
    pool: &Pool,
    before: AuditHead,
    lines: &[String],
    head: AuditHead,
) -> Result<bool, PgError> {
    let mut transaction = pool.begin_durable().await?;
    let row = transaction.query_one("select count, hash from audit_head for update", &[]).await?;
    if head_of(&row)? != before {
        transaction.roll_back().await?;
        return Ok(false);
    }
    let first = i64::try_from(before.count).map_err(|_| RecordError::Damaged)?;
    let insert =
        "insert into audit (n, line) select $1 + n, line from unnest($2) with ordinality as kept (line, n)";
    transaction.execute(insert, &[(&first, Type::INT8), (&lines, Type::TEXT_ARRAY)]).await?;
    let count = i64::try_from(head.count).map_err(|_| RecordError::Damaged)?;
    let hash = &head.hash[..];
    let update = "update audit_head set count = $1, hash = $2";
    transaction.commit_with(update, &[(&count, Type::INT8), (&hash, Type::BYTEA)]).await?;
    Ok(true)
}

pub(super) async fn head(pool: &Pool) -> Result<AuditHead, PgError> {
    let rows = pool.begin_reading().await?.commit_with("select count, hash from audit_head", &[]).await?;
    head_of(rows.first().ok_or(RecordError::Damaged)?)
}

pub(super) async fn lines(pool: &Pool, after: u64, most: usize) -> Result<Vec<String>, PgError> {
    let (after, most) = (i64::try_from(after).unwrap_or(i64::MAX), i64::try_from(most).unwrap_or(i64::MAX));
    let find = "select line from audit where n > $1 order by n limit $2";
    let params = [(&after as _, Type::INT8), (&most as _, Type::INT8)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

fn head_of(row: &Row) -> Result<AuditHead, PgError> {
    let count = u64::try_from(row.get::<_, i64>(0)).map_err(|_| RecordError::Damaged)?;
    let hash = row.get::<_, &[u8]>(1).try_into().map_err(|_| RecordError::Damaged)?;
    Ok(AuditHead { count, hash })
}
