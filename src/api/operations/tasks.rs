//! Tasks: requests that are carried out after they were answered.

use super::{Answer, Group, Method, Operation, OperationId as Id, Right, get};
use crate::api::{CancelTask, Failure, TaskAnswer, TaskListAnswer, TaskQuery, TasksQuery};

pub(super) const ALL: &[Operation] = &[
    get(
        Id::ListTasks,
        "/wallet/tasks",
        Group::Tasks,
        Right::Read,
        "List the tasks of the wallet, newest first.",
        Answer::Json(answers![TaskListAnswer<'_>]),
    )
    .of::<TasksQuery>(&[("example", r#"{"status": "queued"}"#)]),
    get(
        Id::Task,
        "/wallet/tasks/{taskId}",
        Group::Tasks,
        Right::Read,
        "Show how far a task is, and its result.",
        Answer::Json(answers![TaskAnswer<'_>]),
    )
    .of::<TaskQuery>(&[("example", r#"{"taskId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "wait": 30}"#)])
    .also(&[NO_TASK]),
    Operation {
        method: Method::Delete,
        ..get(
            Id::CancelTask,
            "/wallet/tasks/{taskId}",
            Group::Tasks,
            Right::Send,
            "Cancel a task that has not begun.",
            Answer::Json(answers![TaskAnswer<'_>, Failure]),
        )
    }
    .of::<CancelTask>(&[("example", r#"{"taskId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)])
    .also(&[NO_TASK]),
];

const NO_TASK: (u16, &str) = (404, "There is no such task of the wallet, or it ended more than a day ago.");
