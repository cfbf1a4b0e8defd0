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
mod utxos;
mod valid;
mod wallet;
mod write;

use super::App;
use super::answer::Refused;
use super::gate::through;
use super::idempotency::{key_taken, no_room};
use super::selection::{not_ready, select_wallet};
use crate::api::operations::{self, Method, OperationId as Id};
use crate::api::{CreateNft, CreateToken, MeltTokens, MintTokens, Refusal, SendTx, WalletRefusal};
use crate::service::{NotReady, SendError};
use crate::store::StoreError;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, on};

/// All routes. Unknown paths and methods end as statuses 404 and 405, which get their bodies on the way out.
pub(super) fn all(app: App) -> Router<App> {
    let mut wallet = Router::new().fallback(no_route);
    let mut others = Router::new();
    // It waits for all the others, so it doesn't pass the gate itself.
    let mut ungated = Router::new();
    for operation in operations::all() {
        let handler = handler(operation.id, operation.method.into());
        match operation.path.strip_prefix("/wallet") {
            Some(path) => wallet = wallet.route(path, handler),
            None if operation.id == Id::ReloadConfig => ungated = ungated.route(operation.path, handler),
            None => others = others.route(operation.path, handler),
        }
    }
    others
        .nest("/wallet", wallet.layer(from_fn_with_state(app.clone(), select_wallet)))
        .fallback(no_route)
        .layer(from_fn_with_state(app, through))
        .merge(ungated)
}

impl From<Method> for MethodFilter {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Put => Self::PUT,
        }
    }
}

/// What carries an operation out.
fn handler(id: Id, method: MethodFilter) -> MethodRouter<App> {
    match id {
        Id::Start => on(method, start::start),
        Id::LoadMoreAddresses => on(method, policy::load_more_addresses),
        Id::LastIndex => on(method, policy::last_index),
        Id::Events => on(method, events::events),
        Id::Status => on(method, wallet::status),
        Id::Stop => on(method, wallet::stop),
        Id::MultisigPubkey => on(method, root::multisig_pubkey),
        Id::Balance => on(method, wallet::balance),
        Id::Address => on(method, wallet::address),
        Id::Addresses => on(method, wallet::addresses),
        Id::AddressIndex => on(method, lookups::address_index),
        Id::AddressInfo => on(method, lookups::address_info),
        Id::UtxoFilter => on(method, utxos::filter),
        Id::TxHistory => on(method, history::history),
        Id::Transaction => on(method, lookups::transaction),
        Id::TxConfirmationBlocks => on(method, lookups::confirmations),
        Id::LastLoadedAddressIndex => on(method, lookups::last_loaded_index),
        Id::ConfigurationString => on(method, lookups::configuration_string),
        Id::SimpleSendTx => on(method, send::simple_send),
        Id::SendTx => on(method, send::send::<SendTx>),
        Id::CreateToken => on(method, send::send::<CreateToken>),
        Id::CreateNft => on(method, send::send::<CreateNft>),
        Id::MintTokens => on(method, send::send::<MintTokens>),
        Id::MeltTokens => on(method, send::send::<MeltTokens>),
        Id::UtxoConsolidation => on(method, utxos::consolidate),
        Id::BuildTx => on(method, external::build),
        Id::GetWalletInputs => on(method, external::wallet_inputs),
        Id::InputData => on(method, external::input_data),
        Id::AddSignatures => on(method, external::add_signatures),
        Id::Propose => on(method, p2sh::send),
        Id::ProposeCreateToken => on(method, p2sh::create_token),
        Id::ProposeMintTokens => on(method, p2sh::mint),
        Id::ProposeMeltTokens => on(method, p2sh::melt),
        Id::GetMySignatures => on(method, p2sh::my_signatures),
        Id::Sign => on(method, p2sh::sign),
        Id::SignAndPush => on(method, p2sh::sign_and_push),
        Id::PushTx => on(method, raw::push),
        Id::Decode => on(method, raw::decode),
        Id::UtxosSelectedAsInput => on(method, raw::select),
        Id::Welcome => on(method, root::welcome),
        Id::Docs => on(method, docs::document),
        Id::DocsUi => on(method, docs::page),
        Id::Health => on(method, root::health),
        Id::ReloadConfig => on(method, root::reload_config),
        Id::Metrics => on(method, root::metrics),
    }
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
