//! `/wallet/p2sh/tx-proposal`: transactions of multisig wallets, which several participants sign.

use super::valid::Valid;
use super::write::{Sending, answer_sent, make, transaction, would_send};
use crate::api::texts::{CHANGE_NOT_LOADED, READ_ONLY_SIGNATURES};
use crate::api::{
    self, CreateToken, DryRun, GivenTransaction, ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens,
    ProposeTx, Refusal, SendTx, SignProposal, SignaturesAnswer,
};
use crate::ledger::{Address, Transaction};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::body::{Body, query_of};
use crate::server::selection::Selected;
use crate::service::{IdempotentSend, Operation, SendKey, ShareError};
use crate::wallet::PlanError;
use axum::Extension;
use axum::extract::{FromRequest, Request, State};
use axum::response::Response;

/// A request for a proposal that is as it must be.
pub(super) struct Proposing<R>(R);

impl<R: api::Request> FromRequest<App> for Proposing<R> {
    type Rejection = Refused;
    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let query = query_of(request.uri());
        let Body(body) = Body::from_request(request, app).await?;
        let read = DryRun::refuse(&query, &body).and_then(|()| R::read(&body, app.config().compat));
        read.map(Self).map_err(|refusal| app.refuse(refusal))
    }
}

/// What makes a proposal made once, however often it is asked for.
type Key = Option<Extension<SendKey>>;

/// `POST /wallet/p2sh/tx-proposal`.
pub(super) async fn send(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    key: Key,
    Proposing(request): Proposing<ProposeTx>,
) -> Result<Response, Refused> {
    check_change(&app, &selected, request.change_address.as_deref(), CHANGE_NOT_LOADED)?;
    let set_aside = request.mark_inputs_as_used;
    let request = SendTx::from(request).for_network(app.config().network);
    let request = request.map_err(|refusal| app.refuse(refusal))?;
    propose(&app, &selected, Operation::Send(request), key, set_aside).await
}

/// `POST /wallet/p2sh/tx-proposal/create-token`.
pub(super) async fn create_token(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    key: Key,
    Proposing(request): Proposing<ProposeCreateToken>,
) -> Result<Response, Refused> {
    let not_mine = PlanError::ChangeNotFromTheWallet.to_string();
    check_change(&app, &selected, request.change_address.as_deref(), &not_mine)?;
    let set_aside = request.mark_inputs_as_used;
    let request = CreateToken::from(request).for_network(app.config().network);
    let request = request.map_err(|refusal| app.refuse(refusal))?;
    propose(&app, &selected, Operation::CreateToken(request), key, set_aside).await
}

/// `POST /wallet/p2sh/tx-proposal/mint-tokens`.
pub(super) async fn mint(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    key: Key,
    Proposing(request): Proposing<ProposeMintTokens>,
) -> Result<Response, Refused> {
    let set_aside = request.mark_inputs_as_used;
    let request = request.for_network(app.config().network).map_err(|refusal| app.refuse(refusal))?;
    propose(&app, &selected, Operation::Mint(request), key, set_aside).await
}

/// `POST /wallet/p2sh/tx-proposal/melt-tokens`.
pub(super) async fn melt(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    key: Key,
    Proposing(request): Proposing<ProposeMeltTokens>,
) -> Result<Response, Refused> {
    let set_aside = request.mark_inputs_as_used;
    let request = request.for_network(app.config().network).map_err(|refusal| app.refuse(refusal))?;
    propose(&app, &selected, Operation::Melt(request), key, set_aside).await
}

/// `POST /wallet/p2sh/tx-proposal/get-my-signatures`.
pub(super) async fn my_signatures(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(GivenTransaction { transaction }): Valid<GivenTransaction>,
) -> Result<Response, Refused> {
    let share = selected.wallet.sign_share(&transaction).map_err(|error| app.refuse_share(error))?;
    Ok(json(&SignaturesAnswer::new(&share)))
}

/// `POST /wallet/p2sh/tx-proposal/sign`.
pub(super) async fn sign(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(request): Valid<SignProposal>,
) -> Result<Response, Refused> {
    let signed = assembled(&app, &selected, request)?;
    Ok(json(&app.proposal(&signed)?))
}

/// `POST /wallet/p2sh/tx-proposal/sign-and-push`.
pub(super) async fn sign_and_push(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { request, manner }: Sending<SignProposal>,
) -> Result<Response, Refused> {
    let signed = assembled(&app, &selected, request)?;
    if manner.dry_run {
        let preview = selected.wallet.preview_signed(signed);
        return Ok(would_send(&app, &preview.map_err(|error| app.refuse_send(error, ""))?));
    }
    let sent = match manner.once {
        None => selected.wallet.push_signed(signed).await.map(IdempotentSend::from),
        Some(key) => selected.wallet.push_signed_once(signed, key).await,
    };
    answer_sent(&app, sent, "", |sent| transaction(&app, sent))
}

fn assembled(
    app: &App,
    selected: &Selected,
    SignProposal { transaction, signatures }: SignProposal,
) -> Result<Transaction, Refused> {
    selected.wallet.assemble(transaction, &signatures).map_err(|error| app.refuse_share(error))
}

/// Refuses a change address that isn't the wallet's before anything else is looked at.
fn check_change(app: &App, selected: &Selected, change: Option<&str>, not_mine: &str) -> Result<(), Refused> {
    let Some(change) = change else { return Ok(()) };
    let address = Address::parse(change, app.config().network);
    let mine =
        selected.wallet.read(|state, _| address.is_ok_and(|address| state.index_of(&address).is_some()));
    match mine.map_err(|not_ready| app.refuse_not_ready(not_ready))? {
        true => Ok(()),
        false => Err(app.refuse(Refusal::failure(not_mine))),
    }
}

async fn propose(
    app: &App,
    selected: &Selected,
    operation: Operation,
    key: Key,
    set_aside: bool,
) -> Result<Response, Refused> {
    let proposal = selected.wallet.propose(operation, set_aside);
    let key = key.map(|Extension(key)| key);
    make(app, selected, key, proposal, |transaction| Ok(json(&app.proposal(transaction)?))).await
}

impl App {
    fn refuse_share(&self, error: ShareError) -> Refused {
        match error {
            ShareError::NotReady(not_ready) => self.refuse_not_ready(not_ready),
            ShareError::ReadOnly if !self.config().compat.explains_read_only() => {
                self.refuse(Refusal::failure(READ_ONLY_SIGNATURES))
            }
            error => self.refuse(Refusal::failure(error.to_string())),
        }
    }
}
