//! Which web pages may use the local network: those that this machine serves to itself, and those of the
//! configured origin.

use super::Shared;
use crate::net::head;
use crate::net::host::{is_fixed, is_loopback_origin, name_of};
use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HOST, HeaderName, ORIGIN, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses what other pages ask, and names by which a page may have pointed a browser here. Programs that are
/// no browser pass.
pub(super) async fn refuse_strangers(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    #[derive(Serialize)]
    struct Error<'a> {
        error: &'a str,
    }
    let answer = |status, error: &str| (status, axum::Json(Error { error })).into_response();
    if let Some(why) = head::problem(&request) {
        return answer(StatusCode::BAD_REQUEST, &why);
    }
    let refused = |error| answer(StatusCode::FORBIDDEN, error);
    let headers = request.headers();
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let host = authority.or_else(|| headers.get(HOST).map(|host| host.to_str().unwrap_or_default()));
    if !host.is_none_or(|host| name_of(host).is_some_and(is_fixed)) {
        return refused("the local network is called localhost or by its address, and by no other name");
    }
    let is_let_in = match headers.get(ORIGIN) {
        Some(origin) => {
            is_of_this_machine(origin) || shared.cors_origin == origin || shared.cors_origin == "*"
        }
        None => headers.get(SEC_FETCH_SITE).is_none_or(|site| site != "cross-site"),
    };
    if !is_let_in {
        return refused("pages from elsewhere may not use the local network: serve yours at localhost");
    }
    next.run(request).await
}

fn is_of_this_machine(origin: &HeaderValue) -> bool {
    origin.to_str().is_ok_and(is_loopback_origin)
}

/// The origin that a request is from, if it is one of this machine.
pub(super) fn local_origin(request: &Request) -> Option<HeaderValue> {
    request.headers().get(ORIGIN).filter(|origin| is_of_this_machine(origin)).cloned()
}

/// Lets the pages read an answer: those of a local origin, or else those of the configured one.
pub(super) fn allow_origin(shared: &Shared, local: Option<HeaderValue>, headers: &mut HeaderMap) {
    if local.is_some() {
        headers.append(VARY, HeaderValue::from_static("Origin"));
    }
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, local.unwrap_or_else(|| shared.cors_origin.clone()));
}
