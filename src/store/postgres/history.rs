//! The tables of a wallet's history.

use super::error::PgError;
use super::events::{self, Log};
use super::freeing::tell_of;
use super::news::tell_changes;
use super::others::others_in;
use super::pool::{Pool, Transaction};
use crate::ledger::{Outpoint, VertexId};
use crate::store::encode::{FIRST_FORMAT, format_of};
use crate::store::{EventFacts, RecordError, decode_vertex, encode_changes, encode_vertex};
use crate::wallet::{ChangeSet, SwapPart};
use tokio_postgres::types::Type;

/// Most vertices of one statement, and most bytes of their records, but for one that is larger.
const BATCH: usize = 2_000;
const BATCH_BYTES: usize = 1 << 20;

/// The id of the wallet with a name, which gets one the first time.
pub(super) async fn wallet_id(pool: &Pool, name: &str) -> Result<i64, PgError> {
    let find = "select id from wallet where name = $1";
    let mut transaction = pool.begin().await?;
    let mut found = transaction.query_opt(find, &[(&name, Type::TEXT)]).await?;
    if found.is_none() {
        let insert = "insert into wallet (name, format, others) values ($1, $2, '') on conflict do nothing";
        let format = i16::from(FIRST_FORMAT);
        transaction.execute(insert, &[(&name, Type::TEXT), (&format, Type::INT2)]).await?;
        found = Some(transaction.query_one(find, &[(&name, Type::TEXT)]).await?);
    }
    transaction.commit().await?;
    Ok(found.map_or(0, |row| row.get(0)))
}

/// The names of all wallets, unless a server runs, or there are pushes to be brought to their end.
pub(super) async fn names(pool: &Pool) -> Result<Vec<String>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let at_rest = "select exists (select 1 from server where expires_at > clock_timestamp()) \
                   or exists (select 1 from push_record where state = 1)";
    if reading.query_one(at_rest, &[]).await?.get(0) {
        return Err(PgError::InUse);
    }
    let rows = reading.commit_with("select name from wallet order by name", &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// All that there is, with every record verified.
pub(super) async fn load(pool: &Pool, wallet: i64) -> Result<ChangeSet, PgError> {
    let mut reading = pool.begin_reading().await?;
    let wallet = [(&wallet as _, Type::INT8)];
    let about = reading.query_one("select format, others from wallet where id = $1", &wallet).await?;
    let vertices = reading.query("select id, record from vertex where wallet = $1", &wallet).await?;
    let locked = reading
        .query("select tx, index, until from locked_output where wallet = $1 and until > 0", &wallet)
        .await?;
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

/// Merges changes into what there is, and makes events of the facts that came with them: all of it or
/// nothing. Servers that append to one wallet wait for each other. Gives whether there are new events.
pub(super) async fn append(
    pool: &Pool,
    wallet: i64,
    changes: &ChangeSet,
    facts: &EventFacts,
) -> Result<bool, PgError> {
    let format = i16::from(changes.vertices.values().map(format_of).max().unwrap_or(FIRST_FORMAT));
    let mut transaction = pool.begin().await?;
    let next = "update wallet set seq = seq + 1 where id = $1 \
                returning format, others, seq, events_begun, last_event";
    let row = transaction.query_one(next, &[(&wallet, Type::INT8)]).await?;
    let (mut kept, seq) = (others_in(&row)?, row.get(2));
    let log = Log { begun: row.get(3), last: row.get(4) };
    let has_news = events::tell(&mut transaction, wallet, log, facts).await?;
    if changes.forget {
        events::quieten(&mut transaction, wallet).await?;
        clear(&mut transaction, wallet).await?;
    }
    write_vertices(&mut transaction, wallet, seq, changes).await?;
    let mut others = ChangeSet { locked_outpoints: Default::default(), ..changes.without_vertices() };
    let before = kept.clone();
    others.swap_parts = others.swap_parts.map(|parts| {
        SwapPart::merge(kept.swap_parts.take().unwrap_or_default(), &changes.swap_parts_before, parts)
    });
    kept.merge(others);
    kept.mark_kept();
    if kept != before || format > row.get::<_, i16>(0) {
        let others = encode_changes(&kept);
        let update = "update wallet set format = greatest(format, $2), others = $3 where id = $1";
        let params = [(&wallet as _, Type::INT8), (&format as _, Type::INT2), (&others as _, Type::BYTEA)];
        transaction.execute(update, &params).await?;
    }
    // At the end, so that others wait for the news no longer than they must.
    let news = tell_changes(&mut transaction, wallet, changes).await?;
    write_locks(&mut transaction, wallet, news.unwrap_or(0), changes).await?;
    if has_news && news.is_none() {
        tell_of(&mut transaction, wallet).await?;
    }
    transaction.commit().await?;
    Ok(has_news)
}

/// Drops a wallet's history, which can't be read.
pub(super) async fn forget(pool: &Pool, wallet: i64) -> Result<(), PgError> {
    let mut transaction = pool.begin().await?;
    let empty = "update wallet set seq = seq + 1, format = $2, others = '' where id = $1";
    let format = i16::from(FIRST_FORMAT);
    transaction.execute(empty, &[(&wallet, Type::INT8), (&format, Type::INT2)]).await?;
    events::quieten(&mut transaction, wallet).await?;
    clear(&mut transaction, wallet).await?;
    transaction.commit().await
}

async fn clear(transaction: &mut Transaction<'_>, wallet: i64) -> Result<(), PgError> {
    let wallet = [(&wallet as _, Type::INT8)];
    transaction.execute("delete from vertex where wallet = $1", &wallet).await?;
    transaction.execute("delete from locked_output where wallet = $1", &wallet).await?;
    Ok(())
}

async fn write_vertices(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    seq: i64,
    changes: &ChangeSet,
) -> Result<(), PgError> {
    let insert = "insert into vertex (wallet, id, seq, record) \
                  select $1, id, $2, record from unnest($3, $4) as news (id, record) \
                  on conflict (wallet, id) do update set seq = excluded.seq, record = excluded.record \
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
        let params = [
            (&wallet as _, Type::INT8),
            (&seq as _, Type::INT8),
            (&ids as _, Type::BYTEA_ARRAY),
            (&records as _, Type::BYTEA_ARRAY),
        ];
        transaction.execute(insert, &params).await?;
    }
    Ok(())
}

async fn write_locks(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    news: i64,
    changes: &ChangeSet,
) -> Result<(), PgError> {
    if changes.locked_outpoints.is_empty() {
        return Ok(());
    }
    let (mut txs, mut indexes, mut untils) = (Vec::new(), Vec::new(), Vec::new());
    for (output, until) in &changes.locked_outpoints {
        txs.push(&output.tx.0[..]);
        indexes.push(i16::from(output.index));
        untils.push(until.map_or(0, i64::from));
    }
    let params = [
        (&wallet as _, Type::INT8),
        (&txs as _, Type::BYTEA_ARRAY),
        (&indexes as _, Type::INT2_ARRAY),
        (&untils as _, Type::INT8_ARRAY),
        (&news as _, Type::INT8),
    ];
    let lock = "insert into locked_output (wallet, tx, index, until, news) \
                select $1, tx, index, until, $5 from unnest($2, $3, $4) as changed (tx, index, until) \
                on conflict (wallet, tx, index) do update set until = excluded.until, news = excluded.news, \
                    at = now()";
    transaction.execute(lock, &params).await?;
    Ok(())
}
