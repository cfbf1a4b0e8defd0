//! What is asked of the node, without a wallet.

use super::valid::Valid;
use crate::api::texts::TOKEN_UID_INVALID;
use crate::api::{ConfigurationAnswer, StartFailure};
use crate::ledger::{ConfigurationString, TokenUid};
use crate::operations::ConfigurationStringQuery;
use crate::operations::codes::call_code;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::auth::Caller;
use crate::server::real_status::with_code;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// `GET /configuration-string`.
pub(super) async fn configuration_string(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Valid(query): Valid<ConfigurationStringQuery>,
) -> Result<Response, Refused> {
    let refuse =
        |error: String, code| with_code(json(&StartFailure::new(error).answer(app.config().compat)), code);
    let unknown = || refuse(TOKEN_UID_INVALID.to_owned(), "NOT_FOUND");
    let Ok(uid) = query.token.parse::<TokenUid>() else { return Ok(unknown()) };
    Ok(match app.backend().asked_by(caller.tenant("")).node.token(&uid).await {
        Ok(Some(token)) => {
            json(&ConfigurationAnswer(ConfigurationString { uid, name: token.name, symbol: token.symbol }))
        }
        Ok(None) => unknown(),
        Err(failure) => refuse(failure.to_string(), call_code(&failure)),
    })
}
