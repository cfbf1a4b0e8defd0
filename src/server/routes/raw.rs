//! `POST /push-tx`: a transaction given as hexadecimal text. Needs no wallet.

use super::sending::Sending;
use crate::api::{PushedAnswer, Request as _};
use crate::operations::{CallError, Done, GivenTransaction, PUSH_TX, would_send, write};
use crate::rt::CpuShare;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::auth::Caller;
use crate::server::forward;
use crate::service::{IdempotentSend, SendError, check_signed};
use crate::store::StoreError;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

/// For a transaction that is signed.
pub(super) async fn push(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, Refused> {
    let (parts, _) = request.into_parts();
    let read = Sending::of(&parts, &PUSH_TX, &app, GivenTransaction::read).await?;
    let Sending { request: GivenTransaction { transaction }, mode, .. } = read;
    let (compat, backend) = (app.config().compat, app.backend().asked_by(caller.tenant("")));
    if mode.dry_run {
        let preview = backend.preview_push(transaction).await;
        let preview = preview.map_err(|error| app.refuse_call(None, error.into()))?;
        return Ok(json(&would_send(&preview, compat)));
    }
    if compat.checks_signatures() {
        check_signed(&transaction, CpuShare::Sends)
            .await
            .map_err(|error| app.refuse_call(None, error.into()))?;
    }
    let pushed = backend.push_once(transaction, mode.once, app.shared_accounts(), app.stores()).await;
    // The keys of what is no wallet's are one server's: nothing was done here.
    if let Err(SendError::Store(StoreError::RunsOn(server))) = &pushed
        && let Some(operation) = forward::operation(&app, &parts.extensions)
    {
        return Ok(forward::to(&app, server, operation, parts, None).await);
    }
    let answered = pushed.map_err(|error| CallError::Send { error: Box::new(error), read_only: "" });
    let answered = answered.and_then(|IdempotentSend { sent, replayed }| {
        let answer = write(&PushedAnswer { transaction: &sent.transaction, id: sent.id, compat })?;
        Ok(Done { answer, sent: Some(sent.id), replayed })
    });
    app.answer_send(None, answered, false).await
}
