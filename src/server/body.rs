//! Request bodies and queries as JSON objects, whatever form they were sent in.

use super::App;
use super::answer::Refused;
use super::form::{nested_object, query_object};
use crate::api::Refusal;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use serde_json::{Map, Value};
use zeroize::Zeroize;

/// Most bytes of a body.
pub(super) const MAX_BODY_BYTES: usize = 100 * 1024;

/// A request's body, which must be a JSON object or a form.
pub(super) struct Body(pub Map<String, Value>);

/// A request's query.
pub(super) struct Query(pub Map<String, Value>);

impl FromRequest<App> for Body {
    type Rejection = Refused;
    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let headers = request.headers().clone();
        let bytes =
            Bytes::from_request(request, app).await.map_err(|error| app.refuse(unreadable(&error)))?;
        let body =
            read_body(&headers, &bytes, app).map(Self).map_err(|error| app.refuse(Refusal::Body(error)));
        // There may be words in it.
        if let Ok(mut bytes) = bytes.try_into_mut() {
            bytes.as_mut().zeroize();
        }
        body
    }
}

impl FromRequestParts<App> for Query {
    type Rejection = Refused;
    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Refused> {
        Ok(Self(query_of(&parts.uri)))
    }
}

/// The query of a request's address.
pub(super) fn query_of(uri: &Uri) -> Map<String, Value> {
    query_object(uri.query().unwrap_or_default())
}

pub(super) fn too_large() -> String {
    format!("The request body is too large: at most {MAX_BODY_BYTES} bytes are read.")
}

fn unreadable(error: &BytesRejection) -> Refusal {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Refusal::Body(too_large())
    } else {
        Refusal::Body("The request body ended early or could not be read: send the request again.".to_owned())
    }
}

fn read_body(headers: &HeaderMap, bytes: &[u8], app: &App) -> Result<Map<String, Value>, String> {
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let content_type = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let media_type =
        content_type.as_deref().and_then(|text| text.split(';').next()).unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        json_object(bytes)
    } else if media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        form_object(bytes)
    } else if app.config().compat.ignores_unknown_content_types() {
        Ok(Map::new())
    } else if media_type.is_empty() {
        Err("The request has a body and no Content-Type: send `Content-Type: application/json`.".to_owned())
    } else {
        Err(format!("The request's Content-Type is {media_type}: send `Content-Type: application/json`."))
    }
}

fn json_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let kind = match crate::json::read(bytes) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(Value::Array(_)) => "an array",
        Ok(Value::String(_)) => "a string",
        Ok(Value::Number(_)) => "a number",
        Ok(Value::Bool(_)) => "a boolean",
        Ok(Value::Null) => "null",
        Err(error) => return Err(format!("The request body is not valid JSON: {error}.")),
    };
    Err(format!("The request body must be a JSON object, and is {kind}."))
}

fn form_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    // What `curl --data '{…}'` sends unless it is told otherwise.
    if bytes.trim_ascii_start().starts_with(b"{") {
        return Err("The request body is JSON, and its Content-Type says that it is a form: \
                    send `Content-Type: application/json`."
            .to_owned());
    }
    nested_object(bytes)
}
