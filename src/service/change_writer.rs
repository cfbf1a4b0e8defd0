//! Bringing changes to the store: in order, many at once when many wait, and again later when the store
//! fails.

use super::Status;
use super::recording::{Ask, Asked};
use crate::rt::{self, Instant};
#[cfg(feature = "native")]
use crate::store::{EventFact, EventFacts};
use crate::store::{PushRecord, Store, StoreError};
use crate::wallet::ChangeSet;
use std::sync::Arc;
#[cfg(feature = "native")]
use std::sync::Weak;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tracing::Instrument;

/// How long to wait before the store is tried again.
const PAUSE: Duration = Duration::from_secs(10);

/// The way to one wallet's store. Handing changes over never waits.
pub(super) struct ChangeWriter {
    writer: mpsc::UnboundedSender<Message>,
    keeps_push_records: bool,
    keeps_history: bool,
    /// Let go when it is closed.
    #[cfg(feature = "native")]
    store: Weak<dyn Store>,
}

enum Message {
    Keep(ChangeSet),
    /// The same, with what may be news of it.
    #[cfg(feature = "native")]
    KeepTelling(ChangeSet, Vec<EventFact>),
    /// What happens from now on is news.
    #[cfg(feature = "native")]
    BeginEvents,
    PushRecord(Ask),
    /// To be answered once everything before it is kept, or can't be, and the store is let go.
    Close(oneshot::Sender<()>),
}

impl ChangeWriter {
    /// Appends to `store`, and says in `status` when that fails.
    pub(super) fn new(store: Arc<dyn Store>, status: watch::Sender<Status>) -> Self {
        let (sender, messages) = mpsc::unbounded_channel();
        let writer = Writer {
            messages,
            status,
            waiting: ChangeSet::default(),
            #[cfg(feature = "native")]
            facts: EventFacts::default(),
            asked: Asked::default(),
            try_again: None,
            close: None,
        };
        let written = Self {
            writer: sender,
            keeps_push_records: store.push_records().is_some(),
            keeps_history: store.keeps_history(),
            #[cfg(feature = "native")]
            store: Arc::downgrade(&store),
        };
        rt::spawn(writer.run(store).in_current_span());
        written
    }

    /// The store, until it is closed.
    #[cfg(feature = "native")]
    pub(super) fn store(&self) -> Option<Arc<dyn Store>> {
        self.store.upgrade()
    }

    /// Takes changes, in the order in which they happened.
    pub(super) fn keep(&self, changes: ChangeSet) {
        if self.keeps_history {
            // After the end there is nothing to be kept any more.
            let _ = self.writer.send(Message::Keep(changes));
        }
    }

    /// The same, with what may be news of it: both are kept in one go.
    #[cfg(feature = "native")]
    pub(super) fn keep_telling(&self, changes: ChangeSet, facts: Vec<EventFact>) {
        let changes = if self.keeps_history { changes } else { ChangeSet::default() };
        let _ = self.writer.send(Message::KeepTelling(changes, facts));
    }

    /// What happens from now on is news.
    #[cfg(feature = "native")]
    pub(super) fn begin_events(&self) {
        let _ = self.writer.send(Message::BeginEvents);
    }

    /// Whether the store keeps push records.
    pub(super) fn keeps_push_records(&self) -> bool {
        self.keeps_push_records
    }

    /// Keeps a push record: it is durable once this returns.
    pub(super) async fn keep_push_record(&self, record: PushRecord) -> Result<(), StoreError> {
        self.ask(|answer| Ask::Keep(record, answer)).await
    }

    /// The record of a key.
    pub(super) async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        self.ask(|answer| Ask::Look(key, answer)).await
    }

    async fn ask<T>(
        &self,
        ask: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Ask,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // After the end nobody answers.
        let _ = self.writer.send(Message::PushRecord(ask(answer)));
        let ended =
            || StoreError::Failed { place: "of the wallet".to_owned(), what: "it is closed".to_owned() };
        answered.await.unwrap_or_else(|_| Err(ended()))
    }

    /// Lets the store go, after what is still to be kept.
    pub(super) async fn close(&self) {
        let (answer, closed) = oneshot::channel();
        if self.writer.send(Message::Close(answer)).is_ok() {
            let _ = closed.await;
        }
    }
}

struct Writer {
    messages: mpsc::UnboundedReceiver<Message>,
    status: watch::Sender<Status>,
    /// Not in the store yet.
    waiting: ChangeSet,
    #[cfg(feature = "native")]
    facts: EventFacts,
    /// Sends wait for these, so they go first.
    asked: Asked,
    /// When the store failed: not before this time.
    try_again: Option<Instant>,
    close: Option<oneshot::Sender<()>>,
}

impl Writer {
    async fn run(mut self, store: Arc<dyn Store>) {
        while self.next().await {
            self.asked.settle(store.push_records()).await;
            if self.close.is_none() && self.try_again.is_some_and(|time| Instant::now() < time) {
                continue;
            }
            if self.has_something() {
                #[cfg(feature = "native")]
                let result = store.append_telling(&self.waiting, &self.facts).await;
                #[cfg(not(feature = "native"))]
                let result = store.append(&self.waiting).await;
                self.tell(result);
            }
            if let Some(closed) = self.close.take() {
                drop(store);
                // Its asker may be gone.
                let _ = closed.send(());
                return;
            }
        }
    }

    fn has_something(&self) -> bool {
        #[cfg(feature = "native")]
        if !self.facts.is_empty() {
            return true;
        }
        !self.waiting.is_empty()
    }

    /// Waits for something to do and takes all that there is. `false` when nobody can come any more.
    async fn next(&mut self) -> bool {
        let message = match self.try_again {
            None => self.messages.recv().await,
            Some(time) => {
                let wait = time.saturating_duration_since(Instant::now());
                match rt::timeout(wait, self.messages.recv()).await {
                    Ok(message) => message,
                    Err(rt::Elapsed) => return true,
                }
            }
        };
        let Some(message) = message else { return false };
        self.take(message);
        while let Ok(message) = self.messages.try_recv() {
            self.take(message);
        }
        true
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Keep(changes) => self.waiting.merge(changes),
            #[cfg(feature = "native")]
            Message::KeepTelling(changes, facts) => {
                self.waiting.merge(changes);
                self.facts.facts.extend(facts);
            }
            #[cfg(feature = "native")]
            Message::BeginEvents => drop(self.facts.begin_at.get_or_insert(self.facts.facts.len())),
            Message::PushRecord(ask) => self.asked.add(ask),
            Message::Close(answer) => self.close = Some(answer),
        }
    }

    fn tell(&mut self, result: Result<(), StoreError>) {
        let problem = match result {
            Ok(()) => {
                self.waiting = ChangeSet::default();
                #[cfg(feature = "native")]
                {
                    self.facts = EventFacts::default();
                }
                self.try_again = None;
                None
            }
            Err(failure) => {
                self.try_again = Some(Instant::now() + PAUSE);
                Some(format!(
                    "{failure}: what happens now is not kept, and is tried to be every {} s; until then a new start asks the full \
                     node for it",
                    PAUSE.as_secs()
                ))
            }
        };
        self.status.send_if_modified(|status| {
            let changed = status.store_problem != problem;
            if changed {
                match &problem {
                    Some(problem) => tracing::error!("{problem}"),
                    None => tracing::info!("the store can be written again: everything is kept"),
                }
                status.store_problem = problem;
            }
            changed
        });
    }
}
