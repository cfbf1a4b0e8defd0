//! The endpoints, one file a group.

mod approvals;
mod calls;
mod docs;
mod events;
mod keys;
mod lookups;
mod raw;
mod root;
mod sending;
mod start;
mod tasks;
mod valid;
mod wallet;
mod webhooks;

use super::App;
use super::answer::{Refused, Unsettled};
use super::gate::{Closed, unavailable};
use super::idempotency::{RETRY_SECONDS, key_taken, no_room};
use super::selection::{Selected, not_ready};
use super::started::check;
use crate::api::{Method, Refusal, WalletRefusal};
use crate::operations::{self, Operation, Run, send_failure, template_failure};
use crate::service::{NotReady, SendError};
use crate::store::StoreError;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{self, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::collections::HashMap;
use std::sync::LazyLock;

/// All routes. Unknown paths and methods end as statuses 404 and 405, which get their bodies later.
pub(super) fn all() -> Router<App> {
    let none = Router::new().fallback(no_route);
    operations::all().fold(none, |routes, operation| routes.route(operation.path, handler(operation)))
}

/// What a request has to have before its route takes it.
pub(super) struct Needs {
    /// What it asks for, if there is a route for its path and its method.
    pub operation: Option<&'static Operation>,
    /// Whether it passes the gate.
    pub gate: bool,
    /// The wallet that it needs, if it needs one.
    pub wallet: Option<Readiness>,
}

/// How a wallet has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    Any,
    Ready,
}

impl Needs {
    pub fn of(request: &Request) -> Self {
        let of_path = of_path(request);
        let operation = of_path.iter().copied().find(|operation| is_asked_for(operation, request));
        // Of another method, it has the needs of the path's first one.
        let wallet = match operation.or(of_path.first().copied()) {
            Some(operation) if !operation.needs_wallet() => None,
            Some(operation) if !operation.needs_ready => Some(Readiness::Any),
            None if !is_under_wallet(request.uri().path()) => None,
            _ => Some(Readiness::Ready),
        };
        // What waits for all the others doesn't pass the gate itself, nor do those that say how it is.
        let free = [&operations::RELOAD_CONFIG, &operations::LIVE, &operations::READY];
        Self { operation, gate: !of_path.iter().any(|operation| free.contains(operation)), wallet }
    }
}

fn is_under_wallet(path: &str) -> bool {
    path.strip_prefix("/wallet").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl From<Method> for MethodFilter {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Put => Self::PUT,
            Method::Delete => Self::DELETE,
        }
    }
}

/// The operations of a request's path.
fn of_path(request: &Request) -> &'static [&'static Operation] {
    static BY_PATH: LazyLock<HashMap<&str, Vec<&Operation>>> = LazyLock::new(|| {
        let mut by_path = HashMap::<_, Vec<_>>::new();
        operations::all().for_each(|operation| by_path.entry(operation.path).or_default().push(operation));
        by_path
    });
    let route = request.extensions().get::<MatchedPath>();
    route.and_then(|route| BY_PATH.get(route.as_str())).map_or(&[], Vec::as_slice)
}

fn is_asked_for(operation: &Operation, request: &Request) -> bool {
    let method = if request.method() == http::Method::HEAD { "GET" } else { request.method().as_str() };
    operation.method.name().eq_ignore_ascii_case(method)
}

/// What carries an operation out.
fn handler(operation: &'static Operation) -> MethodRouter<App> {
    let method = operation.method.into();
    match operation.run {
        Run::Server => {
            let own = OWN.iter().find(|(own, _)| *own == operation);
            let (_, handler) = own.expect("what a server carries out itself is in the list");
            handler(method)
        }
        _ => on(method, move |State(app): State<App>, request: Request| {
            calls::carry_out(app, operation, request)
        }),
    }
}

type Route = fn(MethodFilter) -> MethodRouter<App>;

/// What the server carries out itself: what is of no wallet, or of the server's own.
static OWN: &[(&Operation, Route)] = &[
    (&operations::START, |method| on(method, start::start)),
    (&operations::HSM_START, |method| on(method, start::hsm)),
    (&operations::FIREBLOCKS_START, |method| on(method, start::fireblocks)),
    (&operations::EVENTS, |method| on(method, events::events)),
    (&operations::STATUS, |method| on(method, wallet::status)),
    (&operations::STOP, |method| on(method, wallet::stop)),
    (&operations::MULTISIG_PUBKEY, |method| on(method, root::multisig_pubkey)),
    (&operations::CONFIGURATION_STRING, |method| on(method, lookups::configuration_string)),
    (&operations::LIST_TASKS, |method| on(method, tasks::list)),
    (&operations::ONE_TASK, |method| on(method, tasks::task)),
    (&operations::CANCEL_TASK, |method| on(method, tasks::cancel)),
    (&operations::LIST_APPROVALS, |method| on(method, approvals::list)),
    (&operations::ONE_APPROVAL, |method| on(method, approvals::approval)),
    (&operations::APPROVE, |method| on(method, approvals::approve)),
    (&operations::DENY, |method| on(method, approvals::deny)),
    (&operations::PUSH_TX, |method| on(method, raw::push)),
    (&operations::LIST_WEBHOOKS, |method| on(method, webhooks::list)),
    (&operations::LIST_DELIVERIES, |method| on(method, webhooks::deliveries)),
    (&operations::REDELIVER, |method| on(method, webhooks::redeliver_one)),
    (&operations::WELCOME, |method| on(method, root::welcome)),
    (&operations::DOCS, |method| on(method, docs::document)),
    (&operations::DOCS_UI, |method| on(method, docs::page)),
    (&operations::HEALTH, |method| on(method, root::health)),
    (&operations::LIVE, |method| on(method, root::live)),
    (&operations::READY, |method| on(method, root::ready)),
    (&operations::RELOAD_CONFIG, |method| on(method, root::reload_config)),
    (&operations::METRICS, |method| on(method, root::metrics)),
    (&operations::LIST_KEYS, |method| on(method, keys::list)),
    (&operations::ADD_KEY, |method| on(method, keys::add)),
    (&operations::ROTATE_KEY, |method| on(method, keys::rotate)),
    (&operations::REVOKE_KEY, |method| on(method, keys::revoke)),
];

async fn no_route() -> StatusCode {
    StatusCode::NOT_FOUND
}

impl App {
    /// The response for a wallet that stopped being ready since it was selected.
    fn refuse_not_ready(&self, selected: Option<&Selected>, NotReady(status): NotReady) -> Refused {
        // One that would wait for change is refused at the server's end.
        if let Some(closed @ Closed::Ending) = self.gate().closed() {
            return unavailable(closed).into();
        }
        // The server that has taken the account answers a repetition.
        if let Some(Err(error)) = selected.map(|selected| check(&selected.wallet)) {
            return no_room(format!("nothing was done: {error}"), RETRY_SECONDS).into();
        }
        self.refuse_wallet(&WalletRefusal::NotReady(not_ready(*status))).into()
    }
    /// The response for a send that failed. `called` is what release 0.39 calls it to a wallet that can't
    /// sign.
    fn refuse_send(&self, selected: Option<&Selected>, error: SendError, called: &'static str) -> Refused {
        match error {
            SendError::NotReady(not_ready) => self.refuse_not_ready(selected, not_ready),
            SendError::ReadOnly if !self.config().compat.explains_read_only() => {
                self.refuse(Refusal::failure(called))
            }
            SendError::KeyTaken => key_taken().into(),
            SendError::Forbidden(why) => self.refuse(Refusal::Forbidden(why)),
            SendError::AwaitsApproval { id, why } => approvals::awaits(&why, &id).into(),
            error @ (SendError::Open { .. } | SendError::RecordUnclear { .. } | SendError::CutOff) => {
                let mut response = self.refuse(Refusal::Failure(send_failure(&error))).into_response();
                response.extensions_mut().insert(Unsettled);
                response.into()
            }
            SendError::NotRecorded(StoreError::Full { retry_after, .. }) => {
                no_room(error.to_string(), retry_after).into()
            }
            SendError::Store(_) => no_room(error.to_string(), RETRY_SECONDS).into(),
            SendError::NotRecorded(_) if self.config().store.is_some() => {
                no_room(error.to_string(), RETRY_SECONDS).into()
            }
            error => {
                let plain =
                    template_failure(&error).filter(|_| !self.config().compat.tells_places_in_templates());
                self.refuse(Refusal::Failure(plain.unwrap_or_else(|| send_failure(&error))))
            }
        }
    }
}
