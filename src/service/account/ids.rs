//! The wallet ids of a running account, and their phases.

use crate::service::status::{Phase, Status};
use crate::wallet::ViewId;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// More addresses than there can be, for an unknown number.
const UNKNOWN: u32 = u32::MAX;

/// All ids of an account. They share its status, except ids whose addresses are still being loaded or that
/// the node refused.
pub struct Ids(Mutex<Table>);

struct Table {
    status: Status,
    ids: Vec<Id>,
    /// Whether the node has refused an address: from then on only addresses of ids that were not refused are
    /// watched.
    is_narrowed: bool,
}

struct Id {
    view: ViewId,
    status: watch::Sender<Status>,
    /// The number of addresses to be loaded before it is ready.
    wants: u32,
    refused: Option<String>,
}

impl Id {
    /// The phase of the id, given the account's status.
    fn phase(&self, account: &Status) -> Phase {
        match account.phase {
            _ if self.refused.is_some() => Phase::Error,
            Phase::Ready if account.loaded < self.wants => Phase::Syncing,
            phase => phase,
        }
    }
}

impl Ids {
    pub fn new() -> Self {
        Self(Mutex::new(Table {
            status: Status::new(Phase::Connecting),
            ids: Vec::new(),
            is_narrowed: false,
        }))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Ignores poisoning: each change is one call, so nothing is half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an id, which is ready when the account is and `wants` addresses are loaded.
    pub fn join(&self, view: ViewId, wants: u32) -> watch::Sender<Status> {
        let mut table = self.table();
        // Some derived addresses are not watched, so their number says nothing.
        let wants = if table.is_narrowed { UNKNOWN } else { wants };
        let id = Id { view, status: watch::Sender::new(table.status.clone()), wants, refused: None };
        let (status, phase) = (id.status.clone(), id.phase(&table.status));
        status.send_modify(|status| status.phase = phase);
        table.ids.push(id);
        status
    }

    /// Returns whether the id was there and none is left.
    pub fn leave(&self, view: ViewId) -> bool {
        let mut table = self.table();
        let before = table.ids.len();
        table.ids.retain(|id| id.view != view);
        before > 0 && table.ids.is_empty()
    }

    pub fn views(&self) -> Vec<ViewId> {
        self.table().ids.iter().map(|id| id.view).collect()
    }

    /// Changes the status of the account and of each id.
    pub fn update(&self, change: &dyn Fn(&mut Status)) {
        let mut table = self.table();
        change(&mut table.status);
        for id in &table.ids {
            id.status.send_modify(|status| {
                change(status);
                status.phase = id.phase(&table.status);
                if id.refused.is_some() {
                    status.problem.clone_from(&id.refused);
                }
            });
        }
    }

    /// Marks ids with a refused address as failed. Returns whether other ids have addresses to watch.
    pub fn refuse(&self, views: &[ViewId], problem: &str) -> bool {
        let mut table = self.table();
        let mut is_less = !std::mem::replace(&mut table.is_narrowed, true);
        for id in table.ids.iter_mut().filter(|id| id.refused.is_none() && views.contains(&id.view)) {
            id.refused = Some(problem.to_owned());
            is_less = true;
        }
        is_less && table.ids.iter().any(|id| id.refused.is_none())
    }

    /// The only views to watch; `None` if all derived addresses are watched.
    pub fn narrowed(&self) -> Option<Vec<ViewId>> {
        let table = self.table();
        let views = || table.ids.iter().filter(|id| id.refused.is_none()).map(|id| id.view).collect();
        table.is_narrowed.then(views)
    }

    /// An id has more addresses now. If not all derived addresses are watched, it is not ready until they are
    /// loaded.
    pub fn extended(&self, view: ViewId) {
        {
            let mut table = self.table();
            let is_narrowed = table.is_narrowed;
            let extended = table.ids.iter_mut().filter(|id| is_narrowed && id.view == view);
            extended.for_each(|id| id.wants = UNKNOWN);
        }
        self.update(&|_| {});
    }

    /// All addresses of these views are loaded.
    pub fn settle(&self, views: &[ViewId]) {
        let mut is_news = false;
        for id in self.table().ids.iter_mut().filter(|id| id.wants == UNKNOWN && views.contains(&id.view)) {
            (id.wants, is_news) = (0, true);
        }
        if is_news {
            self.update(&|_| {});
        }
    }

    pub fn status(&self) -> Status {
        self.table().status.clone()
    }
}
