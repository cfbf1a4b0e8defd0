//! `submit-job`, `job-status`, `cancel-job`, `mining-status`, `health` and `health-check`.

use super::jobs::{self, CancelError, Expected, Order, Status};
use super::{Service, error, json};
use crate::devnet::chain::is_standard;
use crate::devnet::faults::MiningMode;
use crate::devnet::node_api::status::check;
use crate::devnet::shared::Shared;
use crate::devnet::unix_now;
use crate::devnet::vertex_json::object;
use crate::ledger::{Transaction, VertexId};
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

/// The greatest weight that is mined.
const MAX_WEIGHT: f64 = 35.0;
/// How far a timestamp may be from now, in seconds.
const MAX_TIMESTAMP_DISTANCE: f64 = 300.0;
/// The longest time for a job, and the time when none is asked for, in seconds.
const MAX_TIMEOUT: f64 = 20.0;
/// What the service expects of a job while it knows of no miner, in seconds.
const EXPECTED_WITHOUT_MINERS: f64 = 5.0;

pub(super) async fn submit_job(State(service): State<Service>, body: Bytes) -> Response {
    let order = match read_order(&service.shared, &body) {
        Ok(order) => order,
        Err(name) => return error(StatusCode::BAD_REQUEST, name),
    };
    let Ok(id) = order.tx.id() else {
        return error(StatusCode::BAD_REQUEST, "invalid-tx");
    };
    let expected = match service.shared.faults.mining().mode {
        MiningMode::NoMiners => Expected::Seconds(EXPECTED_WITHOUT_MINERS),
        _ => Expected::Nothing,
    };
    let shown = match service.jobs.add(id, order, expected) {
        Err(running) => running.shown(),
        Ok(job) => {
            // Shown as it was submitted; the work begins behind the client's back.
            let shown = job.shown();
            tokio::spawn(jobs::work(service, job));
            shown
        }
    };
    json(StatusCode::OK, &shown)
}

fn read_order(shared: &Shared, body: &[u8]) -> Result<Order, &'static str> {
    let body = crate::json::read(body).map_err(|_| "cannot-decode-json")?;
    let Value::Object(body) = body else { return Err("json-must-be-an-object") };
    let tx = body.get("tx").filter(|tx| !is_empty(tx)).ok_or("missing-tx")?;
    let tx = tx.as_str().and_then(|tx| hex::decode(tx).ok()).ok_or("invalid-tx")?;
    let tx = Transaction::from_bytes_with_v2(&tx).map_err(|_| "invalid-tx")?;
    // Not a number is no weight either.
    if tx.weight.is_nan() || tx.weight > MAX_WEIGHT {
        return Err("tx-weight-is-too-high");
    }
    if !shared.read(|chain| is_standard(&tx, chain.rules())) {
        return Err("non-standard-tx");
    }
    if (f64::from(tx.timestamp) - unix_now()).abs() > MAX_TIMESTAMP_DISTANCE {
        return Err("tx-timestamp-invalid");
    }
    let timeout = match body.get("timeout") {
        None | Some(Value::Null) => MAX_TIMEOUT,
        Some(timeout) => {
            timeout.as_f64().filter(|timeout| *timeout > 0.0).ok_or("invalid-timeout")?.min(MAX_TIMEOUT)
        }
    };
    let flag = |name| body.get(name).and_then(Value::as_bool).unwrap_or(false);
    Ok(Order { tx, add_parents: flag("add_parents"), propagate: flag("propagate"), timeout })
}

/// Whether Python takes a value for nothing, where one of these types is given.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// The `job-id` of a query; `Ok(None)` for one of a length that no job's id has.
fn job_id(query: Option<String>) -> Result<Option<VertexId>, &'static str> {
    let query = query.unwrap_or_default();
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let (_, text) =
        pairs.find(|(name, text)| name == "job-id" && !text.is_empty()).ok_or("missing-job-id")?;
    let bytes = hex::decode(text.as_ref()).map_err(|_| "invalid-uuid")?;
    Ok(bytes.try_into().ok().map(VertexId))
}

fn not_found() -> Response {
    error(StatusCode::NOT_FOUND, "job-not-found")
}

pub(super) async fn job_status(State(service): State<Service>, RawQuery(query): RawQuery) -> Response {
    match job_id(query) {
        Err(name) => error(StatusCode::BAD_REQUEST, name),
        Ok(id) => match id.and_then(|id| service.jobs.get(&id)) {
            Some(job) => json(StatusCode::OK, &job.shown()),
            None => not_found(),
        },
    }
}

/// The body says nothing, but is read: a connection whose request was left unread can't be used again.
pub(super) async fn cancel_job(
    State(service): State<Service>,
    RawQuery(query): RawQuery,
    _body: Bytes,
) -> Response {
    let id = match job_id(query) {
        Err(name) => return error(StatusCode::BAD_REQUEST, name),
        Ok(None) => return not_found(),
        Ok(Some(id)) => id,
    };
    match service.jobs.cancel(&id) {
        Ok(()) => json(StatusCode::OK, &object! { "cancelled": true, "job-id": id.to_string() }),
        Err(CancelError::NotFound) => not_found(),
        Err(CancelError::Finished) => error(StatusCode::BAD_REQUEST, "job-has-already-finished"),
    }
}

pub(super) async fn mining_status(State(service): State<Service>) -> Response {
    let jobs = service.jobs.all();
    let count = |status| jobs.iter().filter(|job| job.status == status).count();
    let started_at = service.shared.started_at;
    let status = object! {
        "miners": [(); 0],
        "miners_count": 0,
        "total_hashrate_ghs": 0,
        "started_at": started_at,
        "txs_solved": count(Status::Done),
        "txs_timeout": count(Status::Timeout),
        "blocks_found": 0,
        "uptime": unix_now() - started_at,
        "tx_queue": count(Status::Enqueued),
        "tx_jobs": jobs,
        "block_template_error": 0,
        "block_template": (),
    };
    json(StatusCode::OK, &status)
}

pub(super) async fn health(State(service): State<Service>) -> Response {
    let (code, status, output) = match service.shared.faults.mining().mode {
        MiningMode::NoMiners => (StatusCode::SERVICE_UNAVAILABLE, "fail", "No miners connected"),
        _ => (StatusCode::OK, "pass", "Everything is ok"),
    };
    let checks = object! {
        "manager": [check("manager", "internal", status, output)],
        "fullnode": [check("fullnode", "http", "pass", "Fullnode is healthy")],
    };
    let description = "Health status of TxMiningService";
    json(code, &object! { "status": status, "description": description, "checks": checks })
}

pub(super) async fn health_check() -> Response {
    json(StatusCode::OK, &object! { "success": true })
}
