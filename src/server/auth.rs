//! The API key, where one is configured: checked before anything else, on every path but those that tell
//! nothing of wallets: the page to try the interface, which asks for it, and the probes.

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
/// Nor do these: whoever asks has no key to show.
const PROBES: [&str; 2] = ["/health/live", "/health/ready"];

/// The answer to a request without the right `X-API-KEY`, where one is asked for.
pub(super) fn refusal(config: &Config, request: &Request) -> Option<Response> {
    let expected = config.api_key.as_ref()?;
    let path = request.uri().path();
    if path == PAGE || PROBES.contains(&path) {
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
