//! `POST /start`, `POST /hsm/start` and `POST /fireblocks/start`.

use crate::api::Success;
use crate::rt::{self, BoxFuture};
use crate::server::App;
use crate::server::answer::{json, json_with};
use crate::server::body::Body;
use crate::server::forward;
use crate::server::gate::unavailable;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::real_status::with_code;
use crate::server::start::{NotStarted, has_words, start_at_fireblocks, start_at_hsm, start_wallet};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

type Start = BoxFuture<'static, Result<(), NotStarted>>;

/// Answers once the wallet has begun to load; when it is ready, `/wallet/status` says so.
pub(super) async fn start(State(app): State<App>, request: Request) -> Response {
    to_its_end(app, request, |app, body| Box::pin(async move { start_wallet(&app, body).await })).await
}

/// The same of a wallet whose keys a token has.
pub(super) async fn hsm(State(app): State<App>, request: Request) -> Response {
    to_its_end(app, request, |app, body| Box::pin(async move { start_at_hsm(&app, &body).await })).await
}

/// The same of a wallet whose keys Fireblocks has.
pub(super) async fn fireblocks(State(app): State<App>, request: Request) -> Response {
    to_its_end(app, request, |app, body| Box::pin(async move { start_at_fireblocks(&app, &body).await }))
        .await
}

/// A caller that hangs up must not leave a wallet that is half started.
async fn to_its_end(app: App, request: Request, start: fn(App, Map<String, Value>) -> Start) -> Response {
    let (mut request, _) = request.into_parts();
    let body = match Body::from_request_parts(&mut request, &app).await {
        Ok(Body(body)) => body,
        Err(refused) => return refused.into_response(),
    };
    // The change of a configuration waits for it, too.
    let inside = match app.gate().enter() {
        Ok(inside) => inside,
        Err(closed) => return unavailable(closed),
    };
    let has_words = has_words(&body);
    let start = start(app.clone(), body);
    let start = async move {
        let _inside = inside;
        start.await
    };
    let refused = match rt::detached(Box::pin(start)).await.expect("starting does not panic") {
        Ok(()) => return json(&Success),
        Err(refused) => refused,
    };
    if let NotStarted::RunsOn(server, _) = &refused
        && let Some(operation) = forward::operation(&app, &request.extensions)
    {
        return match has_words {
            true => forward::refuse_seed_phrase(&app, server),
            false => forward::to(&app, server, operation, request, None).await,
        };
    }
    let is_elsewhere = matches!(refused, NotStarted::RunsOn(..));
    let (failure, compat) = (refused.failure(), app.config().compat);
    if is_elsewhere {
        let cause = failure.cause.unwrap_or_default();
        return no_room(format!("{}: {cause}", failure.message), RETRY_SECONDS);
    }
    let status = StatusCode::from_u16(failure.status(compat)).expect("200, 400 or 500");
    with_code(json_with(status, &failure.answer(compat)), failure.code())
}
