//! What all requests that send have in common: they are tried without sending where `?dry_run=true` asks for that.

use crate::api::{CreatedToken, DryRunAnswer, DryRunQuery, TransactionAnswer};
use crate::server::App;
use crate::server::answer::{Refused, json, last_word};
use crate::server::body::Query;
use crate::server::selection::Selected;
use crate::service::{Operation, Preview, Sent};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;

/// Whether nothing is to be sent.
pub(super) struct DryRun(pub bool);

impl FromRequestParts<App> for DryRun {
    type Rejection = Refused;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        let Query(query) = Query::from_request_parts(parts, app).await?;
        let query = DryRunQuery::from_query(&query).map_err(|refusal| app.refuse(refusal))?;
        Ok(Self(query.dry_run))
    }
}

/// Sends, or only says what would be sent. `called` is what release 0.39 calls the operation to a wallet that can't sign.
pub(super) async fn write(
    app: &App,
    selected: &Selected,
    dry_run: DryRun,
    operation: Operation,
    called: &'static str,
) -> Result<Response, Refused> {
    write_and(app, selected, dry_run, operation, called, |sent| Ok(transaction(app, sent))).await
}

/// The same, with an answer of one's own for what was sent.
pub(super) async fn write_and(
    app: &App,
    selected: &Selected,
    DryRun(dry_run): DryRun,
    operation: Operation,
    called: &'static str,
    answer: impl FnOnce(&Sent) -> Result<Response, Refused>,
) -> Result<Response, Refused> {
    if dry_run {
        let preview = selected.wallet.preview(operation).await;
        return preview
            .map(|preview| would_send(app, &preview))
            .map_err(|error| app.refuse_send(error, called));
    }
    let sent = selected.wallet.carry_out(operation).await;
    app.metrics().count_send(sent.as_ref().err());
    let sent = sent.map_err(|error| app.refuse_send(error, called))?;
    answer(&sent).map(last_word)
}

pub(super) fn transaction(app: &App, Sent { id, transaction }: &Sent) -> Response {
    let compat = app.config().compat;
    if transaction.creates.is_some() {
        json(&CreatedToken { transaction, id: *id, compat })
    } else {
        json(&TransactionAnswer { transaction, id: *id, compat })
    }
}

pub(super) fn would_send(app: &App, Preview { transaction, cost }: &Preview) -> Response {
    json(&DryRunAnswer {
        transaction,
        deposit: cost.deposit,
        fee: cost.fee,
        data: cost.data,
        compat: app.config().compat,
    })
}
