//! The tables of events, and of each listener's position. They are made with the first event.

use super::error::RedbError;
use super::layout::{ABOUT, VERTICES};
use crate::ledger::VertexId;
use crate::rt;
use crate::store::announced::{Announced, counted_facts, events_among};
use crate::store::event_log::{EVENT_LIFE, MOST_DELIVERIES, MOST_EVENTS};
use crate::store::{DeliveryRecord, EventFacts, EventRecord, RecordError, SinkRecord, WholeEventLog};
use redb::{
    Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition, TableError,
    WriteTransaction,
};
use std::collections::{HashMap, HashSet};

const EVENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("events");
/// The last event of each transaction, and how many "seen" events it has had.
const ANNOUNCED: TableDefinition<'_, &[u8; 32], (u8, u32)> = TableDefinition::new("told transactions");
/// Transactions with an event that are not confirmed yet.
const UNCONFIRMED: TableDefinition<'_, &[u8; 32], ()> = TableDefinition::new("unconfirmed transactions");
/// Listeners: the last event delivered, and the listener's state.
const SINKS: TableDefinition<'_, &[u8; 16], (u64, &[u8])> = TableDefinition::new("sinks");
const DELIVERIES: TableDefinition<'_, (&[u8; 16], u64), &[u8]> = TableDefinition::new("deliveries");
/// The log's own number, and that of its last event.
const KEY_EVENTS: &str = "events";

#[derive(Clone, Copy)]
struct Log {
    tag: u32,
    last: u64,
}

impl Log {
    fn read(about: &impl ReadableTable<&'static str, &'static [u8]>) -> Result<Option<Self>, RedbError> {
        let Some(said) = about.get(KEY_EVENTS)? else { return Ok(None) };
        let bytes: [u8; 12] = said.value().try_into().map_err(|_| RecordError::Damaged)?;
        let [tag, high, low] = [0, 4, 8].map(|at| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let last = u64::from(u32::from_be_bytes(high)) << 32 | u64::from(u32::from_be_bytes(low));
        Ok(Some(Self { tag: u32::from_be_bytes(tag), last }))
    }

    fn to_bytes(self) -> Vec<u8> {
        [&self.tag.to_be_bytes()[..], &self.last.to_be_bytes()].concat()
    }
}

/// Makes events of facts, before the changes that came with them are written. Returns the last event's
/// number, if there are new ones.
pub(super) fn add_events(writing: &WriteTransaction, facts: &EventFacts) -> Result<Option<u64>, RedbError> {
    if facts.is_empty() {
        return Ok(None);
    }
    let mut about = writing.open_table(ABOUT)?;
    let begun = Log::read(&about)?;
    let Some(facts) = counted_facts(facts, begun.is_some()) else { return Ok(None) };
    let mut log = begun.unwrap_or_else(|| Log { tag: getrandom::u32().unwrap_or_default(), last: 0 });
    let mut table = writing.open_table(ANNOUNCED)?;
    let mut unconfirmed = writing.open_table(UNCONFIRMED)?;
    let (mut announced, mut known) = (HashMap::new(), HashSet::new());
    {
        let vertices = writing.open_table(VERTICES)?;
        for fact in facts {
            if let Some(said) = table.get(&fact.tx.0)? {
                let (code, times) = said.value();
                announced.insert(fact.tx, Announced::of(code, times).ok_or(RecordError::Damaged)?);
            } else if vertices.get(&fact.tx.0)?.is_some() {
                known.insert(fact.tx);
            }
        }
    }
    let time = rt::unix_millis();
    let added = events_among(facts, &mut announced, |id| known.contains(id), log.last, time);
    let mut events = writing.open_table(EVENTS)?;
    for event in &added {
        events.insert(event.seq, &*event.encode())?;
        let now = announced[&event.tx];
        table.insert(&event.tx.0, (now.code(), now.times))?;
        if now.is_unconfirmed() {
            unconfirmed.insert(&event.tx.0, ())?;
        } else {
            unconfirmed.remove(&event.tx.0)?;
        }
    }
    while let Some((seq, written)) = oldest(&events)?
        && (events.len()? > MOST_EVENTS || written < time.saturating_sub(EVENT_LIFE))
    {
        events.remove(seq)?;
    }
    log.last += added.len() as u64;
    if begun.is_none() || !added.is_empty() {
        about.insert(KEY_EVENTS, &*log.to_bytes())?;
    }
    Ok((!added.is_empty()).then_some(log.last))
}

/// The number and the time of the oldest event.
fn oldest(events: &impl ReadableTable<u64, &'static [u8]>) -> Result<Option<(u64, u64)>, RedbError> {
    let Some((seq, record)) = events.first()? else { return Ok(None) };
    let seq = seq.value();
    Ok(Some((seq, EventRecord::decode(seq, record.value())?.time)))
}

/// Marks the history's transactions as known, because it is dropped and loaded again: they make no new
/// events.
pub(super) fn mark_known(writing: &WriteTransaction) -> Result<(), RedbError> {
    if Log::read(&writing.open_table(ABOUT)?)?.is_none() {
        return Ok(());
    }
    let (vertices, mut table) = (writing.open_table(VERTICES)?, writing.open_table(ANNOUNCED)?);
    for entry in vertices.iter()? {
        let id = *entry?.0.value();
        if table.get(&id)?.is_none() {
            table.insert(&id, (Announced::QUIET.code(), Announced::QUIET.times))?;
        }
    }
    Ok(())
}

fn log(database: &Database) -> Result<Option<Log>, RedbError> {
    Log::read(&database.begin_read()?.open_table(ABOUT)?)
}

/// The log's own number, once facts make events.
pub(super) fn begun(database: &Database) -> Result<Option<u32>, RedbError> {
    Ok(log(database)?.map(|log| log.tag))
}

pub(super) fn last(database: &Database) -> Result<u64, RedbError> {
    Ok(log(database)?.map_or(0, |log| log.last))
}

/// `None` for a table that was never written to.
fn made<T>(opened: Result<T, TableError>) -> Result<Option<T>, RedbError> {
    match opened {
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        opened => Ok(Some(opened?)),
    }
}

pub(super) fn read(database: &Database, after: u64, most: usize) -> Result<Vec<EventRecord>, RedbError> {
    let Some(events) = made(database.begin_read()?.open_table(EVENTS))? else { return Ok(Vec::new()) };
    let mut records = Vec::new();
    for entry in events.range(after.saturating_add(1)..)?.take(most) {
        let (seq, record) = entry?;
        records.push(EventRecord::decode(seq.value(), record.value())?);
    }
    Ok(records)
}

pub(super) fn check(database: &Database) -> Result<(), RedbError> {
    read(database, 0, usize::MAX).map(drop)
}

pub(super) fn unconfirmed(database: &Database) -> Result<Vec<VertexId>, RedbError> {
    let Some(table) = made(database.begin_read()?.open_table(UNCONFIRMED))? else { return Ok(Vec::new()) };
    table.iter()?.map(|entry| Ok(VertexId(*entry?.0.value()))).collect()
}

pub(super) fn sink(database: &Database, key: [u8; 16]) -> Result<Option<SinkRecord>, RedbError> {
    let Some(table) = made(database.begin_read()?.open_table(SINKS))? else { return Ok(None) };
    let found = table.get(&key)?;
    Ok(found.map(|found| {
        let (after, state) = found.value();
        SinkRecord { key, after, state: state.to_vec() }
    }))
}

/// A new listener begins after event `from`.
pub(super) fn sink_or_new(database: &Database, key: [u8; 16], from: u64) -> Result<SinkRecord, RedbError> {
    if let Some(sink) = sink(database, key)? {
        return Ok(sink);
    }
    let new = SinkRecord { key, after: from.min(last(database)?), state: Vec::new() };
    write_sink(database, &new, None)?;
    Ok(new)
}

/// Writes a listener's position and the outcome of a delivery.
pub(super) fn write_sink(
    database: &Database,
    sink: &SinkRecord,
    delivery: Option<&DeliveryRecord>,
) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    {
        writing.open_table(SINKS)?.insert(&sink.key, (sink.after, &*sink.state))?;
        if let Some(delivery) = delivery {
            let mut table = writing.open_table(DELIVERIES)?;
            table.insert((&sink.key, delivery.seq), &*delivery.record)?;
            let oldest = sink.after.saturating_sub(MOST_DELIVERIES);
            table.retain_in((&sink.key, 0)..=(&sink.key, oldest), |_, _| false)?;
        }
    }
    Ok(writing.commit()?)
}

/// Writes the outcome of a delivery, and the listener's state if it changed.
pub(super) fn write_delivery(
    database: &Database,
    delivery: &DeliveryRecord,
    state: Option<&[u8]>,
) -> Result<(), RedbError> {
    let writing = database.begin_write()?;
    {
        writing.open_table(DELIVERIES)?.insert((&delivery.sink, delivery.seq), &*delivery.record)?;
        let mut sinks = writing.open_table(SINKS)?;
        let after = sinks.get(&delivery.sink)?.map(|sink| sink.value().0);
        if let (Some(state), Some(after)) = (state, after) {
            sinks.insert(&delivery.sink, (after, state))?;
        }
    }
    Ok(writing.commit()?)
}

pub(super) fn delivery(
    database: &Database,
    key: [u8; 16],
    seq: u64,
) -> Result<Option<DeliveryRecord>, RedbError> {
    let Some(table) = made(database.begin_read()?.open_table(DELIVERIES))? else { return Ok(None) };
    let found = table.get((&key, seq))?;
    Ok(found.map(|record| DeliveryRecord { sink: key, seq, record: record.value().to_vec() }))
}

/// Newest event first.
pub(super) fn deliveries(database: &Database, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, RedbError> {
    let Some(table) = made(database.begin_read()?.open_table(DELIVERIES))? else { return Ok(Vec::new()) };
    let mut deliveries = Vec::new();
    for entry in table.range((&key, 0)..=(&key, u64::MAX))?.rev() {
        let (place, record) = entry?;
        let (seq, record) = (place.value().1, record.value().to_vec());
        deliveries.push(DeliveryRecord { sink: key, seq, record });
    }
    Ok(deliveries)
}

pub(super) fn whole(database: &Database) -> Result<WholeEventLog, RedbError> {
    let reading = database.begin_read()?;
    let log = Log::read(&reading.open_table(ABOUT)?)?;
    let mut whole = WholeEventLog {
        begun: log.map(|log| log.tag),
        last: log.map_or(0, |log| log.last),
        events: read(database, 0, usize::MAX)?,
        ..WholeEventLog::default()
    };
    if let Some(announced) = made(reading.open_table(ANNOUNCED))? {
        for entry in announced.iter()? {
            let (id, said) = entry?;
            let (code, times) = said.value();
            let announced = Announced::of(code, times).ok_or(RecordError::Damaged)?;
            whole.announced.push((VertexId(*id.value()), announced));
        }
    }
    if let Some(sinks) = made(reading.open_table(SINKS))? {
        for entry in sinks.iter()? {
            let (key, found) = entry?;
            let (after, state) = found.value();
            whole.sinks.push(SinkRecord { key: *key.value(), after, state: state.to_vec() });
        }
    }
    if let Some(deliveries) = made(reading.open_table(DELIVERIES))? {
        for entry in deliveries.iter()? {
            let (place, record) = entry?;
            let (sink, seq) = place.value();
            whole.deliveries.push(DeliveryRecord { sink: *sink, seq, record: record.value().to_vec() });
        }
    }
    Ok(whole)
}

pub(super) fn write_whole(database: &Database, log: &WholeEventLog) -> Result<(), RedbError> {
    let WholeEventLog { begun, last, events, announced, sinks, deliveries } = log;
    let writing = database.begin_write()?;
    if let Some(tag) = *begun {
        writing.open_table(ABOUT)?.insert(KEY_EVENTS, &*Log { tag, last: *last }.to_bytes())?;
    }
    {
        let mut table = writing.open_table(EVENTS)?;
        for event in events {
            table.insert(event.seq, &*event.encode())?;
        }
        let (mut table, mut unconfirmed) = (writing.open_table(ANNOUNCED)?, writing.open_table(UNCONFIRMED)?);
        for (id, announced) in announced {
            table.insert(&id.0, (announced.code(), announced.times))?;
            if announced.is_unconfirmed() {
                unconfirmed.insert(&id.0, ())?;
            }
        }
        let mut table = writing.open_table(SINKS)?;
        for SinkRecord { key, after, state } in sinks {
            table.insert(key, (*after, &**state))?;
        }
        let mut table = writing.open_table(DELIVERIES)?;
        for DeliveryRecord { sink, seq, record } in deliveries {
            table.insert((sink, *seq), &**record)?;
        }
    }
    Ok(writing.commit()?)
}
