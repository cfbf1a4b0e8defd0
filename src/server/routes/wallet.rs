//! A wallet's state, balance and addresses, and its end.

use super::valid::Valid;
use crate::api::{
    AddressAnswer, AddressQuery, AddressesAnswer, BalanceAnswer, BalanceQuery, ReadyStatus, Success,
};
use crate::ledger::Amount;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use tracing::Instrument;

pub(super) async fn status(State(app): State<App>, Extension(selected): Extension<Selected>) -> Response {
    let status = selected.wallet.status();
    json(&ReadyStatus {
        network: app.config().network.name(),
        server_url: &app.config().server.to_string(),
        server_info: &selected.wallet.node_version().raw,
        multisig: selected.wallet.participants().map(|all| (all.num_signatures(), all.len())),
        problem: status.problem.as_deref().or(status.store_problem.as_deref()),
        compat: app.config().compat,
    })
}

pub(super) async fn balance(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<BalanceQuery>,
) -> Result<Response, Refused> {
    let Ok(token) = query.token.parse() else {
        // Release 0.39: a text that is no uid names a token of which the wallet has nothing.
        return Ok(json(&BalanceAnswer { available: Amount::ZERO, locked: Amount::ZERO }));
    };
    let balance = selected.wallet.read(|state, now| state.balance(token, now));
    let balance = balance.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    Ok(json(&BalanceAnswer { available: balance.available, locked: balance.locked }))
}

pub(super) async fn address(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<AddressQuery>,
) -> Result<Response, Refused> {
    let address = match query.index {
        Some(index) => selected
            .wallet
            .read(|state, _| state.address(index).expect("the query holds an index below 2^31").to_string()),
        None => selected.wallet.current_address(query.mark_as_used),
    };
    let address = address.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    Ok(json(&AddressAnswer(address)))
}

pub(super) async fn addresses(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
) -> Result<Response, Refused> {
    let answer = selected.wallet.read(|state, _| {
        let indexes = state.addresses_to_watch(0);
        json(&AddressesAnswer(indexes.filter_map(|index| state.address_text(index)).collect()))
    });
    answer.map_err(|not_ready| app.refuse_not_ready(not_ready))
}

pub(super) async fn stop(State(app): State<App>, Extension(selected): Extension<Selected>) -> Response {
    // A task of its own: a caller that hangs up must not leave a wallet that takes no sends and is not stopped.
    let stop = async move {
        app.wallets().stop(&selected.id).await;
        app.drop_journal(&selected.id, &selected.wallet);
    };
    tokio::spawn(stop.in_current_span()).await.expect("stopping neither panics nor is aborted");
    json(&Success)
}
