//! Transactions given as hexadecimal text.

use super::valid::Valid;
use super::write::{Sending, answer_sent, would_send};
use crate::api::{
    Decode, DecodedInput, DecodedTransaction, GivenTransaction, PushedAnswer, Refusal, SelectUtxos, Success,
};
use crate::rt;
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::selection::Selected;
use crate::service::{IdempotentSend, InputsError, check_signed};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use tracing::Instrument;

/// `POST /push-tx`: for a transaction that is signed. Needs no wallet.
pub(super) async fn push(
    State(app): State<App>,
    Sending { request: GivenTransaction { transaction }, manner }: Sending<GivenTransaction>,
) -> Result<Response, Refused> {
    if manner.dry_run {
        let preview = app.backend().preview_push(transaction).await;
        return Ok(would_send(&app, &preview.map_err(|error| app.refuse_signature(error))?));
    }
    if app.config().compat.checks_signatures() {
        check_signed(&transaction).map_err(|error| app.refuse_signature(error))?;
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
    let compat = app.config().compat;
    answer_sent(&app, pushed, "", |sent| {
        json(&PushedAnswer { transaction: &sent.transaction, id: sent.id, compat })
    })
}

/// `PUT /wallet/utxos-selected-as-input`.
pub(super) async fn select(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(request): Valid<SelectUtxos>,
) -> Result<Response, Refused> {
    let outputs = request.transaction.spends();
    let done = if request.mark_as_used {
        selected.wallet.lock_outpoints(&outputs, request.ttl)
    } else {
        selected.wallet.unlock_outpoints(&outputs)
    };
    done.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    Ok(json(&Success))
}

/// `POST /wallet/decode`.
pub(super) async fn decode(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(Decode { transaction }): Valid<Decode>,
) -> Result<Response, Refused> {
    let spent = selected.wallet.spent_by(&transaction).await.map_err(|error| match error {
        InputsError::NotReady(not_ready) => app.refuse_not_ready(not_ready),
        error => app.refuse(Refusal::failure(error.to_string())),
    })?;
    let (network, now) = (app.config().network, rt::unix_seconds());
    let marks = selected.wallet.read(|state, _| {
        let mine = |script: &[u8]| state.paid_index(script).is_some();
        let inputs = transaction.inputs.iter().zip(spent).map(|(input, spends)| DecodedInput {
            mine: mine(&spends.script),
            locked: state.is_locked(input.spends, now),
            spends,
        });
        let inputs: Vec<_> = inputs.collect();
        let outputs: Vec<bool> = transaction.outputs.iter().map(|output| mine(&output.script)).collect();
        (inputs, outputs)
    });
    let (inputs, outputs_mine) = marks.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    Ok(json(&DecodedTransaction {
        transaction: &transaction,
        inputs: &inputs,
        outputs_mine: &outputs_mine,
        now,
        network,
    }))
}
