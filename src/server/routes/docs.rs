//! The OpenAPI document, and a page to read and try it.

use crate::api::openapi;
use crate::server::App;
use crate::server::answer::{html, json};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

/// `GET /docs`.
pub(super) async fn document(State(app): State<App>) -> Response {
    json(&openapi::document(app.config().compat, app.asks_for_keys().await))
}

/// `GET /docs/ui`. It has all it needs in it, talks to nobody but this server, and can't be put into another
/// page.
pub(super) async fn page() -> Response {
    let page = include_str!("../docs/page.html")
        .replace("/* style */", include_str!("../docs/page.css"))
        .replace("/* script */", include_str!("../docs/page.js"));
    let mut response = html(StatusCode::OK, page);
    let policy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                  base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    response.headers_mut().insert("content-security-policy", HeaderValue::from_static(policy));
    response
}
