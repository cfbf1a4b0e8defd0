//! `POST /wallet/send-tx`.

use crate::api::{SendTx, TransactionAnswer};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::body::Body;
use crate::server::selection::Selected;
use crate::service::Sent;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn send(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Body(body): Body,
) -> Result<Response, Refused> {
    let request = SendTx::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    let sent = selected.wallet.send(request).await.map_err(|error| app.refuse_send(error))?;
    Ok(transaction(&app, &sent))
}

/// The answer of every request that sends a transaction and creates no token.
pub(super) fn transaction(app: &App, Sent { id, transaction }: &Sent) -> Response {
    json(&TransactionAnswer { transaction, id: *id, compat: app.config().compat })
}
