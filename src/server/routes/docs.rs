//! The OpenAPI document, and a page to read and try it.

use crate::api::{Compat, openapi};
use crate::operations;
use crate::server::App;
use crate::server::answer::{JSON, html, with_type};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use std::sync::{LazyLock, OnceLock};

/// The document, by whether answers are the documented ones, have real statuses, or are those of release
/// 0.39, and whether keys are asked for. Each is written once: that takes longer than hundreds of other
/// requests, and anybody may ask for it.
static DOCUMENTS: [[OnceLock<Bytes>; 2]; 3] = [const { [const { OnceLock::new() }; 2] }; 3];

/// The page, put together once.
static PAGE: LazyLock<Bytes> = LazyLock::new(|| {
    let page = include_str!("../docs/page.html")
        .replace("/* style */", include_str!("../docs/page.css"))
        .replace("/* script */", include_str!("../docs/page.js"));
    page.into()
});

/// `GET /docs`.
pub(super) async fn document(State(app): State<App>) -> Response {
    let (config, asks_for_keys) = (app.config(), app.asks_for_keys().await);
    let answers = match config.compat {
        Compat::V0_39 => 2,
        _ => usize::from(config.real_statuses),
    };
    let written = DOCUMENTS[answers][usize::from(asks_for_keys)].get_or_init(|| {
        let mut document = openapi::document(operations::declared(), config.compat, asks_for_keys);
        if config.real_statuses {
            openapi::add_real_statuses(&mut document);
        }
        document.to_string().into()
    });
    with_type(StatusCode::OK, JSON, written.clone())
}

/// `GET /docs/ui`. It has all it needs in it, talks to nobody but this server, and can't be put into another
/// page.
pub(super) async fn page() -> Response {
    let mut response = html(StatusCode::OK, PAGE.clone());
    let policy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                  base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    response.headers_mut().insert("content-security-policy", HeaderValue::from_static(policy));
    response
}
