//! `POST /start`.

use crate::api::Success;
use crate::server::App;
use crate::server::answer::{json, json_with};
use crate::server::body::Body;
use crate::server::start::start_wallet;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

/// Answers once the wallet has begun to load; when it is ready, `/wallet/status` says so.
pub(super) async fn start(State(app): State<App>, Body(body): Body) -> Response {
    match start_wallet(&app, body).await {
        Ok(()) => json(&Success),
        Err(failure) => {
            let compat = app.config().compat;
            let status = StatusCode::from_u16(failure.status(compat)).expect("200 or 400");
            json_with(status, &failure.answer(compat))
        }
    }
}
