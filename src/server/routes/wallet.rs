//! Where a wallet stands, and its end.

use crate::api::{ReadyStatus, Success};
use crate::rt;
use crate::server::App;
use crate::server::answer::json;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn status(State(app): State<App>, Extension(selected): Extension<Selected>) -> Response {
    let status = selected.wallet.status();
    let store = app.stores().filter(|_| selected.wallet.is_shared());
    let store_problem = status.store_problem.or(store.and_then(|store| store.cluster_health()?.problem));
    json(&ReadyStatus {
        network: app.config().network.name(),
        server_url: &app.config().server.to_string(),
        server_info: &selected.wallet.node_version().raw,
        multisig: selected.wallet.participants().map(|all| (all.num_signatures(), all.len())),
        problem: status.problem.as_deref().or(store_problem.as_deref()),
        compat: app.config().compat,
    })
}

pub(super) async fn stop(State(app): State<App>, Extension(selected): Extension<Selected>) -> Response {
    // A caller that hangs up must not leave a wallet that takes no sends and is not stopped.
    let stop = async move {
        let _turn = app.turn_of(&selected.id).await?;
        app.stop_for_all(&selected.id, &selected.wallet).await.map_err(|error| error.to_string())
    };
    match rt::detached(Box::pin(stop)).await.expect("stopping does not panic") {
        Ok(()) => json(&Success),
        Err(error) => no_room(format!("the wallet is not stopped: {error}"), RETRY_SECONDS),
    }
}
