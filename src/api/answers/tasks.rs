//! Answers about tasks: requests that are carried out after they were answered.

use super::kinds::{Count, Hash, Maybe, Text, kind};
use crate::api::answer::answer;
use crate::ledger::VertexId;
use serde_json::value::RawValue;

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    /// It waits for others.
    Queued,
    /// It is being carried out: planned, signed, mined and pushed.
    Mining,
    /// What it sent is on the ledger, in no block yet.
    Pushed,
    /// What it sent is in a block.
    Confirmed,
    /// It waits for approval: the approval says what becomes of it.
    AwaitsApproval,
    /// It sent nothing, or what it sent is void.
    Failed,
    /// It was taken back before it began.
    Cancelled,
}

impl TaskStatus {
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Mining,
        Self::Pushed,
        Self::Confirmed,
        Self::AwaitsApproval,
        Self::Failed,
        Self::Cancelled,
    ];
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Mining => "mining",
            Self::Pushed => "pushed",
            Self::Confirmed => "confirmed",
            Self::AwaitsApproval => "awaits-approval",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

kind! {
    Status as "TaskStatus" = Value {"enum": ["queued", "mining", "pushed", "confirmed", "awaits-approval", "failed", "cancelled"]};
    TaskStatus: |status, to| to.serialize_str(status.name());
}
kind! {
    /// As the request would have been answered.
    Answered = Value {};
    RawValue: |json, to| serde::Serialize::serialize(json, to);
}

/// What is known of a task.
#[derive(Clone, Debug)]
pub struct TaskMembers<'a> {
    pub id: String,
    pub status: TaskStatus,
    /// What was asked for.
    pub path: &'a str,
    /// 0 first, 7 last.
    pub urgency: u8,
    /// In Unix milliseconds.
    pub created: u64,
    /// In Unix milliseconds.
    pub updated: u64,
    pub hash: Option<VertexId>,
    /// Why nothing was sent.
    pub error: Option<&'a str>,
    /// What the request is answered with.
    pub answer: Option<&'a RawValue>,
    /// With which HTTP status.
    pub answer_status: Option<u16>,
}

/// The answer of a request that became a task.
pub struct TaskAnswer<'a>(pub TaskMembers<'a>);

answer! {
    /// A request that is carried out after it was answered.
    this: TaskAnswer<'_> as "Task" {
        success = true,
        taskId: Text = this.0.id,
        /// `mining` from its begin to the push; `failed` too where what it sent became void. A task stays at
        /// `awaits-approval`: the approval that `answer` names says what becomes of it.
        status: Status = this.0.status,
        /// What was asked for, such as `/wallet/send-tx`.
        path: Text = this.0.path,
        /// 0 goes first, 7 last.
        urgency: Count = this.0.urgency,
        /// When it was taken, in Unix milliseconds.
        createdAt: Count = this.0.created,
        /// When it began or ended, in Unix milliseconds.
        updatedAt: Count = this.0.updated,
        /// What was sent.
        hash: Maybe<Hash> = this.0.hash,
        /// Why nothing was sent, or why it does not count.
        error: Maybe<Text> = this.0.error,
        /// As the request would have been answered, once it has ended.
        answer: Maybe<Answered> = this.0.answer,
        /// The HTTP status of that.
        answerStatus: Maybe<Count> = this.0.answer_status,
    }
}

/// The answer of a list of tasks.
pub struct TaskListAnswer<'a>(pub Vec<TaskAnswer<'a>>);

answer! {
    this: TaskListAnswer<'_> as "TaskList" {
        success = true,
        /// The newest first.
        tasks: [TaskAnswer<'_>] = *this.0,
    }
}
