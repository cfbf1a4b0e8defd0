//! Pages of lists that are newest first.

use super::query::Query;
use crate::devnet::vertex_json::VertexJson;
use crate::ledger::{Vertex, VertexId};

/// The most transactions of an answer (full node: `MAX_TX_COUNT`).
pub(super) const MAX_TRANSACTIONS: usize = 15;

/// One page of a list that is newest first, and whether the direction asked for has more: the first page, or
/// what comes after (`page=next`) or before (`page=previous`) the transaction `hash`.
pub(super) fn newest_first(list: &[Vertex], count: usize, query: &Query) -> (Vec<VertexJson>, bool) {
    let hash = query.get("hash").and_then(|hash| hash.parse::<VertexId>().ok());
    let place = hash.and_then(|hash| list.iter().position(|vertex| vertex.id == hash));
    let (page, has_more) = match (place, query.get("page")) {
        (Some(place), Some("previous")) => {
            let start = place.saturating_sub(count);
            (&list[start..place], start > 0)
        }
        (place, _) => {
            let rest = &list[place.map_or(0, |place| place + 1)..];
            (&rest[..count.min(rest.len())], rest.len() > count)
        }
    };
    (page.iter().map(VertexJson::from).collect(), has_more)
}
