//! Operations on a wallet: each request is read, and carried out by its handler.

use super::sending::{Proposing, Sending};
use super::tasks::acceptable;
use super::valid::Valid;
use crate::api::texts::{READ_ONLY_SIGNATURES, SWAP_INCOMPLETE};
use crate::api::{
    BuildTemplate, BuildTx, HistoryText, ProposeSwap, PushSigningFile, PushSwap, Refusal, SignProposal,
    SwapProposalId, TransactionQuery, UtxoList,
};
use crate::handlers::{self, Ask, Call, CallError, Done, Proposes, Read, Reply, Sends};
use crate::ledger::VertexId;
use crate::rt::{self, CpuShare};
use crate::server::App;
use crate::server::answer::{Refused, json, json_text};
use crate::server::buffers;
use crate::server::idempotency::replayed;
use crate::server::selection::Selected;
use crate::service::{NotReady, SendKey, ShareError, SwapError};
use crate::wallet;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

type Wallet = Extension<Selected>;
type Answered = Result<Response, Refused>;

/// Transactions of a history that are read while the state is locked: tens of microseconds.
const READ_AT_ONCE: usize = 16;

/// Makes HTTP responses of answers.
pub(super) struct Http;

impl Reply for Http {
    type Answer = Response;
    fn give(&self, answer: &impl Serialize) -> Response {
        json(answer)
    }
    fn utxos(&self, list: &UtxoList<'_>) -> Response {
        let mut text = buffers::take(list.json_bytes());
        list.write_json(&mut text);
        json_text(text)
    }
    fn history(&self, ids: &[VertexId], keyed: bool, call: &Call<'_, Self>) -> Result<Response, NotReady> {
        let network = call.wallet.backend().network;
        let buffer = buffers::take_for_at_least(HistoryText::least_bytes(ids.len()));
        let mut text = HistoryText::new(buffer, ids.len(), keyed, network, call.compat);
        // No send waits for the state until all of a long history is written.
        for some in ids.chunks(READ_AT_ONCE) {
            let read = |state: &wallet::State| some.iter().filter_map(|id| state.vertex(id)).collect();
            let vertices: Vec<_> = call.wallet.read(|state, _| read(state))?;
            vertices.iter().for_each(|vertex| text.push(vertex));
        }
        Ok(json_text(text.finish()))
    }
}

pub(super) async fn read<Q: Read>(
    State(app): State<App>,
    wallet: Wallet,
    Valid(request): Valid<Q>,
) -> Answered {
    let is_long = request.is_long(&wallet.wallet);
    written(is_long, || request.answer(&app.call(&wallet))).await.map_err(|error| app.refuse_call(error))
}

/// An answer of what the wallet knows: if it is long, written on none of the threads that answer others.
async fn written<T>(is_long: bool, write: impl FnOnce() -> T) -> T {
    if is_long { rt::offload(CpuShare::Reads, write).await } else { write() }
}

pub(super) async fn ask<Q: Ask>(
    State(app): State<App>,
    wallet: Wallet,
    Valid(request): Valid<Q>,
) -> Answered {
    request.answer(&app.call(&wallet)).await.map_err(|error| app.refuse_call(error))
}

pub(super) async fn addresses(State(app): State<App>, wallet: Wallet) -> Answered {
    let are_many = handlers::are_many_addresses(&wallet.wallet);
    written(are_many, || handlers::addresses(&app.call(&wallet)))
        .await
        .map_err(|error| app.refuse_call(error))
}

pub(super) async fn last_loaded_index(State(app): State<App>, wallet: Wallet) -> Answered {
    handlers::last_loaded_index(&app.call(&wallet)).map_err(|error| app.refuse_call(error))
}

pub(super) async fn confirmations(
    State(app): State<App>,
    wallet: Wallet,
    Valid(query): Valid<TransactionQuery>,
) -> Answered {
    handlers::confirmations(query, &app.call(&wallet)).await.map_err(|error| app.refuse_call(error))
}

pub(super) async fn send<S: Sends>(
    State(app): State<App>,
    wallet: Wallet,
    Sending { request, mode, is_for_later }: Sending<S>,
) -> Answered {
    if is_for_later {
        let checked = app.call(&wallet).check_send(request);
        return checked.map(|()| acceptable()).map_err(|error| app.refuse_call(error));
    }
    let sent = app.call(&wallet).send(request, mode).await;
    app.answer_send(Some(&wallet), sent, mode.dry_run).await
}

pub(super) async fn sign_and_push(
    State(app): State<App>,
    wallet: Wallet,
    Sending { request, mode, is_for_later }: Sending<SignProposal>,
) -> Answered {
    if is_for_later {
        let checked = app.call(&wallet).check_sign_and_push(request).await;
        return checked.map(|()| acceptable()).map_err(|error| app.refuse_call(error));
    }
    let sent = app.call(&wallet).sign_and_push(request, mode).await;
    app.answer_send(Some(&wallet), sent, mode.dry_run).await
}

pub(super) async fn push_swap(
    State(app): State<App>,
    wallet: Wallet,
    Sending { request, mode, is_for_later }: Sending<PushSwap>,
) -> Answered {
    if is_for_later {
        let checked = app.call(&wallet).check_push_swap(request).await;
        return checked.map(|()| acceptable()).map_err(|error| app.refuse_call(error));
    }
    let sent = app.call(&wallet).push_swap(request, mode).await;
    app.answer_send(Some(&wallet), sent, mode.dry_run).await
}

pub(super) async fn push_signing_file(
    State(app): State<App>,
    wallet: Wallet,
    Sending { request, mode, is_for_later }: Sending<PushSigningFile>,
) -> Answered {
    if is_for_later {
        let checked = app.call(&wallet).check_push_signing_file(request).await;
        return checked.map(|()| acceptable()).map_err(|error| app.refuse_call(error));
    }
    let sent = app.call(&wallet).push_signing_file(request, mode).await;
    app.answer_send(Some(&wallet), sent, mode.dry_run).await
}

pub(super) async fn locked_utxos(State(app): State<App>, wallet: Wallet) -> Answered {
    handlers::locked_utxos(&app.call(&wallet)).map_err(|error| app.refuse_call(error))
}

pub(super) async fn list_swaps(State(app): State<App>, wallet: Wallet) -> Response {
    handlers::list_swaps(&app.call(&wallet))
}

pub(super) async fn forget_swap(
    State(app): State<App>,
    wallet: Wallet,
    Valid(proposal): Valid<SwapProposalId>,
) -> Response {
    handlers::forget_swap(&proposal, &app.call(&wallet))
}

/// What makes a transaction made once, however often it is asked for.
type Key = Option<Extension<SendKey>>;

pub(super) async fn build(
    State(app): State<App>,
    wallet: Wallet,
    key: Key,
    Valid(request): Valid<BuildTx>,
) -> Answered {
    let made = app.call(&wallet).build(request, key.map(|Extension(key)| key)).await;
    made.map(answer).map_err(|error| app.refuse_call(error))
}

pub(super) async fn build_template(
    State(app): State<App>,
    wallet: Wallet,
    key: Key,
    Valid(request): Valid<BuildTemplate>,
) -> Answered {
    let made = app.call(&wallet).build_template(request, key.map(|Extension(key)| key)).await;
    made.map(answer).map_err(|error| app.refuse_call(error))
}

pub(super) async fn propose<P: Proposes>(
    State(app): State<App>,
    wallet: Wallet,
    key: Key,
    Proposing(request): Proposing<P>,
) -> Answered {
    let made = app.call(&wallet).propose(request, key.map(|Extension(key)| key)).await;
    made.map(answer).map_err(|error| app.refuse_call(error))
}

pub(super) async fn propose_swap(
    State(app): State<App>,
    wallet: Wallet,
    key: Key,
    Proposing(request): Proposing<ProposeSwap>,
) -> Answered {
    let made = app.call(&wallet).propose_swap(request, key.map(|Extension(key)| key)).await;
    made.map(answer).map_err(|error| app.refuse_call(error))
}

/// The response, which says if it is that of an earlier request.
pub(super) fn answer(done: Done<Response>) -> Response {
    if done.replayed { replayed(done.answer) } else { done.answer }
}

impl App {
    pub(super) fn call<'a>(&self, selected: &'a Selected) -> Call<'a, Http> {
        Call { wallet: &selected.wallet, compat: self.config().compat, reply: Http }
    }

    /// Counts a send, of a wallet or of none, and gives its response.
    pub(super) async fn answer_send(
        &self,
        selected: Option<&Selected>,
        sent: Result<Done<Response>, CallError>,
        dry_run: bool,
    ) -> Answered {
        match &sent {
            Ok(done) if !done.replayed && !dry_run => self.metrics().count_send(None),
            Err(CallError::Send { error, .. }) if !dry_run => self.metrics().count_send(Some(error)),
            _ => {}
        }
        match sent {
            Ok(done) => Ok(answer(done)),
            Err(error) => Err(self.refuse_call(match selected {
                Some(selected) => self.with_what_waits(selected, error).await,
                None => error,
            })),
        }
    }

    /// The response for an operation that was not carried out.
    pub(super) fn refuse_call(&self, error: CallError) -> Refused {
        let compat = self.config().compat;
        let text = match error {
            CallError::Refused(refusal) => return self.refuse(refusal),
            CallError::NotReady(not_ready) => return self.refuse_not_ready(not_ready),
            CallError::Send { error, read_only } => return self.refuse_send(*error, read_only),
            CallError::Share(ShareError::ReadOnly) if !compat.explains_read_only() => {
                READ_ONLY_SIGNATURES.to_owned()
            }
            CallError::Swap(SwapError::Unsigned(_)) if !compat.tells_who_must_sign() => {
                SWAP_INCOMPLETE.to_owned()
            }
            CallError::Message(error) => error.to_string(),
            CallError::Share(error) => error.to_string(),
            CallError::Swap(error) => error.to_string(),
            CallError::Signature(error) => error.to_string(),
        };
        self.refuse(Refusal::failure(text))
    }
}
