//! The endpoints, one file a group.

mod docs;
mod events;
mod external;
mod history;
mod lookups;
mod p2sh;
mod policy;
mod raw;
mod root;
mod send;
mod start;
mod tokens;
mod utxos;
mod wallet;
mod write;

use super::App;
use super::answer::Refused;
use super::gate::through;
use super::idempotency::{key_taken, no_room};
use super::selection::{not_ready, select_wallet};
use crate::api::{Refusal, WalletRefusal};
use crate::service::{NotReady, SendError};
use crate::store::StoreError;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post, put};

/// All routes. Unknown paths and methods end as statuses 404 and 405, which get their bodies on the way out.
pub(super) fn all(app: App) -> Router<App> {
    let wallet = Router::new()
        .route("/status", get(wallet::status))
        .route("/balance", get(wallet::balance))
        .route("/address", get(wallet::address))
        .route("/addresses", get(wallet::addresses))
        .route("/stop", post(wallet::stop))
        .route("/events", get(events::events))
        .route("/utxo-filter", get(utxos::filter))
        .route("/utxo-consolidation", post(utxos::consolidate))
        .route("/utxos-selected-as-input", put(raw::select))
        .route("/decode", post(raw::decode))
        .route("/address-index", get(lookups::address_index))
        .route("/address-info", get(lookups::address_info))
        .route("/transaction", get(lookups::transaction))
        .route("/tx-confirmation-blocks", get(lookups::confirmations))
        .route("/config/last-loaded-address-index", get(lookups::last_loaded_index))
        .route("/config/index-limit/load-more-addresses", post(policy::load_more_addresses))
        .route("/config/index-limit/last-index", post(policy::last_index))
        .route("/tx-history", get(history::history))
        .route("/create-token", post(tokens::create_token))
        .route("/create-nft", post(tokens::create_nft))
        .route("/mint-tokens", post(tokens::mint))
        .route("/melt-tokens", post(tokens::melt))
        .route("/send-tx", post(send::send))
        .route("/simple-send-tx", post(send::simple_send))
        .route("/p2sh/tx-proposal", post(p2sh::send))
        .route("/p2sh/tx-proposal/create-token", post(p2sh::create_token))
        .route("/p2sh/tx-proposal/mint-tokens", post(p2sh::mint))
        .route("/p2sh/tx-proposal/melt-tokens", post(p2sh::melt))
        .route("/p2sh/tx-proposal/get-my-signatures", post(p2sh::my_signatures))
        .route("/p2sh/tx-proposal/sign", post(p2sh::sign))
        .route("/p2sh/tx-proposal/sign-and-push", post(p2sh::sign_and_push))
        .route("/tx-proposal", post(external::build))
        .route("/tx-proposal/add-signatures", post(external::add_signatures))
        .route("/tx-proposal/get-wallet-inputs", get(external::wallet_inputs))
        .route("/tx-proposal/input-data", post(external::input_data))
        .fallback(no_route)
        .layer(from_fn_with_state(app.clone(), select_wallet));
    Router::new()
        .route("/", get(root::welcome))
        .route("/docs", get(docs::document))
        .route("/docs/ui", get(docs::page))
        .route("/health", get(root::health))
        .route("/metrics", get(root::metrics))
        .route("/multisig-pubkey", post(root::multisig_pubkey))
        .route("/start", post(start::start))
        .route("/push-tx", post(raw::push))
        .route("/configuration-string", get(lookups::configuration_string))
        .nest("/wallet", wallet)
        .fallback(no_route)
        .layer(from_fn_with_state(app, through))
        // Waits for all the others, so it doesn't pass the gate itself.
        .route("/reload-config", post(root::reload_config))
}

async fn no_route() -> StatusCode {
    StatusCode::NOT_FOUND
}

impl App {
    /// The response for a wallet that stopped being ready since it was selected.
    fn refuse_not_ready(&self, NotReady(status): NotReady) -> Refused {
        self.refuse_wallet(&WalletRefusal::NotReady(not_ready(status))).into()
    }
    /// The response for a send that failed. `called` is what release 0.39 calls it to a wallet that can't
    /// sign.
    fn refuse_send(&self, error: SendError, called: &'static str) -> Refused {
        match error {
            SendError::NotReady(not_ready) => self.refuse_not_ready(not_ready),
            SendError::ReadOnly if !self.config().compat.explains_read_only() => {
                self.refuse(Refusal::failure(called))
            }
            SendError::KeyTaken => key_taken().into(),
            SendError::NotRecorded(StoreError::Full { retry_after, .. }) => {
                no_room(error.to_string(), retry_after).into()
            }
            error => self.refuse(Refusal::Failure(error.failure())),
        }
    }
}
