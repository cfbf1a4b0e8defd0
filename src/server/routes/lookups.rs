//! What is asked of the node, without a wallet.

use super::valid::Valid;
use crate::api::texts::TOKEN_UID_INVALID;
use crate::api::{ConfigurationAnswer, StartFailure};
use crate::ledger::{ConfigurationString, TokenUid};
use crate::operations::ConfigurationStringQuery;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::auth::Caller;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// `GET /configuration-string`.
pub(super) async fn configuration_string(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Valid(query): Valid<ConfigurationStringQuery>,
) -> Result<Response, Refused> {
    let refuse = |failure: StartFailure| json(&failure.answer(app.config().compat));
    let unknown = || refuse(StartFailure::new(TOKEN_UID_INVALID));
    let Ok(uid) = query.token.parse::<TokenUid>() else { return Ok(unknown()) };
    Ok(match app.backend().asked_by(caller.tenant("")).node.token(&uid).await {
        Ok(Some(token)) => {
            json(&ConfigurationAnswer(ConfigurationString { uid, name: token.name, symbol: token.symbol }))
        }
        Ok(None) => unknown(),
        Err(failure) => refuse(StartFailure::new(failure.to_string())),
    })
}
