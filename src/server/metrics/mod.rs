//! `GET /metrics`: what the server did, for Prometheus. The crate prometheus-client writes OpenMetrics
//! instead, with another media type and other lines.

mod services;

use super::App;
use crate::node::{BUCKETS, Durations, UnsupportedFeature};
use crate::rt;
use crate::service::SendError;
use crate::store::AuditHead;
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What paths without a route are counted as, so that callers can't make new ones.
const NO_ROUTE: &str = "none";

/// What methods are counted as that the service has no use for.
const OTHER_METHOD: &str = "other";

/// Counts since the start.
pub(super) struct Metrics {
    counts: Mutex<Counts>,
    /// Unix seconds.
    started: u32,
    /// How far this server has seen the audit log go.
    audit: Mutex<Option<AuditHead>>,
}

#[derive(Default)]
struct Counts {
    requests: BTreeMap<(String, String, u16, bool), u64>,
    durations: BTreeMap<String, Durations>,
    /// By what became of them.
    sends: [u64; OUTCOMES.len()],
    /// By what became of them.
    forwarded: [u64; FORWARDED.len()],
}

/// What becomes of a send: it is on the ledger, it is not, or that is not known.
const OUTCOMES: [&str; 3] = ["sent", "failed", "unknown"];

/// What becomes of a request for a wallet that another server runs: that one answers, nothing was done, or
/// its answer is lost.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Answered,
    NotDone,
    Lost,
}

/// As metrics call them.
const FORWARDED: [&str; 3] = ["answered", "not_done", "lost"];

impl Default for Metrics {
    fn default() -> Self {
        Self { counts: Mutex::default(), started: rt::unix_seconds(), audit: Mutex::default() }
    }
}

/// The route that took a request.
#[derive(Clone)]
pub(super) struct Route(MatchedPath);

/// That the answer says no, whatever its status.
#[derive(Clone, Copy)]
pub(super) struct Refusing;

impl Route {
    /// The route that takes a request, once the router has found it.
    pub fn of(request: &Request) -> Option<Self> {
        request.extensions().get::<MatchedPath>().cloned().map(Self)
    }
}

/// What a method is counted as: callers can make new ones.
fn label(method: &Method) -> &str {
    match *method {
        Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::DELETE | Method::OPTIONS => {
            method.as_str()
        }
        _ => OTHER_METHOD,
    }
}

impl Metrics {
    pub fn count(&self, method: &Method, response: &Response, took: Duration) {
        let refused = response.extensions().get::<Refusing>().is_some();
        let found = response.status() != StatusCode::NOT_FOUND || refused;
        let route = response.extensions().get::<Route>().filter(|_| found);
        let route = route.map_or(NO_ROUTE, |Route(path)| path.as_str()).to_owned();
        let method = if found { label(method) } else { "" }.to_owned();
        let mut counts = self.counts();
        let key = (method, route.clone(), response.status().as_u16(), refused);
        *counts.requests.entry(key).or_default() += 1;
        counts.durations.entry(route).or_default().note(took);
    }

    /// Notes how far the audit log goes.
    pub fn set_audit_head(&self, head: AuditHead) {
        let mut last = self.audit.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.count < head.count) {
            *last = Some(head);
        }
    }

    /// How far the audit log went when this server wrote it last.
    pub fn audit_head(&self) -> Option<AuditHead> {
        *self.audit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a send that came to its end.
    pub fn count_send(&self, failure: Option<&SendError>) {
        let outcome = match failure {
            // It is counted when it is sent.
            Some(SendError::AwaitsApproval { .. }) => return,
            None => 0,
            Some(
                SendError::Unknown { .. }
                | SendError::Open { .. }
                | SendError::RecordUnclear { .. }
                | SendError::CutOff,
            ) => 2,
            Some(_) => 1,
        };
        self.counts().sends[outcome] += 1;
    }

    /// Counts a request that was to be forwarded.
    pub fn count_forwarded(&self, outcome: Outcome) {
        self.counts().forwarded[outcome as usize] += 1;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A histogram's lines; `label` may be empty.
fn write_durations(text: &mut String, name: &str, label: &str, of: &Durations) -> std::fmt::Result {
    let (comma, all) = match label {
        "" => ("", String::new()),
        label => (",", format!("{{{label}}}")),
    };
    let mut total = 0;
    for (bound, count) in BUCKETS.iter().zip(of.buckets) {
        total += count;
        writeln!(text, "{name}_bucket{{{label}{comma}le=\"{bound}\"}} {total}")?;
    }
    let Durations { count, seconds, .. } = of;
    writeln!(text, "{name}_bucket{{{label}{comma}le=\"+Inf\"}} {count}")?;
    writeln!(text, "{name}_sum{all} {seconds}")?;
    writeln!(text, "{name}_count{all} {count}")
}

impl App {
    /// Everything in the text format of Prometheus.
    pub(super) fn metrics_text(&self) -> String {
        let mut text = String::new();
        // Writing to a text can't fail.
        let _ = self
            .write_requests(&mut text)
            .and_then(|()| self.write_wallets(&mut text))
            .and_then(|()| services::write(&self.backend(), &mut text));
        self.write_store(&mut text);
        self.write_service(&mut text);
        text
    }

    fn write_service(&self, text: &mut String) {
        let Metrics { started, audit, .. } = self.metrics();
        let version = env!("CARGO_PKG_VERSION");
        // Without the request that is answered by this.
        let inside = self.under_way().saturating_sub(1);
        text.push_str(&format!(
            "# HELP headless_wallet_http_requests_in_flight Requests in progress.\n\
             # TYPE headless_wallet_http_requests_in_flight gauge\n\
             headless_wallet_http_requests_in_flight {inside}\n\
             # HELP headless_wallet_build_info The version of the service.\n\
             # TYPE headless_wallet_build_info gauge\n\
             headless_wallet_build_info{{version=\"{version}\"}} 1\n\
             # HELP process_start_time_seconds Start of the service, in seconds since 1970.\n\
             # TYPE process_start_time_seconds gauge\n\
             process_start_time_seconds {started}\n"
        ));
        if let Some(AuditHead { count, hash }) = *audit.lock().unwrap_or_else(PoisonError::into_inner) {
            let hash = hex::encode(hash);
            text.push_str(&format!(
                "# HELP headless_wallet_audit_records Lines of the audit log, as this server last wrote one.\n\
                 # TYPE headless_wallet_audit_records gauge\n\
                 headless_wallet_audit_records {count}\n\
                 # HELP headless_wallet_audit_head_info The hash of that line.\n\
                 # TYPE headless_wallet_audit_head_info gauge\n\
                 headless_wallet_audit_head_info{{hash=\"{hash}\"}} 1\n"
            ));
        }
    }

    /// What there is to say of a store that several servers may use.
    fn write_store(&self, text: &mut String) {
        let stores = self.stores();
        let Some(lease) = stores.as_ref().and_then(|stores| stores.lease()) else { return };
        let health = lease.health();
        let (up, accounts, open) = (u8::from(health.problem.is_none()), health.accounts, health.open_pushes);
        text.push_str(&format!(
            "# HELP headless_wallet_store_up Whether the database answers.\n\
             # TYPE headless_wallet_store_up gauge\n\
             headless_wallet_store_up {up}\n\
             # HELP headless_wallet_store_accounts Accounts that this server runs.\n\
             # TYPE headless_wallet_store_accounts gauge\n\
             headless_wallet_store_accounts {accounts}\n\
             # HELP headless_wallet_store_open_pushes Recorded pushes with an unknown outcome.\n\
             # TYPE headless_wallet_store_open_pushes gauge\n\
             headless_wallet_store_open_pushes {open}\n"
        ));
        text.push_str(
            "# HELP headless_wallet_forwarded_requests_total Requests forwarded to other servers, by outcome.\n\
             # TYPE headless_wallet_forwarded_requests_total counter\n",
        );
        for (outcome, count) in FORWARDED.iter().zip(self.metrics().counts().forwarded) {
            text.push_str(&format!(
                "headless_wallet_forwarded_requests_total{{outcome=\"{outcome}\"}} {count}\n"
            ));
        }
        if let Some(renewed) = health.renewed {
            let seconds = renewed.as_secs_f64();
            text.push_str(&format!(
                "# HELP headless_wallet_store_lease_age_seconds Time since this server's lease was renewed; it ends at 1.5.\n\
                 # TYPE headless_wallet_store_lease_age_seconds gauge\n\
                 headless_wallet_store_lease_age_seconds {seconds:.3}\n"
            ));
        }
    }

    fn write_requests(&self, text: &mut String) -> std::fmt::Result {
        let counts = self.metrics().counts();
        text.push_str(
            "# HELP headless_wallet_http_requests_total Requests answered. Many refusals have status 200.\n\
             # TYPE headless_wallet_http_requests_total counter\n",
        );
        for ((method, route, status, refused), count) in &counts.requests {
            writeln!(
                text,
                "headless_wallet_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\",\
                 refused=\"{refused}\"}} {count}"
            )?;
        }
        text.push_str(
            "# HELP headless_wallet_http_request_duration_seconds Time from request to answer.\n\
             # TYPE headless_wallet_http_request_duration_seconds histogram\n",
        );
        let name = "headless_wallet_http_request_duration_seconds";
        for (route, durations) in &counts.durations {
            write_durations(text, name, &format!("route=\"{route}\""), durations)?;
        }
        text.push_str(
            "# HELP headless_wallet_sends_total Transactions to be sent, by outcome.\n\
             # TYPE headless_wallet_sends_total counter\n",
        );
        for (outcome, count) in OUTCOMES.iter().zip(counts.sends) {
            writeln!(text, "headless_wallet_sends_total{{outcome=\"{outcome}\"}} {count}")?;
        }
        Ok(())
    }

    fn write_wallets(&self, text: &mut String) -> std::fmt::Result {
        let mut states: BTreeMap<String, usize> = ["Connecting", "Syncing", "Processing", "Ready", "Error"]
            .map(|state| (state.to_owned(), 0))
            .into();
        for (_, wallet) in self.wallets().started() {
            *states.entry(wallet.status().phase.to_string()).or_default() += 1;
        }
        text.push_str(
            "# HELP headless_wallet_wallets Started wallets by state.\n# TYPE headless_wallet_wallets gauge\n",
        );
        for (state, count) in states {
            writeln!(text, "headless_wallet_wallets{{state=\"{state}\"}} {count}")?;
        }
        let (waiting, running) = self.tasks_under_way();
        text.push_str(
            "# HELP headless_wallet_tasks Tasks that have not ended.\n# TYPE headless_wallet_tasks gauge\n",
        );
        writeln!(text, "headless_wallet_tasks{{status=\"queued\"}} {waiting}")?;
        writeln!(text, "headless_wallet_tasks{{status=\"mining\"}} {running}")?;
        text.push_str(
            "# HELP headless_wallet_unsupported_feature Features of the network that this version does not support.\n\
             # TYPE headless_wallet_unsupported_feature gauge\n",
        );
        for UnsupportedFeature { name, state } in self.backend().node.unsupported_features().iter() {
            let state = state.name();
            writeln!(text, "headless_wallet_unsupported_feature{{feature=\"{name}\",state=\"{state}\"}} 1")?;
        }
        self.write_webhooks(text)
    }

    fn write_webhooks(&self, text: &mut String) -> std::fmt::Result {
        let webhooks = self.webhooks();
        let ([behind, broker_behind], off, dropped) = (webhooks.behind(), webhooks.off(), webhooks.dropped());
        let ([taken, failed], [broker_taken, broker_failed]) = (webhooks.posts(), webhooks.messages());
        write!(
            text,
            "# HELP headless_wallet_webhook_posts_total Deliveries to webhooks, by outcome.\n\
             # TYPE headless_wallet_webhook_posts_total counter\n\
             headless_wallet_webhook_posts_total{{outcome=\"taken\"}} {taken}\n\
             headless_wallet_webhook_posts_total{{outcome=\"failed\"}} {failed}\n\
             # HELP headless_wallet_webhook_events_behind Events not yet delivered to webhooks.\n\
             # TYPE headless_wallet_webhook_events_behind gauge\n\
             headless_wallet_webhook_events_behind {behind}\n\
             # HELP headless_wallet_webhooks_off Webhooks disabled after a day without an accepted event.\n\
             # TYPE headless_wallet_webhooks_off gauge\n\
             headless_wallet_webhooks_off {off}\n\
             # HELP headless_wallet_webhook_events_dropped_total Events discarded before delivery to a webhook or RabbitMQ.\n\
             # TYPE headless_wallet_webhook_events_dropped_total counter\n\
             headless_wallet_webhook_events_dropped_total {dropped}\n\
             # HELP headless_wallet_rabbitmq_messages_total Deliveries to RabbitMQ, by outcome.\n\
             # TYPE headless_wallet_rabbitmq_messages_total counter\n\
             headless_wallet_rabbitmq_messages_total{{outcome=\"taken\"}} {broker_taken}\n\
             headless_wallet_rabbitmq_messages_total{{outcome=\"failed\"}} {broker_failed}\n\
             # HELP headless_wallet_rabbitmq_events_behind Events not yet delivered to RabbitMQ.\n\
             # TYPE headless_wallet_rabbitmq_events_behind gauge\n\
             headless_wallet_rabbitmq_events_behind {broker_behind}\n"
        )
    }
}
