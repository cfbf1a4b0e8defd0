//! The wallet ids of a running account, and where each of them stands.

use super::{Phase, Status};
use crate::wallet::ViewId;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// All ids of one account. They share its status, but for those whose addresses are still being loaded.
pub(super) struct Ids(Mutex<Table>);

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
    /// Where it stands when the account stands there.
    fn phase(&self, account: &Status) -> Phase {
        match account.phase {
            Phase::Ready if account.loaded < self.wants => Phase::Syncing,
            phase => phase,
        }
    }
}

impl Ids {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Table { status: Status::new(Phase::Connecting), ids: Vec::new() }))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // A panic elsewhere leaves nothing half done: each change is one of its own.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one, which is ready when the account is and so many addresses are loaded.
    pub(super) fn join(&self, view: ViewId, wants: u32) -> watch::Sender<Status> {
        let mut table = self.table();
        let id = Id { view, status: watch::Sender::new(table.status.clone()), wants };
        let (status, phase) = (id.status.clone(), id.phase(&table.status));
        status.send_modify(|status| status.phase = phase);
        table.ids.push(id);
        status
    }

    /// Removes one. Says whether it was there and none is left.
    pub(super) fn leave(&self, view: ViewId) -> bool {
        let mut table = self.table();
        let before = table.ids.len();
        table.ids.retain(|id| id.view != view);
        before > 0 && table.ids.is_empty()
    }

    /// The views of all.
    pub(super) fn views(&self) -> Vec<ViewId> {
        self.table().ids.iter().map(|id| id.view).collect()
    }

    /// Changes the status of the account, and that of each id.
    pub(super) fn update(&self, change: &dyn Fn(&mut Status)) {
        let mut table = self.table();
        change(&mut table.status);
        for id in &table.ids {
            id.status.send_modify(|status| {
                change(status);
                status.phase = id.phase(&table.status);
            });
        }
    }

    /// The account's status.
    pub(super) fn status(&self) -> Status {
        self.table().status.clone()
    }
}
