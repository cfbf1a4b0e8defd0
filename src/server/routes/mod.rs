//! The endpoints, one file a group.

mod history;
mod root;
mod send;
mod start;
mod tokens;
mod utxos;
mod wallet;

use super::App;
use super::answer::Refused;
use super::selection::{not_ready, select_wallet};
use crate::api::{Refusal, WalletRefusal};
use crate::service::{NotReady, SendError};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

/// All routes. Unknown paths and methods end as statuses 404 and 405, which get their bodies on the way out.
pub(super) fn all(app: App) -> Router<App> {
    let wallet = Router::new()
        .route("/status", get(wallet::status))
        .route("/balance", get(wallet::balance))
        .route("/address", get(wallet::address))
        .route("/addresses", get(wallet::addresses))
        .route("/stop", post(wallet::stop))
        .route("/utxo-filter", get(utxos::filter))
        .route("/tx-history", get(history::history))
        .route("/create-token", post(tokens::create_token))
        .route("/create-nft", post(tokens::create_nft))
        .route("/melt-tokens", post(tokens::melt))
        .route("/send-tx", post(send::send))
        .fallback(no_route)
        .layer(from_fn_with_state(app, select_wallet));
    Router::new()
        .route("/", get(root::welcome))
        .route("/start", post(start::start))
        .nest("/wallet", wallet)
        .fallback(no_route)
}

async fn no_route() -> StatusCode {
    StatusCode::NOT_FOUND
}

impl App {
    /// The response for a wallet that stopped being ready since it was selected.
    fn refuse_not_ready(&self, NotReady(status): NotReady) -> Refused {
        self.refuse_wallet(&WalletRefusal::NotReady(not_ready(status))).into()
    }
    /// The response for a send that failed.
    fn refuse_send(&self, error: SendError) -> Refused {
        match error {
            SendError::NotReady(not_ready) => self.refuse_not_ready(not_ready),
            error => self.refuse(Refusal::Failure(error.failure())),
        }
    }
}
