//! The wallet ids of a running account, and where each of them stands.

use crate::service::{Phase, Status};
use crate::wallet::ViewId;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// More addresses than there can be: they are counted otherwise.
const UNKNOWN: u32 = u32::MAX;

/// All ids of one account. They share its status, but for those whose addresses are still being loaded or
/// that the node refuses to watch.
pub struct Ids(Mutex<Table>);

struct Table {
    status: Status,
    ids: Vec<Id>,
    /// Whether the node has refused an address: from then on only those are watched that an id has which was
    /// not refused.
    is_narrowed: bool,
}

struct Id {
    view: ViewId,
    status: watch::Sender<Status>,
    /// How many addresses must be loaded before it is ready.
    wants: u32,
    /// What the node said to its addresses, if it refused them.
    refused: Option<String>,
}

impl Id {
    /// Where it stands when the account stands there.
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
        // A panic of another holder leaves nothing half done: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one, which is ready when the account is and so many addresses are loaded.
    pub fn join(&self, view: ViewId, wants: u32) -> watch::Sender<Status> {
        let mut table = self.table();
        // Some that were derived for others are not watched: how many are says nothing.
        let wants = if table.is_narrowed { UNKNOWN } else { wants };
        let id = Id { view, status: watch::Sender::new(table.status.clone()), wants, refused: None };
        let (status, phase) = (id.status.clone(), id.phase(&table.status));
        status.send_modify(|status| status.phase = phase);
        table.ids.push(id);
        status
    }

    /// Removes one. Says whether it was there and none is left.
    pub fn leave(&self, view: ViewId) -> bool {
        let mut table = self.table();
        let before = table.ids.len();
        table.ids.retain(|id| id.view != view);
        before > 0 && table.ids.is_empty()
    }

    /// The views of all.
    pub fn views(&self) -> Vec<ViewId> {
        self.table().ids.iter().map(|id| id.view).collect()
    }

    /// Changes the status of the account, and that of each id.
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

    /// The node refused an address that these have: they have failed. Says whether there is something else to
    /// be watched.
    pub fn refuse(&self, views: &[ViewId], problem: &str) -> bool {
        let mut table = self.table();
        let mut is_less = !std::mem::replace(&mut table.is_narrowed, true);
        for id in table.ids.iter_mut().filter(|id| id.refused.is_none() && views.contains(&id.view)) {
            id.refused = Some(problem.to_owned());
            is_less = true;
        }
        is_less && table.ids.iter().any(|id| id.refused.is_none())
    }

    /// The views whose addresses alone are to be watched; `None` if all are that are derived.
    pub fn narrowed(&self) -> Option<Vec<ViewId>> {
        let table = self.table();
        let views = || table.ids.iter().filter(|id| id.refused.is_none()).map(|id| id.view).collect();
        table.is_narrowed.then(views)
    }

    /// One has more addresses now. Where not all that are derived are watched, it is not ready until they
    /// are.
    pub fn extended(&self, view: ViewId) {
        {
            let mut table = self.table();
            let is_narrowed = table.is_narrowed;
            let extended = table.ids.iter_mut().filter(|id| is_narrowed && id.view == view);
            extended.for_each(|id| id.wants = UNKNOWN);
        }
        self.update(&|_| {});
    }

    /// All addresses of these are loaded.
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
