//! The tasks of one wallet, and who carries them out.

use super::table::{MAX_BYTES, Table, is_old, outlives_its_key};
use super::{NewTask, Outcome, Task, TaskId, TaskState, carry_out};
use crate::ledger::VertexId;
use crate::rt;
use crate::server::App;
use crate::server::gate::Closed;
use crate::service::{Phase, Wallet};
use crate::store::StoreError;
use crate::wallet::State;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex as AsyncMutex, Notify, watch};
use tracing::Instrument;

/// Pauses before a task is carried out anew whose outcome is not known.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How long a request waits for what the store has of earlier tasks.
const LOAD_LIMIT: Duration = Duration::from_secs(10);

/// Why a request does not become a task.
#[derive(Debug)]
pub(in crate::server) enum Refused {
    /// Its key came with another request before.
    KeyTaken,
    /// So many tasks wait.
    Full(usize),
    /// It could not be kept, as far as is known.
    Store(StoreError),
    /// The wallet was stopped, or what it has of earlier tasks can't be read yet.
    Away,
}

/// The tasks of one wallet.
pub(in crate::server) struct Queue {
    pub(super) wallet_id: String,
    pub(super) wallet: Wallet,
    table: Mutex<Table>,
    /// Held while a request with a key is looked up and taken.
    by_key: AsyncMutex<()>,
    /// There may be something to begin with.
    wake: Notify,
    /// Changes with the state of any task.
    changed: watch::Sender<u64>,
    /// Whether earlier tasks are known.
    loaded: watch::Sender<bool>,
}

impl Queue {
    /// Begins to carry out the tasks of a wallet, until it is stopped.
    pub fn begin(app: &App, wallet_id: &str, wallet: &Wallet) -> Arc<Self> {
        let queue = Arc::new(Self {
            wallet_id: wallet_id.to_owned(),
            wallet: wallet.unguarded(),
            table: Mutex::default(),
            by_key: AsyncMutex::default(),
            wake: Notify::new(),
            changed: watch::Sender::new(0),
            loaded: watch::Sender::new(false),
        });
        let span = tracing::error_span!(parent: None, "tasks", wallet = wallet_id);
        tokio::spawn(queue.clone().run(app.clone()).instrument(span));
        queue
    }

    pub fn is_of(&self, wallet: &Wallet) -> bool {
        self.wallet.is(wallet)
    }

    /// Takes a request: once this returns it is carried out, after a crash too if the wallet is kept. Gives
    /// the task that there was for its key, if there was one.
    pub async fn take(self: &Arc<Self>, new: NewTask, urgency: u8, most: usize) -> Result<Task, Refused> {
        if !self.is_known().await {
            return Err(Refused::Away);
        }
        let Some(key) = new.key else { return self.keep(new, urgency, most).await };
        let _turn = self.by_key.lock().await;
        let task = match self.newest(1, |task| task.key.name == key.name).pop() {
            // One that sent nothing is asked for anew, as a request would be.
            Some(task) if !task.has_failed() => task,
            _ => self.keep(new, urgency, most).await?,
        };
        if task.key.request == key.request { Ok(task) } else { Err(Refused::KeyTaken) }
    }

    /// Keeps a new one.
    async fn keep(self: &Arc<Self>, new: NewTask, urgency: u8, most: usize) -> Result<Task, Refused> {
        let id = TaskId::random().map_err(|_| Refused::Away)?;
        let (task, gone) = {
            let mut table = self.table();
            if table.waiting.len() + table.withdrawn >= most {
                return Err(Refused::Full(table.waiting.len() + table.withdrawn));
            }
            let created = rt::unix_millis().max(table.last_created + 1);
            let task = Task::new(new, urgency, id, created);
            let gone = table.make_room(task.bytes(), created);
            if table.bytes + task.bytes() > MAX_BYTES {
                return Err(Refused::Full(table.waiting.len()));
            }
            table.last_created = created;
            table.bytes += task.bytes();
            (task, gone)
        };
        let kept = self.write(&task, gone).await;
        self.table().bytes -= task.bytes();
        if let Err(failure) = kept {
            if matches!(failure, StoreError::Unclear { .. }) {
                self.table().withdrawn += 1;
                tokio::spawn(self.clone().withdraw(task).in_current_span());
            }
            return Err(Refused::Store(failure));
        }
        self.table().put(task.clone());
        self.tell();
        Ok(task)
    }

    /// Cancels a task of which the store does not say whether it has it: a later start would carry it out,
    /// although its caller was told to ask again.
    async fn withdraw(self: Arc<Self>, mut task: Task) {
        task.set(TaskState::Cancelled, rt::unix_millis());
        self.keep_end(task).await;
        self.table().withdrawn -= 1;
        self.tell();
    }

    pub fn task(&self, id: TaskId) -> Option<Task> {
        self.table().tasks.get(&id).cloned()
    }

    /// Those that are chosen, the newest first, so many at most.
    pub fn newest(&self, count: usize, is_chosen: impl Fn(&Task) -> bool) -> Vec<Task> {
        let table = self.table();
        let mut chosen: Vec<&Task> = table.tasks.values().filter(|task| is_chosen(task)).collect();
        chosen.sort_unstable_by_key(|task| std::cmp::Reverse((task.created, task.id)));
        chosen.into_iter().take(count).cloned().collect()
    }

    /// Waits until a task has ended, or the server is about to end, so long at most, and gives it as it is
    /// then.
    pub async fn end_of(&self, app: &App, id: TaskId, wait: Duration) -> Option<Task> {
        let mut changed = self.changed.subscribe();
        let ended = async {
            while self.task(id).is_some_and(|task| !task.has_ended()) {
                // The sender is held here.
                let _ = changed.changed().await;
            }
        };
        let ended = async {
            tokio::select! {
                () = ended => {}
                () = app.clone().ending() => {}
            }
        };
        // As it is is said below.
        let _ = rt::timeout(wait, ended).await;
        self.task(id)
    }

    /// Takes a task back that has not begun. Gives it as it is then.
    ///
    /// # Errors
    /// [`StoreError`] if that could not be kept: then it stands.
    pub async fn cancel(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        let task = {
            let mut table = self.table();
            let Some(task) = table.tasks.get(&id).cloned() else { return Ok(None) };
            if !matches!(task.state, TaskState::Queued) {
                return Ok(Some(task));
            }
            // From now on nobody begins with it.
            let held = Task { state: TaskState::Running, ..task.clone() };
            table.put(held);
            task
        };
        let mut cancelled = task.clone();
        cancelled.set(TaskState::Cancelled, rt::unix_millis());
        let kept = async {
            // Before a crash, or on another machine, it may have begun.
            let has_begun = self.wallet.recorded(task.key).await?.is_some();
            if !has_begun {
                self.write(&cancelled, Vec::new()).await?;
            }
            Ok(has_begun)
        };
        let kept = kept.await;
        self.table().put(if matches!(kept, Ok(false)) { cancelled } else { task });
        self.tell();
        kept.map(|_| self.task(id))
    }

    /// How many wait, and how many are being carried out.
    pub fn counts(&self) -> (usize, usize) {
        let table = self.table();
        (table.waiting.len(), table.running)
    }

    async fn run(self: Arc<Self>, app: App) {
        if !self.is_ready().await || !self.load().await {
            return;
        }
        self.loaded.send_replace(true);
        tokio::spawn(self.clone().follow_blocks().in_current_span());
        while self.is_ready().await {
            let is_ending = || app.gate().closed() == Some(Closed::Ending);
            while !is_ending()
                && let Some(task) = self.next(app.config().tasks_at_once)
            {
                tokio::spawn(self.clone().carry_out(app.clone(), task).in_current_span());
            }
            tokio::select! {
                () = self.wake.notified() => {}
                () = self.is_closed() => {}
            }
        }
    }

    /// Waits until the wallet is ready; `false` if it can't become so any more.
    async fn is_ready(&self) -> bool {
        let mut status = self.wallet.watch();
        let settled = status.wait_for(|status| matches!(status.phase, Phase::Ready | Phase::Closed)).await;
        settled.is_ok_and(|status| status.phase == Phase::Ready)
    }

    pub(super) async fn is_closed(&self) {
        let mut status = self.wallet.watch();
        // Without anybody who could tell, it is.
        let _ = status.wait_for(|status| status.phase == Phase::Closed).await;
    }

    /// Waits until it is known what the store has of earlier tasks, but not for ever.
    pub async fn is_known(&self) -> bool {
        let mut loaded = self.loaded.subscribe();
        let known = async { loaded.wait_for(|loaded| *loaded).await.is_ok() };
        rt::timeout(LOAD_LIMIT, known).await.unwrap_or(false)
    }

    /// Has what the store has of earlier tasks; `false` if the wallet is stopped before that can be read.
    async fn load(&self) -> bool {
        loop {
            match self.read_all().await {
                Ok(()) => return true,
                Err(failure) => tracing::error!("{failure}: earlier tasks wait until it can be read"),
            }
            tokio::select! {
                () = rt::sleep(LONGEST_PAUSE) => {}
                () = self.is_closed() => return false,
            }
        }
    }

    /// The next one to begin with, where fewer than `most` are being carried out.
    fn next(&self, most: usize) -> Option<Task> {
        let mut table = self.table();
        if table.running >= most {
            return None;
        }
        let (.., id) = table.waiting.pop_first()?;
        let mut task = table.tasks.get(&id)?.clone();
        task.set(TaskState::Running, rt::unix_millis());
        table.put(task.clone());
        drop(table);
        self.tell();
        Some(task)
    }

    /// Has what the store has of all tasks. Those of the account's other wallets are not this one's.
    async fn read_all(&self) -> Result<(), StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(()) };
        let Some(records) = store.task_records() else { return Ok(()) };
        let records = records.tasks().await?;
        let all: Vec<Task> = records.iter().filter_map(Task::read).collect();
        if all.len() < records.len() {
            tracing::error!("tasks that were kept can't be read, and are passed over");
        }
        // A wallet that is never started again forgets none.
        let now = rt::unix_millis();
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|task| task.is_for(&self.wallet_id));
        self.forget(others.iter().filter(|task| is_old(task, now)).map(|task| task.id).collect()).await;
        own.into_iter().for_each(|task| self.table().put(task));
        self.tell();
        Ok(())
    }

    /// Carries a task out, until it is known what came of it or the wallet is stopped.
    async fn carry_out(self: Arc<Self>, app: App, mut task: Task) {
        let Some(outcome) = self.outcome_of(&app, &task).await else { return };
        // That is true whatever the store says.
        let is_sent = outcome.is_done();
        task.set(TaskState::Ended(outcome), rt::unix_millis());
        if is_sent {
            self.table().put(task.clone());
            self.tell();
        }
        self.keep_end(task).await;
        self.tell();
    }

    /// Keeps how a task has ended, as soon as that can be kept: until then it would be carried out anew, and
    /// records of keys are forgotten after a day.
    async fn keep_end(&self, task: Task) {
        let mut pause = FIRST_PAUSE;
        loop {
            let gone = self.table().expired(rt::unix_millis());
            match self.write(&task, gone).await {
                Ok(()) => return self.table().put(task),
                Err(failure) => tracing::warn!("{failure}: the end of task {} is kept later", task.id),
            }
            tokio::select! {
                () = rt::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                () = self.is_closed() => return,
            }
        }
    }

    /// What came of a task, which is carried out again and again until that is known; `None` if the wallet is
    /// stopped.
    async fn outcome_of(self: &Arc<Self>, app: &App, task: &Task) -> Option<Outcome> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.late_outcome(task).await {
                Ok(None) => {
                    let (app, queue, begun) = (app.clone(), self.clone(), task.clone());
                    let work = async move { carry_out(&app, &queue.wallet, &begun).await };
                    match tokio::spawn(work.in_current_span()).await {
                        Ok(None) => {}
                        Ok(outcome) => return outcome,
                        Err(_) => return Some(Outcome::fault()),
                    }
                }
                Ok(outcome) => return outcome,
                Err(failure) => tracing::warn!("{failure}: task {} waits until it can be read", task.id),
            }
            tokio::select! {
                () = rt::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                () = self.is_closed() => return None,
            }
            if !self.is_ready().await {
                return None;
            }
        }
    }

    /// What came of a task that is older than the record of its key need be; `None` if it can be carried out.
    /// Its record is looked at then: without one, a second payment could not be told from the first.
    async fn late_outcome(&self, task: &Task) -> Result<Option<Outcome>, StoreError> {
        if !outlives_its_key(task, rt::unix_millis()) {
            return Ok(None);
        }
        Ok(match self.wallet.recorded(task.key).await? {
            // The same bytes are pushed again.
            Some((_, true)) => None,
            Some((id, false)) if self.wallet.look(|state, _| is_valid(state, &id)) => Some(Outcome::sent(id)),
            _ => Some(Outcome::unknown()),
        })
    }

    /// Keeps a task as it is, and forgets others.
    pub(super) async fn write(&self, task: &Task, gone: Vec<TaskId>) -> Result<(), StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(()) };
        let Some(records) = store.task_records() else { return Ok(()) };
        records.keep_task(task.record(), !task.has_ended()).await?;
        self.forget(gone).await;
        Ok(())
    }

    /// Forgets old ones in the store, too. What was kept along with that stands, whatever comes of it: who
    /// was told that it is not would ask for it again.
    pub(super) async fn forget(&self, tasks: Vec<TaskId>) {
        let Some(store) = self.wallet.store() else { return };
        let Some(records) = store.task_records().filter(|_| !tasks.is_empty()) else { return };
        if let Err(failure) = records.forget_tasks(tasks.iter().map(|id| id.0).collect()).await {
            tracing::warn!("{failure}: old tasks stay kept");
        }
    }

    pub(super) fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
        self.wake.notify_one();
    }

    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_valid(state: &State, id: &VertexId) -> bool {
    state.vertex(id).is_some_and(|vertex| !vertex.voided)
}
