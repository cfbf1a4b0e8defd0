//! Requests that are carried out after they were answered ("tasks"), so that they are after a crash, too.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};

/// The version of what is written.
const TASK_FORMAT: u8 = 1;

/// A task, as its server writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    pub id: [u8; 16],
    /// What is asked for and what came of it.
    pub task: Vec<u8>,
}

/// A place for the tasks of one wallet.
#[async_trait::async_trait]
pub trait TaskRecords: Send + Sync {
    /// Keeps a task, in the place of what was kept of it before: it is durable once this returns. It is open
    /// while it is still to be carried out.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept: then what was kept before stands, but after
    /// [`StoreError::Unclear`].
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
