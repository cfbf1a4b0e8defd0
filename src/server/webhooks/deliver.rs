//! Delivering one wallet's events to one listener.

use super::record::{Delivery, Outcome, SinkState};
use super::{Sink, Standing};
use crate::rt;
use crate::server::App;
use crate::server::approvals::is_for;
use crate::server::outbox;
use crate::service::Wallet;
use crate::store::{DeliveryRecord, EventLog, EventRecord, SinkRecord, StoreError};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Events read at once while looking for the next one that a listener wants.
const AT_ONCE: usize = 100;
/// The pause before the store is read again: after a failure, or because the clock may have been set.
const PAUSE: Duration = Duration::from_secs(5);

struct Delivering<'a> {
    app: &'a App,
    wallet_id: &'a str,
    wallet: &'a Wallet,
    sink: Sink,
    key: [u8; 16],
}

enum Step {
    /// Something was done: look again.
    Again,
    /// Wait for more events.
    Wait,
    /// Wait for more events, or for this time.
    Pause(Duration),
}

/// Delivers events until it is dropped. A new listener begins after event `from`, or else with the next new
/// event.
pub(super) async fn run(app: &App, wallet_id: &str, wallet: &Wallet, sink: Sink, mut from: Option<u64>) {
    let key = sink.key(wallet_id);
    let delivering = Delivering { app, wallet_id, wallet, sink, key };
    loop {
        let Some(store) = wallet.store() else { return };
        let Some(log) = store.event_log() else { return };
        let mut more = log.watch();
        // Marked as seen before looking, so that an event in between wakes it again.
        more.borrow_and_update();
        let step = delivering.step(log, &mut from).await.unwrap_or_else(|failure| {
            tracing::warn!("{failure}: events are delivered later");
            Step::Pause(PAUSE)
        });
        drop(store);
        match step {
            Step::Again => {}
            Step::Wait => {
                if more.changed().await.is_err() {
                    return;
                }
            }
            Step::Pause(pause) => drop(rt::timeout(pause, more.changed()).await),
        }
    }
}

impl Delivering<'_> {
    async fn step(&self, log: &dyn EventLog, from: &mut Option<u64>) -> Result<Step, StoreError> {
        let from = match *from {
            Some(from) => from,
            None => *from.insert(log.last_event().await?),
        };
        let mut sink = log.sink_or_new(self.key, from).await?;
        let last = log.last_event().await?;
        let mut state = SinkState::read(&sink.state);
        let behind = last.saturating_sub(sink.after);
        let standing = Standing { behind, is_off: state.is_off, is_broker: self.sink.is_broker() };
        self.app.webhooks().note(self.wallet_id, self.key, standing);
        if state.is_off {
            return Ok(Step::Pause(PAUSE));
        }
        let events = log.events(sink.after, AT_ONCE).await?;
        let Some(first) = events.first() else { return Ok(Step::Wait) };
        if self.count_dropped(&sink, first) {
            sink.after = first.seq - 1;
            log.keep_sink(sink.clone(), None).await?;
        }
        let Some(event) =
            events.iter().find(|event| self.sink.wants(event.kind) && is_for(event, self.wallet_id))
        else {
            sink.after = events.last().map_or(sink.after, |event| event.seq);
            log.keep_sink(sink, None).await?;
            return Ok(Step::Again);
        };
        let wait = state.next_try.saturating_sub(rt::unix_millis());
        if state.attempts > 0 && wait > 0 {
            return Ok(Step::Pause(Duration::from_millis(wait).min(PAUSE)));
        }
        let outcome = self.post(event).await;
        let now = rt::unix_millis();
        if outcome.is_taken() {
            (sink.after, state) = (event.seq, SinkState::default());
        } else {
            // Earlier events that it does not want are done.
            sink.after = event.seq - 1;
            state.failed(now, &outcome, self.sink.is_broker());
            self.say(&state, &outcome);
        }
        let next_try = (!state.is_off).then_some(state.next_try);
        let _lock = self.app.webhooks().noting.lock().await;
        let delivery = self.delivery(log, event, &outcome, next_try).await?;
        sink.state = state.write();
        log.keep_sink(sink, Some(delivery)).await?;
        Ok(Step::Again)
    }

    fn count_dropped(&self, sink: &SinkRecord, first: &EventRecord) -> bool {
        let dropped = first.seq.saturating_sub(sink.after + 1);
        if dropped > 0 {
            self.app.webhooks().dropped.fetch_add(dropped, Ordering::Relaxed);
            tracing::error!("{dropped} events were deleted before they were delivered");
        }
        dropped > 0
    }

    async fn post(&self, event: &EventRecord) -> Outcome {
        let (name, body) = outbox::words(event, self.wallet, self.wallet_id);
        let id = event.id(self.wallet.owner_name(), self.wallet_id);
        let outcome = self.sink.deliver(&id, name, body).await;
        self.app.webhooks().count(self.sink.is_broker(), outcome.is_taken());
        outcome
    }

    /// The record of an event's delivery after one more post.
    async fn delivery(
        &self,
        log: &dyn EventLog,
        event: &EventRecord,
        outcome: &Outcome,
        next_try: Option<u64>,
    ) -> Result<DeliveryRecord, StoreError> {
        let before = log.delivery(self.key, event.seq).await?;
        let before = before.and_then(|record| Delivery::read(&record.record));
        let id = event.id(self.wallet.owner_name(), self.wallet_id);
        let mut delivery = before.unwrap_or_else(|| Delivery::new(&id, event.kind.name()));
        delivery.note(outcome, next_try);
        Ok(DeliveryRecord { sink: self.key, seq: event.seq, record: delivery.write() })
    }

    fn say(&self, state: &SinkState, outcome: &Outcome) {
        let error = outcome.error.as_deref().unwrap_or_default();
        if state.is_off {
            tracing::error!("{error}: it is off, and gets no events until a delivery made again succeeds");
        } else if state.attempts == 1 {
            tracing::warn!("{error}: it is tried again");
        }
    }
}

/// The result of a delivery made again on request.
pub(in crate::server) enum Redelivered {
    /// Whether the listener accepted it.
    Done(DeliveryRecord, bool),
    Gone,
}

/// Posts an event once more, whatever its state. If it is accepted, the listener is on again.
pub(in crate::server) async fn redeliver(
    app: &App,
    wallet_id: &str,
    wallet: &Wallet,
    sink: Sink,
    log: &dyn EventLog,
    seq: u64,
) -> Result<Redelivered, StoreError> {
    let key = sink.key(wallet_id);
    let delivering = Delivering { app, wallet_id, wallet, sink, key };
    let found = log.events(seq.saturating_sub(1), 1).await?.pop().filter(|event| event.seq == seq);
    let found = found.filter(|event| is_for(event, wallet_id));
    let Some(event) = found else { return Ok(Redelivered::Gone) };
    let outcome = delivering.post(&event).await;
    let _lock = app.webhooks().noting.lock().await;
    let state = SinkState::read(&log.sink(key).await?.map(|sink| sink.state).unwrap_or_default());
    let is_on_again = state.is_off && outcome.is_taken();
    let next_try = (state.attempts > 0 && !state.is_off).then_some(state.next_try);
    let delivery = delivering.delivery(log, &event, &outcome, next_try).await?;
    let state = is_on_again.then(|| SinkState::default().write());
    log.keep_delivery(delivery.clone(), state).await?;
    Ok(Redelivered::Done(delivery, outcome.is_taken()))
}
