//! What needs no wallet: the welcome page, health, metrics, a multisig participant's key, the configuration.

use super::valid::Valid;
use crate::api::texts::{
    CONFIG_NOT_RECOVERABLE, NOTHING_TO_CHECK, TOO_MANY_TO_CHECK, WALLET_ID_UNKNOWN_HEALTH, config_busy,
    config_refused,
};
use crate::api::{
    Compat, HealthAnswer, HealthCheck, HealthStatus, ProbeAnswer, Refusal, StartFailure, Success, XpubAnswer,
};
use crate::calendar::UtcTime;
use crate::net::brief;
use crate::node::{CallError, Health};
use crate::operations::{HealthQuery, MultisigPubkey};
use crate::rt;
use crate::server::App;
use crate::server::answer::{Refused, html, json, json_with, with_type};
use crate::server::auth::Caller;
use crate::server::body::Body;
use crate::server::gate::{Closed, unavailable};
use crate::server::reload::Reloaded;
use crate::server::start::participant_xpub;
use crate::service::Phase;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Most wallets that a health check names.
const MOST_ASKED: usize = 100;

pub(super) async fn welcome() -> Response {
    let page = "<html><body><h1>Welcome to Hathor Wallet API!</h1><p>See the <a href=\"docs/\">docs</a>, or <a href=\"docs/ui\">try them</a></p></body></html>";
    html(StatusCode::OK, page.to_owned())
}

pub(super) async fn metrics(State(app): State<App>) -> Response {
    with_type(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", app.metrics_text())
}

pub(super) async fn multisig_pubkey(State(app): State<App>, Body(body): Body) -> Response {
    let answer = async {
        let request = MultisigPubkey::read(&body)?;
        participant_xpub(&app, &request).await
    };
    let answer = answer.await;
    match answer {
        Ok(xpubkey) => json(&XpubAnswer(xpubkey)),
        Err(failure) => json(&failure.answer(app.config().compat)),
    }
}

/// Goes by the configuration as it is now.
pub(super) async fn reload_config(State(app): State<App>) -> Response {
    // A caller that hangs up must not leave it half done.
    let reloading = app.clone();
    let reloaded = rt::detached(Box::pin(async move { reloading.reload().await }));
    match reloaded.await.expect("reloading does not panic") {
        Reloaded::Done => json(&Success),
        Reloaded::Ending => app.refuse(Refusal::failure(CONFIG_NOT_RECOVERABLE)).into_response(),
        Reloaded::Refused(reason) => app.refuse(Refusal::failure(config_refused(&reason))).into_response(),
        Reloaded::Busy(requests) => app.refuse(Refusal::failure(config_busy(requests))).into_response(),
        Reloaded::Closed(why) => unavailable(why),
    }
}

pub(super) async fn health(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Valid(query): Valid<HealthQuery>,
) -> Result<Response, Refused> {
    let compat = app.config().compat;
    let refuse = |message: String| {
        Refused::from(json_with(StatusCode::BAD_REQUEST, &StartFailure::new(message).answer(compat)))
    };
    if !query.asks_something() {
        return Err(refuse(NOTHING_TO_CHECK.to_owned()));
    }
    let mut checks = Vec::new();
    let started = app.wallets().started().into_iter().map(|(id, _)| id).filter(|id| caller.is_for(id));
    let all: Vec<String> = started.filter(|_| query.asks_for_all(compat)).collect();
    let asked =
        if query.asks_for_all(compat) { all.iter().map(String::as_str).collect() } else { query.wallets() };
    // hathor-wallet-headless 0.39 has no limit.
    if !query.asks_for_all(compat) && compat == Compat::Documented && asked.len() > MOST_ASKED {
        return Err(refuse(TOO_MANY_TO_CHECK.to_owned()));
    }
    for id in asked {
        let wallet = app.wallets().get(id).filter(|_| caller.is_for(id));
        let wallet = wallet.ok_or_else(|| refuse(format!("{WALLET_ID_UNKNOWN_HEALTH}{id}")))?;
        let phase = wallet.status().phase;
        let (status, output) = match phase {
            Phase::Ready => (HealthStatus::Pass, "Wallet is ready".to_owned()),
            phase => (HealthStatus::Fail, format!("Wallet is not ready. Current state: {phase}")),
        };
        checks.push(check(format!("Wallet {id}"), "internal", status, output, id));
    }
    if query.include_fullnode {
        // As it prints: without a password.
        let url = app.config().server.to_string();
        let node = &app.backend().node;
        let (status, output) = told("Fullnode", "fullnode", node.health().await);
        let name = format!("Fullnode {url}");
        checks.push(check(name.clone(), "http", status, output, &url));
        // Nothing is gained by taking a server out of service that does what it did before, ahead of the
        // feature, on the word of a node.
        checks.extend(node.unsupported_features().iter().map(|feature| HealthCheck {
            affects_service: false,
            ..check(name.clone(), "http", HealthStatus::Warn, feature.to_string(), &url)
        }));
    }
    if let Some(url) = app.config().tx_mining_url.as_ref().filter(|_| query.include_tx_mining)
        && let Some(health) = app.backend().mining.health().await
    {
        let url = url.to_string();
        let (status, output) = told("Tx Mining Service", "tx-mining-service", health);
        checks.push(check(format!("TxMiningService {url}"), "http", status, output, &url));
    }
    let answer = HealthAnswer { checks, warn_is_unhealthy: app.config().warn_is_unhealthy };
    let status = StatusCode::from_u16(answer.http_status()).expect("200 or 503");
    Ok(json_with(status, &answer))
}

/// `GET /health/live`.
pub(super) async fn live() -> Response {
    json(&ProbeAnswer { problem: None })
}

/// `GET /health/ready`.
pub(super) async fn ready(State(app): State<App>) -> Response {
    let closed = app.gate().closed().or(app.is_draining().then_some(Closed::Ending));
    let problem = closed.map(Closed::text);
    let status = if problem.is_none() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    json_with(status, &ProbeAnswer { problem })
}

fn check(
    component_name: String,
    component_type: &'static str,
    status: HealthStatus,
    output: String,
    component_id: &str,
) -> HealthCheck {
    HealthCheck {
        component_name,
        component_type,
        status,
        output,
        time: iso_time(rt::unix_millis()),
        component_id: component_id.to_owned(),
        affects_service: true,
    }
}

/// What a service told of its health.
fn told(name: &str, short: &str, health: Result<Health, CallError>) -> (HealthStatus, String) {
    match health {
        Ok(health) => match HealthStatus::of(&health.status) {
            HealthStatus::Pass => (HealthStatus::Pass, format!("{name} is healthy")),
            status => (status, format!("{name} reported as unhealthy: {}", brief(health.raw.get()))),
        },
        Err(error) => (HealthStatus::Fail, format!("Error getting {short} health: {error}")),
    }
}

/// Unix milliseconds as `2024-01-01T00:00:00.000Z`.
fn iso_time(millis: u64) -> String {
    format!("{}.{:03}Z", UtcTime::from_unix(millis / 1_000).iso(), millis % 1_000)
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_written_as_javascript_writes_them() {
        assert_eq!(super::iso_time(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(super::iso_time(1_795_251_265_007), "2026-11-21T08:54:25.007Z");
    }
}
