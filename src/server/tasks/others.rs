//! What several servers do with the tasks of one wallet: each carries out those that it claims, and knows of
//! the others' what their store says.

use super::table::is_old;
use super::{Queue, Task, TaskId, TaskState};
use crate::rt;
use crate::store::{SharedTask, SharedTasks, Store, StoreError};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;

/// How often it is looked whether there are tasks that no server carries out.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often it is looked whether a task of another server has ended that somebody waits for.
const LOOK_WHILE_WAITING: Duration = Duration::from_millis(300);

impl Queue {
    pub(super) fn is_shared(&self) -> bool {
        shared_in(self.wallet.store().as_ref()).is_some()
    }

    /// The number of a question that is about to be asked.
    fn ask(&self) -> u64 {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Has what the store has of all tasks.
    pub(super) async fn read_all(&self) -> Result<(), StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(()) };
        let Some(records) = store.task_records() else { return Ok(()) };
        let asked = self.ask();
        let all: Vec<Task> = match records.shared() {
            Some(shared) => read(&shared.all_tasks().await?, asked).collect(),
            None => records.tasks().await?.iter().filter_map(said(Task::read)).collect(),
        };
        // A wallet that is never started again forgets none.
        let now = rt::unix_millis();
        let is_left = |task: &&Task| !task.is_for(&self.wallet_id) && is_old(task, now);
        self.forget(all.iter().filter(is_left).map(|task| task.id).collect()).await;
        self.take_in(all);
        Ok(())
    }

    /// Has what other servers did with the wallet's tasks.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        if self.is_shared() { self.read_all().await } else { Ok(()) }
    }

    /// Has what other servers did with one of them.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    pub async fn refresh_one(&self, id: TaskId) -> Result<(), StoreError> {
        let store = self.wallet.store();
        let Some(shared) = shared_in(store.as_ref()) else { return Ok(()) };
        let asked = self.ask();
        self.take_in(read(&shared.task(id.0).await?, asked));
        Ok(())
    }

    /// The one that has a key, if it has not failed.
    pub(super) async fn other_of_key(&self, key: [u8; 32]) -> Result<Option<Task>, StoreError> {
        let store = self.wallet.store();
        let Some(shared) = shared_in(store.as_ref()) else { return Ok(None) };
        let asked = self.ask();
        let found = read(&shared.task_of_key(key).await?, asked).next();
        self.take_in(found.clone());
        Ok(found.map(|task| self.task(task.id).unwrap_or(task)))
    }

    /// Keeps a new task, unless another server has kept one of its key: then it gives that.
    pub(super) async fn write_first(
        &self,
        task: &Task,
        gone: Vec<TaskId>,
    ) -> Result<Option<Task>, StoreError> {
        let store = self.wallet.store();
        let Some(shared) = shared_in(store.as_ref()) else {
            return self.write(task, gone).await.map(|_| None);
        };
        let asked = self.ask();
        let Some(first) = shared.keep_first_task(task.record(), task.facts()).await? else {
            self.forget(gone).await;
            return Ok(None);
        };
        let first = read([&first], asked).next();
        let what = "the task that has the key can't be read".to_owned();
        first.map(Some).ok_or_else(|| StoreError::Damaged { place: "of the wallet".to_owned(), what })
    }

    /// Waits until something has happened to a task that another server carries out.
    pub(super) async fn wait_for_other(&self, changed: &mut watch::Receiver<u64>, id: TaskId) {
        if rt::timeout(LOOK_WHILE_WAITING, changed.changed()).await.is_err() {
            // It is asked again.
            let _ = self.refresh_one(id).await;
        }
    }

    /// Waits until it is to be looked for tasks that no server carries out.
    pub(super) async fn others_may_have_left_some(&self) {
        let store = self.wallet.store();
        let Some(shared) = shared_in(store.as_ref()) else { return std::future::pending().await };
        loop {
            let are_left = rt::timeout(LOOK_EVERY, shared.tasks_left()).await.is_ok();
            if are_left || shared.has_open_tasks() || self.table().is_any_open() {
                return;
            }
        }
    }

    /// Takes up what is to be carried out and no server does, and hears how those of others have ended.
    pub(super) async fn look_for_open_tasks(&self) {
        let store = self.wallet.store();
        let Some(shared) = shared_in(store.as_ref()) else { return };
        let waits = |task: &&Task| matches!(task.state, TaskState::Queued | TaskState::Elsewhere);
        let looked = async {
            let asked = self.ask();
            let open = shared.open_tasks().await?;
            self.take_in(read(&open, asked));
            let open: HashSet<TaskId> = open.iter().map(|task| TaskId(task.record.id)).collect();
            let waiting: Vec<TaskId> =
                self.table().tasks.values().filter(waits).map(|task| task.id).collect();
            let ended = waiting.into_iter().filter(|id| !open.contains(id));
            for id in ended {
                self.refresh_one(id).await?;
            }
            Ok::<_, StoreError>(())
        };
        if let Err(failure) = looked.await {
            // The rounds say once that the database does not answer.
            tracing::debug!("{failure}: tasks of other servers are not known");
        }
    }

    /// Takes in what the store has of tasks. Those of the account's other wallets are not this one's.
    pub(super) fn take_in(&self, tasks: impl IntoIterator<Item = Task>) {
        let mut table = self.table();
        let mut is_news = false;
        for task in tasks.into_iter().filter(|task| task.is_for(&self.wallet_id)) {
            is_news |= table.take_in(task);
        }
        drop(table);
        if is_news {
            self.tell();
        }
    }

    /// Whether it is for this server to carry a task out: then it runs from now on.
    pub(super) async fn claim(&self, task: &mut Task) -> Result<bool, StoreError> {
        let store = self.wallet.store();
        let shared = shared_in(store.as_ref());
        let asked = self.ask();
        let is_claimed = match shared {
            Some(shared) => shared.claim_task(task.id.0).await?,
            None => true,
        };
        if is_claimed {
            task.set(TaskState::Running, rt::unix_millis());
            self.table().put(task.clone());
        } else {
            (task.state, task.asked) = (TaskState::Elsewhere, asked);
            let mut table = self.table();
            // What ran here until now is another server's, or has ended there.
            let ran_here =
                table.tasks.get(&task.id).is_some_and(|known| matches!(known.state, TaskState::Running));
            if ran_here {
                table.put(task.clone());
            } else {
                table.take_in(task.clone());
            }
        }
        self.tell();
        Ok(is_claimed)
    }

    /// Leaves a task to all servers that is carried out here no more: so it goes on where the wallet is
    /// started next.
    pub(super) fn give_back(&self, task: &Task) {
        let store = self.wallet.store();
        if let Some(shared) = shared_in(store.as_ref())
            && !matches!(task.state, TaskState::Elsewhere)
        {
            shared.give_back_task(task.id.0);
        }
    }

    /// Whether a task was taken back that no server carries out.
    pub(super) async fn withdraw(&self, task: &Task) -> Result<bool, StoreError> {
        let store = self.wallet.store();
        match shared_in(store.as_ref()) {
            Some(shared) => shared.withdraw_task(task.record(), task.key.name).await,
            None => self.write(task, Vec::new()).await,
        }
    }
}

/// What servers ask of each other's tasks, where several have the wallet.
fn shared_in(store: Option<&Arc<dyn Store>>) -> Option<&dyn SharedTasks> {
    store?.task_records()?.shared()
}

/// Those that can be read, as of a question.
fn read<'a>(tasks: impl IntoIterator<Item = &'a SharedTask>, asked: u64) -> impl Iterator<Item = Task> {
    let tasks = tasks.into_iter().filter_map(said(Task::read_shared));
    tasks.map(move |task| Task { asked, ..task })
}

/// Says so where one can't be read.
fn said<T>(read: impl Fn(&T) -> Option<Task>) -> impl Fn(&T) -> Option<Task> {
    move |task| {
        let read = read(task);
        if read.is_none() {
            tracing::error!("a task that was kept can't be read, and is passed over");
        }
        read
    }
}
