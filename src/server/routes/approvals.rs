//! Approvals: what waits for one, and who gives or denies it.

use super::valid::Valid;
use crate::api::texts::API_KEY_GONE;
use crate::api::{ApprovalAnswer, ApprovalListAnswer, AwaitsApprovalAnswer, Refusal};
use crate::ledger::{Amount, TokenUid, Transaction};
use crate::operations::ApprovalId;
use crate::operations::{CallError, send_failure};
use crate::rt;
use crate::server::App;
use crate::server::answer::{Refused, Why, json, json_with};
use crate::server::approvals::{Approval, ApprovalError, ListError, members, sum};
use crate::server::auth::Caller;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::selection::Selected;
use crate::service::{SendError, Sent, Wallet as Running};
use crate::wallet::PlanError;
use axum::Extension;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

type Wallet = Extension<Selected>;
type Answered = Result<Response, Refused>;

/// The answer to a request that waits for approval now.
pub(super) fn awaits(error: &str, id: &str) -> Response {
    let mut response = json_with(StatusCode::ACCEPTED, &AwaitsApprovalAnswer { error, id });
    response.extensions_mut().insert(Why(error.to_owned()));
    if let Ok(place) = HeaderValue::try_from(format!("/wallet/approvals/{id}")) {
        response.headers_mut().insert(LOCATION, place);
    }
    response
}

/// `GET /wallet/approvals`.
pub(super) async fn list(State(app): State<App>, Extension(selected): Wallet) -> Answered {
    let list = app.read_approvals().await.map_err(|error| app.refuse_approval(error))?;
    let of_wallet = list.approvals.iter().rev().filter(|approval| approval.wallet == selected.id);
    Ok(json(&ApprovalListAnswer(of_wallet.map(told).collect())))
}

/// `GET /wallet/approvals/{approvalId}`.
pub(super) async fn approval(
    State(app): State<App>,
    Extension(selected): Wallet,
    Valid(ApprovalId { id }): Valid<ApprovalId>,
) -> Answered {
    app.tell_approval(&selected, &id).await
}

/// `POST /wallet/approvals/deny/{approvalId}`.
pub(super) async fn deny(
    State(app): State<App>,
    Extension(selected): Wallet,
    Extension(caller): Extension<Caller>,
    Valid(ApprovalId { id }): Valid<ApprovalId>,
) -> Answered {
    let by = caller.name().unwrap_or("(owner)");
    let denied = app.change_approvals(|list| {
        let transaction = list.find(&selected.id, &id).map(|approval| approval.transaction.clone());
        list.deny(&selected.id, &id, by, now())?;
        Ok(transaction.unwrap_or_default())
    });
    let transaction = denied.await.map_err(|error| app.refuse_approval(error))?;
    tracing::info!("the approval {id} was denied by {by}");
    if let Some(transaction) = read(&transaction) {
        // Where that fails, they are free when its time is over.
        let unlocked = selected.wallet.unlock_reserved(&transaction.spends());
        if unlocked.is_ok()
            && let Err(error) = selected.wallet.flush().await
        {
            tracing::warn!("{error}: that what was denied is free is kept later");
        }
    }
    app.tell_approval(&selected, &id).await
}

/// `POST /wallet/approvals/approve/{approvalId}`.
pub(super) async fn approve(
    State(app): State<App>,
    Extension(selected): Wallet,
    Extension(caller): Extension<Caller>,
    Valid(ApprovalId { id }): Valid<ApprovalId>,
) -> Answered {
    let Some(by) = caller.name() else {
        let error = "Approvals are given with API keys that have names.";
        return Err(app.refuse(Refusal::failure(error)));
    };
    let approved = app.change_approvals(|list| list.approve(&selected.id, &id, by, now())).await;
    approved.map_err(|error| app.refuse_approval(error))?;
    tracing::info!("the approval {id} was given by {by:?}");
    let (server, at, of) = (app.clone(), selected.clone(), id.clone());
    // What is begun is noted to its end, whatever becomes of the caller.
    let sent = rt::detached(Box::pin(async move { server.send_approved(&at, &of).await })).await;
    if let Some(Err(error)) = sent {
        return Err(app.refuse_approval(error));
    }
    app.tell_approval(&selected, &id).await
}

impl App {
    /// Sends what has enough approvals, and notes what came of it.
    async fn send_approved(&self, selected: &Selected, id: &str) -> Result<(), ApprovalError> {
        let Selected { id: wallet_id, wallet, .. } = selected;
        let list = self.read_approvals().await?;
        let unknown = || ListError::Unknown(id.to_owned());
        let approval = list.find(wallet_id, id).ok_or_else(unknown)?;
        let parts = (read(&approval.transaction), approval.send_key());
        let (Some(transaction), Some(key)) = parts else { return Ok(()) };
        // Tells this try from others.
        let by = getrandom::u64().map_err(|_| ApprovalError::Busy)?.to_string();
        let failed = async |error: String, may_be_sent| {
            let note = self.change_approvals(|list| {
                list.failed(wallet_id, id, &by, error.clone(), may_be_sent);
                Ok(())
            });
            note.await
        };
        let Some(caller) = self.asker(approval).await else {
            return failed(API_KEY_GONE.to_owned(), false).await;
        };
        let wallet = self.guarded(&caller, wallet_id, wallet, Some(id.to_owned()));
        match wallet.check_by_guard(&transaction).await {
            // There are not enough yet.
            Err(SendError::Unapproved(_)) => return Ok(()),
            Err(error) => return failed(error.to_string(), false).await,
            Ok(()) => {}
        }
        if !self.change_approvals(|list| list.begin(wallet_id, id, &by, now())).await? {
            return Ok(());
        }
        let sent = wallet.carry_out_approved(transaction, key).await;
        self.metrics().count_send(sent.as_ref().err());
        match sent {
            Ok(sent) => {
                let Sent { id: hash, .. } = sent.sent;
                let note = self.change_approvals(|list| {
                    list.sent(wallet_id, id, hash.to_string(), now());
                    Ok(())
                });
                note.await
            }
            Err(error) => failed(error.to_string(), error.may_be_sent()).await,
        }
    }

    /// An error that there is too little of a token, with what of it waits for approval: nothing else tells
    /// whoever asks where it is.
    pub(super) async fn with_what_waits(&self, selected: &Selected, error: CallError) -> CallError {
        let CallError::Send { error: send, .. } = &error else { return error };
        let token = match &**send {
            SendError::Plan(plan) => match **plan {
                PlanError::Insufficient { token, .. } => token,
                PlanError::NotEnoughHtr { .. } => TokenUid::Native,
                _ => return error,
            },
            _ => return error,
        };
        if !selected.may_read || !self.config().compat.tells_what_waits() {
            return error;
        }
        let Ok(list) = self.read_approvals().await else { return error };
        let open = list.open(&selected.id, now()).filter_map(|approval| {
            let spent = spent(&selected.wallet, &read(&approval.transaction)?, token);
            (!spent.is_zero()).then_some((spent, approval.id.as_str()))
        });
        let (amounts, ids): (Vec<_>, Vec<_>) = open.unzip();
        if ids.is_empty() {
            return error;
        }
        let all = sum(amounts.into_iter().sum(), Some(token));
        let (verb, approvals) = if ids.len() == 1 { ("waits", "approval") } else { ("wait", "approvals") };
        let more = format!(" {all} more {verb} for approval ({approvals} {}).", ids.join(", "));
        let mut failure = send_failure(send);
        failure.error += &more;
        CallError::Refused(Refusal::Failure(failure))
    }

    /// For whom it is sent: with what their key may do by now. `None` if it holds no more.
    async fn asker(&self, approval: &Approval) -> Option<Caller> {
        let Some(name) = &approval.by else { return Some(Caller::Owner) };
        let known = self.access().whole().await?;
        let key =
            known.named(name).filter(|key| !key.has_ended(now()) && key.named.grant.is_for(&approval.wallet));
        key.cloned().map(Caller::Named)
    }

    async fn tell_approval(&self, selected: &Selected, id: &str) -> Answered {
        let list = self.read_approvals().await.map_err(|error| self.refuse_approval(error))?;
        match list.find(&selected.id, id) {
            Some(approval) => Ok(json(&told(approval))),
            None => Err(self.refuse_approval(ListError::Unknown(id.to_owned()).into())),
        }
    }

    fn refuse_approval(&self, error: ApprovalError) -> Refused {
        match error {
            ApprovalError::List(ListError::Unknown(_)) => self.refuse(Refusal::NotFound(error.to_string())),
            ApprovalError::List(_) | ApprovalError::Nowhere => {
                self.refuse(Refusal::failure(error.to_string()))
            }
            ApprovalError::Unreadable(_) | ApprovalError::Busy | ApprovalError::Store(_) => {
                no_room(error.to_string(), RETRY_SECONDS).into()
            }
        }
    }
}

fn now() -> u64 {
    rt::unix_seconds().into()
}

/// What of a token a transaction spends of the wallet.
fn spent(wallet: &Running, transaction: &Transaction, token: TokenUid) -> Amount {
    wallet.look(|state, _| {
        let spends = transaction.spends();
        let outputs = spends.iter().filter_map(|spent| state.output(*spent));
        let of_token = outputs.filter(|output| output.token == token && !output.token_data.is_authority());
        of_token.map(|output| output.value).sum()
    })
}

fn read(hex: &str) -> Option<Transaction> {
    Transaction::from_bytes_with_v2(&hex::decode(hex).ok()?).ok()
}

fn told(approval: &Approval) -> ApprovalAnswer<'_> {
    ApprovalAnswer(members(approval, now()))
}
