//! `block_at_height`, and what the node says of nano contracts: that there are none.

use super::query::Query;
use super::{failure, json, refused};
use crate::devnet::Shared;
use crate::devnet::vertex_json::VertexJson;
use crate::ledger::VertexId;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct BlockAtHeight {
    success: bool,
    block: VertexJson,
    tx_ids: Option<Vec<String>>,
    transactions: Option<Vec<VertexJson>>,
}

pub(super) async fn block_at_height(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    let Some(text) = query.get("height") else {
        return bad_height("Field required [type=missing, input_value={}, input_type=dict]", "missing");
    };
    if text.parse::<i128>().is_err() {
        let complaint = format!(
            "Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='{text}', input_type=str]",
        );
        return bad_height(&complaint, "int_parsing");
    }
    if text.starts_with('-') {
        return super::pages::processing_failed();
    }
    let block = text.parse().ok().and_then(|height| {
        shared.read(|chain| {
            let id = chain.block_at(height)?;
            let confirmed = || {
                let ids = chain.arrivals().filter(|vertex| vertex.meta.first_block == Some(id));
                ids.map(|vertex| vertex.id).collect::<Vec<VertexId>>()
            };
            Some(BlockAtHeight {
                success: true,
                block: (&chain.vertex(&id)?).into(),
                tx_ids: (query.get("include_transactions") == Some("txid"))
                    .then(|| confirmed().iter().map(ToString::to_string).collect()),
                transactions: (query.get("include_transactions") == Some("full")).then(|| {
                    let vertices = confirmed().into_iter().filter_map(|id| chain.vertex(&id));
                    vertices.map(|vertex| (&vertex).into()).collect()
                }),
            })
        })
    });
    match block {
        Some(block) => json(&block),
        None => failure(format!("No block with height {text}.")),
    }
}

fn bad_height(complaint: &str, kind: &str) -> Response {
    let error = format!(
        "1 validation error for BlockAtHeightParams\nheight\n  {complaint}\n    For further information visit https://errors.pydantic.dev/2.14/v/{kind}",
    );
    refused(StatusCode::BAD_REQUEST, error)
}
