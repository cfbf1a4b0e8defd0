//! `POST /start`, `POST /hsm/start` and `POST /fireblocks/start`.

use crate::api::{StartFailure, Success};
use crate::server::App;
use crate::server::answer::{json, json_with};
use crate::server::body::Body;
use crate::server::start::{start_at_fireblocks, start_at_hsm, start_wallet};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

/// Answers once the wallet has begun to load; when it is ready, `/wallet/status` says so.
pub(super) async fn start(State(app): State<App>, Body(body): Body) -> Response {
    answered(&app, start_wallet(&app, body).await)
}

/// The same of a wallet whose keys a token has.
pub(super) async fn hsm(State(app): State<App>, Body(body): Body) -> Response {
    answered(&app, start_at_hsm(&app, &body).await)
}

/// The same of a wallet whose keys Fireblocks has.
pub(super) async fn fireblocks(State(app): State<App>, Body(body): Body) -> Response {
    answered(&app, start_at_fireblocks(&app, &body).await)
}

fn answered(app: &App, started: Result<(), StartFailure>) -> Response {
    match started {
        Ok(()) => json(&Success),
        Err(failure) => {
            let compat = app.config().compat;
            let status = StatusCode::from_u16(failure.status(compat)).expect("200, 400 or 500");
            json_with(status, &failure.answer(compat))
        }
    }
}
