//! `POST /push-tx`: a transaction given as hexadecimal text. Needs no wallet.

use super::sending::Sending;
use crate::api::{GivenTransaction, PushedAnswer};
use crate::handlers::{CallError, Done, would_send};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::service::{IdempotentSend, check_signed};
use axum::extract::State;
use axum::response::Response;
use tracing::Instrument;

/// For a transaction that is signed.
pub(super) async fn push(
    State(app): State<App>,
    Sending { request: GivenTransaction { transaction }, manner }: Sending<GivenTransaction>,
) -> Result<Response, Refused> {
    let compat = app.config().compat;
    if manner.dry_run {
        let preview = app.backend().preview_push(transaction).await;
        let preview = preview.map_err(|error| app.refuse_call(error.into()))?;
        return Ok(json(&would_send(&preview, compat)));
    }
    if compat.checks_signatures() {
        check_signed(&transaction).map_err(|error| app.refuse_call(error.into()))?;
    }
    let (backend, inside) = (app.backend(), app.gate().stay());
    let records = app.shared_accounts().push_records().of(backend.network.name());
    // A task of its own: it goes on when its caller hangs up, and then the server's end must wait for it all
    // the same.
    let pushing = async move {
        let pushed = match manner.once {
            None => backend.push(transaction).await.map(IdempotentSend::from),
            Some(key) => backend.push_once(transaction, key, &records).await,
        };
        drop(inside);
        pushed
    };
    let pushed = tokio::spawn(pushing.in_current_span()).await;
    let pushed = pushed.expect("pushing neither panics nor is aborted");
    let answered = pushed.map(|IdempotentSend { sent, replayed }| {
        let answer = PushedAnswer { transaction: &sent.transaction, id: sent.id, compat };
        Done { answer: json(&answer), replayed }
    });
    app.answer_send(
        answered.map_err(|error| CallError::Send { error: Box::new(error), read_only: "" }),
        false,
    )
}
