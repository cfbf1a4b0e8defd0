//! The API key, where one is configured: checked before anything else, on every path but that of the page to
//! try the interface, which asks for it.

use super::Config;
use super::answer::json_with;
use crate::api::Unauthorized;
use crate::api::texts::{API_KEY_MISSING, API_KEY_WRONG};
use crate::ledger::sha256d;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::ExposeSecret;

/// Needs no key: it tells nothing of the server, and browsers open it without headers.
pub(super) const PAGE: &str = "/docs/ui";

/// The answer to a request without the right `X-API-KEY`, where one is asked for.
pub(super) fn refusal(config: &Config, request: &Request) -> Option<Response> {
    let expected = config.api_key.as_ref()?;
    if request.uri().path() == PAGE {
        return None;
    }
    let given = request.headers().get("x-api-key").map_or(&b""[..], |value| value.as_bytes());
    if given.is_empty() {
        return Some(unauthorized(API_KEY_MISSING));
    }
    // Hashes are compared, so that the time taken tells nothing of the key.
    (sha256d(given) != sha256d(expected.expose_secret().as_bytes())).then(|| unauthorized(API_KEY_WRONG))
}

fn unauthorized(message: &'static str) -> Response {
    json_with(StatusCode::UNAUTHORIZED, &Unauthorized { message })
}
