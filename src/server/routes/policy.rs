//! Which addresses a wallet watches, where an index limit says so.

use super::valid::Valid;
use crate::api::{LastIndex, LoadMoreAddresses, Refusal, Success};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::selection::Selected;
use crate::service::WatchError;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// Answers once they are loaded.
pub(super) async fn load_more_addresses(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(request): Valid<LoadMoreAddresses>,
) -> Result<Response, Refused> {
    let last = end(&selected).saturating_add(request.count - 1);
    watch(&app, &selected, last).await
}

/// Answers once they are loaded. An index below the last one changes nothing.
pub(super) async fn last_index(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(request): Valid<LastIndex>,
) -> Result<Response, Refused> {
    let request = request.after(end(&selected)).map_err(|refusal| app.refuse(refusal))?;
    watch(&app, &selected, request.index).await
}

/// The index after that of the last address.
fn end(selected: &Selected) -> u32 {
    selected.wallet.look(|state, _| state.addresses_to_watch(0).end)
}

async fn watch(app: &App, selected: &Selected, last: u32) -> Result<Response, Refused> {
    match selected.wallet.watch_to(last).await {
        Ok(()) => Ok(json(&Success)),
        Err(WatchError::NotReady(not_ready)) => Err(app.refuse_not_ready(not_ready)),
        Err(error @ WatchError::NoIndexLimit) => Err(app.refuse(Refusal::failure(error.to_string()))),
    }
}
