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

/// A place for the tasks of one wallet. Where several servers have the wallet, each task is one server's at a
/// time: the first one's that claims it, until that server is gone.
#[async_trait::async_trait]
pub trait TaskRecords: Send + Sync {
    /// Keeps a task, in the place of what was kept of it before: it is durable once this returns. `is_open`
    /// says whether it is still to be carried out.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept: then what was kept before stands.
    async fn keep_task(&self, record: TaskRecord, is_open: bool) -> Result<(), StoreError>;
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
    /// Whether other servers may have tasks of the wallet here.
    fn are_shared(&self) -> bool {
        false
    }
    /// Those that are still to be carried out.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn open_tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        self.tasks().await
    }
    /// Whether this server is the one that carries an open task out.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be asked.
    async fn claim_task(&self, _id: [u8; 16]) -> Result<bool, StoreError> {
        Ok(true)
    }
    /// Keeps what became of an open task, if no server carries it out.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn withdraw_task(&self, record: TaskRecord) -> Result<bool, StoreError> {
        self.keep_task(record, false).await.map(|()| true)
    }
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
