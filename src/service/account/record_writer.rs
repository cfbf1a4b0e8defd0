//! Writes push records, many at once when many wait.

use crate::rt::{self, Instant};
use crate::store::{MemoryPushRecords, PushRecord, PushRecords, Store, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// When settled records are written again: later than any database writes to the disk. Also the pause after a
/// failure.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// A request to the task that writes, with the channel for its answer.
enum Ask {
    Keep(PushRecord, oneshot::Sender<Result<(), StoreError>>),
    Look([u8; 32], oneshot::Sender<Result<Option<PushRecord>, StoreError>>),
    Settle([u8; 32]),
    Withdraw([u8; 32], oneshot::Sender<Result<(), StoreError>>),
    Close(oneshot::Sender<()>),
}

/// A handle of the task that writes push records. Records are written in batches.
pub struct RecordWriter {
    asks: mpsc::UnboundedSender<Ask>,
    pub records_each_push: bool,
}

impl RecordWriter {
    pub fn new(store: Option<Arc<dyn Store>>, memory: MemoryPushRecords) -> Self {
        let (asks, asked) = mpsc::unbounded_channel();
        let place = Place { store: store.filter(|store| store.push_records().is_some()), memory };
        let records_each_push = place.records().records_each_push();
        rt::spawn(write(asked, place));
        Self { asks, records_each_push }
    }

    async fn ask<T>(
        &self,
        ask: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Ask,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // The task has ended.
        let _ = self.asks.send(ask(answer));
        answered.await.unwrap_or_else(|_| Err(closed()))
    }

    pub async fn keep(&self, record: PushRecord) -> Result<(), StoreError> {
        self.ask(|answer| Ask::Keep(record, answer)).await
    }

    pub async fn record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        self.ask(|answer| Ask::Look(key, answer)).await
    }

    pub fn settle(&self, key: [u8; 32]) {
        let _ = self.asks.send(Ask::Settle(key));
    }

    /// Settles a push durably that is not made (again).
    pub async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError> {
        self.ask(|answer| Ask::Withdraw(key, answer)).await
    }

    /// Drops the store after the last write.
    pub async fn close(&self) {
        let (answer, closed) = oneshot::channel();
        if self.asks.send(Ask::Close(answer)).is_ok() {
            let _ = closed.await;
        }
    }
}

struct Place {
    store: Option<Arc<dyn Store>>,
    memory: MemoryPushRecords,
}

impl Place {
    fn records(&self) -> &dyn PushRecords {
        self.store.as_ref().and_then(|store| store.push_records()).unwrap_or(&self.memory)
    }
}

/// Keys of settled pushes, and when they are to be written.
struct Settling {
    /// Settle twice on a shared store: a crashed database may lose the last, asynchronous commits.
    twice: bool,
    due: Vec<([u8; 32], Instant, bool)>,
}

impl Settling {
    fn add(&mut self, key: [u8; 32]) {
        self.due.push((key, Instant::now(), self.twice));
    }

    /// Removes keys that are open again.
    fn forget(&mut self, added: &[PushRecord]) {
        self.due.retain(|(key, ..)| !added.iter().any(|record| record.key == *key));
    }

    fn wait(&self) -> Option<Duration> {
        let first = self.due.iter().map(|(_, at, _)| *at).min()?;
        Some(first.saturating_duration_since(Instant::now()))
    }

    async fn settle(&mut self, records: &dyn PushRecords) {
        let now = Instant::now();
        let (due, mut later): (Vec<_>, Vec<_>) = self.due.drain(..).partition(|(_, at, _)| *at <= now);
        if !due.is_empty() {
            let settled = records.settle(due.iter().map(|(key, ..)| *key).collect()).await;
            let at = Instant::now() + AGAIN_AFTER;
            match settled {
                Ok(()) => later.extend(due.iter().filter(|due| due.2).map(|(key, ..)| (*key, at, false))),
                Err(failure) => {
                    tracing::debug!("{failure}: pushes are settled later");
                    later.extend(due.iter().map(|(key, _, twice)| (*key, at, *twice)));
                }
            }
        }
        self.due = later;
    }
}

async fn write(mut asked: mpsc::UnboundedReceiver<Ask>, place: Place) {
    let records = place.records();
    let mut settling = Settling { twice: records.records_each_push(), due: Vec::new() };
    loop {
        let first = match settling.wait() {
            Some(wait) => rt::timeout(wait, asked.recv()).await,
            None => Ok(asked.recv().await),
        };
        let mut next = match first {
            Ok(Some(first)) => Some(first),
            Ok(None) => return,
            Err(rt::Elapsed) => None,
        };
        let (mut added, mut answers, mut closing) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        while let Some(ask) = next {
            match ask {
                Ask::Keep(record, answer) => {
                    added.push(record);
                    answers.push(answer);
                }
                Ask::Settle(key) => settling.add(key),
                Ask::Close(answer) => closing.push(answer),
                other => others.push(other),
            }
            next = asked.try_recv().ok();
        }
        // Settled before the key is recorded again.
        settling.settle(records).await;
        if !added.is_empty() {
            settling.forget(&added);
            let kept = records.keep_push_records(added).await;
            answers.into_iter().for_each(|answer| drop(answer.send(kept.clone())));
        }
        for other in others {
            match other {
                Ask::Look(key, answer) => drop(answer.send(records.push_record(key).await)),
                Ask::Withdraw(key, answer) => drop(answer.send(records.withdraw(key).await)),
                Ask::Keep(..) | Ask::Settle(_) | Ask::Close(_) => {}
            }
        }
        if !closing.is_empty() {
            drop(place);
            // The askers may be gone.
            for answer in closing {
                let _ = answer.send(());
            }
            return;
        }
    }
}

fn closed() -> StoreError {
    StoreError::Failed { place: "of the wallet".to_owned(), what: "it is closed".to_owned() }
}
