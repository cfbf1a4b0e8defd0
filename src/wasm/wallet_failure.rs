//! What goes wrong with a wallet, as errors of JavaScript.

use super::failure::{Failure, INPUT, Lack};
use crate::api::{self, Problem, Refusal, camel_case, texts};
use crate::keys::VaultError;
use crate::node::{BadUrl, CallError, Fault, MiningError, Service};
use crate::operations;
use crate::operations::codes::{call_code, code, send_code};
use crate::service::{MessageError, NotReady, Phase, SendError, ShareError, StartError, SwapError};

const START: &str = "StartError";
const NOT_READY: &str = "NotReadyError";
const SEND: &str = "SendError";
const VAULT: &str = "VaultError";

const ONE_OF_SEVERAL: &str = "of a multisig wallet, one participant's signature is not enough: use proposeTx, then mySignatures by each of \
     them, then signAndPush";

impl Failure {
    /// The wallet was stopped before it was ready.
    pub(super) fn stopped() -> Self {
        Self::new(START, "STOPPED", "the wallet was stopped before it was ready")
    }

    /// The wallet can't become ready, in its status's words.
    pub(super) fn never_ready(problem: &str) -> Self {
        Self::new(START, "SYNC_FAILED", in_options(problem))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Fields(problems) | Refusal::Details(problems) => {
                let mut single = problems.iter().flat_map(Problem::single).peekable();
                let field = single.peek().map(|problem| camel_case(&problem.param));
                let sentences: Vec<_> = single
                    .map(|problem| format!("{} {}", camel_case(&problem.param), problem.must))
                    .collect();
                Self::new(INPUT, "INVALID_INPUT", sentences.join("; ")).of_field(field)
            }
            Refusal::Body(text)
            | Refusal::Encoding(text)
            | Refusal::NotFound(text)
            | Refusal::NotAllowed(text) => Self::new(INPUT, "INVALID_INPUT", text),
            Refusal::Forbidden(why) => SendError::Forbidden(why).into(),
            Refusal::Failure(failure) => {
                let field = match failure.error.as_str() {
                    texts::AMOUNT_ZERO | texts::AMOUNT_NEGATIVE => Some("amount".to_owned()),
                    texts::TOKEN_VERSION_MISSING => Some("version".to_owned()),
                    _ => None,
                };
                let message = match &field {
                    Some(field) => format!("{field}: {}", failure.error),
                    None => failure.error,
                };
                // What a server lacks a setting for lacks an option here.
                let code = if failure.code == "NOT_ALLOWED" { "INVALID_INPUT" } else { failure.code };
                Self::new(INPUT, code, message).of_field(field)
            }
        }
    }
}

impl From<VaultError> for Failure {
    fn from(error: VaultError) -> Self {
        let code = match error {
            VaultError::WrongPassword => "WRONG_PASSWORD",
            VaultError::Unreadable => "VAULT_UNREADABLE",
            VaultError::Secret => return Self::input("secret", "must not end in a zero character"),
            VaultError::Randomness | VaultError::Memory => return Self::internal(error),
        };
        Self::new(VAULT, code, error)
    }
}

impl From<BadUrl> for Failure {
    fn from(bad: BadUrl) -> Self {
        let field = option_of(bad.service).to_owned();
        Self::new(INPUT, "INVALID_INPUT", in_options(&bad.to_string())).of_field(Some(field))
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let code = match &error {
            StartError::Node(failure) => call_code(failure),
            StartError::WrongNetwork(_) => "WRONG_NETWORK",
            StartError::Store(_) => "STORE",
            StartError::OtherNode(runs_at) => {
                let message =
                    "where another wallet of this account runs: use that one, or stop the other first";
                return Self::input("nodeUrl", format!("must be {runs_at}, {message}"));
            }
            // Of a registry of wallets, which there is none of here.
            StartError::AlreadyStarted => return Self::internal(error),
        };
        let cause = match &error {
            StartError::Node(call) => Some(cause_of(call)),
            _ => None,
        };
        Self::new(START, code, in_options(&error.to_string())).caused_by(cause)
    }
}

impl From<NotReady> for Failure {
    fn from(NotReady(status): NotReady) -> Self {
        if status.phase == Phase::Closed {
            return Self::new(NOT_READY, "STOPPED", "the wallet is stopped");
        }
        let message = match &status.problem {
            Some(problem) => {
                format!("{} It is {}: {}", texts::WALLET_NOT_READY, status.phase, in_options(problem))
            }
            None => format!("{} It is {}.", texts::WALLET_NOT_READY, status.phase),
        };
        Self::new(NOT_READY, "NOT_READY", message)
    }
}

impl From<SendError> for Failure {
    fn from(error: SendError) -> Self {
        match error {
            SendError::NotReady(not_ready) => return not_ready.into(),
            SendError::OneOfSeveral => return Self::new(SEND, "MULTISIG", ONE_OF_SEVERAL),
            _ => {}
        }
        let (lack, cause) = match &error {
            SendError::Plan(plan) => (operations::lack(plan).and_then(known), None),
            SendError::Mining(MiningError::Call(call)) | SendError::Node(call) => {
                (None, Some(cause_of(call)))
            }
            SendError::Unknown { cause, .. } | SendError::Open { cause, .. } => (None, Some(cause_of(cause))),
            _ => (None, None),
        };
        let message = match (&lack, &error) {
            (Some(lack), _) => lack.sentence(),
            (_, SendError::Mining(mining)) => mining_text(mining),
            _ => operations::send_failure(&error).error,
        };
        Self::new(SEND, send_code(&error), in_options(&message)).with_lack(lack).caused_by(cause)
    }
}

/// What led to a failed call: the network's own reason, or else the call's text.
fn cause_of(call: &CallError) -> String {
    match &call.fault {
        Fault::Unreachable(reason) | Fault::Broken(reason) => reason.clone(),
        _ => in_options(&call.to_string()),
    }
}

/// The package's own texts; the service's server answers with those of hathor-wallet-headless.
fn mining_text(error: &MiningError) -> String {
    let what = match error {
        MiningError::Timeout => "the mining service did not solve the proof of work in time",
        MiningError::RateLimited { .. } => "the mining service takes no more transactions for now",
        MiningError::NoMiners => "the mining service has no miners",
        other => return other.to_string(),
    };
    format!("{what}: nothing was sent. Send again later")
}

/// What was lacking, where the amounts are known.
fn known(api::Lack { token, amounts }: api::Lack) -> Option<Lack> {
    let (required, available) = amounts?;
    let token = token.map(|token| token.to_string());
    Some(Lack { need: required.cents(), have: available.cents(), token })
}

impl From<operations::CallError> for Failure {
    fn from(error: operations::CallError) -> Self {
        use operations::CallError as E;
        let code = code(&error);
        match error {
            E::Refused(refusal) => refusal.into(),
            E::NotReady(not_ready)
            | E::Message(MessageError::NotReady(not_ready))
            | E::Share(ShareError::NotReady(not_ready))
            | E::Swap(SwapError::NotReady(not_ready)) => not_ready.into(),
            E::Send { error, .. } => (*error).into(),
            E::Message(MessageError::ReadOnly)
            | E::Share(ShareError::ReadOnly)
            | E::Swap(SwapError::ReadOnly) => Self::read_only(),
            E::Message(MessageError::Signer(error))
            | E::Share(ShareError::Signer(error))
            | E::Swap(SwapError::Signer(error)) => SendError::Signer(Box::new(error)).into(),
            E::Message(MessageError::Guard(refused))
            | E::Share(ShareError::Guard(refused))
            | E::Swap(SwapError::Guard(refused)) => SendError::from(refused).into(),
            E::Swap(SwapError::Node(failure)) => SendError::Node(failure).into(),
            E::Node { error, text } => {
                let text = text.map_or_else(|| in_options(&error.to_string()), str::to_owned);
                Self::new(NOT_READY, code, text).caused_by(Some(cause_of(&error)))
            }
            E::Signature(error) => Self::new(INPUT, code, error),
            E::Message(error) => Self::new(INPUT, code, error),
            E::Share(error) => Self::new(INPUT, code, error),
            E::Swap(error) => Self::new(INPUT, code, error),
            E::Unwritten(error) => Self::internal(error),
        }
    }
}

/// The option of `Wallet.start` that holds the service's address.
const fn option_of(service: Service) -> &'static str {
    match service {
        Service::FullNode => "nodeUrl",
        Service::MiningService => "miningUrl",
        Service::SwapService => "swapServiceUrl",
    }
}

/// A text of the rooms below, which name settings as the server has them, with the names that they have here.
pub(super) fn in_options(text: &str) -> String {
    [Service::FullNode, Service::MiningService, Service::SwapService].iter().fold(
        text.to_owned(),
        |text, &service| {
            text.replace(&format!("`{}`", service.setting()), &format!("`{}`", option_of(service)))
        },
    )
}
