//! Reading and writing all of an account, for migrations.

use super::error::PgError;
use super::events::{announced_in, event_in, write_announced, write_delivery, write_events};
use super::pool::{Fenced, Kind, Pool, Transaction};
use super::push_records;
use super::store::PostgresStore;
use crate::store::{
    DeliveryRecord, PushRecord, RecordError, SinkRecord, StoreError, WholeEventLog, WholeStore,
};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

const BATCH: usize = 500;

#[async_trait::async_trait]
impl WholeStore for PostgresStore {
    async fn all_push_records(&self) -> Result<Vec<PushRecord>, StoreError> {
        let all = push_records::all(&self.stores.pool, self.account()).await;
        all.map_err(|error| self.failed(error))
    }

    async fn whole_event_log(&self) -> Result<WholeEventLog, StoreError> {
        let log = read_log(&self.stores.pool, self.account()).await;
        log.map_err(|error| self.failed(error))
    }

    async fn keep_event_log(&self, log: WholeEventLog) -> Result<(), StoreError> {
        let kept = write_log(self.fenced(), &log).await;
        kept.map_err(|error| self.failed(error))
    }
}

async fn read_log(pool: &Pool, account: i64) -> Result<WholeEventLog, PgError> {
    let mut reading = pool.begin_reading().await?;
    let account = [(&account as _, Type::INT8)];
    let row = reading
        .query_one("select events_begun, last_event from history where account = $1", &account)
        .await?;
    let events = "select seq, record from event where account = $1 order by seq";
    let events = reading.query(events, &account).await?;
    let announced = "select tx, stage, times from told where account = $1 order by tx";
    let announced = reading.query(announced, &account).await?;
    let sinks = "select key, after_seq, state from sink where account = $1 order by key";
    let sinks = reading.query(sinks, &account).await?;
    let deliveries = "select sink, seq, record from delivery where account = $1 order by sink, seq";
    let deliveries = reading.query(deliveries, &account).await?;
    reading.commit().await?;
    let begun = row.get::<_, Option<i64>>(0).map(u32::try_from).transpose();
    let sink = |row: &Row| Ok(SinkRecord { key: key_in(row)?, after: seq_in(row), state: row.get(2) });
    let delivery =
        |row: &Row| Ok(DeliveryRecord { sink: key_in(row)?, seq: seq_in(row), record: row.get(2) });
    Ok(WholeEventLog {
        begun: begun.map_err(|_| RecordError::Damaged)?,
        last: seq_in(&row),
        events: events.iter().map(event_in).collect::<Result<_, PgError>>()?,
        announced: announced.iter().map(announced_in).collect::<Result<_, PgError>>()?,
        sinks: sinks.iter().map(sink).collect::<Result<_, PgError>>()?,
        deliveries: deliveries.iter().map(delivery).collect::<Result<_, PgError>>()?,
    })
}

fn key_in(row: &Row) -> Result<[u8; 16], PgError> {
    Ok(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?)
}

fn seq_in(row: &Row) -> u64 {
    row.get::<_, i64>(1) as u64
}

async fn write_log(of: Fenced<'_>, log: &WholeEventLog) -> Result<(), PgError> {
    let account = of.account();
    let mut transaction = of.begin(Kind::Writing).await?;
    let (begun, last) = (log.begun.map(i64::from), log.last as i64);
    let note = "update history set events_begun = $2, last_event = $3 where account = $1";
    let params = [(&account as _, Type::INT8), (&begun as _, Type::INT8), (&last as _, Type::INT8)];
    transaction.execute(note, &params).await?;
    for events in log.events.chunks(BATCH) {
        write_events(&mut transaction, account, events).await?;
    }
    for announced in log.announced.chunks(BATCH) {
        write_announced(&mut transaction, account, announced).await?;
    }
    for sink in &log.sinks {
        write_sink(&mut transaction, account, sink).await?;
    }
    for delivery in &log.deliveries {
        write_delivery(&mut transaction, account, delivery).await?;
    }
    transaction.commit().await
}

async fn write_sink(
    transaction: &mut Transaction<'_>,
    account: i64,
    SinkRecord { key, after, state }: &SinkRecord,
) -> Result<(), PgError> {
    let insert = "insert into sink (account, key, after_seq, state) values ($1, $2, $3, $4)";
    let (key, after) = (&key[..], *after as i64);
    let params = [
        (&account as _, Type::INT8),
        (&key as _, Type::BYTEA),
        (&after as _, Type::INT8),
        (state as _, Type::BYTEA),
    ];
    transaction.execute(insert, &params).await?;
    Ok(())
}
