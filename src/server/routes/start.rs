//! `POST /start`, `POST /hsm/start` and `POST /fireblocks/start`.

use crate::api::{StartFailure, Success};
use crate::rt::{self, BoxFuture};
use crate::server::App;
use crate::server::answer::{json, json_with};
use crate::server::body::Body;
use crate::server::gate::unavailable;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::start::{start_at_fireblocks, start_at_hsm, start_wallet};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

/// Answers once the wallet has begun to load; when it is ready, `/wallet/status` says so.
pub(super) async fn start(State(app): State<App>, Body(body): Body) -> Response {
    let own = app.clone();
    to_its_end(&app, Box::pin(async move { start_wallet(&own, body).await })).await
}

/// The same of a wallet whose keys a token has.
pub(super) async fn hsm(State(app): State<App>, Body(body): Body) -> Response {
    let own = app.clone();
    to_its_end(&app, Box::pin(async move { start_at_hsm(&own, &body).await })).await
}

/// The same of a wallet whose keys Fireblocks has.
pub(super) async fn fireblocks(State(app): State<App>, Body(body): Body) -> Response {
    let own = app.clone();
    to_its_end(&app, Box::pin(async move { start_at_fireblocks(&own, &body).await })).await
}

/// A caller that hangs up must not leave a wallet that is half started.
async fn to_its_end(app: &App, start: BoxFuture<'static, Result<(), StartFailure>>) -> Response {
    // The change of a configuration waits for it, too.
    let inside = match app.gate().enter() {
        Ok(inside) => inside,
        Err(closed) => return unavailable(closed),
    };
    let start = async move {
        let _inside = inside;
        start.await
    };
    match rt::detached(Box::pin(start)).await.expect("starting does not panic") {
        Ok(()) => json(&Success),
        Err(StartFailure { message, cause, try_again: true, .. }) => {
            no_room(format!("{message}: {}", cause.unwrap_or_default()), RETRY_SECONDS)
        }
        Err(failure) => {
            let compat = app.config().compat;
            let status = StatusCode::from_u16(failure.status(compat)).expect("200, 400 or 500");
            json_with(status, &failure.answer(compat))
        }
    }
}
