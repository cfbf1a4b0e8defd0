//! `mining-status`, `health` and `health-check`.

use super::jobs::{JobJson, Status};
use super::{Service, json};
use crate::calendar::UtcTime;
use crate::devnet::basics::{timestamp_now, unix_now};
use crate::devnet::faults::MiningMode;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

#[derive(Serialize)]
struct MiningStatus {
    miners: [(); 0],
    miners_count: u32,
    total_hashrate_ghs: u32,
    started_at: f64,
    txs_solved: usize,
    txs_timeout: usize,
    blocks_found: u32,
    uptime: f64,
    tx_queue: usize,
    tx_jobs: Vec<JobJson>,
    block_template_error: u32,
    block_template: Option<()>,
}

pub(super) async fn mining_status(State(service): State<Service>) -> Response {
    let jobs = service.jobs.all();
    let count = |status| jobs.iter().filter(|job| job.status == status).count();
    json(
        StatusCode::OK,
        &MiningStatus {
            miners: [],
            miners_count: 0,
            total_hashrate_ghs: 0,
            started_at: service.shared.started_at,
            txs_solved: count(Status::Done),
            txs_timeout: count(Status::Timeout),
            blocks_found: 0,
            uptime: unix_now() - service.shared.started_at,
            tx_queue: count(Status::Enqueued),
            block_template_error: 0,
            block_template: None,
            tx_jobs: jobs,
        },
    )
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    description: &'static str,
    checks: Checks,
}

#[derive(Serialize)]
struct Checks {
    manager: [Check; 1],
    fullnode: [Check; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    component_name: &'static str,
    component_type: &'static str,
    status: &'static str,
    output: &'static str,
    time: String,
}

pub(super) async fn health(State(service): State<Service>) -> Response {
    let (code, status, output) = match service.shared.faults.mining().mode {
        MiningMode::NoMiners => (StatusCode::SERVICE_UNAVAILABLE, "fail", "No miners connected"),
        _ => (StatusCode::OK, "pass", "Everything is ok"),
    };
    let time = format!("{}Z", UtcTime::from_unix(timestamp_now().into()).iso());
    let health = Health {
        status,
        description: "Health status of TxMiningService",
        checks: Checks {
            manager: [Check {
                component_name: "manager",
                component_type: "internal",
                status,
                output,
                time: time.clone(),
            }],
            fullnode: [Check {
                component_name: "fullnode",
                component_type: "http",
                status: "pass",
                output: "Fullnode is healthy",
                time,
            }],
        },
    };
    json(code, &health)
}

#[derive(Serialize)]
struct Alive {
    success: bool,
}

pub(super) async fn health_check() -> Response {
    json(StatusCode::OK, &Alive { success: true })
}
