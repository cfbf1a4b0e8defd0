//! Requests that are carried out after they were answered ("tasks"), so that they are after a crash, too.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};

/// The version of what is written.
const TASK_FORMAT: u8 = 1;

/// A task, as its server writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// Which.
    pub id: [u8; 16],
    /// What is asked for and what came of it.
    pub task: Vec<u8>,
}

/// What a store knows of a task beside its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskFacts {
    /// Whether it is still to be carried out.
    pub is_open: bool,
    /// The key of its request, unless it has failed: only one task has it.
    pub key: Option<[u8; 32]>,
}

/// A place for the tasks of one wallet.
#[async_trait::async_trait]
pub trait TaskRecords: Send + Sync {
    /// Keeps a task, in the place of what was kept of it before: it is durable once this returns. `false` if
    /// another server carries it out by now, or has: then what that one kept stands.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept: then what was kept before stands.
    async fn keep_task(&self, record: TaskRecord, facts: TaskFacts) -> Result<bool, StoreError>;
    /// Keeps more of a task that has ended, if it is kept still.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept: then what was kept before stands.
    async fn keep_ended_task(&self, record: TaskRecord) -> Result<(), StoreError>;
    /// All that are kept.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError>;
    /// Forgets these, if they are there.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be forgotten: then none is.
    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError>;
    /// Where other servers may have tasks of the wallet here, what they ask of each other.
    fn shared(&self) -> Option<&dyn SharedTasks> {
        None
    }
}

/// A task as several servers know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTask {
    /// As the server wrote it that knew most of it.
    pub record: TaskRecord,
    /// Whether another server carries it out.
    pub is_elsewhere: bool,
}

/// The tasks of a wallet that several servers have. Each task is one server's at a time: the first one's that
/// claims it, until that server is gone.
#[async_trait::async_trait]
pub trait SharedTasks: Send + Sync {
    /// [`TaskRecords::keep_task`] for a new one, unless another one has its key: then it gives that one.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept, or the other one can't be read.
    async fn keep_first_task(
        &self,
        record: TaskRecord,
        facts: TaskFacts,
    ) -> Result<Option<SharedTask>, StoreError>;
    /// The one that has a key.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be read.
    async fn task_of_key(&self, key: [u8; 32]) -> Result<Option<SharedTask>, StoreError>;
    /// A task.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be read.
    async fn task(&self, id: [u8; 16]) -> Result<Option<SharedTask>, StoreError>;
    /// All that are kept.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn all_tasks(&self) -> Result<Vec<SharedTask>, StoreError>;
    /// Those that are still to be carried out.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn open_tasks(&self) -> Result<Vec<SharedTask>, StoreError>;
    /// Whether this server is the one that carries an open task out.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be asked.
    async fn claim_task(&self, id: [u8; 16]) -> Result<bool, StoreError>;
    /// Leaves a task to all servers that this one had claimed and carries out no more; soon, if the store
    /// can't be reached now.
    fn give_back_task(&self, id: [u8; 16]);
    /// Keeps that an open task was cancelled, if no server has begun with it, and nothing was recorded for
    /// the key `send` that it sends by.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn withdraw_task(&self, record: TaskRecord, send: [u8; 32]) -> Result<bool, StoreError>;
    /// Whether there were open tasks, whoever has them, when it was last looked: less than a second ago.
    fn has_open_tasks(&self) -> bool;
    /// Waits until there are open tasks of a server that is gone.
    async fn tasks_left(&self);
}

impl TaskRecord {
    /// As bytes without the id, which their check value covers all the same.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![TASK_FORMAT];
        bytes.extend(&self.task);
        with_check(&self.id, bytes)
    }

    /// Reads what [`TaskRecord::encode`] wrote of a task.
    ///
    /// # Errors
    /// That it is of a later version, or damaged.
    pub fn decode(id: [u8; 16], bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.first() {
            Some(&version) if version > TASK_FORMAT => Err(RecordError::Newer(version)),
            _ => match checked(&id, bytes).and_then(<[u8]>::split_first) {
                Some((&TASK_FORMAT, task)) => Ok(Self { id, task: task.to_vec() }),
                _ => Err(RecordError::Damaged),
            },
        }
    }
}
