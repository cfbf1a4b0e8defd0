//! Refusals with a status and a code that say what they are (`http_status = "real"`). The documented
//! interface answers most of them with 200.

use super::App;
use crate::api::errors::{code_of, status_of};
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value};

/// On a response that refuses: its code.
#[derive(Clone, Copy)]
pub(super) struct ErrorCode(pub &'static str);

/// On a response of another server: it is as that one gives it.
#[derive(Clone, Copy)]
pub(super) struct PassedBack;

/// Most bytes of a refusal: a hundred fields, each with its value.
const MAX_REFUSAL: usize = 16 << 20;

/// The response, which refuses with a code.
pub(super) fn with_code(mut response: Response, code: &'static str) -> Response {
    response.extensions_mut().insert(ErrorCode(code));
    response
}

impl App {
    /// A response as the setting has it.
    pub(super) async fn with_real_status(&self, response: Response) -> Response {
        let (status, extensions) = (response.status(), response.extensions());
        let is_failed = status.is_client_error() || status.is_server_error();
        let known = extensions.get().map(|ErrorCode(code)| *code);
        let code = known.or_else(|| is_failed.then(|| code_of(status.as_u16())));
        let is_json = response.headers().get(CONTENT_TYPE).is_some_and(is_json);
        let Some(code) = code.filter(|_| is_json && extensions.get::<PassedBack>().is_none()) else {
            return response;
        };
        if !self.config().real_statuses {
            return response;
        }
        let (mut head, body) = response.into_parts();
        head.headers.remove(CONTENT_LENGTH);
        if status == StatusCode::OK {
            head.status = StatusCode::from_u16(status_of(code)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        }
        match to_bytes(body, MAX_REFUSAL).await {
            Ok(body) => Response::from_parts(head, Body::from(with_member(body.into(), code))),
            Err(_) => Response::from_parts(head, Body::empty()),
        }
    }
}

fn is_json(media_type: &HeaderValue) -> bool {
    media_type.as_bytes().starts_with(b"application/json")
}

/// A refusal's JSON with its code, unless it is of a task, whose answer has one, or refuses nothing.
fn with_member(mut json: Vec<u8>, code: &str) -> Vec<u8> {
    let refuses = serde_json::from_slice(&json).is_ok_and(|object: Map<String, Value>| {
        let says_no = |name: &str| object.get(name) == Some(&Value::Bool(false));
        (says_no("success") || says_no("auth")) && !object.contains_key("code")
    });
    if refuses && json.pop() == Some(b'}') {
        json.extend_from_slice(format!(r#","code":"{code}"}}"#).as_bytes());
    }
    json
}
