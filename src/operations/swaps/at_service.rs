//! Proposals of atomic swaps at the swap service.

use crate::api::check_twice::Form;
use crate::api::rules::{OPTIONAL_ADDRESS, TEXT, or_noted, says_something};
use crate::api::texts::{
    INVALID_IS_NEW, INVALID_PASSWORD, INVALID_PROPOSAL_ID, INVALID_VERSION, METHOD_NOT_ALLOWED,
    NOT_REGISTERED_TO_FETCH, request_failed,
};
use crate::api::{Literal, SwapListAnswer, SwapProposalAnswer, SwapProposalMembers};
use crate::node::{SwapServiceError, SwapUpdate};
use crate::operations::prelude::*;
use crate::service::{SwapProposalError, Wallet};
use serde_json::Value;

/// Never on the command line itself, where others can see it.
const PASSWORD_FILE: Argument =
    Argument::flag("password", "password-file").help("Reads the proposal's password from this file");

pub static LIST_SWAPS: Operation =
    get("list-swaps", "/wallet/atomic-swap/tx-proposal/list", Group::Swaps, Right::Read)
        .does("List the proposals at the swap service that the wallet is registered for.")
        .package(&[method("swapProposals").gives("string[]")])
        .command(&[command("swap-list")])
        .reads::<SwapListQuery>(&[])
        .answers(answers![SwapListAnswer]);

pub static FETCH_SWAP: Operation =
    get("fetch-swap", "/wallet/atomic-swap/tx-proposal/fetch/{proposalId}", Group::Swaps, Right::Read)
        .does("Fetch a proposal from the swap service, and decrypt it.")
        .package(&[method("swapProposal").takes("proposalId: string").gives("SwapProposal").waits()])
        .command(&[command("swap-fetch").places(&["proposalId"])])
        .asks::<SwapProposalId>(&[("example", r#"{"proposalId": "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9"}"#)])
        .answers(answers![SwapProposalAnswer<'_>, Failure])
        .also(&[
            (404, "The wallet is not registered for that proposal, or there is none."),
            (405, "The server has no swap service."),
        ]);

pub static REGISTER_SWAP: Operation = post(
    "register-swap",
    "/wallet/atomic-swap/tx-proposal/register/{proposalId}",
    Group::Swaps,
    Right::Build,
)
.does("Register for a proposal at the swap service: its password is kept while the wallet runs.")
.package(&[method("registerSwapProposal").waits()])
.command(&[command("swap-register").places(&["proposalId"]).by(&[PASSWORD_FILE])])
.asks::<RegisterSwap>(&[(
    "example",
    r#"{"password": "abc123", "proposalId": "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9"}"#,
)])
.answers(answers![Success, Failure]);

pub static DELETE_SWAP: Operation =
    get("delete-swap", "/wallet/atomic-swap/tx-proposal/delete/{proposalId}", Group::Swaps, Right::Build)
        .does("Forget a proposal at the swap service, and its password.")
        .delete()
        .package(&[method("deleteSwapProposal").takes("proposalId: string")])
        .command(&[command("swap-delete").places(&["proposalId"])])
        .reads::<SwapProposalId>(&[("example", r#"{"proposalId": "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9"}"#)])
        .answers(answers![Success]);

/// Fewest characters of a password for the swap service, in UTF-16 as JavaScript counts them.
const MIN_PASSWORD: usize = 3;

object! {
    /// What is to become of a proposal at the swap service.
    pub struct SwapServiceFields, needs = [["is_new", "password"], ["proposal_id", "version"]], reads = [is_new, proposal_id, password, version], also = refuse_unused_at_service {
        /// Whether the proposal is to be kept there as a new one.
        pub is_new: bool = IS_NEW,
        /// Of a new one: whoever knows it can read and change the proposal. At least 3 characters.
        pub password: Option<String> = NEW_PASSWORD,
        /// Which of the registered proposals is replaced there.
        pub proposal_id: Option<String> = PROPOSAL_ID,
        /// The version that is replaced, which must be the newest.
        pub version: Option<SwapVersion> = VERSION,
    }
}

object! {
    /// Which proposal of the swap service is signed.
    pub struct SignedAtService, needs = [["proposal_id", "version"]] {
        /// Which of the registered proposals is replaced there.
        pub proposal_id: Option<String> = PROPOSAL_ID,
        /// The version that is replaced, which must be the newest.
        pub version: Option<SwapVersion> = VERSION,
    }
}

/// The version of a proposal, as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapVersion {
    Number(i128),
    /// A number as text, which stands for it elsewhere and is refused here once all else is done.
    Text,
}

const IS_NEW: Rule<bool> = Rule::optional(Kind::Flag, truth).called(INVALID_IS_NEW);

const NEW_PASSWORD: Rule<Option<String>> = NONEMPTY_TEXT.length(Length::File).called(INVALID_PASSWORD);

const PROPOSAL_ID: Rule<Option<String>> = NONEMPTY_TEXT.called(INVALID_PROPOSAL_ID);

/// A text, or nothing; an empty one is nothing.
const NONEMPTY_TEXT: Rule<Option<String>> = OPTIONAL_ADDRESS.of(Kind::Text);

const VERSION: Rule<Option<SwapVersion>> = Rule::optional(Kind::Integer(Some(0), None), |check, field, _| {
    let is_text = field.value.is_some_and(Value::is_string);
    let number = check.optional_integer(field, Some(0));
    Ok(number.map(|number| if is_text { SwapVersion::Text } else { SwapVersion::Number(number) }))
})
.called(INVALID_VERSION);

/// A yes or no.
pub(crate) fn truth<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    Context { compat, default, .. }: Context,
) -> Result<bool, Refusal> {
    let flag = check.flag(field, default == Some(Literal::Flag(true)));
    Ok(flag || (compat.takes_texts_for_true() && field.value.is_some_and(Value::is_string)))
}

/// Refuses what is said of the swap service and has no effect there.
fn refuse_unused_at_service(check: &mut Checker<'_>, compat: Compat) {
    if !compat.refuses_unused_fields() {
        return;
    }
    let field = check.field("is_new");
    let is_new = check.form(|check| check.flag(&field, false)).unwrap_or(false);
    let has_id = check.field("proposal_id").value.is_some_and(says_something);
    for (name, is_unused, must) in [
        (
            "password",
            !is_new,
            "must be left out unless the proposal is new: a registered one has its password",
        ),
        ("proposal_id", is_new, "must be left out of a new proposal: the service gives it its id"),
        ("version", is_new || !has_id, "must be left out unless a registered proposal is replaced"),
    ] {
        let field = check.field(name);
        if is_unused && field.value.is_some_and(|value| !value.is_null() && value != "") {
            check.unused(&field, must);
        }
    }
}

request! {
    /// `GET /wallet/atomic-swap/tx-proposal/fetch/{proposalId}` and `DELETE …/delete/{proposalId}`.
    pub struct SwapProposalId in query {
        /// The proposal's id at the swap service.
        pub id: String = ID_IN_PATH,
    }
}

request! {
    /// `POST /wallet/atomic-swap/tx-proposal/register/{proposalId}`.
    pub struct RegisterSwap in body {
        /// The proposal's id at the swap service.
        pub id: String = ID_IN_PATH,
        /// The proposal's password.
        pub password: String = PASSWORD,
    }
}

const ID_IN_PATH: Rule<String> = TEXT.of(Kind::NonEmptyText).named("proposalId").called(INVALID_PROPOSAL_ID);

/// Empty where release 0.39 has none.
const PASSWORD: Rule<String> = Rule::required(Kind::Text, |check, field, context| {
    if !context.compat.checks_swap_passwords() {
        match field.value {
            None | Some(Value::Null) => return Ok(String::new()),
            Some(Value::String(text)) => return Ok(text.clone()),
            Some(Value::Number(number)) => return Ok(number.to_string()),
            _ => {}
        }
    }
    let long = |text: &str| text.split('\n').any(|line| line.encode_utf16().count() >= MIN_PASSWORD);
    let form = Form { must: "must have at least 3 characters", fits: long };
    let fits = check.fit(std::slice::from_ref(field), Some(&form), false)[0];
    or_noted(field.value.and_then(Value::as_str).filter(|_| fits).map(str::to_owned))
})
.length(Length::File)
.called(INVALID_PASSWORD);

impl Ask for SwapProposalId {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            if !call.wallet.has_swap_service() && !call.compat.explains_swaps() {
                return Err(CallError::Refused(Refusal::NotAllowed(METHOD_NOT_ALLOWED.to_owned())));
            }
            let found = call.wallet.swap_proposal(&self.id).await.map_err(|error| match error {
                SwapProposalError::NotRegistered => not_found(NOT_REGISTERED_TO_FETCH),
                error @ SwapProposalError::Service(SwapServiceError::NotFound(_)) => {
                    not_found(words(error, call.compat))
                }
                error => unread(error, call.compat),
            })?;
            let history = found.history.into_iter().map(|past| (past.partial_tx, past.timestamp));
            let proposal = SwapProposalMembers {
                id: found.id,
                version: found.version,
                timestamp: found.timestamp,
                partial_tx: found.partial_tx,
                signatures: found.signatures,
                history: history.collect(),
            };
            call.give(&SwapProposalAnswer(&proposal))
        })
    }
}

impl Ask for RegisterSwap {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            if self.password.is_empty() && !call.wallet.knows_swap(&self.id) {
                return Err(refused(INVALID_PASSWORD));
            }
            let registered = call.wallet.register_swap(&self.id, self.password.into()).await;
            registered.map_err(|error| unread(error, call.compat))?;
            call.success()
        })
    }
}

/// Has the swap service keep a new proposal, whose id it gives, or replace one. Release 0.39, where there is
/// no service, passes over what is asked of it.
pub(crate) async fn at_service(
    wallet: &Wallet,
    compat: Compat,
    service: &SwapServiceFields,
    partial_tx: &str,
    signatures: Option<&str>,
) -> Result<Option<String>, CallError> {
    let is_asked = service.is_new || service.proposal_id.is_some();
    if !is_asked || (!wallet.has_swap_service() && !compat.explains_swaps()) {
        return Ok(None);
    }
    let failed = |error: SwapProposalError| match error {
        SwapProposalError::NotRegistered => not_found(error),
        error => unread(error, compat),
    };
    match &service.proposal_id {
        Some(id) if !service.is_new => {
            let version = match service.version {
                // What is too large for a version is not the newest one.
                Some(SwapVersion::Number(version)) => u64::try_from(version).unwrap_or(u64::MAX),
                Some(SwapVersion::Text) => return Err(refused(INVALID_VERSION)),
                None => return Err(failed(SwapProposalError::NoVersion)),
            };
            let update = SwapUpdate { partial_tx, version, signatures };
            wallet.update_swap(id, update).await.map_err(failed)?;
            Ok(None)
        }
        _ => {
            let password = service.password.clone().unwrap_or_default().into();
            wallet.create_swap(partial_tx, password).await.map(Some).map_err(failed)
        }
    }
}

fn unread(error: SwapProposalError, compat: Compat) -> CallError {
    let code = match error {
        SwapProposalError::NoService => "NOT_ALLOWED",
        SwapProposalError::Service(SwapServiceError::Call(_)) => "SWAP_SERVICE_FAILED",
        _ => "INVALID_INPUT",
    };
    refused_as(code, words(error, compat))
}

/// Why a proposal is not read or changed. Of a service that refuses, release 0.39 says the status alone.
fn words(error: SwapProposalError, compat: Compat) -> String {
    let status = match &error {
        SwapProposalError::Service(error) if !compat.explains_swaps() => error.status(),
        _ => None,
    };
    status.map_or_else(|| error.to_string(), request_failed)
}

fn not_found(why: impl ToString) -> CallError {
    CallError::Refused(Refusal::NotFound(why.to_string()))
}

request! {
    /// `GET /wallet/atomic-swap/tx-proposal/list`.
    pub struct SwapListQuery in query {}
}

impl Read for SwapListQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        call.give(&SwapListAnswer(call.wallet.swap_proposals()))
    }
}

/// Forgets the proposal, if it is there.
impl Read for SwapProposalId {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        call.wallet.forget_swap(&self.id);
        call.success()
    }
}
