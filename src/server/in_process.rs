//! The server for callers in its own process.

use super::App;
use super::auth::Caller;
use super::http::service;
use crate::net::{Method, NetError, Request, Response};
use crate::rt;
use axum::body::{Body, to_bytes};
use axum::http;
use tower::ServiceExt;

impl App {
    /// Answers a request as the server would that [`run`](super::run) runs, without a connection: of the URL,
    /// only path and query are looked at. No key is asked for: whoever has the process has the wallets.
    ///
    /// # Errors
    /// [`NetError::Timeout`] or [`NetError::TooLarge`] past the request's limits, [`NetError::Broken`] if a
    /// header or the path can't be one of HTTP.
    pub async fn answer(&self, request: Request) -> Result<Response, NetError> {
        let (limit, max_body) = (request.timeout, request.max_body);
        let request = as_received(request)?;
        let exchange = async {
            let Ok(response) = service(self).oneshot(request).await;
            let status = response.status().as_u16();
            let body = to_bytes(response.into_body(), max_body).await;
            let body = body.map_err(|_| NetError::TooLarge(max_body))?.to_vec();
            Ok(Response { status, retry_after: None, body })
        };
        rt::timeout(limit, exchange).await.unwrap_or(Err(NetError::Timeout(limit)))
    }
}

/// The request as a connection would have brought it.
fn as_received(request: Request) -> Result<http::Request<Body>, NetError> {
    let mut received = http::Request::builder()
        .method(match request.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Put => http::Method::PUT,
            Method::Delete => http::Method::DELETE,
        })
        .uri(request.url.target())
        .header(http::header::HOST, "localhost");
    for (name, value) in request.headers {
        received = received.header(name, value);
    }
    if request.json.is_some() {
        received = received.header(http::header::CONTENT_TYPE, "application/json");
    }
    let body = request.json.map_or_else(Body::empty, Body::from);
    let mut received = received.body(body).map_err(|error| NetError::Broken(error.to_string()))?;
    received.extensions_mut().insert(Caller::Owner);
    Ok(received)
}
