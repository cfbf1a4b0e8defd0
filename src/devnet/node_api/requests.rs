//! Query strings as the node reads them, pages of lists, and HTML pages: what it says where it has no JSON.

use crate::devnet::vertex_json::VertexJson;
use crate::ledger::{Amount, Vertex, VertexId};
use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Number, Value};
use std::convert::Infallible;

/// The decoded pairs of a query string, in order.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn parse(query: &str) -> Self {
        Self(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// The first value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Every value of `key`.
    pub(super) fn all(&self, key: &str) -> Vec<String> {
        self.0.iter().filter(|(k, _)| k == key).map(|(_, value)| value.clone()).collect()
    }

    /// The values of these keys; the error is the message for what is missing.
    pub(super) fn required<const N: usize>(&self, keys: [&str; N]) -> Result<[&str; N], String> {
        let missing: Vec<&str> = keys.into_iter().filter(|key| self.get(key).is_none()).collect();
        if !missing.is_empty() {
            return Err(format!("Missing parameter: {}", missing.join(", ")));
        }
        Ok(keys.map(|key| self.get(key).unwrap_or_default()))
    }
}

/// The number of things asked for in the parameter `key`; the error is the message for what is no number.
pub(super) fn count(key: &str, text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("Failed to parse '{key}': invalid literal for int() with base 10: '{text}'"))
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

// Pages of lists that are newest first.

/// The most transactions of an answer (full node: `MAX_TX_COUNT`).
pub(super) const MAX_TRANSACTIONS: usize = 15;

/// One page of a list that is newest first, and whether the direction asked for has more: the first page, or
/// what comes after (`page=next`) or before (`page=previous`) the transaction `hash`.
pub(super) fn newest_first(list: &[Vertex], count: usize, query: &Query) -> (Vec<VertexJson>, bool) {
    let hash = query.get("hash").and_then(|hash| hash.parse::<VertexId>().ok());
    let place = hash.and_then(|hash| list.iter().position(|vertex| vertex.id == hash));
    let (page, has_more) = match (place, query.get("page")) {
        (Some(place), Some("previous")) => {
            let start = place.saturating_sub(count);
            (&list[start..place], start > 0)
        }
        (place, _) => {
            let rest = &list[place.map_or(0, |place| place + 1)..];
            (&rest[..count.min(rest.len())], rest.len() > count)
        }
    };
    (page.iter().map(VertexJson::from).collect(), has_more)
}

// The node's HTML pages: what it says where it has no JSON to say.

/// Marks an answer that the node sends without its `Access-Control` headers.
#[derive(Clone, Copy)]
pub(super) struct WithoutCors;

fn html_page(status: StatusCode, content_type: &'static str, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))], body).into_response()
}

fn error_page(status: StatusCode, title: &str, brief: &str, detail: &str) -> Response {
    let body = format!(
        "\n<html>\n  <head><title>{} - {title}</title></head>\n  <body>\n    <h1>{brief}</h1>\n    <p>{detail}</p>\n  </body>\n</html>\n",
        status.as_u16(),
    );
    let mut response = html_page(status, "text/html; charset=utf-8", body);
    response.extensions_mut().insert(WithoutCors);
    response
}

/// 404.
pub(super) async fn no_such_resource() -> Response {
    error_page(
        StatusCode::NOT_FOUND,
        "No Such Resource",
        "No Such Resource",
        "Sorry. No luck finding that resource.",
    )
}

/// 405 for a method that the node knows and the path does not take, 501 for any other.
pub(super) async fn wrong_method(request: Request<Body>) -> Response {
    let method = request.method();
    if !matches!(*method, Method::GET | Method::HEAD | Method::POST) {
        let detail = format!("I don't know how to treat a {method} request.");
        return error_page(StatusCode::NOT_IMPLEMENTED, "Huh?", "Huh?", &detail);
    }
    let path = request.uri().path();
    let detail = format!(
        "Your browser approached me (at {path}) with the method \"{method}\".  I only allow the methods HEAD, GET here.",
    );
    let mut response =
        error_page(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed", "Method Not Allowed", &detail);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("HEAD, GET"));
    response
}

/// How amounts are written in answers. Full node: `APIVersion` in `hathor/api_util.py`.
#[derive(Clone, Copy)]
pub(super) enum Amounts {
    /// At `/v1a/`: integers.
    Cents,
    /// At `/v2/`: texts such as `1.005`.
    Decimals,
}

impl Amounts {
    /// An amount as it is written; `None` if it has parts of a cent, and there is no way to write them.
    pub fn write(self, amount: Amount) -> Option<Value> {
        match self {
            Self::Cents => Number::from_u128(amount.whole_cents()?).map(Value::Number),
            Self::Decimals => Some(amount.decimal().into()),
        }
    }
}

/// 500: what the node answers when a request reaches something that it did not foresee.
pub(super) fn processing_failed() -> Response {
    html_page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "text/html",
        "<html><head><title>Processing Failed</title></head><body><b>Processing Failed</b></body></html>"
            .to_owned(),
    )
}
