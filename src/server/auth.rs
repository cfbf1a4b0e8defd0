//! The API key, where one is configured: checked before anything else, on every path but that of the page to try the
//! interface, which asks for it.

use super::App;
use super::answer::json_with;
use crate::api::texts::{API_KEY_MISSING, API_KEY_WRONG};
use crate::ledger::sha256d;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use secrecy::ExposeSecret;
use serde::Serialize;

/// Needs no key: it tells nothing of the server, and browsers open it without headers.
pub(super) const PAGE: &str = "/docs/ui";

/// Lets requests with the right `X-API-KEY` pass.
pub(super) async fn require_api_key(State(app): State<App>, request: Request, next: Next) -> Response {
    let config = app.config();
    let Some(expected) = &config.api_key else { return next.run(request).await };
    if request.uri().path() == PAGE {
        return next.run(request).await;
    }
    let given = request.headers().get("x-api-key").map_or(&b""[..], |value| value.as_bytes());
    if given.is_empty() {
        return unauthorized(API_KEY_MISSING);
    }
    // Hashes are compared, so that the time taken tells nothing of the key.
    if sha256d(given) != sha256d(expected.expose_secret().as_bytes()) {
        return unauthorized(API_KEY_WRONG);
    }
    next.run(request).await
}

fn unauthorized(message: &str) -> Response {
    #[derive(Serialize)]
    struct Unauthorized<'a> {
        auth: bool,
        message: &'a str,
    }
    json_with(StatusCode::UNAUTHORIZED, &Unauthorized { auth: false, message })
}
