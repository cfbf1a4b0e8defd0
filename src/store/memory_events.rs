//! Events for as long as the process runs.

use super::announced::{Announced, counted_facts, events_among};
use super::event_log::{EVENT_LIFE, MOST_DELIVERIES, MOST_EVENTS};
use super::{DeliveryRecord, EventFacts, EventLog, EventRecord, SinkRecord, Store, StoreError};
use crate::ledger::VertexId;
use crate::rt;
use crate::wallet::ChangeSet;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

#[derive(Debug, Default)]
pub(super) struct MemoryEvents {
    kept: Mutex<Kept>,
    last: watch::Sender<i64>,
}

#[derive(Debug, Default)]
struct Kept {
    begun: Option<u32>,
    last: u64,
    events: VecDeque<EventRecord>,
    announced: HashMap<VertexId, Announced>,
    sinks: BTreeMap<[u8; 16], SinkRecord>,
    deliveries: BTreeMap<([u8; 16], u64), DeliveryRecord>,
}

impl MemoryEvents {
    /// Makes events of facts, before the changes that came with them are kept.
    pub(super) fn add_events(&self, facts: &EventFacts, is_in_history: impl Fn(&VertexId) -> bool) {
        let mut kept = self.kept();
        let Some(facts) = counted_facts(facts, kept.begun.is_some()) else { return };
        kept.begun.get_or_insert_with(|| getrandom::u32().unwrap_or_default());
        let time = rt::unix_millis();
        let Kept { announced, last, events, .. } = &mut *kept;
        let added = events_among(facts, announced, is_in_history, *last, time);
        *last += added.len() as u64;
        events.extend(added);
        while events.len() as u64 > MOST_EVENTS
            || events.front().is_some_and(|event| event.time < time.saturating_sub(EVENT_LIFE))
        {
            events.pop_front();
        }
        let last = i64::try_from(*last).unwrap_or(i64::MAX);
        drop(kept);
        self.last.send_if_modified(|shown| std::mem::replace(shown, last) != last);
    }

    /// Marks transactions as known, because the history is dropped and loaded again: they make no new events.
    pub(super) fn mark_known<'a>(&self, history: impl Iterator<Item = &'a VertexId>) {
        let mut kept = self.kept();
        for id in history {
            kept.announced.entry(*id).or_insert(Announced::QUIET);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait::async_trait]
impl EventLog for MemoryEvents {
    fn watch(&self) -> watch::Receiver<i64> {
        self.last.subscribe()
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        Ok(self.kept().begun)
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        Ok(self.kept().last)
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        let kept = self.kept();
        let later = kept.events.iter().filter(|event| event.seq > after);
        Ok(later.take(most).cloned().collect())
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        let kept = self.kept();
        Ok(kept
            .announced
            .iter()
            .filter(|(_, announced)| announced.is_unconfirmed())
            .map(|(id, _)| *id)
            .collect())
    }

    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError> {
        let mut kept = self.kept();
        let after = from.min(kept.last);
        let new = || SinkRecord { key, after, state: Vec::new() };
        Ok(kept.sinks.entry(key).or_insert_with(new).clone())
    }

    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError> {
        let mut kept = self.kept();
        if let Some(delivery) = delivery {
            let (key, oldest) = (sink.key, sink.after.saturating_sub(MOST_DELIVERIES));
            kept.deliveries.insert((key, delivery.seq), delivery);
            kept.deliveries.retain(|(of, seq), _| *of != key || *seq > oldest);
        }
        kept.sinks.insert(sink.key, sink);
        Ok(())
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let mut kept = self.kept();
        if let (Some(state), Some(sink)) = (state, kept.sinks.get_mut(&delivery.sink)) {
            sink.state = state;
        }
        kept.deliveries.insert((delivery.sink, delivery.seq), delivery);
        Ok(())
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        Ok(self.kept().sinks.get(&key).cloned())
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        Ok(self.kept().deliveries.get(&(key, seq)).cloned())
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        let kept = self.kept();
        let of_sink = kept.deliveries.range((key, 0)..=(key, u64::MAX));
        Ok(of_sink.rev().map(|(_, delivery)| delivery.clone()).collect())
    }
}

/// The store of a wallet that is not stored: only its events, for as long as it runs.
#[derive(Debug, Default)]
pub struct EventsOnly(MemoryEvents);

#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
impl Store for EventsOnly {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        Ok(ChangeSet::default())
    }

    async fn append(&self, _: &ChangeSet) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called by the one wallet there is, so nothing enters the history twice.
    async fn append_with_events(&self, _: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        self.0.add_events(facts, |_| false);
        Ok(())
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        Some(&self.0)
    }

    fn keeps_history(&self) -> bool {
        false
    }
}
