//! `GET /wallet/tx-history`.

use super::valid::Valid;
use crate::api::{HistoryLimit, HistoryQuery, HistoryText};
use crate::server::App;
use crate::server::answer::{Refused, json_text};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn history(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(HistoryQuery { limit }): Valid<HistoryQuery>,
) -> Result<Response, Refused> {
    let compat = app.config().compat;
    let keyed = limit == HistoryLimit::None && compat.history_is_keyed();
    // Written while the state is locked: that takes hardly longer than copying it.
    let text = selected.wallet.read(|state, _| {
        let count = limit.count(state.history_len());
        let mut text = HistoryText::new(count, keyed, app.config().network, compat);
        state.history().take(count).for_each(|vertex| text.push(&vertex));
        text.finish()
    });
    text.map(json_text).map_err(|not_ready| app.refuse_not_ready(not_ready))
}
