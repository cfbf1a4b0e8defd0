//! The wallet ids of a running account, and where each of them stands.

use super::live_state::lock;
use super::{Phase, Status};
use crate::wallet::ViewId;
use std::sync::Mutex;
use tokio::sync::watch;

/// All ids of one account. They share its status, but for those whose addresses are still being loaded.
pub(super) struct Ids {
    table: Mutex<Table>,
    /// How many addresses are loaded, in the order in which they were derived.
    loaded: watch::Sender<u32>,
}

struct Table {
    /// The account's.
    status: Status,
    ids: Vec<Id>,
}

struct Id {
    view: ViewId,
    status: watch::Sender<Status>,
    /// How many addresses must be loaded before it is ready.
    wants: u32,
}

impl Id {
    /// Where it stands when the account is at a phase.
    fn phase(&self, account: Phase, loaded: u32) -> Phase {
        if account == Phase::Ready && loaded < self.wants { Phase::Syncing } else { account }
    }
}

impl Ids {
    pub(super) fn new() -> Self {
        let table = Table { status: Status::new(Phase::Connecting), ids: Vec::new() };
        Self { table: Mutex::new(table), loaded: watch::Sender::new(0) }
    }

    /// Adds one, which is ready when the account is and so many addresses are loaded.
    pub(super) fn join(&self, view: ViewId, wants: u32) -> watch::Sender<Status> {
        let mut table = lock(&self.table);
        let id = Id { view, status: watch::Sender::new(table.status.clone()), wants };
        let (status, phase) = (id.status.clone(), id.phase(table.status.phase, *self.loaded.borrow()));
        status.send_modify(|status| status.phase = phase);
        table.ids.push(id);
        status
    }

    /// So many addresses must be loaded before one is ready.
    pub(super) fn wait_for(&self, view: ViewId, wants: u32) {
        lock(&self.table).ids.iter_mut().filter(|id| id.view == view).for_each(|id| id.wants = wants);
        self.set_loaded(*self.loaded.borrow());
    }

    /// Removes one. Says whether it was there and none is left.
    pub(super) fn leave(&self, view: ViewId) -> bool {
        let mut table = lock(&self.table);
        let before = table.ids.len();
        table.ids.retain(|id| id.view != view);
        before > 0 && table.ids.is_empty()
    }

    /// Changes the status of the account, and that of each id.
    pub(super) fn update(&self, change: &dyn Fn(&mut Status)) {
        let mut table = lock(&self.table);
        change(&mut table.status);
        let (phase, loaded) = (table.status.phase, *self.loaded.borrow());
        for id in &table.ids {
            id.status.send_modify(|status| {
                change(status);
                status.phase = id.phase(phase, loaded);
            });
        }
    }

    /// So many addresses are loaded by now.
    pub(super) fn set_loaded(&self, loaded: u32) {
        let table = lock(&self.table);
        self.loaded.send_replace(loaded);
        for id in &table.ids {
            let phase = id.phase(table.status.phase, loaded);
            id.status.send_if_modified(|status| std::mem::replace(&mut status.phase, phase) != phase);
        }
    }

    /// Waits until so many are loaded.
    pub(super) async fn until_loaded(&self, count: u32) {
        // The sender is held here, so waiting can't fail.
        let _ = self.loaded.subscribe().wait_for(|loaded| *loaded >= count).await;
    }

    /// The account's status.
    pub(super) fn status(&self) -> Status {
        lock(&self.table).status.clone()
    }
}
