//! `GET /metrics`: what the server did, for Prometheus.

use super::App;
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0];
/// What paths without a route are counted as, so that callers can't make new ones.
const NO_ROUTE: &str = "none";

/// Counts since the start.
#[derive(Default)]
pub(super) struct Metrics(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    requests: BTreeMap<(String, String, u16, bool), u64>,
    durations: BTreeMap<String, Durations>,
}

#[derive(Default)]
struct Durations {
    /// How many were as short as each bound, and not as the one before.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

/// The route that took a request.
#[derive(Clone)]
pub(super) struct Route(MatchedPath);

/// That the answer says no, whatever its status.
#[derive(Clone, Copy)]
pub(super) struct Refusing;

/// Notes on the answer which route it is from.
pub(super) async fn note_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(Route(route));
    }
    response
}

impl Metrics {
    /// Counts an answer.
    pub fn count(&self, method: &Method, response: &Response, took: Duration) {
        let found = response.status() != StatusCode::NOT_FOUND;
        let route = response.extensions().get::<Route>().filter(|_| found);
        let route = route.map_or(NO_ROUTE, |Route(path)| path.as_str()).to_owned();
        let refused = response.extensions().get::<Refusing>().is_some();
        let method = if found { method.as_str() } else { "" }.to_owned();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (method, route.clone(), response.status().as_u16(), refused);
        *counts.requests.entry(key).or_default() += 1;
        let durations = counts.durations.entry(route).or_default();
        let seconds = took.as_secs_f64();
        durations.count += 1;
        durations.seconds += seconds;
        if let Some(bucket) = BUCKETS.iter().position(|bound| seconds <= *bound) {
            durations.buckets[bucket] += 1;
        }
    }
}

impl App {
    /// Everything in the text format of Prometheus.
    pub(super) fn metrics_text(&self) -> String {
        let mut text = String::new();
        // Writing to a text can't fail.
        let _ = self.write_requests(&mut text).and_then(|()| self.write_wallets(&mut text));
        text
    }

    fn write_requests(&self, text: &mut String) -> std::fmt::Result {
        let counts = self.metrics().0.lock().unwrap_or_else(PoisonError::into_inner);
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
            let mut total = 0;
            for (bound, count) in BUCKETS.iter().zip(durations.buckets) {
                total += count;
                writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {total}")?;
            }
            let Durations { count, seconds, .. } = durations;
            writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}")?;
            writeln!(text, "{name}_sum{{route=\"{route}\"}} {seconds}")?;
            writeln!(text, "{name}_count{{route=\"{route}\"}} {count}")?;
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
        Ok(())
    }
}
