//! Cross-origin headers, where `cors_origins` is set: those that the interface document asks of a reverse
//! proxy, and the headers of this server that it does not know.
//!
//! The layer of tower-http gives preflights another status, and what is allowed to them alone; clients have
//! come to know these.

use axum::body::Body;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CONTENT_TYPE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, DELETE, OPTIONS");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "X-Wallet-Id,X-API-KEY,X-First-Address,X-Request-Id,Idempotency-Key,Prefer,Priority,DNT,User-Agent,\
     X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range",
);
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Content-Length,Content-Range,Retry-After,X-Request-Id,Idempotency-Replayed");
const ANY: &str = "*";

/// The origins whose pages may use the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Reads a list separated by commas or spaces; `*` stands for all.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let listed = text.split([',', ' ']).filter(|origin| !origin.is_empty()).map(str::to_owned);
        let origins: Vec<_> = listed.collect();
        let is_origin = |text: &str| {
            text == ANY || url::Url::parse(text).is_ok_and(|url| url.origin().ascii_serialization() == text)
        };
        if origins.iter().all(|text| is_origin(text)) {
            Ok(Self(origins))
        } else {
            Err("origins such as https://example.com (scheme and host, no path), or *".to_owned())
        }
    }

    /// What a request's answer allows, if it is of an allowed origin.
    pub(super) fn allowed(&self, request: &HeaderMap) -> Option<Allowed> {
        if self.0.iter().any(|origin| origin == ANY) {
            return Some(Allowed { origin: HeaderValue::from_static(ANY), varies: false });
        }
        let origin = request.get(ORIGIN)?;
        let listed = self.0.iter().any(|listed| listed.as_bytes() == origin.as_bytes());
        listed.then(|| Allowed { origin: origin.clone(), varies: true })
    }
}

/// That pages of an origin may read an answer.
pub(super) struct Allowed {
    origin: HeaderValue,
    /// Whether the answer is another one for another origin.
    varies: bool,
}

impl Allowed {
    /// The answer to every `OPTIONS`: browsers ask before they send, without any header of the request to
    /// come.
    pub fn preflight(&self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        self.allow(response.headers_mut());
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("1728000"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response
    }

    /// Lets pages read an answer.
    pub fn expose(&self, response: &mut Response) {
        self.allow(response.headers_mut());
        response.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }

    fn allow(&self, headers: &mut HeaderMap) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, self.origin.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
        if self.varies {
            headers.append(VARY, HeaderValue::from_static("Origin"));
        }
    }
}
