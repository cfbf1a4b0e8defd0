//! The tasks of one wallet, and who carries them out.

use super::table::{MAX_BYTES, Table};
use super::{NewTask, Outcome, Task, TaskId, TaskState, carry_out};
use crate::rt;
use crate::server::App;
use crate::service::{Phase, Wallet};
use crate::store::{Store, StoreError, TaskRecord};
use crate::wallet::Event;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Mutex as AsyncMutex, Notify, watch};
use tracing::Instrument;

/// Pauses before a task is carried out anew whose outcome is not known.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How often it is looked whether another server has left tasks behind.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Most transactions that the node is asked for at a new block, the newest.
const MAX_CONFIRMED: usize = 100;
/// How long a request waits for what the store has of earlier tasks.
const LOAD_LIMIT: Duration = Duration::from_secs(10);

/// Why a request does not become a task.
#[derive(Debug)]
pub(in crate::server) enum Refused {
    /// Its key came with another request before.
    KeyTaken,
    /// So many tasks wait.
    Full(usize),
    /// It could not be kept.
    Store(StoreError),
    /// What other servers did with the wallet's tasks can't be read.
    Unread(StoreError),
    /// The wallet was stopped, or what it has of earlier tasks can't be read yet.
    Away,
}

/// The tasks of one wallet.
pub(in crate::server) struct Queue {
    wallet_id: String,
    wallet: Wallet,
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
    pub async fn take(&self, new: NewTask, most: usize) -> Result<Task, Refused> {
        if !self.is_known().await {
            return Err(Refused::Away);
        }
        let Some(key) = new.key else { return self.keep(new, most).await };
        let _turn = self.by_key.lock().await;
        self.refresh().await.map_err(Refused::Unread)?;
        let earlier = self.newest(1, |task| task.key.name == key.name).pop();
        match earlier {
            Some(task) if task.key.request != key.request => Err(Refused::KeyTaken),
            // One that sent nothing is asked for anew, as a request would be.
            Some(task) if !task.has_failed() => Ok(task),
            _ => self.keep(new, most).await,
        }
    }

    async fn keep(&self, new: NewTask, most: usize) -> Result<Task, Refused> {
        let id = TaskId::random().map_err(|_| Refused::Away)?;
        let (task, gone) = {
            let mut table = self.table();
            if table.waiting.len() >= most {
                return Err(Refused::Full(table.waiting.len()));
            }
            let created = rt::unix_millis().max(table.last_created + 1);
            let task = Task::new(new, id, created);
            let gone = table.make_room(task.bytes(), created);
            if table.bytes + task.bytes() > MAX_BYTES {
                return Err(Refused::Full(table.waiting.len()));
            }
            table.last_created = created;
            table.bytes += task.bytes();
            (task, gone)
        };
        if let Err(error) = self.write(&task, gone).await {
            self.table().bytes -= task.bytes();
            return Err(Refused::Store(error));
        }
        {
            let mut table = self.table();
            table.bytes -= task.bytes();
            table.put(task.clone());
        }
        self.tell();
        Ok(task)
    }

    /// A task.
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

    /// Waits until a task has ended, so long at most, and gives it as it is then.
    pub async fn end_of(&self, id: TaskId, wait: Duration) -> Option<Task> {
        let mut changed = self.changed.subscribe();
        let ended = async {
            while self.task(id).is_some_and(|task| !task.has_ended()) && changed.changed().await.is_ok() {}
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
        let mut cancelled = {
            let mut table = self.table();
            let Some(task) = table.tasks.get(&id).cloned() else { return Ok(None) };
            if !matches!(task.state, TaskState::Queued | TaskState::Elsewhere) {
                return Ok(Some(task));
            }
            // From now on nobody here begins with it.
            let mut held = task.clone();
            held.state = TaskState::Elsewhere;
            table.put(held);
            task
        };
        cancelled.set(TaskState::Cancelled, rt::unix_millis());
        let withdrawn = self.withdraw(&cancelled).await;
        if matches!(withdrawn, Ok(true)) {
            self.table().put(cancelled.clone());
            self.tell();
            return Ok(Some(cancelled));
        }
        self.table().look_again();
        self.wake.notify_one();
        withdrawn.map(|_| self.task(id))
    }

    async fn withdraw(&self, task: &Task) -> Result<bool, StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(true) };
        let Some(records) = store.task_records() else { return Ok(true) };
        records.withdraw_task(task.record()).await
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
            while let Some(task) = self.next(app.config().tasks_at_once) {
                tokio::spawn(self.clone().carry_out(app.clone(), task).in_current_span());
            }
            tokio::select! {
                () = self.wake.notified() => {}
                () = rt::sleep(LOOK_EVERY), if self.is_shared() => self.look_for_open_tasks().await,
                () = self.is_closed() => {}
            }
        }
    }

    /// Asks the node at each new block which transactions are in one: it doesn't tell by itself.
    async fn follow_blocks(self: Arc<Self>) {
        let mut events = self.wallet.events();
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Ok(Event::BestHeight(_)) | Err(RecvError::Lagged(_)) => self.confirm().await,
                    Ok(_) => {}
                    Err(RecvError::Closed) => return,
                },
                () = self.is_closed() => return,
            }
        }
    }

    async fn confirm(&self) {
        let is_open = |task: &Task| matches!(&task.state, TaskState::Ended(outcome) if outcome.is_done() && !outcome.is_confirmed);
        for mut task in self.newest(MAX_CONFIRMED, is_open) {
            let TaskState::Ended(outcome) = &mut task.state else { continue };
            let Some(hash) = outcome.hash else { continue };
            let status = self.wallet.backend().node.transaction(&hash).await;
            if !matches!(status, Ok(Some(status)) if status.first_block.is_some() && !status.voided) {
                continue;
            }
            outcome.is_confirmed = true;
            if let Err(failure) = self.write(&task, Vec::new()).await {
                tracing::warn!("{failure}: that task {} is confirmed is not kept", task.id);
            }
            let mut table = self.table();
            // It may have been forgotten meanwhile.
            if table.tasks.contains_key(&task.id) {
                table.put(task);
            }
            drop(table);
            self.tell();
        }
    }

    /// Waits until the wallet is ready; `false` if it can't become so any more.
    async fn is_ready(&self) -> bool {
        let mut status = self.wallet.watch();
        let settled = status.wait_for(|status| matches!(status.phase, Phase::Ready | Phase::Closed)).await;
        settled.is_ok_and(|status| status.phase == Phase::Ready)
    }

    async fn is_closed(&self) {
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

    async fn read_all(&self) -> Result<(), StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(()) };
        let Some(records) = store.task_records() else { return Ok(()) };
        self.take_in(&records.tasks().await?);
        Ok(())
    }

    /// Has what other servers did with the wallet's tasks.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        if self.is_shared() { self.read_all().await } else { Ok(()) }
    }

    fn is_shared(&self) -> bool {
        let are_shared = |store: Arc<dyn Store>| store.task_records().is_some_and(|tasks| tasks.are_shared());
        self.wallet.store().is_some_and(are_shared)
    }

    /// Takes up what is to be carried out and no server does.
    async fn look_for_open_tasks(&self) {
        let Some(store) = self.wallet.store() else { return };
        let Some(records) = store.task_records() else { return };
        // Of those that others carry out it must be heard how they end.
        let has_others = self.table().tasks.values().any(|task| matches!(task.state, TaskState::Elsewhere));
        let read = if has_others { records.tasks().await } else { records.open_tasks().await };
        match read {
            Ok(records) => {
                self.take_in(&records);
                self.table().look_again();
                self.tell();
            }
            Err(failure) => tracing::warn!("{failure}: tasks of other servers are not known"),
        }
    }

    fn take_in(&self, records: &[TaskRecord]) {
        let mut table = self.table();
        for record in records {
            match Task::read(record) {
                Some(task) => table.take_in(task),
                None => tracing::error!("a task that was kept can't be read, and is passed over"),
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

    /// Carries a task out, again and again until it is known what came of it.
    async fn carry_out(self: Arc<Self>, app: App, mut task: Task) {
        let mut pause = FIRST_PAUSE;
        let outcome = loop {
            match self.claim(task.id).await {
                Ok(true) => {}
                Ok(false) => {
                    task.set(TaskState::Elsewhere, rt::unix_millis());
                    self.table().put(task);
                    self.tell();
                    return;
                }
                Err(failure) => {
                    tracing::warn!("{failure}: task {} waits", task.id);
                    tokio::select! {
                        () = rt::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                        () = self.is_closed() => return,
                    }
                    continue;
                }
            }
            let (app, queue, begun) = (app.clone(), self.clone(), task.clone());
            let work = async move { carry_out(&app, &queue.wallet_id, &queue.wallet, &begun).await };
            match tokio::spawn(work.in_current_span()).await {
                Ok(Some(outcome)) => break outcome,
                Ok(None) => {}
                Err(_) => {
                    break Outcome::of(500, br#"{"error":"a fault of the service: its log says more"}"#);
                }
            }
            tokio::select! {
                () = rt::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                () = self.is_closed() => return,
            }
            if !self.is_ready().await {
                return;
            }
        };
        task.set(TaskState::Ended(outcome), rt::unix_millis());
        let gone = self.table().expired(rt::unix_millis());
        if let Err(failure) = self.write(&task, gone).await {
            // After a crash it is carried out anew, under the same key: nothing is sent twice.
            tracing::warn!("{failure}: the end of task {} is not kept", task.id);
        }
        self.table().put(task);
        self.tell();
    }

    /// Whether it is for this server to carry a task out.
    async fn claim(&self, id: TaskId) -> Result<bool, StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(true) };
        let Some(records) = store.task_records() else { return Ok(true) };
        records.claim_task(id.0).await
    }

    async fn write(&self, task: &Task, gone: Vec<TaskId>) -> Result<(), StoreError> {
        let Some(store) = self.wallet.store() else { return Ok(()) };
        let Some(records) = store.task_records() else { return Ok(()) };
        records.keep_task(task.record(), !task.has_ended()).await?;
        if !gone.is_empty() {
            records.forget_tasks(gone.iter().map(|id| id.0).collect()).await?;
        }
        Ok(())
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
        self.wake.notify_one();
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
