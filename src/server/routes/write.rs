//! What all requests that send have in common: they are tried without sending where `dry_run` asks for that.

use crate::api::{self, CreatedToken, DryRun, DryRunAnswer, TransactionAnswer};
use crate::ledger::Transaction;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::body::{Body, query_of};
use crate::server::idempotency::replayed;
use crate::server::selection::Selected;
use crate::service::{IdempotentSend, Operation, Preview, Recorded, SendError, SendKey, Sent};
use axum::extract::{FromRequest, Request};
use axum::response::Response;

/// How a request is to be carried out.
pub(super) struct Manner {
    /// Only tried: nothing is sent.
    pub dry_run: bool,
    /// What makes it carried out once, however often it comes.
    pub once: Option<SendKey>,
}

/// A request that sends and is as it must be, and how it is to be carried out.
pub(super) struct Sending<R> {
    pub request: R,
    pub manner: Manner,
}

impl<R: api::Request> FromRequest<App> for Sending<R> {
    type Rejection = Refused;
    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let query = query_of(request.uri());
        let once = request.extensions().get().copied();
        let Body(body) = Body::from_request(request, app).await?;
        let DryRun { dry_run } =
            DryRun::from_query_and_body(&query, &body).map_err(|refusal| app.refuse(refusal))?;
        let request = R::read(&body, app.config().compat).map_err(|refusal| app.refuse(refusal))?;
        Ok(Self { request, manner: Manner { dry_run, once } })
    }
}

/// Sends, or only says what would be sent. `called` is what release 0.39 calls the operation to a wallet that
/// can't sign.
pub(super) async fn write(
    app: &App,
    selected: &Selected,
    manner: Manner,
    operation: Operation,
    called: &'static str,
) -> Result<Response, Refused> {
    write_and(app, selected, manner, operation, called, |sent| transaction(app, sent)).await
}

/// The same, with an answer of one's own for what was sent.
pub(super) async fn write_and(
    app: &App,
    selected: &Selected,
    manner: Manner,
    operation: Operation,
    called: &'static str,
    answer: impl FnOnce(&Sent) -> Response,
) -> Result<Response, Refused> {
    if manner.dry_run {
        let preview = selected.wallet.preview(operation).await;
        return preview
            .map(|preview| would_send(app, &preview))
            .map_err(|error| app.refuse_send(error, called));
    }
    let wallet = &selected.wallet;
    let sent = match manner.once {
        None => wallet.carry_out(operation).await.map(IdempotentSend::from),
        Some(key) => wallet.carry_out_once(operation, key).await,
    };
    answer_sent(app, sent, called, answer)
}

/// The answer to what was sent, or was not.
pub(super) fn answer_sent(
    app: &App,
    sent: Result<IdempotentSend, SendError>,
    called: &'static str,
    answer: impl FnOnce(&Sent) -> Response,
) -> Result<Response, Refused> {
    if !sent.as_ref().is_ok_and(|sent| sent.replayed) {
        app.metrics().count_send(sent.as_ref().err());
    }
    let sent = sent.map_err(|error| app.refuse_send(error, called))?;
    let response = answer(&sent.sent);
    Ok(if sent.replayed { replayed(response) } else { response })
}

/// Makes a transaction that is not sent, or gives the one that was made for the key before.
pub(super) async fn make(
    app: &App,
    selected: &Selected,
    key: Option<SendKey>,
    transaction: impl Future<Output = Result<Transaction, SendError>>,
    answer: impl FnOnce(&Transaction) -> Result<Response, Refused>,
) -> Result<Response, Refused> {
    let made = match key {
        None => transaction.await.map(|transaction| Recorded { transaction, replayed: false }),
        Some(key) => selected.wallet.make_once(key, transaction).await,
    };
    let made = made.map_err(|error| app.refuse_send(error, ""))?;
    let response = answer(&made.transaction)?;
    Ok(if made.replayed { replayed(response) } else { response })
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
