//! The full node, the mining service and proofs of work, as this server has met them.

use super::write_durations;
use crate::node::{Counts, POW_OUTCOMES, REQUEST_OUTCOMES};
use crate::service::Backend;
use std::fmt::Write;

const REQUESTS: &str = "headless_wallet_service_requests_total";
const LATENCY: &str = "headless_wallet_service_request_duration_seconds";

pub(super) fn write(backend: &Backend, text: &mut String) -> std::fmt::Result {
    let (work, mining) = backend.mining.counts();
    let services = [("node", Some(backend.node.request_counts())), ("mining", mining)];
    let services = || services.iter().filter_map(|(name, counts)| Some((*name, counts.as_ref()?)));
    write!(
        text,
        "# HELP {REQUESTS} Requests to the full node and the mining service, by outcome. \"busy\" is status 429 or 503.\n\
         # TYPE {REQUESTS} counter\n"
    )?;
    for (service, counts) in services() {
        write_outcomes(
            text,
            &format!("{REQUESTS}{{service=\"{service}\",outcome="),
            REQUEST_OUTCOMES,
            counts,
        )?;
    }
    write!(
        text,
        "# HELP {LATENCY} Time until a service answered a request, or failed to.\n# TYPE {LATENCY} histogram\n"
    )?;
    for (service, counts) in services() {
        write_durations(text, LATENCY, &format!("service=\"{service}\""), &counts.durations)?;
    }
    write_connections(backend, text)?;
    text.push_str(
        "# HELP headless_wallet_pow_total Proofs of work, by outcome. \"unavailable\" is a mining service that can't be used.\n\
         # TYPE headless_wallet_pow_total counter\n",
    );
    write_outcomes(text, "headless_wallet_pow_total{outcome=", POW_OUTCOMES, &work)?;
    text.push_str(
        "# HELP headless_wallet_pow_duration_seconds Time from a signed transaction to its proof of work.\n\
         # TYPE headless_wallet_pow_duration_seconds histogram\n",
    );
    write_durations(text, "headless_wallet_pow_duration_seconds", "", &work.durations)
}

fn write_connections(backend: &Backend, text: &mut String) -> std::fmt::Result {
    let counts = backend.node.connection_counts();
    write!(
        text,
        "# HELP headless_wallet_node_connections WebSocket connections to the full node.\n\
         # TYPE headless_wallet_node_connections gauge\n\
         headless_wallet_node_connections {}\n\
         # HELP headless_wallet_node_connections_total Connections made, failed to make, and broken.\n\
         # TYPE headless_wallet_node_connections_total counter\n\
         headless_wallet_node_connections_total{{outcome=\"made\"}} {}\n\
         headless_wallet_node_connections_total{{outcome=\"failed\"}} {}\n\
         headless_wallet_node_connections_total{{outcome=\"broken\"}} {}\n",
        counts.open, counts.made, counts.failed, counts.broken
    )?;
    let Some((height, age)) = counts.best else { return Ok(()) };
    write!(
        text,
        "# HELP headless_wallet_node_best_block_height Height of the best block. Needs a started wallet.\n\
         # TYPE headless_wallet_node_best_block_height gauge\n\
         headless_wallet_node_best_block_height {height}\n\
         # HELP headless_wallet_node_best_block_age_seconds Time since that height was first reported.\n\
         # TYPE headless_wallet_node_best_block_age_seconds gauge\n\
         headless_wallet_node_best_block_age_seconds {:.3}\n",
        age.as_secs_f64()
    )
}

fn write_outcomes<const N: usize>(
    text: &mut String,
    head: &str,
    names: [&str; N],
    counts: &Counts<N>,
) -> std::fmt::Result {
    let mut lines = names.iter().zip(counts.outcomes);
    lines.try_for_each(|(name, count)| writeln!(text, "{head}\"{name}\"}} {count}"))
}
