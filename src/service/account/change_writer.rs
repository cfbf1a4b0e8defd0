//! Bringing changes to the store: in order, many at once when many wait, and again later when the store
//! fails.

use super::ids::Ids;
use crate::rt::{self, Instant};
use crate::store::{EventFact, EventFacts, Store, StoreError};
use crate::wallet::ChangeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument;

/// How long to wait before the store is tried again, the first time and at most: each time twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How long a new best block waits for other changes: a node says at each start which one it is, and a
/// thousand wallets that do nothing should not write with every block.
const GATHER_HEIGHTS: Duration = Duration::from_secs(60);

/// The way to one account's store. Handing changes over never waits.
pub struct ChangeWriter {
    writer: mpsc::UnboundedSender<Message>,
    keeps_history: bool,
    /// Let go when it is closed.
    store: Weak<dyn Store>,
}

enum Message {
    /// Changes, and the facts of them that may become events.
    Keep(ChangeSet, Vec<EventFact>),
    /// Facts from now on become events.
    BeginEvents,
    /// To be answered once everything before it is kept, or can't be.
    Flush(oneshot::Sender<Result<(), StoreError>>),
    /// To be answered once everything before it is kept, or can't be, and the store is let go.
    Close(oneshot::Sender<()>),
}

impl ChangeWriter {
    /// Appends to `store`, and says in the status of all `ids` when that fails.
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

    /// The store, until it is closed.
    pub fn store(&self) -> Option<Arc<dyn Store>> {
        self.store.upgrade()
    }

    /// Takes changes, in the order in which they happened, with the facts of them that may become events:
    /// both are kept in one transaction.
    pub fn keep(&self, changes: ChangeSet, facts: Vec<EventFact>) {
        let changes = if self.keeps_history { changes } else { ChangeSet::default() };
        if !(changes.is_empty() && facts.is_empty()) {
            // After the end there is nothing to be kept any more.
            let _ = self.writer.send(Message::Keep(changes, facts));
        }
    }

    /// Facts from now on become events.
    pub fn begin_events(&self) {
        let _ = self.writer.send(Message::BeginEvents);
    }

    /// Waits until everything that was handed over so far is kept.
    pub async fn flush(&self) -> Result<(), StoreError> {
        let (answer, flushed) = oneshot::channel();
        let _ = self.writer.send(Message::Flush(answer));
        flushed.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Lets the store go, after what is still to be kept.
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
    /// What was last said to be wrong.
    problem: Option<String>,
    /// Not in the store yet.
    waiting: ChangeSet,
    facts: EventFacts,
    /// Nothing is appended before this time unless somebody waits for it: the store failed, or changes are
    /// gathered.
    not_before: Option<Instant>,
    has_failed: bool,
    /// How long to wait when it fails next.
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
                true => store.append_telling(&self.waiting, &self.facts).await,
                false => Ok(()),
            };
            self.flushes.drain(..).for_each(|asker| drop(asker.send(kept.clone())));
            if has_something {
                self.tell(kept);
            }
            if let Some(closed) = self.close.take() {
                drop(store);
                // Its asker may be gone.
                let _ = closed.send(());
                return;
            }
        }
    }

    /// Whether somebody waits for the store, however that has failed before.
    fn is_waited_for(&self) -> bool {
        self.close.is_some() || !self.flushes.is_empty()
    }

    fn has_something(&self) -> bool {
        !self.waiting.is_empty() || !self.facts.is_empty()
    }

    /// Waits for something to do and takes all that there is. `false` when nobody can come any more.
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

    /// How long there may be more to come that is kept along with what there is.
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

    fn tell(&mut self, result: Result<(), StoreError>) {
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
