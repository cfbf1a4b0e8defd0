//! What connections are told of their own accord, as text.

use super::basics::unix_now;
use super::chain::Chain;
use super::vertex_json::VertexJson;
use crate::ledger::Vertex;
use serde::Serialize;
use std::sync::Arc;

/// The JSON of a vertex in histories.
pub(super) fn vertex(vertex: &Vertex) -> Arc<str> {
    serde_json::to_string(&VertexJson::from(vertex)).expect("vertices have text keys").into()
}

#[derive(Serialize)]
struct NewVertex<'a> {
    #[serde(flatten)]
    vertex: &'a VertexJson,
    is_block: bool,
    #[serde(rename = "type")]
    kind: &'static str,
    throttled: bool,
}

/// The frame by which everyone hears of a new vertex.
pub(super) fn new_vertex(vertex: &Vertex) -> Arc<str> {
    let frame = NewVertex {
        vertex: &VertexJson::from(vertex),
        is_block: vertex.is_block(),
        kind: "network:new_tx_accepted",
        throttled: false,
    };
    serde_json::to_string(&frame).expect("frames have text keys").into()
}

#[derive(Serialize)]
struct Metrics {
    transactions: usize,
    blocks: usize,
    best_block_height: u32,
    hash_rate: f64,
    peers: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    time: f64,
}

/// The frame that tells connections the state of the network.
pub(super) fn metrics(chain: &Chain) -> Arc<str> {
    let blocks = chain.arrivals().filter(|vertex| vertex.is_block()).count();
    let metrics = Metrics {
        transactions: chain.arrivals().count() - blocks,
        blocks,
        best_block_height: chain.best_block().1,
        hash_rate: 0.0,
        peers: 0,
        kind: "dashboard:metrics",
        time: unix_now(),
    };
    serde_json::to_string(&metrics).expect("frames have text keys").into()
}
