//! Reads that name one address, transaction or token.

use super::valid::Valid;
use crate::api::texts::{
    ADDRESS_NOT_MINE, HEIGHT_NOT_TOLD, TOKEN_UID_INVALID, TRANSACTION_NOT_TOLD, no_such_transaction,
};
use crate::api::{
    AddressIndexAnswer, AddressIndexQuery, AddressInfoAnswer, AddressInfoQuery, ConfigurationAnswer,
    ConfigurationStringQuery, ConfirmationsAnswer, HistoryEntry, Refusal, StartFailure, TransactionQuery,
};
use crate::ledger::{Address, ConfigurationString, TokenUid, Vertex};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn address_index(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<AddressIndexQuery>,
) -> Result<Response, Refused> {
    let address = Address::parse(&query.address, app.config().network).ok();
    let index = selected.wallet.read(|state, _| state.index_of(&address?));
    Ok(json(&AddressIndexAnswer(index.map_err(|not_ready| app.refuse_not_ready(not_ready))?)))
}

pub(super) async fn last_loaded_index(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
) -> Result<Response, Refused> {
    let last = selected.wallet.read(|state, _| state.addresses_to_watch(0).end.checked_sub(1));
    Ok(json(&AddressIndexAnswer(last.map_err(|not_ready| app.refuse_not_ready(not_ready))?)))
}

pub(super) async fn address_info(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<AddressInfoQuery>,
) -> Result<Response, Refused> {
    let not_mine = || app.refuse(Refusal::failure(ADDRESS_NOT_MINE));
    let address = Address::parse(&query.address, app.config().network).map_err(|_| not_mine())?;
    let token = query.token.parse::<TokenUid>();
    let info = selected.wallet.read(|state, now| {
        // Release 0.39: a text that is no uid names a token that no address has received.
        let mut info =
            state.address_info(&address, token.as_ref().copied().unwrap_or(TokenUid::Native), now)?;
        if token.is_err() {
            info = crate::wallet::AddressInfo::none_at(info.index);
        }
        Some(info)
    });
    let info = info.map_err(|not_ready| app.refuse_not_ready(not_ready))?.ok_or_else(not_mine)?;
    Ok(json(&AddressInfoAnswer {
        received: info.received,
        sent: info.sent,
        available: info.available,
        locked: info.locked,
        token: &query.token,
        index: info.index,
    }))
}

pub(super) async fn transaction(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<TransactionQuery>,
) -> Result<Response, Refused> {
    let vertex = find(&app, &selected, &query)?;
    let (network, compat) = (app.config().network, app.config().compat);
    Ok(json(&HistoryEntry { vertex: &vertex, network, compat }))
}

/// Blocks since the one that confirmed a transaction; 0 until one does.
pub(super) async fn confirmations(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<TransactionQuery>,
) -> Result<Response, Refused> {
    let vertex = find(&app, &selected, &query)?;
    let refuse = |text| app.refuse(Refusal::failure(text));
    let node = &app.backend().node;
    let status =
        node.transaction(&vertex.id).await.ok().flatten().ok_or_else(|| refuse(TRANSACTION_NOT_TOLD))?;
    let first = match status.first_block_height {
        // A block confirms itself.
        None => vertex.height,
        height => height,
    };
    let Some(first) = first.filter(|_| !status.voided) else { return Ok(json(&ConfirmationsAnswer(0))) };
    let best = node.best_height().await.map_err(|_| refuse(HEIGHT_NOT_TOLD))?;
    Ok(json(&ConfirmationsAnswer(best.saturating_sub(first))))
}

/// A transaction of the wallet's history.
fn find(app: &App, selected: &Selected, query: &TransactionQuery) -> Result<Vertex, Refused> {
    let id = query.id.parse().ok();
    let vertex = selected.wallet.read(|state, _| state.vertex(&id?));
    let vertex = vertex.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    vertex.ok_or_else(|| app.refuse(Refusal::failure(no_such_transaction(&query.id))))
}

/// `GET /configuration-string`.
pub(super) async fn configuration_string(
    State(app): State<App>,
    Valid(query): Valid<ConfigurationStringQuery>,
) -> Result<Response, Refused> {
    let refuse = |failure: StartFailure| json(&failure.answer(app.config().compat));
    let unknown = || refuse(StartFailure::new(TOKEN_UID_INVALID));
    let Ok(uid) = query.token.parse::<TokenUid>() else { return Ok(unknown()) };
    Ok(match app.backend().node.token(&uid).await {
        Ok(Some(token)) => {
            json(&ConfigurationAnswer(ConfigurationString { uid, name: token.name, symbol: token.symbol }))
        }
        Ok(None) => unknown(),
        Err(failure) => refuse(StartFailure::new(failure.to_string())),
    })
}
