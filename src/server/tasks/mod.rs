//! Tasks: requests that are answered at once and carried out after that (`Prefer: respond-async`), in the
//! order of their urgency and of their coming, so many of a wallet at a time.
//!
//! A task is an operation with its fields, carried out under a key of its own
//! ([`SendKey`](crate::service::SendKey)) or under that of its `Idempotency-Key`. So it can be carried out
//! anew after a crash, or when it is not known what came of it, and nothing is sent twice. Where the wallet
//! is kept in a store, so are its tasks: what was taken is durable before the answer says so.

mod confirming;
mod prefer;
mod queue;
mod table;
mod task;

pub(super) use prefer::Prefer;
pub(super) use queue::{Queue, Refused};
pub(super) use task::{End, NewTask, Outcome, Task, TaskId, TaskState};

use super::App;
use super::answer::{Refused as NotDone, Sent, Unsettled, Why};
use super::audit::Asked;
use super::auth::{Caller, refusal};
use super::body::reading_bytes;
use super::gate::unavailable;
use super::selection::selected;
use crate::api::Refusal;
use crate::json;
use crate::operations::{Run, SendMode};
use crate::rt::{self, CpuShare};
use crate::service::{Phase, Wallet};
use crate::store::TaskRecord;
use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most bytes of an answer that is kept.
const MAX_ANSWER: usize = 1 << 20;

/// The queues of a server, by the ids of their wallets.
#[derive(Default)]
pub(super) struct Queues(Mutex<HashMap<String, Arc<Queue>>>);

/// Whether a task that was kept is still to be carried out. One that can't be read is not.
pub fn task_is_open(record: &TaskRecord) -> bool {
    Task::read(record).is_some_and(|task| !task.has_ended())
}

impl Queues {
    /// The queue of a wallet, which works from the first time that this is asked for.
    pub fn of(&self, app: &App, id: &str, wallet: &Wallet) -> Arc<Queue> {
        let mut queues = self.queues();
        match queues.get(id) {
            Some(queue) if queue.is_of(wallet) => queue.clone(),
            _ => {
                let queue = Queue::begin(app, id, wallet);
                queues.insert(id.to_owned(), queue.clone());
                queue
            }
        }
    }
    /// Lets go of the queue of a wallet that was stopped.
    pub fn drop_of(&self, id: &str, wallet: &Wallet) {
        let mut queues = self.queues();
        if queues.get(id).is_some_and(|queue| queue.is_of(wallet)) {
            queues.remove(id);
        }
    }
    /// How many tasks wait in them, and how many are being carried out.
    pub fn counts(&self) -> (usize, usize) {
        let counts = |queue: &Arc<Queue>| queue.counts();
        self.queues().values().map(counts).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
    /// Lets go of all of them.
    pub fn clear(&self) {
        self.queues().clear();
    }
    fn queues(&self) -> MutexGuard<'_, HashMap<String, Arc<Queue>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As whom a task is carried out: with what its key may do by now. `None` if that is not known.
async fn caller(app: &App, task: &Task) -> Option<Caller> {
    let Some(name) = &task.by else { return Some(Caller::Owner) };
    let known = app.access().whole().await?;
    let key = known.named(name).filter(|key| !key.has_ended(rt::unix_seconds().into()));
    Some(key.cloned().map_or_else(|| Caller::Gone(name.as_str().into()), Caller::Named))
}

/// Carries a task out; `None` if it is not known what came of it, or the server could not take it now.
async fn carry_out(app: &App, wallet: &Wallet, task: &Task) -> Option<Outcome> {
    let (caller, operation) = (caller(app, task).await?, task.operation);
    let asked = || Asked::of_task(&caller, operation, &task.wallet, task.id.to_string());
    let response = match refusal(&caller, operation) {
        Some(refused) => {
            let is_gone = matches!(caller, Caller::Gone(_));
            app.audit_refusal(operation, asked(), is_gone).await;
            refused
        }
        None => {
            let _place = app.places().of(operation, caller.name()).ok()?;
            let answer = async { answer(app, &caller, task).await.unwrap_or_else(NotDone::into_response) };
            match app.audits(operation) {
                true => app.audited(asked(), answer).await,
                false => answer.await,
            }
        }
    };
    let (status, said) = (response.status(), response.extensions());
    let is_settled = said.get::<Unsettled>().is_none() && !status.is_server_error();
    let why_not = || said.get().map_or_else(String::new, |Why(why)| why.clone());
    let end = match said.get() {
        Some(Sent(id)) => End::Sent(*id),
        None if status == StatusCode::ACCEPTED => End::AwaitsApproval(why_not()),
        None => End::Failed(why_not()),
    };
    let response = app.with_real_status(response).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), MAX_ANSWER).await.ok()?;
    let answer = String::from_utf8(body.into()).ok().and_then(|text| RawValue::from_string(text).ok());
    let answer = answer.unwrap_or_else(|| RawValue::NULL.to_owned());
    let outcome = Outcome { status: status.as_u16(), answer, end, is_confirmed: false };
    // What a wallet refuses while it is away, it may do later.
    (is_settled && (outcome.is_done() || wallet.status().phase == Phase::Ready)).then_some(outcome)
}

/// What the request of a task is answered now.
async fn answer(app: &App, caller: &Caller, task: &Task) -> Result<Response, NotDone> {
    let _inside = app.gate().enter().map_err(unavailable)?;
    let selected = selected(app, caller, task.wallet.clone(), true, Some(task.operation), |_| Ok(())).await?;
    let not_read = || Refusal::failure("The task can't be read: it is not of this version.");
    let Run::Send(read, read_only) = task.operation.run else { return Err(app.refuse(not_read())) };
    let fields = task.fields.get().as_bytes();
    let read = || match json::read(fields) {
        Ok(Value::Object(given)) => read(&given, app.config().compat),
        _ => Err(not_read()),
    };
    let request = reading_bytes(fields.len(), CpuShare::Sends, read).await;
    let request = request.map_err(|refusal| app.refuse(refusal))?;
    let mode = SendMode { dry_run: false, once: Some(task.key) };
    let sent = app.call(&selected).send(request, read_only, mode).await;
    app.answer_send(Some(&selected), sent, false).await
}
