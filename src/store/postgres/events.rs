//! The tables of events, and of each listener's position.

use super::error::PgError;
use super::pool::{Fenced, Kind, Pool, Transaction};
use crate::ledger::VertexId;
use crate::rt;
use crate::store::announced::{Announced, Stage, counted_facts, events_among};
use crate::store::event_log::{EVENT_LIFE, MOST_DELIVERIES, MOST_EVENTS};
use crate::store::{DeliveryRecord, EventFacts, EventRecord, RecordError, SinkRecord};
use std::collections::{HashMap, HashSet};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// The account's row as far as it concerns events.
pub(super) struct Log {
    pub(super) begun: Option<i64>,
    pub(super) last: i64,
}

/// Makes events of facts, before the changes that came with them are written and while the account's row is
/// locked. Returns the number of the last one, if there are new ones.
pub(super) async fn add_events(
    transaction: &mut Transaction<'_>,
    account: i64,
    log: Log,
    facts: &EventFacts,
) -> Result<Option<i64>, PgError> {
    let Some(facts) = counted_facts(facts, log.begun.is_some()) else { return Ok(None) };
    // Once events have begun, beginning them again changes nothing.
    if facts.is_empty() && log.begun.is_some() {
        return Ok(None);
    }
    let of_account = (&account as _, Type::INT8);
    let ids: Vec<&[u8]> = facts.iter().map(|fact| &fact.tx.0[..]).collect();
    let of_facts = [of_account.clone(), (&ids as _, Type::BYTEA_ARRAY)];
    let find = "select tx, stage, times from told where account = $1 and tx = any($2)";
    let mut announced = HashMap::new();
    for row in transaction.query(find, &of_facts).await? {
        let (id, was) = announced_in(&row)?;
        announced.insert(id, was);
    }
    let find = "select id from vertex where account = $1 and id = any($2)";
    let known = transaction.query(find, &of_facts).await?;
    let known = known.iter().map(id_in).collect::<Result<HashSet<_>, _>>()?;
    let (time, last) = (rt::unix_millis(), u64::try_from(log.last).unwrap_or_default());
    let added = events_among(facts, &mut announced, |id| known.contains(id), last, time);
    let changed: HashSet<_> = added.iter().map(|event| event.tx).collect();
    let changed: Vec<_> = changed.iter().map(|tx| (*tx, announced[tx])).collect();
    write_events(transaction, account, &added).await?;
    write_announced(transaction, account, &changed).await?;
    let begun = log.begun.unwrap_or_else(|| getrandom::u32().unwrap_or_default().into());
    let last = log.last + added.len() as i64;
    let note = "update history set events_begun = $2, last_event = $3 where account = $1";
    let params = [of_account, (&begun as _, Type::INT8), (&last as _, Type::INT8)];
    transaction.execute(note, &params).await?;
    if added.is_empty() {
        return Ok(None);
    }
    forget_old(transaction, account, last, time).await?;
    Ok(Some(last))
}

pub(super) async fn write_events(
    transaction: &mut Transaction<'_>,
    account: i64,
    added: &[EventRecord],
) -> Result<(), PgError> {
    if added.is_empty() {
        return Ok(());
    }
    let (mut seqs, mut times, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for event in added {
        seqs.push(event.seq as i64);
        times.push(event.time as i64);
        records.push(event.encode());
    }
    let insert = "insert into event (account, seq, time, record) \
                  select $1, seq, time, record from unnest($2, $3, $4) as added (seq, time, record)";
    let params = [
        (&account as _, Type::INT8),
        (&seqs as _, Type::INT8_ARRAY),
        (&times as _, Type::INT8_ARRAY),
        (&records as _, Type::BYTEA_ARRAY),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

/// Writes the last events of transactions. None may be listed twice.
pub(super) async fn write_announced(
    transaction: &mut Transaction<'_>,
    account: i64,
    announced: &[(VertexId, Announced)],
) -> Result<(), PgError> {
    if announced.is_empty() {
        return Ok(());
    }
    let ids: Vec<&[u8]> = announced.iter().map(|(id, _)| &id.0[..]).collect();
    let stages: Vec<i16> = announced.iter().map(|(_, announced)| announced.code().into()).collect();
    let times: Vec<i64> = announced.iter().map(|(_, announced)| announced.times.into()).collect();
    let insert = "insert into told (account, tx, stage, times) \
                  select $1, tx, stage, times from unnest($2, $3, $4) as added (tx, stage, times) \
                  on conflict (account, tx) do update set stage = excluded.stage, times = excluded.times";
    let params = [
        (&account as _, Type::INT8),
        (&ids as _, Type::BYTEA_ARRAY),
        (&stages as _, Type::INT2_ARRAY),
        (&times as _, Type::INT8_ARRAY),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

async fn forget_old(
    transaction: &mut Transaction<'_>,
    account: i64,
    last: i64,
    time: u64,
) -> Result<(), PgError> {
    let (too_many, too_old) = (last - MOST_EVENTS as i64, time.saturating_sub(EVENT_LIFE) as i64);
    let forget = "delete from event where account = $1 and (seq <= $2 or time < $3)";
    let params = [(&account as _, Type::INT8), (&too_many as _, Type::INT8), (&too_old as _, Type::INT8)];
    transaction.execute(forget, &params).await?;
    Ok(())
}

/// Marks the history's transactions as known, because it is dropped and loaded again: they make no new
/// events.
pub(super) async fn mark_known(transaction: &mut Transaction<'_>, account: i64) -> Result<(), PgError> {
    let mark_known = "insert into told (account, tx, stage, times) select account, id, 0, 0 from vertex \
                   where account = $1 and (select events_begun from history where account = $1) is not null \
                   on conflict do nothing";
    transaction.execute(mark_known, &[(&account, Type::INT8)]).await?;
    Ok(())
}

fn id_in(row: &Row) -> Result<VertexId, PgError> {
    Ok(VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?))
}

pub(super) fn announced_in(row: &Row) -> Result<(VertexId, Announced), PgError> {
    let (stage, times) = (row.get::<_, i16>(1).try_into(), row.get::<_, i64>(2).try_into());
    let announced = stage.ok().zip(times.ok()).and_then(|(stage, times)| Announced::of(stage, times));
    Ok((id_in(row)?, announced.ok_or(RecordError::Damaged)?))
}

pub(super) async fn log(pool: &Pool, account: i64) -> Result<Log, PgError> {
    let find = "select events_begun, last_event from history where account = $1";
    let rows = pool.begin_reading().await?.commit_with(find, &[(&account, Type::INT8)]).await?;
    let row = rows.first().ok_or(RecordError::Damaged)?;
    Ok(Log { begun: row.get(0), last: row.get(1) })
}

pub(super) async fn read(
    pool: &Pool,
    account: i64,
    after: u64,
    most: usize,
) -> Result<Vec<EventRecord>, PgError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let find = "select seq, record from event where account = $1 and seq > $2 order by seq limit $3";
    let params = [(&account as _, Type::INT8), (&after as _, Type::INT8), (&most as _, Type::INT8)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    rows.iter().map(event_in).collect()
}

pub(super) fn event_in(row: &Row) -> Result<EventRecord, PgError> {
    Ok(EventRecord::decode(row.get::<_, i64>(0) as u64, row.get(1))?)
}

pub(super) async fn unconfirmed(pool: &Pool, account: i64) -> Result<Vec<VertexId>, PgError> {
    let find = format!("select tx from told where account = $1 and stage = {}", Stage::Seen as u8);
    let rows = pool.begin_reading().await?.commit_with(&find, &[(&account, Type::INT8)]).await?;
    rows.iter().map(id_in).collect()
}

/// A listener's position. A new listener begins after event `from`.
pub(super) async fn sink_or_new(of: Fenced<'_>, key: [u8; 16], from: u64) -> Result<SinkRecord, PgError> {
    if let Some(known) = sink(of.pool, of.account(), key).await? {
        return Ok(known);
    }
    let (account, from) = (of.account(), i64::try_from(from).unwrap_or(i64::MAX));
    let begin = "insert into sink (account, key, after_seq, state) \
                 select account, $2, least(last_event, $3), '' from history where account = $1 \
                 returning after_seq, state";
    let params = [(&account as _, Type::INT8), (&&key[..] as _, Type::BYTEA), (&from as _, Type::INT8)];
    let rows = of.begin(Kind::Writing).await?.commit_with(begin, &params).await?;
    Ok(sink_in(key, rows.first().ok_or(RecordError::Damaged)?))
}

fn sink_in(key: [u8; 16], row: &Row) -> SinkRecord {
    SinkRecord { key, after: row.get::<_, i64>(0) as u64, state: row.get(1) }
}

pub(super) async fn sink(pool: &Pool, account: i64, key: [u8; 16]) -> Result<Option<SinkRecord>, PgError> {
    let find = "select after_seq, state from sink where account = $1 and key = $2";
    let params = [(&account as _, Type::INT8), (&&key[..] as _, Type::BYTEA)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    Ok(rows.first().map(|row| sink_in(key, row)))
}

/// Writes a listener's position and the outcome of a delivery.
pub(super) async fn keep_sink(
    of: Fenced<'_>,
    sink: &SinkRecord,
    delivery: Option<&DeliveryRecord>,
) -> Result<(), PgError> {
    let (account, key) = (of.account(), &sink.key[..]);
    let after = i64::try_from(sink.after).unwrap_or(i64::MAX);
    let mut transaction = of.begin(Kind::Writing).await?;
    let keep = "update sink set after_seq = $3, state = $4 where account = $1 and key = $2";
    let of_sink = [(&account as _, Type::INT8), (&key as _, Type::BYTEA)];
    let params =
        [of_sink[0].clone(), of_sink[1].clone(), (&after as _, Type::INT8), (&sink.state as _, Type::BYTEA)];
    transaction.execute(keep, &params).await?;
    if let Some(delivery) = delivery {
        write_delivery(&mut transaction, account, delivery).await?;
        let oldest = after - MOST_DELIVERIES as i64;
        let forget = "delete from delivery where account = $1 and sink = $2 and seq <= $3";
        let params = [of_sink[0].clone(), of_sink[1].clone(), (&oldest as _, Type::INT8)];
        transaction.execute(forget, &params).await?;
    }
    transaction.commit().await
}

pub(super) async fn write_delivery(
    transaction: &mut Transaction<'_>,
    account: i64,
    DeliveryRecord { sink, seq, record }: &DeliveryRecord,
) -> Result<(), PgError> {
    let insert = "insert into delivery (account, sink, seq, record) values ($1, $2, $3, $4) \
                  on conflict (account, sink, seq) do update set record = excluded.record";
    let (sink, seq) = (&sink[..], *seq as i64);
    let params = [
        (&account as _, Type::INT8),
        (&sink as _, Type::BYTEA),
        (&seq as _, Type::INT8),
        (record as _, Type::BYTEA),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

/// Writes the outcome of a delivery, and the listener's state if it changed.
pub(super) async fn keep_delivery(
    of: Fenced<'_>,
    delivery: &DeliveryRecord,
    state: Option<&[u8]>,
) -> Result<(), PgError> {
    let account = of.account();
    let mut transaction = of.begin(Kind::Writing).await?;
    if let Some(state) = state {
        let change = "update sink set state = $3 where account = $1 and key = $2";
        let key = &delivery.sink[..];
        let params = [(&account as _, Type::INT8), (&key as _, Type::BYTEA), (&state as _, Type::BYTEA)];
        transaction.execute(change, &params).await?;
    }
    write_delivery(&mut transaction, account, delivery).await?;
    transaction.commit().await
}

pub(super) async fn delivery(
    pool: &Pool,
    account: i64,
    key: [u8; 16],
    seq: u64,
) -> Result<Option<DeliveryRecord>, PgError> {
    let find = "select record from delivery where account = $1 and sink = $2 and seq = $3";
    let number = i64::try_from(seq).unwrap_or(i64::MAX);
    let params = [(&account as _, Type::INT8), (&&key[..] as _, Type::BYTEA), (&number as _, Type::INT8)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    Ok(rows.first().map(|row| DeliveryRecord { sink: key, seq, record: row.get(0) }))
}

/// Newest event first.
pub(super) async fn deliveries(
    pool: &Pool,
    account: i64,
    key: [u8; 16],
) -> Result<Vec<DeliveryRecord>, PgError> {
    let find = "select seq, record from delivery where account = $1 and sink = $2 order by seq desc";
    let params = [(&account as _, Type::INT8), (&&key[..] as _, Type::BYTEA)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    let delivery =
        |row: &Row| DeliveryRecord { sink: key, seq: row.get::<_, i64>(0) as u64, record: row.get(1) };
    Ok(rows.iter().map(delivery).collect())
}
