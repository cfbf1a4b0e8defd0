//! The tables of events, and of how far those have got who are told of them.

use super::error::PgError;
use super::lease::Lease;
use super::pool::{Pool, Transaction};
use crate::ledger::VertexId;
use crate::rt;
use crate::store::event_log::{EVENT_LIFE, MOST_DELIVERIES, MOST_EVENTS};
use crate::store::told::{Stage, Told, news_among, that_count};
use crate::store::{DeliveryRecord, EventFacts, EventRecord, RecordError, SinkRecord};
use std::collections::{HashMap, HashSet};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// That no server has a listener any more, or that which has it is not at it: longer than a post may take. By
/// the time at which the statement began, as with reservations.
const IS_FREE: &str = "(sink.server is null or sink.claimed_at < statement_timestamp() - interval '20 s' \
     or not exists (select 1 from server \
         where server.id = sink.server and server.expires_at > statement_timestamp()))";

/// How often a listener is claimed anew when this server's lease has ended.
const TRIES: usize = 2;

/// What a wallet's row says of its events.
pub(super) struct Log {
    pub(super) begun: Option<i64>,
    pub(super) last: i64,
}

/// Makes events of facts, before the changes that came with them are written and while the wallet's row is
/// locked. Gives whether there are new ones.
pub(super) async fn tell(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    log: Log,
    facts: &EventFacts,
) -> Result<bool, PgError> {
    let Some(facts) = that_count(facts, log.begun.is_some()) else { return Ok(false) };
    // Once it has begun, that it begins is no news.
    if facts.is_empty() && log.begun.is_some() {
        return Ok(false);
    }
    let of_wallet = (&wallet as _, Type::INT8);
    let ids: Vec<&[u8]> = facts.iter().map(|fact| &fact.tx.0[..]).collect();
    let of_facts = [of_wallet.clone(), (&ids as _, Type::BYTEA_ARRAY)];
    let find = "select tx, stage, times from told where wallet = $1 and tx = any($2)";
    let mut told = HashMap::new();
    for row in transaction.query(find, &of_facts).await? {
        let (id, was) = told_in(&row)?;
        told.insert(id, was);
    }
    let find = "select id from vertex where wallet = $1 and id = any($2)";
    let known = transaction.query(find, &of_facts).await?;
    let known = known.iter().map(id_in).collect::<Result<HashSet<_>, _>>()?;
    let (time, last) = (rt::unix_millis(), u64::try_from(log.last).unwrap_or_default());
    let news = news_among(facts, &mut told, |id| known.contains(id), last, time);
    let changed: HashSet<_> = news.iter().map(|event| event.tx).collect();
    let changed: Vec<_> = changed.iter().map(|tx| (*tx, told[tx])).collect();
    write_events(transaction, wallet, &news).await?;
    write_told(transaction, wallet, &changed).await?;
    let begun = log.begun.unwrap_or_else(|| getrandom::u32().unwrap_or_default().into());
    let last = log.last + news.len() as i64;
    let note = "update wallet set events_begun = $2, last_event = $3 where id = $1";
    let params = [of_wallet, (&begun as _, Type::INT8), (&last as _, Type::INT8)];
    transaction.execute(note, &params).await?;
    if news.is_empty() {
        return Ok(false);
    }
    forget_old(transaction, wallet, last, time).await?;
    Ok(true)
}

/// Keeps events that are new.
pub(super) async fn write_events(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    news: &[EventRecord],
) -> Result<(), PgError> {
    if news.is_empty() {
        return Ok(());
    }
    let (mut seqs, mut times, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for event in news {
        seqs.push(event.seq as i64);
        times.push(event.time as i64);
        records.push(event.encode());
    }
    let insert = "insert into event (wallet, seq, time, record) \
                  select $1, seq, time, record from unnest($2, $3, $4) as news (seq, time, record)";
    let params = [
        (&wallet as _, Type::INT8),
        (&seqs as _, Type::INT8_ARRAY),
        (&times as _, Type::INT8_ARRAY),
        (&records as _, Type::BYTEA_ARRAY),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

/// Keeps what was told of transactions, none of them twice, in the place of what was kept of them.
pub(super) async fn write_told(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    told: &[(VertexId, Told)],
) -> Result<(), PgError> {
    if told.is_empty() {
        return Ok(());
    }
    let ids: Vec<&[u8]> = told.iter().map(|(id, _)| &id.0[..]).collect();
    let stages: Vec<i16> = told.iter().map(|(_, told)| told.code().into()).collect();
    let times: Vec<i64> = told.iter().map(|(_, told)| told.times.into()).collect();
    let insert = "insert into told (wallet, tx, stage, times) \
                  select $1, tx, stage, times from unnest($2, $3, $4) as news (tx, stage, times) \
                  on conflict (wallet, tx) do update set stage = excluded.stage, times = excluded.times";
    let params = [
        (&wallet as _, Type::INT8),
        (&ids as _, Type::BYTEA_ARRAY),
        (&stages as _, Type::INT2_ARRAY),
        (&times as _, Type::INT8_ARRAY),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

async fn forget_old(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    last: i64,
    time: u64,
) -> Result<(), PgError> {
    let (too_many, too_old) = (last - MOST_EVENTS as i64, time.saturating_sub(EVENT_LIFE) as i64);
    let forget = "delete from event where wallet = $1 and (seq <= $2 or time < $3)";
    let params = [(&wallet as _, Type::INT8), (&too_many as _, Type::INT8), (&too_old as _, Type::INT8)];
    transaction.execute(forget, &params).await?;
    Ok(())
}

/// That what is in the history is no news when it comes again: it is dropped, and loaded anew.
pub(super) async fn quieten(transaction: &mut Transaction<'_>, wallet: i64) -> Result<(), PgError> {
    let quieten = "insert into told (wallet, tx, stage, times) select wallet, id, 0, 0 from vertex \
                   where wallet = $1 and (select events_begun from wallet where id = $1) is not null \
                   on conflict do nothing";
    transaction.execute(quieten, &[(&wallet, Type::INT8)]).await?;
    Ok(())
}

fn id_in(row: &Row) -> Result<VertexId, PgError> {
    Ok(VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?))
}

/// The transaction that a row is of, and what was told of it.
pub(super) fn told_in(row: &Row) -> Result<(VertexId, Told), PgError> {
    let (stage, times) = (row.get::<_, i16>(1).try_into(), row.get::<_, i64>(2).try_into());
    let told = stage.ok().zip(times.ok()).and_then(|(stage, times)| Told::of(stage, times));
    Ok((id_in(row)?, told.ok_or(RecordError::Damaged)?))
}

/// What the wallet's row says.
pub(super) async fn log(pool: &Pool, wallet: i64) -> Result<Log, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = "select events_begun, last_event from wallet where id = $1";
    let row = reading.query_one(find, &[(&wallet, Type::INT8)]).await?;
    reading.commit().await?;
    Ok(Log { begun: row.get(0), last: row.get(1) })
}

/// Those after a number, so many at most.
pub(super) async fn read(
    pool: &Pool,
    wallet: i64,
    after: u64,
    most: usize,
) -> Result<Vec<EventRecord>, PgError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut reading = pool.begin_reading().await?;
    let find = "select seq, record from event where wallet = $1 and seq > $2 order by seq limit $3";
    let params = [(&wallet as _, Type::INT8), (&after as _, Type::INT8), (&most as _, Type::INT8)];
    let rows = reading.query(find, &params).await?;
    reading.commit().await?;
    rows.iter().map(event_in).collect()
}

pub(super) fn event_in(row: &Row) -> Result<EventRecord, PgError> {
    Ok(EventRecord::decode(row.get::<_, i64>(0) as u64, row.get(1))?)
}

/// Transactions that are to be confirmed.
pub(super) async fn unconfirmed(pool: &Pool, wallet: i64) -> Result<Vec<VertexId>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = format!("select tx from told where wallet = $1 and stage = {}", Stage::Seen as u8);
    let rows = reading.query(&find, &[(&wallet, Type::INT8)]).await?;
    reading.commit().await?;
    rows.iter().map(id_in).collect()
}

/// How far a listener has got, if it is this server's from now on. One that is new begins with the first
/// event after `from`.
pub(super) async fn claim_sink(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    key: [u8; 16],
    from: u64,
) -> Result<Option<SinkRecord>, PgError> {
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        let mut transaction = pool.begin().await?;
        let (key_bytes, of_wallet) = (&key[..], (&wallet as _, Type::INT8));
        let begin = "insert into sink (wallet, key, after_seq, state) \
                     select id, $2, least(last_event, $3), '' from wallet where id = $1 on conflict do nothing";
        let params = [of_wallet.clone(), (&key_bytes as _, Type::BYTEA), (&from as _, Type::INT8)];
        transaction.execute(begin, &params).await?;
        let claim = format!(
            "update sink set server = $3, claimed_at = now() where wallet = $1 and key = $2 and (sink.server = $3 or {IS_FREE}) \
             and exists (select 1 from server where id = $3 and expires_at > clock_timestamp()) \
             returning after_seq, state"
        );
        let params = [of_wallet, (&key_bytes as _, Type::BYTEA), (&server as _, Type::INT8)];
        let claimed = transaction.query_opt(&claim, &params).await?;
        let stands = "select 1 from server where id = $1 and expires_at > clock_timestamp()";
        let stands = transaction.query_opt(stands, &[(&server as _, Type::INT8)]).await?.is_some();
        transaction.commit().await?;
        if claimed.is_some() || stands {
            return Ok(claimed.map(|row| sink_in(key, &row)));
        }
        lease.ended(server);
    }
    Ok(None)
}

/// Leaves listeners to all servers that this one told, each with its wallet.
pub(super) async fn give_sinks_back(
    pool: &Pool,
    lease: &Lease,
    sinks: &[(i64, [u8; 16])],
) -> Result<(), PgError> {
    let (wallets, keys): (Vec<i64>, Vec<&[u8]>) =
        sinks.iter().map(|(wallet, key)| (*wallet, &key[..])).unzip();
    let give = "update sink set server = null from unnest($1, $2) as given (wallet, key) \
                where sink.wallet = given.wallet and sink.key = given.key and server = $3";
    let server = lease.now();
    let params =
        [(&wallets as _, Type::INT8_ARRAY), (&keys as _, Type::BYTEA_ARRAY), (&server as _, Type::INT8)];
    pool.begin_fleeting().await?.commit_with(give, &params).await.map(drop)
}

fn sink_in(key: [u8; 16], row: &Row) -> SinkRecord {
    SinkRecord { key, after: row.get::<_, i64>(0) as u64, state: row.get(1) }
}

/// How far a listener has got.
pub(super) async fn sink(pool: &Pool, wallet: i64, key: [u8; 16]) -> Result<Option<SinkRecord>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = "select after_seq, state from sink where wallet = $1 and key = $2";
    let row = reading.query_opt(find, &[(&wallet, Type::INT8), (&&key[..], Type::BYTEA)]).await?;
    reading.commit().await?;
    Ok(row.map(|row| sink_in(key, &row)))
}

/// Keeps how far a listener has got, and what became of a delivery to it, if it is this server's still.
pub(super) async fn write_sink(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    sink: &SinkRecord,
    delivery: Option<&DeliveryRecord>,
) -> Result<bool, PgError> {
    let server = lease.id(pool).await?;
    let (key, after) = (&sink.key[..], i64::try_from(sink.after).unwrap_or(i64::MAX));
    let mut transaction = pool.begin().await?;
    let keep = "update sink set after_seq = $3, state = $4 where wallet = $1 and key = $2 and server = $5";
    let of_sink = [(&wallet as _, Type::INT8), (&key as _, Type::BYTEA)];
    let params = [
        of_sink[0].clone(),
        of_sink[1].clone(),
        (&after as _, Type::INT8),
        (&sink.state as _, Type::BYTEA),
        (&server as _, Type::INT8),
    ];
    if transaction.execute(keep, &params).await? == 0 {
        transaction.roll_back().await?;
        return Ok(false);
    }
    if let Some(delivery) = delivery {
        write_delivery(&mut transaction, wallet, delivery).await?;
        let oldest = after - MOST_DELIVERIES as i64;
        let forget = "delete from delivery where wallet = $1 and sink = $2 and seq <= $3";
        let params = [of_sink[0].clone(), of_sink[1].clone(), (&oldest as _, Type::INT8)];
        transaction.execute(forget, &params).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

pub(super) async fn write_delivery(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    DeliveryRecord { sink, seq, record }: &DeliveryRecord,
) -> Result<(), PgError> {
    let insert = "insert into delivery (wallet, sink, seq, record) values ($1, $2, $3, $4) \
                  on conflict (wallet, sink, seq) do update set record = excluded.record";
    let (sink, seq) = (&sink[..], *seq as i64);
    let params = [
        (&wallet as _, Type::INT8),
        (&sink as _, Type::BYTEA),
        (&seq as _, Type::INT8),
        (record as _, Type::BYTEA),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}

/// Keeps what became of a delivery, and what else is known of the listener, if that changed.
pub(super) async fn keep_delivery(
    pool: &Pool,
    wallet: i64,
    delivery: &DeliveryRecord,
    state: Option<&[u8]>,
) -> Result<(), PgError> {
    let mut transaction = pool.begin().await?;
    if let Some(state) = state {
        let change = "update sink set state = $3 where wallet = $1 and key = $2";
        let key = &delivery.sink[..];
        let params = [(&wallet as _, Type::INT8), (&key as _, Type::BYTEA), (&state as _, Type::BYTEA)];
        transaction.execute(change, &params).await?;
    }
    write_delivery(&mut transaction, wallet, delivery).await?;
    transaction.commit().await
}

/// What became of one delivery.
pub(super) async fn delivery(
    pool: &Pool,
    wallet: i64,
    key: [u8; 16],
    seq: u64,
) -> Result<Option<DeliveryRecord>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = "select record from delivery where wallet = $1 and sink = $2 and seq = $3";
    let number = i64::try_from(seq).unwrap_or(i64::MAX);
    let params = [(&wallet as _, Type::INT8), (&&key[..] as _, Type::BYTEA), (&number as _, Type::INT8)];
    let row = reading.query_opt(find, &params).await?;
    reading.commit().await?;
    Ok(row.map(|row| DeliveryRecord { sink: key, seq, record: row.get(0) }))
}

/// The deliveries to a listener, the newest event first.
pub(super) async fn deliveries(
    pool: &Pool,
    wallet: i64,
    key: [u8; 16],
) -> Result<Vec<DeliveryRecord>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let find = "select seq, record from delivery where wallet = $1 and sink = $2 order by seq desc";
    let rows = reading.query(find, &[(&wallet, Type::INT8), (&&key[..], Type::BYTEA)]).await?;
    reading.commit().await?;
    let delivery =
        |row: &Row| DeliveryRecord { sink: key, seq: row.get::<_, i64>(0) as u64, record: row.get(1) };
    Ok(rows.iter().map(delivery).collect())
}
