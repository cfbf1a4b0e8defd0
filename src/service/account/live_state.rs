//! A running account's state. Changes to it are stored and announced to listeners.

use super::change_writer::ChangeWriter;
use super::facts::{self, EVENTS};
use crate::ledger::VertexId;
use crate::store::{EventFact, StoreError};
use crate::wallet::{ChangeSet, Event, State, Update, ViewId};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::broadcast;

/// A listener further behind misses events.
const EVENTS_KEPT: usize = 1024;

pub struct LiveState {
    /// Many readers at once: long answers are written from it.
    state: RwLock<State>,
    pub writer: Option<ChangeWriter>,
    pub events: broadcast::Sender<Event>,
    /// Transactions and blocks that the node sent again unchanged.
    pub repeated: broadcast::Sender<VertexId>,
    /// Whether changes make facts for events.
    makes_facts: AtomicBool,
}

impl LiveState {
    pub fn new(state: State, writer: Option<ChangeWriter>) -> Self {
        Self {
            state: RwLock::new(state),
            writer,
            events: broadcast::Sender::new(EVENTS_KEPT),
            repeated: broadcast::Sender::new(EVENTS_KEPT),
            makes_facts: AtomicBool::new(false),
        }
    }

    /// Changes make facts from now on.
    pub fn begin_facts(&self) {
        self.makes_facts.store(true, Ordering::Relaxed);
    }

    /// Facts make events from now on.
    pub fn begin_events(&self) {
        // Locked, so that no change falls in between.
        let _state = self.write();
        self.begin_facts();
        if let Some(writer) = &self.writer {
            writer.begin_events();
        }
    }

    pub fn check_store(&self) -> Result<(), StoreError> {
        let store = self.writer.as_ref().and_then(ChangeWriter::store);
        store.map_or(Ok(()), |store| store.check())
    }

    pub async fn last_event(&self) -> Result<u64, StoreError> {
        let store = self.writer.as_ref().and_then(ChangeWriter::store);
        match store.as_ref().and_then(|store| store.event_log()) {
            Some(log) => log.last_event().await,
            None => Ok(0),
        }
    }

    /// Adds a fact that is not part of a change.
    pub fn state_fact(&self, fact: EventFact) {
        if let Some(writer) = &self.writer {
            writer.keep(ChangeSet::default(), vec![fact]);
        }
    }

    /// Never held across an await.
    pub fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Never held across an await.
    pub fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state seen through a view. If the view is the whole state, readers share the lock.
    pub fn read_through(&self, view: ViewId) -> ReadState<'_> {
        let state = self.read();
        if state.is_whole(view) {
            return ReadState::Whole(state);
        }
        drop(state);
        ReadState::Part(self.write_through(view))
    }

    pub fn write_through(&self, view: ViewId) -> SeenState<'_> {
        let mut state = self.write();
        state.see(Some(view));
        SeenState(state)
    }

    /// Derives at most `most` addresses that a view lacks. Returns whether it lacks more.
    pub fn grow(&self, view: ViewId, most: u32) -> bool {
        let mut lacks_more = false;
        self.apply(|state| {
            let (update, more) = state.grow_view(view, most);
            lacks_more = more;
            update
        });
        lacks_more
    }

    /// Applies facts at once, writes the changes, and notifies listeners.
    pub fn apply(&self, facts: impl FnOnce(&mut State) -> Update) {
        let mut state = self.write();
        let update = facts(&mut state);
        self.take(&state, update);
    }

    /// As [`LiveState::apply`], through a view.
    pub fn apply_through(&self, view: ViewId, facts: impl FnOnce(&mut State) -> Update) {
        let mut state = self.write_through(view);
        let update = facts(&mut state);
        self.take(&state, update);
    }

    fn take(&self, state: &State, update: Update) {
        if let Some(writer) = &self.writer {
            let states_facts = EVENTS && self.makes_facts.load(Ordering::Relaxed);
            let facts = if states_facts { facts::stated(state, &update.events) } else { Vec::new() };
            writer.keep(update.changes, facts);
        }
        for event in update.events {
            // There may be no listener.
            let _ = self.events.send(event);
        }
    }

    /// Notifies of a transaction or block that is known already.
    pub fn notify_repeated(&self, id: VertexId) {
        // There is rarely a listener.
        let _ = self.repeated.send(id);
    }

    /// Hands changes to the writer. Must be called while the state is locked, to preserve their order.
    pub fn keep(&self, changes: ChangeSet) {
        if let Some(writer) = &self.writer {
            writer.keep(changes, Vec::new());
        }
    }
}

/// The state seen through a view, locked until this is dropped.
pub struct SeenState<'a>(RwLockWriteGuard<'a, State>);

impl Deref for SeenState<'_> {
    type Target = State;
    fn deref(&self) -> &State {
        &self.0
    }
}

impl DerefMut for SeenState<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl Drop for SeenState<'_> {
    fn drop(&mut self) {
        self.0.see(None);
    }
}

/// As [`SeenState`], for reading.
pub enum ReadState<'a> {
    Whole(RwLockReadGuard<'a, State>),
    Part(SeenState<'a>),
}

impl Deref for ReadState<'_> {
    type Target = State;
    fn deref(&self) -> &State {
        match self {
            Self::Whole(state) => state,
            Self::Part(state) => state,
        }
    }
}

/// Ignores poisoning: facts are applied whole or not at all, so the value is consistent.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
