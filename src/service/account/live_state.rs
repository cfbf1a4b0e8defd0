//! A running account's state, with what must happen whenever it changes.

use super::change_writer::ChangeWriter;
use super::facts::{self, EVENTS};
use crate::ledger::VertexId;
use crate::store::{EventFact, StoreError};
use crate::wallet::{ChangeSet, Event, State, Update, ViewId};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::broadcast;

/// Events that a listener may be behind before it is told that it missed some.
const EVENTS_KEPT: usize = 1024;

/// The state machine of an account. What changes in it is kept, and listeners are told.
pub struct LiveState {
    /// Read by many at once: long answers are written from it.
    state: RwLock<State>,
    /// Changes on their way to the store, in the order in which they happened.
    pub writer: Option<ChangeWriter>,
    pub events: broadcast::Sender<Event>,
    /// Transactions and blocks that the node told of again although nothing about them changed.
    pub repeated: broadcast::Sender<VertexId>,
    /// Whether what happens to transactions may be news.
    tells: AtomicBool,
}

impl LiveState {
    pub fn new(state: State, writer: Option<ChangeWriter>) -> Self {
        Self {
            state: RwLock::new(state),
            writer,
            events: broadcast::Sender::new(EVENTS_KEPT),
            repeated: broadcast::Sender::new(EVENTS_KEPT),
            tells: AtomicBool::new(false),
        }
    }

    /// What happens to transactions from now on may be news.
    pub fn begin_telling(&self) {
        self.tells.store(true, Ordering::Relaxed);
    }

    /// From now on what happens is news, to whichever transaction.
    pub fn begin_events(&self) {
        // Between two changes, so that none is news in part.
        let _state = self.write();
        self.begin_telling();
        if let Some(writer) = &self.writer {
            writer.begin_events();
        }
    }

    /// Whether this server goes on to run the account: see [`Store::check`](crate::store::Store::check).
    pub fn check_store(&self) -> Result<(), StoreError> {
        let store = self.writer.as_ref().and_then(ChangeWriter::store);
        store.map_or(Ok(()), |store| store.check())
    }

    /// The number of the last event that is kept.
    pub async fn last_event(&self) -> Result<u64, StoreError> {
        let store = self.writer.as_ref().and_then(ChangeWriter::store);
        match store.as_ref().and_then(|store| store.event_log()) {
            Some(log) => log.last_event().await,
            None => Ok(0),
        }
    }

    /// States a fact that comes of no change.
    pub fn state_fact(&self, fact: EventFact) {
        if let Some(writer) = &self.writer {
            writer.keep(ChangeSet::default(), vec![fact]);
        }
    }

    /// The state machine, to be looked at. Never held across an await.
    pub fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state machine, to be changed. Never held across an await.
    pub fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same as a view has it, to be looked at. Where that is the whole, many look at once.
    pub fn read_through(&self, view: ViewId) -> ReadState<'_> {
        let state = self.read();
        if state.is_whole(view) {
            return ReadState::Whole(state);
        }
        drop(state);
        ReadState::Part(self.write_through(view))
    }

    /// The same, to be changed.
    pub fn write_through(&self, view: ViewId) -> SeenState<'_> {
        let mut state = self.write();
        state.see(Some(view));
        SeenState(state)
    }

    /// Derives what a view lacks, so many addresses at most, and says whether it lacks more.
    pub fn grow(&self, view: ViewId, most: u32) -> bool {
        let mut lacks_more = false;
        self.apply(|state| {
            let (update, more) = state.grow_view(view, most);
            lacks_more = more;
            update
        });
        lacks_more
    }

    /// Applies facts in one go, keeps what they changed, and tells the listeners.
    pub fn apply(&self, facts: impl FnOnce(&mut State) -> Update) {
        let mut state = self.write();
        let update = facts(&mut state);
        self.take(&state, update);
    }

    /// The same, of what a view sees.
    pub fn apply_through(&self, view: ViewId, facts: impl FnOnce(&mut State) -> Update) {
        let mut state = self.write_through(view);
        let update = facts(&mut state);
        self.take(&state, update);
    }

    fn take(&self, state: &State, update: Update) {
        if let Some(writer) = &self.writer {
            let states_facts = EVENTS && self.tells.load(Ordering::Relaxed);
            let facts = if states_facts { facts::stated(state, &update.events) } else { Vec::new() };
            writer.keep(update.changes, facts);
        }
        for event in update.events {
            // Nobody need be listening.
            let _ = self.events.send(event);
        }
    }

    /// The node told of a transaction or block, or took one, that is known already.
    pub fn tell_repeated(&self, id: VertexId) {
        // Hardly anybody listens.
        let _ = self.repeated.send(id);
    }

    /// Hands changes to the store's writer. Called with the state locked, so that they are kept in the order
    /// they happened in.
    pub fn keep(&self, changes: ChangeSet) {
        if let Some(writer) = &self.writer {
            writer.keep(changes, Vec::new());
        }
    }
}

/// The state as a view has it, until this is dropped.
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

/// The same, to be looked at.
pub enum ReadState<'a> {
    /// Nothing is left out.
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

/// A panic of another holder is a bug, but the value is consistent: facts are applied whole or not at all.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
