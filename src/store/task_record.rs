//! Requests that are carried out after they were answered ("tasks"), also after a crash.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};

const TASK_FORMAT: u8 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    pub id: [u8; 16],
    /// The request and its outcome, encoded by the server.
    pub task: Vec<u8>,
}

#[async_trait::async_trait]
pub trait TaskRecords: Send + Sync {
    /// Keeps a task durably, in the place of its earlier record. It is open while it is still to be carried
    /// out.
    ///
    /// # Errors
    /// [`StoreError`]: the earlier record is unchanged, except after [`StoreError::Unclear`].
    async fn keep_task(&self, record: TaskRecord, is_open: bool) -> Result<(), StoreError>;
    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError>;
    /// Deletes tasks, if they are there: all of them or none.
    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError>;
}

impl TaskRecord {
    /// Encodes the task without its id, which the check value covers nevertheless.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![TASK_FORMAT];
        bytes.extend(&self.task);
        with_check(&self.id, bytes)
    }

    /// # Errors
    /// [`RecordError`] for a record of a later version, or a damaged one.
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
