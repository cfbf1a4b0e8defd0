//! Tasks: requests that are answered at once and carried out after that (`Prefer: respond-async`), in the
//! order of their urgency and of their coming, so many of a wallet at a time.
//!
//! A task is the request itself, carried out as it would have been: under a key of its own
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
pub(super) use task::{NewTask, Outcome, Task, TaskId, TaskState};

use super::App;
use super::answer::{Sent, Unsettled};
use super::auth::Caller;
use crate::rt;
use crate::service::{Phase, Wallet};
use crate::store::TaskRecord;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderValue, Request};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most bytes of an answer that is kept.
const MAX_ANSWER: usize = 1 << 20;

/// The queues of a server, by the ids of their wallets.
#[derive(Default)]
pub(super) struct Queues(Mutex<HashMap<String, Arc<Queue>>>);

/// On a request that is only looked at: it becomes a task where it is as it must be.
#[derive(Clone, Copy)]
pub(super) struct OnlyChecked;

/// On the response to such a request: it is as it must be.
#[derive(Clone, Copy)]
pub(super) struct Acceptable;

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

/// Carries a task out as the request that it is; `None` if it is not known what came of it, or the server
/// could not take it now.
async fn carry_out(app: &App, wallet_id: &str, wallet: &Wallet, task: &Task) -> Option<Outcome> {
    let mut request = Request::post(&task.target).header(HOST, "localhost");
    if let Ok(id) = HeaderValue::from_bytes(wallet_id.as_bytes()) {
        request = request.header("x-wallet-id", id);
    }
    if app.config().confirm_first_address {
        request = request.header("x-first-address", wallet.first_address());
    }
    let request = match &task.content_type {
        Some(content_type) => request.header(CONTENT_TYPE, content_type),
        None => request,
    };
    // It was a request once, so it is one again.
    let mut request = request.body(Body::from(task.body.clone())).ok()?;
    request.extensions_mut().insert(task.key);
    request.extensions_mut().insert(caller(app, task).await?);
    let response = app.carry_out(request).await;
    let status = response.status();
    let is_settled = response.extensions().get::<Unsettled>().is_none() && !status.is_server_error();
    let hash = response.extensions().get().map(|Sent(id)| *id);
    let response = app.with_real_status(response).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), MAX_ANSWER).await.ok()?;
    let outcome = Outcome::of(status.as_u16(), hash, &body);
    // What a wallet refuses while it is away, it may do later.
    (is_settled && (outcome.is_done() || wallet.status().phase == Phase::Ready)).then_some(outcome)
}
