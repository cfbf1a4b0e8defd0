//! A running wallet's state, with what must happen whenever it changes.

use super::change_writer::ChangeWriter;
#[cfg(feature = "native")]
use super::facts;
use crate::ledger::VertexId;
#[cfg(feature = "native")]
use crate::store::EventFact;
use crate::wallet::{ChangeSet, Event, State, Update};
#[cfg(feature = "native")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::broadcast;

/// Events that a listener may be behind before it is told that it missed some.
const EVENTS_KEPT: usize = 1024;

/// The state machine of a wallet. What changes in it is kept, and listeners are told.
pub(super) struct LiveState {
    /// Read by many at once: long answers are written from it.
    state: RwLock<State>,
    /// Changes on their way to the store, in the order in which they happened.
    pub(super) writer: Option<ChangeWriter>,
    pub(super) events: broadcast::Sender<Event>,
    /// Transactions and blocks that the node told of again although nothing about them changed.
    pub(super) repeated: broadcast::Sender<VertexId>,
    /// Whether what happens to transactions may be news.
    #[cfg(feature = "native")]
    tells: AtomicBool,
}

impl LiveState {
    pub(super) fn new(state: State, writer: Option<ChangeWriter>) -> Self {
        Self {
            state: RwLock::new(state),
            writer,
            events: broadcast::Sender::new(EVENTS_KEPT),
            repeated: broadcast::Sender::new(EVENTS_KEPT),
            #[cfg(feature = "native")]
            tells: AtomicBool::new(false),
        }
    }

    /// What happens to transactions from now on may be news.
    #[cfg(feature = "native")]
    pub(super) fn begin_telling(&self) {
        self.tells.store(true, Ordering::Relaxed);
    }

    /// From now on what happens is news, to whichever transaction.
    #[cfg(feature = "native")]
    pub(super) fn begin_events(&self) {
        // Between two changes, so that none is news in part.
        let _state = self.write();
        self.begin_telling();
        if let Some(writer) = &self.writer {
            writer.begin_events();
        }
    }

    /// States a fact that comes of no change.
    #[cfg(feature = "native")]
    pub(super) fn state_fact(&self, fact: EventFact) {
        if let Some(writer) = &self.writer {
            writer.keep_telling(ChangeSet::default(), vec![fact]);
        }
    }

    /// The state machine, to be looked at. Never held across an await.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state machine, to be changed. Never held across an await.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies facts in one go, keeps what they changed, and tells the listeners.
    pub(super) fn apply(&self, facts: impl FnOnce(&mut State) -> Update) {
        let mut state = self.write();
        let update = facts(&mut state);
        self.keep_telling(&state, update.changes, &update.events);
        self.tell(update.events);
    }

    /// The node told of a transaction or block, or took one, that is known already.
    pub(super) fn tell_repeated(&self, id: VertexId) {
        // Hardly anybody listens.
        let _ = self.repeated.send(id);
    }

    fn tell(&self, events: Vec<Event>) {
        for event in events {
            // Nobody need be listening.
            let _ = self.events.send(event);
        }
    }

    #[cfg(not(feature = "native"))]
    fn keep_telling(&self, _: &State, changes: ChangeSet, _: &[Event]) {
        self.keep(changes);
    }

    /// Keeps changes along with what may be news of them.
    #[cfg(feature = "native")]
    fn keep_telling(&self, state: &State, changes: ChangeSet, events: &[Event]) {
        if let Some(writer) = self.writer.as_ref().filter(|_| self.tells.load(Ordering::Relaxed)) {
            let facts = facts::stated(state, events);
            if !facts.is_empty() {
                return writer.keep_telling(changes, facts);
            }
        }
        self.keep(changes);
    }

    /// Hands changes to the store's writer. Called with the state locked, so that they are kept in the order
    /// they happened in.
    pub(super) fn keep(&self, changes: ChangeSet) {
        if let Some(writer) = &self.writer
            && !changes.is_empty()
        {
            writer.keep(changes);
        }
    }
}

/// A panic elsewhere is a bug, but what it held is still consistent: facts are applied whole or not at all.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
