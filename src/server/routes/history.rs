//! `GET /wallet/tx-history`.

use crate::api::{HistoryLimit, HistoryList, HistoryQuery};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::body::Query;
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn history(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Query(query): Query,
) -> Result<Response, Refused> {
    let compat = app.config().compat;
    let HistoryQuery { limit } =
        HistoryQuery::from_query(&query, compat).map_err(|refusal| app.refuse(refusal))?;
    // Copied while the state is locked and written afterwards: histories are long.
    let vertices: Vec<_> = selected
        .wallet
        .read(|state, _| state.history().take(limit.count(state.history_len())).collect())
        .map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    Ok(json(&HistoryList {
        vertices: &vertices,
        keyed: limit == HistoryLimit::None && compat.history_is_keyed(),
        network: app.config().network,
        compat,
    }))
}
