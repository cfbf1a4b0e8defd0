//! Where a wallet stands, and its end.

use crate::api::{ReadyStatus, RunsOn, Success};
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
    let warnings = status.warnings();
    let stores = app.stores();
    let lease = stores.as_ref().and_then(|stores| stores.lease());
    let store_problem = status.store_problem.or_else(|| lease?.health().problem);
    json(&ReadyStatus {
        network: app.config().network.name(),
        server_url: &app.config().server.to_string(),
        server_info: &selected.wallet.node_version().raw,
        multisig: selected.wallet.participants().map(|all| (all.num_signatures(), all.len())),
        runs_on: lease
            .and_then(|lease| lease.server())
            .map(|server| RunsOn { id: server.id, url: server.url }),
        problem: status.problem.as_deref().or(store_problem.as_deref()),
        warnings,
        compat: app.config().compat,
    })
}

pub(super) async fn stop(State(app): State<App>, Extension(selected): Extension<Selected>) -> Response {
    // A caller that hangs up must not leave a wallet that takes no sends and is not stopped.
    let stop = async move {
        let _turn = app.turn_of(&selected.id).await?;
        app.stop_started(&selected.id, &selected.wallet).await.map_err(|error| error.to_string())
    };
    match rt::detached(Box::pin(stop)).await.expect("stopping does not panic") {
        Ok(()) => json(&Success),
        Err(error) => no_room(format!("the wallet is not stopped: {error}"), RETRY_SECONDS),
    }
}
