//! The full node's HTTP and WebSocket API, version `v1a`, as nodes 0.70 and 0.71 speak it, and of version
//! `v2` what is said of amounts with 18 decimals, as in the branch `feat/decimal/v2`.

mod addresses;
mod nano;
mod requests;
pub(super) mod status;
mod tokens;
mod transaction;
mod tx_json;
mod ws;

use super::faults::NodeMode;
use super::shared::{Notice, allow_origin, local_origin};
use super::vertex_json::object;
use super::{Shared, vertex_json};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde::Serialize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// How the path of the WebSocket ends.
pub(super) const WEBSOCKET_PATH: &str = "/v1a/ws";

/// How often connections are told the state of the network.
const METRICS_INTERVAL: Duration = Duration::from_secs(1);

/// The routes, on `/v1a/`.
pub(super) fn routes(shared: Arc<Shared>) -> Router {
    let routes: [(&str, MethodRouter<Arc<Shared>>); 24] = [
        ("version", get(status::version)),
        ("status", get(status::status)),
        ("feature", get(status::feature)),
        ("health", get(status::health)),
        ("p2p/readiness", get(status::readiness)),
        ("getmininginfo", get(status::mining_info)),
        ("mempool", get(status::mempool)),
        ("tx_parents", get(status::tx_parents)),
        ("validate_address/{address}", get(addresses::validate)),
        ("thin_wallet/address_history", get(addresses::history_by_query).post(addresses::history_by_body)),
        ("thin_wallet/address_balance", get(addresses::balance)),
        ("thin_wallet/address_search", get(addresses::search)),
        ("thin_wallet/token", get(tokens::token)),
        ("thin_wallet/token_history", get(tokens::history)),
        (
            "push_tx",
            get(transaction::push_by_query)
                .post(transaction::push_by_body)
                .options(transaction::push_options),
        ),
        ("decode_tx", get(transaction::decode)),
        ("transaction", get(transaction::transaction)),
        ("transaction_acc_weight", get(transaction::accumulated_weight)),
        ("dashboard_tx", get(transaction::dashboard)),
        ("block_at_height", get(transaction::block_at_height)),
        ("nano_contract/state", get(nano::state)),
        ("nano_contract/history", get(nano::history)),
        ("nano_contract/blueprint/info", get(nano::blueprint)),
        ("ws", get(ws::open)),
    ];
    let mut router = Router::new();
    for (path, methods) in routes {
        // A node's resources do not care about a slash at the end.
        router = router.route(&format!("/v1a/{path}"), methods.clone());
        router = router.route(&format!("/v1a/{path}/"), methods);
    }
    let in_decimals = [
        ("thin_wallet/address_balance", get(addresses::balance_in_decimals)),
        ("thin_wallet/token", get(tokens::token_in_decimals)),
    ];
    for (path, methods) in in_decimals {
        router = router.route(&format!("/v2/{path}"), methods.clone());
        router = router.route(&format!("/v2/{path}/"), methods);
    }
    router
        .fallback(requests::no_such_resource)
        .method_not_allowed_fallback(requests::wrong_method)
        .layer(from_fn_with_state(shared.clone(), add_cors))
        .layer(from_fn_with_state(shared.clone(), break_down))
        .with_state(shared)
}

/// Tells every connection the state of the network, again and again.
pub(super) async fn run_metrics(shared: Arc<Shared>) {
    let mut stopped = pin!(shared.stopped());
    let mut ticks = tokio::time::interval(METRICS_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => shared.hub.publish(&Notice::Everyone(shared.read(vertex_json::metrics_frame))),
            () = &mut stopped => return,
        }
    }
}

/// Whether a text is as long as an address, once decoded. That is all that this version of the node looks at.
fn has_address_length(text: &str) -> bool {
    bs58::decode(text).into_vec().is_ok_and(|bytes| bytes.len() == 25)
}

/// A JSON answer; the fields keep their order.
fn json<T: Serialize>(body: &T) -> Response {
    json_with(StatusCode::OK, body)
}

pub(super) fn json_with<T: Serialize>(status: StatusCode, body: &T) -> Response {
    let body = serde_json::to_vec(body).expect("answers have text keys");
    let content_type = HeaderValue::from_static("application/json; charset=utf-8");
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// How a node says no: with status 200.
fn failure(message: impl Into<String>) -> Response {
    json(&object! { "success": false, "message": message.into() })
}

fn missing(parameters: &str) -> Response {
    failure(format!("Missing parameter: {parameters}"))
}

/// How the newer of the node's resources say no.
fn refused(status: StatusCode, error: String) -> Response {
    json_with(status, &object! { "success": false, "error": error })
}

/// The headers that the node sends whatever the request's origin, except with its error pages. (Local origins
/// are let in here alone.)
async fn add_cors(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let methods = match *request.method() {
        Method::OPTIONS => HeaderValue::from_static("GET, POST, OPTIONS"),
        ref method => HeaderValue::from_str(method.as_str()).unwrap_or(HeaderValue::from_static("GET")),
    };
    let local = local_origin(&request);
    let mut response = next.run(request).await;
    if response.extensions().get::<requests::WithoutCors>().is_none() {
        cors_headers(&shared, local, methods, response.headers_mut());
    }
    response
}

/// The four headers that both services send.
pub(super) fn cors_headers(
    shared: &Shared,
    local: Option<HeaderValue>,
    methods: HeaderValue,
    headers: &mut axum::http::HeaderMap,
) {
    allow_origin(shared, local, headers);
    let fixed = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("x-prototype-version,x-requested-with,content-type"),
        ),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("604800")),
    ];
    headers.extend(fixed.map(|(name, value): (HeaderName, HeaderValue)| (name, value)));
}

/// Brings about the faults that were asked for.
async fn break_down(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    match shared.node_mode(&path).await {
        NodeMode::Down => {
            let faults = shared.faults.node();
            refusal(faults.status, faults.retry_after)
        }
        NodeMode::Garbage => "<html>garbage".into_response(),
        NodeMode::Broken => {
            let _ = next.run(request).await;
            let broken = std::io::Error::other("broken off as asked");
            Response::new(Body::from_stream(futures_util::stream::iter([Ok("{"), Err(broken)])))
        }
        NodeMode::Normal | NodeMode::Slow => next.run(request).await,
    }
}

/// An answer of a service that does not work, or of the proxy before it.
pub(super) fn refusal(status: u16, retry_after: Option<u32>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let mut response = (status, format!("{status}\n")).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}
