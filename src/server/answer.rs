//! Answers as HTTP responses.

use super::App;
use super::content_encoding::SUPPORTED;
use super::metrics::Refusing;
use super::real_status::with_code;
use crate::api::texts::NO_ENDPOINT;
use crate::api::{Failure, Refusal, WalletRefusal};
use crate::ledger::VertexId;
use crate::operations::buffers::Buffer;
use crate::operations::codes::refusal_code;
use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The type of such answers.
pub(super) const JSON: &str = "application/json; charset=utf-8";

/// A request that was refused, as a response. Boxed, because it is the rare half of most results.
#[derive(Debug)]
pub(super) struct Refused(Box<Response>);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        *self.0
    }
}

impl Refused {
    /// With a code that says more than the refusal's own.
    pub(super) fn with_code(self, code: &'static str) -> Self {
        with_code(*self.0, code).into()
    }
}

impl From<Response> for Refused {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl App {
    /// The response for a refusal.
    pub(super) fn refuse(&self, refusal: Refusal) -> Refused {
        let status = StatusCode::from_u16(refusal.status()).expect("refusals have valid statuses");
        let mut response = json_with(status, &refusal.answer(self.config().compat));
        response.extensions_mut().insert(Why(refusal.sentence()));
        if status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            response.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static(SUPPORTED));
        }
        with_code(refusing(response), refusal_code(&refusal)).into()
    }
    /// The response for a request that reaches no wallet.
    pub(super) fn refuse_wallet(&self, refusal: &WalletRefusal) -> Response {
        let mut response = refusing(json(&refusal.answer(self.config().compat)));
        response.extensions_mut().insert(Why(refusal.message().into_owned()));
        if matches!(refusal, WalletRefusal::NotReady(_)) {
            response.extensions_mut().insert(Unsettled);
        }
        with_code(response, refusal.code())
    }
}

/// On a response that does not say what came of the request: it may be carried out anew under its key.
#[derive(Clone, Copy)]
pub(super) struct Unsettled;

/// On a response: the transaction that was sent.
#[derive(Clone, Copy)]
pub(super) struct Sent(pub VertexId);

/// On a response that says no: why, in a sentence.
#[derive(Clone)]
pub(super) struct Why(pub String);

/// A failure as a JSON response of any status.
pub(super) fn failed(status: StatusCode, error: impl Into<String>) -> Response {
    let failure = Failure::new(error);
    let mut response = json_with(status, &failure);
    response.extensions_mut().insert(Why(failure.error));
    response
}

/// Whether a response is that of an operation that was refused.
pub(super) fn is_refusal(response: &Response) -> bool {
    response.extensions().get::<Refusing>().is_some()
}

/// An answer of another server that says no.
pub(super) fn refusing_forwarded(response: Response) -> Response {
    refusing(response)
}

fn refusing(mut response: Response) -> Response {
    response.extensions_mut().insert(Refusing);
    response
}

/// A JSON response with status 200.
pub(super) fn json(answer: &impl Serialize) -> Response {
    json_with(StatusCode::OK, answer)
}

/// A JSON response.
pub(super) fn json_with(status: StatusCode, answer: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(answer).expect("answers have text keys and no failing parts");
    with_type(status, JSON, bytes)
}

/// A JSON response with status 200, written already.
pub(super) fn json_text(text: Vec<u8>) -> Response {
    with_type(StatusCode::OK, JSON, Bytes::from_owner(Buffer::from(text)))
}

pub(super) fn html(status: StatusCode, page: impl Into<Body>) -> Response {
    with_type(status, "text/html; charset=utf-8", page)
}

/// A response of any type.
pub(super) fn with_type(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// An unknown path, or a method that a path doesn't have.
pub(super) fn not_found(app: &App, method: &Method, uri: &Uri) -> Response {
    #[derive(Serialize)]
    struct NotFound {
        success: bool,
        error: String,
    }
    let path = uri.path();
    if app.config().compat.not_found_is_json() {
        let error = format!("Cannot {method} {path}: {NO_ENDPOINT}");
        return json_with(StatusCode::NOT_FOUND, &NotFound { success: false, error });
    }
    let mut response = html(StatusCode::NOT_FOUND, not_found_page(method, path));
    let headers = response.headers_mut();
    headers.insert("content-security-policy", HeaderValue::from_static("default-src 'none'"));
    response
}

fn not_found_page(method: &Method, path: &str) -> String {
    let path = path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n\
         <body>\n<pre>Cannot {method} {path}</pre>\n</body>\n</html>\n"
    )
}

/// What is answered when a handler panics.
pub(super) fn panicked() -> Response {
    #[derive(Serialize)]
    struct Panicked {
        success: bool,
        error: &'static str,
    }
    json_with(
        StatusCode::INTERNAL_SERVER_ERROR,
        &Panicked {
            success: false,
            error: "Internal error: this is a fault of the service. Its log has the details.",
        },
    )
}
