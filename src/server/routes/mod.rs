//! The endpoints, one file a group.

mod approvals;
mod calls;
mod docs;
mod events;
mod keys;
mod lookups;
mod messages;
mod raw;
mod root;
mod sending;
mod start;
mod tasks;
mod valid;
mod wallet;
mod webhooks;

pub(super) use valid::in_path;

use super::App;
use super::answer::{Refused, Unsettled};
use super::gate::{Closed, unavailable};
use super::idempotency::{RETRY_SECONDS, key_taken, no_room};
use super::selection::not_ready;
use crate::api::operations::{self, Method, Operation, OperationId as Id};
use crate::api::{
    AddSignatures, AddressIndexQuery, AddressInfoQuery, BalanceQuery, Consolidate, ContractHistoryQuery,
    ContractStateQuery, CreateBlueprint, CreateContract, CreateNft, CreateToken, Decode, ExecuteContract,
    HistoryQuery, LastIndex, LoadMoreAddresses, MakeInputData, MakeSigningFile, MeltTokens, MintTokens,
    OracleDataQuery, OracleResultQuery, ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens, ProposeTx,
    Refusal, RegisterSwap, RunTemplate, SelectUtxos, SendTx, SignMessage, SignProposal, SignShare, SignSwap,
    SimpleSendTx, SwapInputData, SwapProposalId, SwapSignatures, TransactionQuery, UnlockSwap, UtxoFilter,
    WalletInputsQuery, WalletRefusal,
};
use crate::handlers::{send_failure, template_failure};
use crate::service::{NotReady, SendError};
use crate::store::StoreError;
use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::{self, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::collections::HashMap;
use std::sync::LazyLock;

/// All routes. Unknown paths and methods end as statuses 404 and 405, which get their bodies on the way out.
pub(super) fn all(app: &App) -> Router<App> {
    operations::all().fold(Router::new().fallback(no_route), |routes, operation| {
        let mut handler = handler(operation.id, operation.method.into());
        if operation.can_be_a_task() {
            handler = handler.route_layer(from_fn_with_state(app.clone(), tasks::respond_async));
        }
        routes.route(operation.path, handler)
    })
}

/// What a request has to have before its route takes it.
pub(super) struct Needs {
    /// What it asks for, if there is a route for its path and its method.
    pub operation: Option<&'static Operation>,
    /// Whether it passes the gate.
    pub gate: bool,
    /// The wallet that it needs, if it needs one.
    pub wallet: Option<Readiness>,
}

/// How a wallet has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    Any,
    Ready,
}

impl Needs {
    pub fn of(request: &Request) -> Self {
        let of_path = of_path(request);
        let operation = of_path.iter().copied().find(|operation| is_asked_for(operation, request));
        // Of another method, it has the needs of the path's first one.
        let wallet = match operation.or(of_path.first().copied()) {
            Some(operation) if !operation.needs_wallet() => None,
            Some(operation) if !operation.needs_ready => Some(Readiness::Any),
            None if !is_under_wallet(request.uri().path()) => None,
            _ => Some(Readiness::Ready),
        };
        // What waits for all the others doesn't pass the gate itself, nor do those that say how it is.
        let is_free =
            |operation: &&Operation| matches!(operation.id, Id::ReloadConfig | Id::Live | Id::Ready);
        Self { operation, gate: !of_path.iter().any(is_free), wallet }
    }
}

fn is_under_wallet(path: &str) -> bool {
    path.strip_prefix("/wallet").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl From<Method> for MethodFilter {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Put => Self::PUT,
            Method::Delete => Self::DELETE,
        }
    }
}

/// The operations of a request's path.
fn of_path(request: &Request) -> &'static [&'static Operation] {
    static BY_PATH: LazyLock<HashMap<&str, Vec<&Operation>>> = LazyLock::new(|| {
        let mut by_path = HashMap::<_, Vec<_>>::new();
        operations::all().for_each(|operation| by_path.entry(operation.path).or_default().push(operation));
        by_path
    });
    let route = request.extensions().get::<MatchedPath>();
    route.and_then(|route| BY_PATH.get(route.as_str())).map_or(&[], Vec::as_slice)
}

fn is_asked_for(operation: &Operation, request: &Request) -> bool {
    let method = if request.method() == http::Method::HEAD { "GET" } else { request.method().as_str() };
    operation.method.name().eq_ignore_ascii_case(method)
}

/// What carries an operation out.
fn handler(id: Id, method: MethodFilter) -> MethodRouter<App> {
    match id {
        Id::Start => on(method, start::start),
        Id::HsmStart => on(method, start::hsm),
        Id::FireblocksStart => on(method, start::fireblocks),
        Id::LoadMoreAddresses => on(method, calls::ask::<LoadMoreAddresses>),
        Id::LastIndex => on(method, calls::ask::<LastIndex>),
        Id::Events => on(method, events::events),
        Id::Status => on(method, wallet::status),
        Id::Stop => on(method, wallet::stop),
        Id::MultisigPubkey => on(method, root::multisig_pubkey),
        Id::Balance => on(method, calls::read::<BalanceQuery>),
        Id::Address => on(method, wallet::address),
        Id::Addresses => on(method, calls::addresses),
        Id::AddressIndex => on(method, calls::read::<AddressIndexQuery>),
        Id::AddressInfo => on(method, calls::read::<AddressInfoQuery>),
        Id::UtxoFilter => on(method, calls::read::<UtxoFilter>),
        Id::TxHistory => on(method, calls::read::<HistoryQuery>),
        Id::Transaction => on(method, calls::read::<TransactionQuery>),
        Id::TxConfirmationBlocks => on(method, calls::confirmations),
        Id::LastLoadedAddressIndex => on(method, calls::last_loaded_index),
        Id::ConfigurationString => on(method, lookups::configuration_string),
        Id::SimpleSendTx => on(method, calls::send::<SimpleSendTx>),
        Id::SendTx => on(method, calls::send::<SendTx>),
        Id::CreateToken => on(method, calls::send::<CreateToken>),
        Id::CreateNft => on(method, calls::send::<CreateNft>),
        Id::MintTokens => on(method, calls::send::<MintTokens>),
        Id::MeltTokens => on(method, calls::send::<MeltTokens>),
        Id::UtxoConsolidation => on(method, calls::send::<Consolidate>),
        Id::BuildTx => on(method, calls::build),
        Id::GetWalletInputs => on(method, calls::read::<WalletInputsQuery>),
        Id::InputData => on(method, calls::read::<MakeInputData>),
        Id::AddSignatures => on(method, calls::ask::<AddSignatures>),
        Id::MakeSigningFile => on(method, calls::ask::<MakeSigningFile>),
        Id::PushSigningFile => on(method, calls::push_signing_file),
        Id::Propose => on(method, calls::propose::<ProposeTx>),
        Id::ProposeCreateToken => on(method, calls::propose::<ProposeCreateToken>),
        Id::ProposeMintTokens => on(method, calls::propose::<ProposeMintTokens>),
        Id::ProposeMeltTokens => on(method, calls::propose::<ProposeMeltTokens>),
        Id::GetMySignatures => on(method, calls::ask::<SignShare>),
        Id::Sign => on(method, calls::ask::<SignProposal>),
        Id::SignAndPush => on(method, calls::sign_and_push),
        Id::ProposeSwap => on(method, calls::propose_swap),
        Id::SwapSignatures => on(method, calls::ask::<SwapSignatures>),
        Id::SignSwap => on(method, calls::ask::<SignSwap>),
        Id::SignAndPushSwap => on(method, calls::push_swap),
        Id::SwapInputData => on(method, calls::read::<SwapInputData>),
        Id::UnlockSwap => on(method, wallet::lock::<UnlockSwap>),
        Id::GetLockedUtxos => on(method, calls::locked_utxos),
        Id::ListSwaps => on(method, calls::list_swaps),
        Id::FetchSwap => on(method, calls::ask::<SwapProposalId>),
        Id::RegisterSwap => on(method, calls::ask::<RegisterSwap>),
        Id::DeleteSwap => on(method, calls::forget_swap),
        Id::RunTemplate => on(method, calls::send::<RunTemplate>),
        Id::BuildTemplate => on(method, calls::build_template),
        Id::ListTasks => on(method, tasks::list),
        Id::Task => on(method, tasks::task),
        Id::CancelTask => on(method, tasks::cancel),
        Id::ListApprovals => on(method, approvals::list),
        Id::Approval => on(method, approvals::approval),
        Id::Approve => on(method, approvals::approve),
        Id::Deny => on(method, approvals::deny),
        Id::PushTx => on(method, raw::push),
        Id::Decode => on(method, calls::ask::<Decode>),
        Id::UtxosSelectedAsInput => on(method, wallet::lock::<SelectUtxos>),
        Id::ContractState => on(method, calls::ask::<ContractStateQuery>),
        Id::ContractHistory => on(method, calls::ask::<ContractHistoryQuery>),
        Id::OracleData => on(method, calls::read::<OracleDataQuery>),
        Id::OracleSignedResult => on(method, calls::ask::<OracleResultQuery>),
        Id::CreateContract => on(method, calls::send::<CreateContract>),
        Id::ExecuteContract => on(method, calls::send::<ExecuteContract>),
        Id::CreateBlueprint => on(method, calls::send::<CreateBlueprint>),
        Id::SignMessage => on(method, calls::ask::<SignMessage>),
        Id::VerifyMessage => on(method, messages::verify),
        Id::ListWebhooks => on(method, webhooks::list),
        Id::ListDeliveries => on(method, webhooks::deliveries),
        Id::Redeliver => on(method, webhooks::redeliver_one),
        Id::Welcome => on(method, root::welcome),
        Id::Docs => on(method, docs::document),
        Id::DocsUi => on(method, docs::page),
        Id::Health => on(method, root::health),
        Id::Live => on(method, root::live),
        Id::Ready => on(method, root::ready),
        Id::ReloadConfig => on(method, root::reload_config),
        Id::Metrics => on(method, root::metrics),
        Id::ListKeys => on(method, keys::list),
        Id::AddKey => on(method, keys::add),
        Id::RotateKey => on(method, keys::rotate),
        Id::RevokeKey => on(method, keys::revoke),
    }
}

async fn no_route() -> StatusCode {
    StatusCode::NOT_FOUND
}

impl App {
    /// The response for a wallet that stopped being ready since it was selected.
    fn refuse_not_ready(&self, NotReady(status): NotReady) -> Refused {
        // One that would wait for change is refused at the server's end.
        if let Some(closed @ Closed::Ending) = self.gate().closed() {
            return unavailable(closed).into();
        }
        self.refuse_wallet(&WalletRefusal::NotReady(not_ready(*status))).into()
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
            SendError::Forbidden(why) => self.refuse(Refusal::Forbidden(why)),
            SendError::AwaitsApproval { id, why } => approvals::awaits(&why, &id).into(),
            error @ (SendError::Open { .. } | SendError::RecordUnclear { .. } | SendError::CutOff) => {
                let mut response = self.refuse(Refusal::Failure(send_failure(&error))).into_response();
                response.extensions_mut().insert(Unsettled);
                response.into()
            }
            SendError::NotRecorded(StoreError::Full { retry_after, .. }) => {
                no_room(error.to_string(), retry_after).into()
            }
            SendError::Store(_) => no_room(error.to_string(), RETRY_SECONDS).into(),
            SendError::NotRecorded(_) if self.config().store.is_some() => {
                no_room(error.to_string(), RETRY_SECONDS).into()
            }
            error => {
                let plain =
                    template_failure(&error).filter(|_| !self.config().compat.tells_places_in_templates());
                self.refuse(Refusal::Failure(plain.unwrap_or_else(|| send_failure(&error))))
            }
        }
    }
}
