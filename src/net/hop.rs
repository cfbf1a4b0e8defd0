//! Forwarding a request to another server of the same operator, and its answer back as it comes.

use super::native::net_error;
use super::{NetError, Url, tls};
use axum::body::{Body, Bytes};
use hyper::{HeaderMap, Method, Response};
use reqwest::redirect::Policy;
use std::sync::OnceLock;
use std::time::Duration;

/// Nothing is sent before the connection is made.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);
/// Shorter than servers keep idle connections.
const POOL_IDLE: Duration = Duration::from_secs(30);
/// Per server.
const MAX_IDLE: usize = 64;

/// Sends a request once and returns the head of the answer; its body is read as fast as the caller reads it.
/// Dropping either closes the connection.
///
/// # Errors
/// [`NetError::Connect`] if nothing was sent; [`NetError::Broken`] if the request may have been carried out.
pub(crate) async fn pass_on(
    method: Method,
    url: &Url,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, NetError> {
    let url = reqwest::Url::parse(url.as_str()).map_err(|error| NetError::Connect(error.to_string()))?;
    let request = client().request(method, url).headers(headers).body(body);
    // No time limit: the request may be a stream.
    let response = request.send().await.map_err(|error| net_error(error, CONNECT_LIMIT))?;
    Ok(Response::from(response).map(Body::new))
}

fn client() -> &'static reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let builder = reqwest::Client::builder()
            .user_agent(concat!("headless-wallet/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            // The network between servers is the operator's, without a proxy.
            .no_proxy()
            .referer(false)
            .tcp_nodelay(true)
            .connect_timeout(CONNECT_LIMIT)
            .pool_idle_timeout(POOL_IDLE)
            .pool_max_idle_per_host(MAX_IDLE)
            .tls_backend_preconfigured(tls::of_the_world().as_ref().clone());
        builder.build().expect("a client with its own TLS configuration needs nothing of the system")
    })
}
