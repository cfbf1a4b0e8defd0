//! Operations that other servers on the wallet's store must hear of before they are answered.

use super::valid::Valid;
use crate::api::{AddressAnswer, AddressQuery};
use crate::handlers::Read;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::selection::Selected;
use crate::service::TakeAddressError;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// An address; one that is marked as used is given to nobody else.
pub(super) async fn address(
    State(app): State<App>,
    selected: Extension<Selected>,
    Valid(query): Valid<AddressQuery>,
) -> Result<Response, Refused> {
    let wallet = &selected.wallet;
    if query.index.is_some() || !query.mark_as_used || !wallet.is_shared() {
        return query.answer(&app.call(&selected)).map_err(|error| app.refuse_call(error));
    }
    match wallet.take_address().await {
        Ok(address) => Ok(json(&AddressAnswer(address))),
        Err(TakeAddressError::NotReady(not_ready)) => Err(app.refuse_not_ready(not_ready)),
        Err(TakeAddressError::Store(error)) => {
            Err(no_room(format!("no address is given: {error}"), RETRY_SECONDS).into())
        }
    }
}

/// Locks or unlocks outputs.
pub(super) async fn lock<Q: Read>(
    State(app): State<App>,
    selected: Extension<Selected>,
    Valid(request): Valid<Q>,
) -> Result<Response, Refused> {
    let answer = request.answer(&app.call(&selected)).map_err(|error| app.refuse_call(error))?;
    match selected.wallet.tell_servers().await {
        Ok(()) => Ok(answer),
        Err(error) => {
            let text = format!("it holds in this server, and others do not know of it yet: {error}");
            Err(no_room(text, RETRY_SECONDS).into())
        }
    }
}
