//! The tables of an account's history.

use super::error::PgError;
use super::events::{self, Log};
use super::pool::{Fenced, Kind, Pool, Transaction};
use crate::ledger::{Outpoint, VertexId};
use crate::store::{EventFacts, RecordError, decode_changes, decode_vertex, encode_changes, encode_vertex};
use crate::wallet::ChangeSet;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// Most vertices of one statement, and most bytes of their records, except for a single larger record.
const BATCH: usize = 2_000;
const BATCH_BYTES: usize = 1 << 20;

/// The changes in the account's row: all but vertices and locks.
fn others_in(row: &Row) -> Result<ChangeSet, PgError> {
    match row.get::<_, &[u8]>(0) {
        [] => Ok(ChangeSet::default()),
        record => Ok(decode_changes(record)?),
    }
}

pub(super) async fn load(pool: &Pool, account: i64) -> Result<ChangeSet, PgError> {
    let mut reading = pool.begin_reading().await?;
    let account = [(&account as _, Type::INT8)];
    let about = reading.query_one("select others from history where account = $1", &account).await?;
    let vertices = reading.query("select id, record from vertex where account = $1", &account).await?;
    let locked =
        reading.query("select tx, index, until from locked_output where account = $1", &account).await?;
    reading.commit().await?;
    let mut changes = others_in(&about)?;
    for row in vertices {
        let id = VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?);
        changes.vertices.insert(id, decode_vertex(&id, row.get(1))?);
    }
    for row in locked {
        let tx = VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?);
        let index = row.get::<_, i16>(1).try_into().map_err(|_| RecordError::Damaged)?;
        let until = row.get::<_, i64>(2).try_into().map_err(|_| RecordError::Damaged)?;
        changes.locked_outpoints.insert(Outpoint { tx, index }, Some(until));
    }
    Ok(changes)
}

/// Merges changes into the history and makes events of their facts: all of it or nothing. Returns the number
/// of the last event, if there are new ones.
pub(super) async fn append(
    of: Fenced<'_>,
    changes: &ChangeSet,
    facts: &EventFacts,
) -> Result<Option<i64>, PgError> {
    let account = of.account();
    let mut transaction = of.begin(Kind::Writing).await?;
    let find = "select others, events_begun, last_event from history where account = $1 for update";
    let row = transaction.query_one(find, &[(&account, Type::INT8)]).await?;
    let log = Log { begun: row.get(1), last: row.get(2) };
    let last = events::add_events(&mut transaction, account, log, facts).await?;
    if changes.forget {
        events::mark_known(&mut transaction, account).await?;
        clear(&mut transaction, account).await?;
    }
    write_vertices(&mut transaction, account, changes).await?;
    write_locks(&mut transaction, account, changes).await?;
    let before = others_in(&row)?;
    let mut kept = before.clone();
    kept.merge(ChangeSet { locked_outpoints: Default::default(), ..changes.without_vertices() });
    kept.mark_kept();
    if kept != before {
        let others = encode_changes(&kept);
        let update = "update history set others = $2 where account = $1";
        transaction.execute(update, &[(&account, Type::INT8), (&others, Type::BYTEA)]).await?;
    }
    transaction.commit().await?;
    Ok(last)
}

pub(super) async fn forget(of: Fenced<'_>) -> Result<(), PgError> {
    let account = of.account();
    let mut transaction = of.begin(Kind::Writing).await?;
    let empty = "update history set others = '' where account = $1";
    transaction.execute(empty, &[(&account, Type::INT8)]).await?;
    events::mark_known(&mut transaction, account).await?;
    clear(&mut transaction, account).await?;
    transaction.commit().await
}

async fn clear(transaction: &mut Transaction<'_>, account: i64) -> Result<(), PgError> {
    let account = [(&account as _, Type::INT8)];
    transaction.execute("delete from vertex where account = $1", &account).await?;
    transaction.execute("delete from locked_output where account = $1", &account).await?;
    Ok(())
}

async fn write_vertices(
    transaction: &mut Transaction<'_>,
    account: i64,
    changes: &ChangeSet,
) -> Result<(), PgError> {
    let insert = "insert into vertex (account, id, record) \
                  select $1, id, record from unnest($2, $3) as added (id, record) \
                  on conflict (account, id) do update set record = excluded.record \
                  where vertex.record <> excluded.record";
    let mut vertices = changes.vertices.iter().peekable();
    while vertices.peek().is_some() {
        let (mut ids, mut records, mut bytes) = (Vec::new(), Vec::new(), 0);
        while ids.len() < BATCH
            && bytes < BATCH_BYTES
            && let Some((id, vertex)) = vertices.next()
        {
            let record = encode_vertex(id, vertex);
            bytes += record.len();
            ids.push(&id.0[..]);
            records.push(record);
        }
        let params =
            [(&account as _, Type::INT8), (&ids as _, Type::BYTEA_ARRAY), (&records as _, Type::BYTEA_ARRAY)];
        transaction.execute(insert, &params).await?;
    }
    Ok(())
}

/// An unlocked output has no row.
async fn write_locks(
    transaction: &mut Transaction<'_>,
    account: i64,
    changes: &ChangeSet,
) -> Result<(), PgError> {
    if changes.locked_outpoints.is_empty() {
        return Ok(());
    }
    let (mut txs, mut indexes, mut untils) = (Vec::new(), Vec::new(), Vec::new());
    for (output, until) in &changes.locked_outpoints {
        txs.push(&output.tx.0[..]);
        indexes.push(i16::from(output.index));
        untils.push(until.map(i64::from));
    }
    let params = [
        (&account as _, Type::INT8),
        (&txs as _, Type::BYTEA_ARRAY),
        (&indexes as _, Type::INT2_ARRAY),
        (&untils as _, Type::INT8_ARRAY),
    ];
    let unlock = "delete from locked_output using unnest($2, $3, $4) as changed (tx, index, until) \
                  where account = $1 and locked_output.tx = changed.tx and locked_output.index = changed.index \
                      and changed.until is null";
    transaction.execute(unlock, &params).await?;
    let lock = "insert into locked_output (account, tx, index, until) \
                select $1, tx, index, until from unnest($2, $3, $4) as changed (tx, index, until) \
                where until is not null \
                on conflict (account, tx, index) do update set until = excluded.until";
    transaction.execute(lock, &params).await?;
    Ok(())
}
