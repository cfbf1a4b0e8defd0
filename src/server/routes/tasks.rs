//! Tasks: requests that become some, and what is known of them.

use super::valid::Valid;
use crate::api::{Failure, Refusal, TaskAnswer, TaskListAnswer, TaskMembers, TaskStatus};
use crate::operations::{CancelTask, TaskQuery, TasksQuery};
use crate::server::App;
use crate::server::answer::{Refused as Answered, json, json_with};
use crate::server::idempotency::{key_taken, no_room};
use crate::server::real_status::with_code;
use crate::server::selection::Selected;
use crate::server::tasks::{End, NewTask, Outcome, Prefer, Queue, Refused, Task, TaskId, TaskState};
use crate::service::Wallet;
use axum::Extension;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use tracing::Instrument;

/// Seconds until a queue that is full may have room.
const RETRY_AFTER: u32 = 10;
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Makes a request a task, which is as it must be, and answers at once or after some time.
pub(super) async fn respond_later(
    app: &App,
    Selected { id, wallet, .. }: &Selected,
    new: NewTask,
    Prefer { wait, urgency }: Prefer,
) -> Response {
    let queue = app.tasks(id, wallet);
    let most = app.config().tasks_max_waiting;
    // Detached: a caller that leaves while the task is being written must not leave it unknown here, to be
    // carried out by a later start.
    let keeper = queue.clone();
    let taken = tokio::spawn(async move { keeper.take(new, urgency, most).await }.in_current_span()).await;
    let task = match taken.unwrap_or(Err(Refused::Away)) {
        Ok(task) => task,
        Err(refused) => return refusal(refused),
    };
    let task = queue.end_of(app, task.id, wait).await.unwrap_or(task);
    let mut response = match &task.state {
        TaskState::Ended(outcome) if !wait.is_zero() => {
            let status = StatusCode::from_u16(outcome.status).unwrap_or(StatusCode::OK);
            json_with(status, &outcome.answer)
        }
        _ => accepted(&task, wallet),
    };
    response.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    response
}

fn accepted(task: &Task, wallet: &Wallet) -> Response {
    let mut response = json_with(StatusCode::ACCEPTED, &told(task, wallet));
    if let Ok(place) = HeaderValue::try_from(format!("/wallet/tasks/{}", task.id)) {
        response.headers_mut().insert(LOCATION, place);
    }
    response
}

fn refusal(refused: Refused) -> Response {
    let error = match refused {
        Refused::KeyTaken => return key_taken(),
        Refused::Full(waiting) => {
            format!(
                "{waiting} tasks of the wallet wait, and there is no room for more: try again later, or raise the setting `tasks_max_waiting`."
            )
        }
        Refused::Store(failure) => {
            format!(
                "It is not known whether the task was kept: {failure}. Look at `GET /wallet/tasks` before you ask again without an `Idempotency-Key`."
            )
        }
        Refused::Away => "The wallet's earlier tasks are not known yet: try again.".to_owned(),
    };
    no_room(error, RETRY_AFTER)
}

/// Waits until it is known which tasks a wallet has.
async fn known(queue: &Queue) -> Result<(), Refused> {
    if queue.is_known().await { Ok(()) } else { Err(Refused::Away) }
}

/// `GET /wallet/tasks`.
pub(super) async fn list(
    State(app): State<App>,
    Extension(Selected { id, wallet, .. }): Extension<Selected>,
    Valid(query): Valid<TasksQuery>,
) -> Response {
    let is_chosen =
        |task: &Task| query.status.as_deref().is_none_or(|status| of(task, &wallet).0.name() == status);
    let queue = app.tasks(&id, &wallet);
    if let Err(refused) = known(&queue).await {
        return refusal(refused);
    }
    let tasks = queue.newest(query.limit, is_chosen);
    json(&TaskListAnswer(tasks.iter().map(|task| told(task, &wallet)).collect()))
}

/// `GET /wallet/tasks/{taskId}`.
pub(super) async fn task(
    State(app): State<App>,
    Extension(Selected { id, wallet, .. }): Extension<Selected>,
    Valid(query): Valid<TaskQuery>,
) -> Result<Response, Answered> {
    let queue = app.tasks(&id, &wallet);
    if let Err(refused) = known(&queue).await {
        return Ok(refusal(refused));
    }
    let task = match query.id.parse() {
        Ok(id) => queue.end_of(&app, id, query.wait).await,
        Err(_) => None,
    };
    match task {
        Some(task) => Ok(json(&told(&task, &wallet))),
        None => Err(app.refuse(not_found(&query.id))),
    }
}

/// `DELETE /wallet/tasks/{taskId}`.
pub(super) async fn cancel(
    State(app): State<App>,
    Extension(Selected { id, wallet, .. }): Extension<Selected>,
    Valid(request): Valid<CancelTask>,
) -> Result<Response, Answered> {
    let queue = app.tasks(&id, &wallet);
    if let Err(refused) = known(&queue).await {
        return Ok(refusal(refused));
    }
    let task = match request.id.parse::<TaskId>() {
        Ok(id) => queue.cancel(id).await,
        Err(_) => Ok(None),
    };
    match task {
        Ok(Some(task)) if matches!(task.state, TaskState::Cancelled) => Ok(json(&told(&task, &wallet))),
        Ok(Some(task)) => {
            let why = match of(&task, &wallet).0 {
                TaskStatus::Queued => "it had begun before this server was started".to_owned(),
                status => format!("it is {}", status.name()),
            };
            let error = format!("The task has begun and can't be taken back: {why}.");
            Ok(with_code(json(&Failure::new(error)), "NOT_ALLOWED"))
        }
        Ok(None) => Err(app.refuse(not_found(&request.id))),
        Err(failure) => {
            let error =
                format!("It is not known whether the task was taken back: {failure}: look at it again.");
            Ok(no_room(error, RETRY_AFTER))
        }
    }
}

fn not_found(id: &str) -> Refusal {
    Refusal::NotFound(format!("The wallet has no task {id:?}, or it ended more than a day ago."))
}

fn told<'a>(task: &'a Task, wallet: &Wallet) -> TaskAnswer<'a> {
    let (status, became_void) = of(task, wallet);
    let outcome = match &task.state {
        TaskState::Ended(outcome) => Some(outcome),
        _ => None,
    };
    let void = became_void.then_some("The transaction is void.");
    TaskAnswer(TaskMembers {
        id: task.id.to_string(),
        status,
        path: task.operation.path,
        urgency: task.urgency,
        created: task.created,
        updated: task.updated,
        hash: outcome.and_then(|outcome| outcome.end.hash()),
        error: void.or_else(|| outcome?.end.why_not()),
        answer: outcome.map(|outcome| &*outcome.answer),
        answer_status: outcome.map(|outcome| outcome.status),
    })
}

/// How far it is by what the wallet knows now, and whether what it sent became void.
fn of(task: &Task, wallet: &Wallet) -> (TaskStatus, bool) {
    let status = match &task.state {
        TaskState::Queued => TaskStatus::Queued,
        TaskState::Running => TaskStatus::Mining,
        TaskState::Cancelled => TaskStatus::Cancelled,
        TaskState::Ended(Outcome { end, is_confirmed, .. }) => match end {
            End::Sent(hash) => {
                let vertex = wallet.look(|state, _| state.vertex(hash));
                return match vertex {
                    Some(vertex) if vertex.voided => (TaskStatus::Failed, true),
                    _ if *is_confirmed => (TaskStatus::Confirmed, false),
                    _ => (TaskStatus::Pushed, false),
                };
            }
            End::AwaitsApproval(_) => TaskStatus::AwaitsApproval,
            End::Failed(_) | End::Unknown(_) => TaskStatus::Failed,
        },
    };
    (status, false)
}
