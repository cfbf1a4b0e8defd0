//! Writes an account's changes to its store: in order, many at once if many wait, and repeatedly if the store
//! fails.

use super::ids::Ids;
use crate::rt::{self, Instant};
use crate::store::{EventFact, EventFacts, Store, StoreError};
use crate::wallet::ChangeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument;

/// The first and the longest pause after a failure of the store; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How long a new best block waits for other changes: a node sends it at each start, and a thousand idle
/// wallets should not write with every block.
const GATHER_HEIGHTS: Duration = Duration::from_secs(60);

/// A handle of the task that writes to an account's store. Handing changes over never waits.
pub struct ChangeWriter {
    writer: mpsc::UnboundedSender<Message>,
    keeps_history: bool,
    /// Dropped when the writer is closed.
    store: Weak<dyn Store>,
}

enum Message {
    /// Changes, and their facts that may become events.
    Keep(ChangeSet, Vec<EventFact>),
    /// Facts from now on become events.
    BeginEvents,
    /// Answered once everything before it is written or has failed.
    Flush(oneshot::Sender<Result<(), StoreError>>),
    /// Answered once everything before it is written or has failed, and the store is dropped.
    Close(oneshot::Sender<()>),
}

impl ChangeWriter {
    /// Appends to `store`, and sets `store_problem` in the status of all `ids` while that fails.
    pub fn new(store: Arc<dyn Store>, ids: Arc<Ids>) -> Self {
        let (sender, messages) = mpsc::unbounded_channel();
        let writer = Writer {
            messages,
            ids,
            problem: None,
            waiting: ChangeSet::default(),
            facts: EventFacts::default(),
            not_before: None,
            has_failed: false,
            pause: FIRST_PAUSE,
            flushes: Vec::new(),
            close: None,
        };
        let written =
            Self { writer: sender, keeps_history: store.keeps_history(), store: Arc::downgrade(&store) };
        rt::spawn(writer.run(store).in_current_span());
        written
    }

    /// `None` once closed.
    pub fn store(&self) -> Option<Arc<dyn Store>> {
        self.store.upgrade()
    }

    /// Writes changes and the facts among them in one transaction. Must be called in the order of the
    /// changes.
    pub fn keep(&self, changes: ChangeSet, facts: Vec<EventFact>) {
        let changes = if self.keeps_history { changes } else { ChangeSet::default() };
        if !(changes.is_empty() && facts.is_empty()) {
            // The task has ended: nothing is written any more.
            let _ = self.writer.send(Message::Keep(changes, facts));
        }
    }

    pub fn begin_events(&self) {
        let _ = self.writer.send(Message::BeginEvents);
    }

    pub async fn flush(&self) -> Result<(), StoreError> {
        let (answer, flushed) = oneshot::channel();
        let _ = self.writer.send(Message::Flush(answer));
        flushed.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Drops the store after the last write.
    pub async fn close(&self) {
        let (answer, closed) = oneshot::channel();
        if self.writer.send(Message::Close(answer)).is_ok() {
            let _ = closed.await;
        }
    }
}

fn closed() -> StoreError {
    StoreError::Failed { place: "of the wallet".to_owned(), what: "it is closed".to_owned() }
}

struct Writer {
    messages: mpsc::UnboundedReceiver<Message>,
    ids: Arc<Ids>,
    problem: Option<String>,
    waiting: ChangeSet,
    facts: EventFacts,
    /// Nothing is written before this time unless somebody waits for it: the store failed, or changes are
    /// gathered.
    not_before: Option<Instant>,
    has_failed: bool,
    pause: Duration,
    flushes: Vec<oneshot::Sender<Result<(), StoreError>>>,
    close: Option<oneshot::Sender<()>>,
}

impl Writer {
    async fn run(mut self, store: Arc<dyn Store>) {
        while self.next().await {
            if !self.is_waited_for() && self.not_before.is_some_and(|time| Instant::now() < time) {
                continue;
            }
            let has_something = self.has_something();
            let kept = match has_something {
                true => store.append_with_events(&self.waiting, &self.facts).await,
                false => Ok(()),
            };
            self.flushes.drain(..).for_each(|asker| drop(asker.send(kept.clone())));
            if has_something {
                self.report(kept);
            }
            if let Some(closed) = self.close.take() {
                drop(store);
                // The asker may be gone.
                let _ = closed.send(());
                return;
            }
        }
    }

    /// Whether somebody waits for a write, even if the last one failed.
    fn is_waited_for(&self) -> bool {
        self.close.is_some() || !self.flushes.is_empty()
    }

    fn has_something(&self) -> bool {
        !self.waiting.is_empty() || !self.facts.is_empty()
    }

    /// Waits for messages and takes all there are. `false` once there can be no more.
    async fn next(&mut self) -> bool {
        let message = match self.not_before.filter(|_| self.has_something()) {
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
        let had = self.gathers_for();
        self.take(message);
        while let Ok(message) = self.messages.try_recv() {
            self.take(message);
        }
        let now = self.gathers_for();
        if !self.has_failed && now != had {
            self.not_before = now.map(|time| Instant::now() + time);
        }
        true
    }

    /// How long to wait for changes to write along with these.
    fn gathers_for(&self) -> Option<Duration> {
        if !self.has_something() {
            return None;
        }
        let is_height_alone = self.waiting.is_height_alone() && self.facts.is_empty();
        Some(if is_height_alone { GATHER_HEIGHTS } else { Duration::ZERO })
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Keep(changes, facts) => {
                self.waiting.merge(changes);
                self.facts.facts.extend(facts);
            }
            Message::BeginEvents => drop(self.facts.begin_at.get_or_insert(self.facts.facts.len())),
            Message::Flush(asker) => self.flushes.push(asker),
            Message::Close(answer) => self.close = Some(answer),
        }
    }

    fn report(&mut self, result: Result<(), StoreError>) {
        let problem = match result {
            Ok(()) => {
                self.waiting = ChangeSet::default();
                self.facts = EventFacts::default();
                (self.not_before, self.pause, self.has_failed) = (None, FIRST_PAUSE, false);
                None
            }
            Err(failure) => {
                self.not_before = Some(Instant::now() + self.pause);
                self.has_failed = true;
                self.pause = (self.pause * 2).min(LONGEST_PAUSE);
                Some(format!(
                    "{failure}: what happens now is not kept, which is tried again within {} s; until then a new start asks the \
                     full node for it",
                    LONGEST_PAUSE.as_secs()
                ))
            }
        };
        if self.problem == problem {
            return;
        }
        match &problem {
            Some(problem) => tracing::error!("{problem}"),
            None => tracing::info!("the store can be written again: everything is kept"),
        }
        self.ids.update(&|status| status.store_problem.clone_from(&problem));
        self.problem = problem;
    }
}
