//! The mining service's HTTP API, as tx-mining-service 0.23 speaks it.

mod jobs;
mod requests;

use super::Shared;
use super::faults::MiningMode;
use super::node_api::{cors_headers, json_with as json, refusal};
use super::shared::local_origin;
use super::vertex_json::object;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use jobs::Jobs;
use std::sync::Arc;

/// What the handlers share.
#[derive(Clone)]
struct Service {
    shared: Arc<Shared>,
    jobs: Arc<Jobs>,
}

/// The routes, on `/`.
pub(super) fn routes(shared: Arc<Shared>) -> Router {
    let service = Service { shared: shared.clone(), jobs: Arc::default() };
    Router::new()
        .route("/submit-job", post(requests::submit_job))
        .route("/job-status", get(requests::job_status))
        .route("/cancel-job", post(requests::cancel_job))
        .route("/mining-status", get(requests::mining_status))
        .route("/health", get(requests::health))
        .route("/health-check", get(requests::health_check))
        .fallback(async || text(StatusCode::NOT_FOUND, "404: Not Found"))
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(shared.clone(), add_cors))
        .layer(from_fn_with_state(shared, break_down))
        .with_state(service)
}

fn text(status: StatusCode, body: &'static str) -> Response {
    (status, body).into_response()
}

/// Browsers may ask beforehand whether they may post, and for nothing else.
async fn wrong_method(uri: Uri, method: Method) -> Response {
    if method == Method::OPTIONS && matches!(uri.path(), "/submit-job" | "/cancel-job") {
        return json(StatusCode::OK, &"{}");
    }
    text(StatusCode::METHOD_NOT_ALLOWED, "405: Method Not Allowed")
}

/// A refusal, by its name.
fn error(status: StatusCode, name: &'static str) -> Response {
    json(status, &object! { "error": name })
}

async fn add_cors(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let method = HeaderValue::from_str(request.method().as_str()).unwrap_or(HeaderValue::from_static("GET"));
    let local = local_origin(&request);
    let mut response = next.run(request).await;
    cors_headers(&shared, local, method, response.headers_mut());
    response
}

async fn break_down(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let faults = shared.faults.mining();
    if faults.mode == MiningMode::Down {
        return refusal(faults.status, faults.retry_after);
    }
    next.run(request).await
}
