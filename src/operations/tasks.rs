//! Tasks: requests that are carried out after they were answered.

use crate::api::rules::TEXT;
use crate::api::{Literal, TaskAnswer, TaskListAnswer, TaskStatus};
use crate::operations::prelude::*;
use std::time::Duration;

pub(crate) const SHORT_ID: &str = "The first eight digits of an id are enough.";

pub static LIST_TASKS: Operation = get("list-tasks", "/wallet/tasks", Group::Tasks, Right::Read)
    .does("List the tasks of the wallet, newest first.")
    .not_in_package(NOT_HERE)
    .command(&[command("tasks")])
    .takes::<TasksQuery>(&[("example", r#"{"status": "queued"}"#)])
    .answers(answers![TaskListAnswer<'_>])
    .at_once();

pub static ONE_TASK: Operation = get("task", "/wallet/tasks/{taskId}", Group::Tasks, Right::Read)
    .does("Show a task's progress and its result.")
    .not_in_package(NOT_HERE)
    .command(&[command("task")
        .places(&["taskId"])
        .does("Show a task's progress and its result.")
        .after(SHORT_ID)])
    .takes::<TaskQuery>(&[("example", r#"{"taskId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "wait": 30}"#)])
    .answers(answers![TaskAnswer<'_>])
    .also(&[(404, "There is no such task of the wallet, or it ended more than a day ago.")]);

pub static CANCEL_TASK: Operation = get("cancel-task", "/wallet/tasks/{taskId}", Group::Tasks, Right::Send)
    .does("Cancel a task that has not begun.")
    .delete()
    .not_in_package(NOT_HERE)
    .command(&[command("task-cancel").places(&["taskId"]).after(SHORT_ID)])
    .takes::<CancelTask>(&[("example", r#"{"taskId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)])
    .answers(answers![TaskAnswer<'_>, Failure])
    .also(&[(404, "There is no such task of the wallet, or it ended more than a day ago.")])
    .at_once();

/// Most tasks in a list.
const MAX_LISTED: i128 = 1_000;

/// Longest time that a task's end is waited for, in seconds.
const MAX_WAIT: i128 = 60;

request! {
    /// `GET /wallet/tasks`.
    pub struct TasksQuery in query {
        /// Only those that are this far.
        pub status: Option<String> = STATUS,
        /// At most so many, the newest.
        pub limit: usize = LIMIT,
    }
}

request! {
    /// `GET /wallet/tasks/{taskId}`.
    pub struct TaskQuery in query {
        /// The task's id.
        pub id: String = ID_IN_PATH,
        /// Answer when it has ended, or after so many seconds.
        pub wait: Duration = WAIT,
    }
}

request! {
    /// `DELETE /wallet/tasks/{taskId}`.
    pub struct CancelTask in query {
        /// The task's id.
        pub id: String = ID_IN_PATH,
    }
}

const ID_IN_PATH: Rule<String> = TEXT.of(Kind::NonEmptyText).named("taskId");

const STATUS: Rule<Option<String>> = Rule::optional(Kind::OneOf(NAMES), |check, field, _| {
    let status = check.optional_text(field).map(str::to_owned);
    if status.as_deref().is_some_and(|status| !NAMES.contains(&status)) {
        check.invalid(
            field,
            "must be one of queued, mining, pushed, confirmed, awaits-approval, failed and cancelled",
        );
    }
    Ok(status)
});

const NAMES: &[&str] = &{
    let mut names = [""; TaskStatus::ALL.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = TaskStatus::ALL[place].name();
        place += 1;
    }
    names
};

const LIMIT: Rule<usize> = Rule::optional(Kind::Integer(Some(1), Some(MAX_LISTED)), |check, field, _| {
    let limit = check.optional_integer(field, Some(1));
    if limit.is_some_and(|limit| limit > MAX_LISTED) {
        check.invalid(field, "must be an integer from 1 to 1000");
    }
    Ok(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(100))
})
.default(Literal::Number(100));

const WAIT: Rule<Duration> = Rule::optional(Kind::Integer(Some(0), Some(MAX_WAIT)), |check, field, _| {
    let seconds = check.optional_integer(field, Some(0));
    if seconds.is_some_and(|seconds| seconds > MAX_WAIT) {
        check.invalid(field, "must be an integer from 0 to 60");
    }
    Ok(Duration::from_secs(seconds.and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(0)))
})
.default(Literal::Number(0));

const NOT_HERE: &str = "only on servers";
