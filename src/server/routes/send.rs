//! `POST /wallet/send-tx` and `POST /wallet/simple-send-tx`.

use super::write::{Sending, write};
use crate::api::texts::{READ_ONLY_SEND, READ_ONLY_SIMPLE_SEND};
use crate::api::{Refusal, SendTx, SimpleSendTx};
use crate::ledger::Address;
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::selection::Selected;
use crate::service::Operation;
use crate::wallet::PlanError;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn send(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let request = SendTx::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::Send(request), READ_ONLY_SEND).await
}

pub(super) async fn simple_send(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let network = app.config().network;
    let request =
        SimpleSendTx::from_json(&body, app.config().compat).map_err(|refusal| app.refuse(refusal))?;
    // Looked at before all else, and in other words than those of send-tx.
    if let Some(change) = &request.change_address {
        let change = Address::parse(change, network).map_err(|_| app.refuse(not_mine()))?;
        let mine = selected.wallet.read(|state, _| state.index_of(&change).is_some());
        if !mine.map_err(|not_ready| app.refuse_not_ready(not_ready))? {
            return Err(app.refuse(not_mine()));
        }
    }
    let request = request.for_network(network).map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::Send(request), READ_ONLY_SIMPLE_SEND).await
}

fn not_mine() -> Refusal {
    Refusal::failure(PlanError::ChangeNotFromThisWallet.to_string())
}
