//! What goes wrong with a wallet, as errors of JavaScript.

use super::failure::{Failure, INPUT, Lack};
use crate::api::{self, Problem, Refusal, camel_case, texts};
use crate::keys::{InputError, SignerError, VaultError};
use crate::node::{BadUrl, CallError, Fault, MiningError, Service};
use crate::operations;
use crate::service::{
    InputsError, MessageError, NotReady, Phase, SendError, ShareError, SignatureError, StartError, SwapError,
};
use crate::wallet::{PlanError, TemplateFact, TemplateProblem};

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
            Refusal::Failure(failure) if failure.error == texts::ADDRESS_NOT_MINE => {
                Self::new(INPUT, "ADDRESS_NOT_MINE", failure.error)
            }
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
                Self::new(INPUT, "INVALID_INPUT", message).of_field(field)
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
        Self::new(START, code, in_options(&error.to_string()))
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
        let code = match &error {
            SendError::NotReady(not_ready) => return not_ready.clone().into(),
            SendError::ReadOnly => "READ_ONLY",
            SendError::Plan(plan) => plan_code(plan),
            SendError::Contract(_) => "INVALID_CALL",
            SendError::Signer(error) => signer_code(error),
            SendError::Forbidden(_)
            | SendError::Limit(_)
            | SendError::Unapproved(_)
            | SendError::AwaitsApproval { .. } => "SIGNER_REFUSED",
            SendError::Encode(_) => "TRANSACTION_TOO_LARGE",
            SendError::Mining(mining) => mining_code(mining),
            SendError::Rejected(_) => "REJECTED",
            SendError::Node(failure) => call_code(failure),
            SendError::Unknown { .. } => "OUTCOME_UNKNOWN",
            SendError::CutOff => "CUT_OFF",
            SendError::OneOfSeveral => return Self::new(SEND, "MULTISIG", ONE_OF_SEVERAL),
            SendError::Open { .. } | SendError::RecordUnclear { .. } => "OUTCOME_UNKNOWN",
            SendError::KeyTaken => "IDEMPOTENCY_KEY_TAKEN",
            SendError::NotRecorded(_) | SendError::Store(_) => "STORE",
        };
        let (lack, cause) = match &error {
            SendError::Plan(plan) => (operations::lack(plan).and_then(known), None),
            SendError::Mining(MiningError::Call(call)) | SendError::Node(call) => {
                (None, Some(in_options(&call.to_string())))
            }
            SendError::Unknown { cause, .. } | SendError::Open { cause, .. } => {
                (None, Some(in_options(&cause.to_string())))
            }
            _ => (None, None),
        };
        let message = in_options(&operations::send_failure(&error).error);
        Self::new(SEND, code, message).with_lack(lack).caused_by(cause)
    }
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
        match error {
            E::Refused(refusal) => refusal.into(),
            E::NotReady(not_ready) => not_ready.into(),
            E::Send { error, .. } => (*error).into(),
            E::Signature(error) => Self::new(INPUT, signature_code(&error), error),
            E::Message(MessageError::NotReady(not_ready)) => not_ready.into(),
            E::Message(MessageError::ReadOnly) => Self::read_only(),
            E::Message(MessageError::Multisig) => Self::new(INPUT, "MULTISIG", MessageError::Multisig),
            E::Message(MessageError::NotMine) => Self::new(INPUT, "ADDRESS_NOT_MINE", MessageError::NotMine),
            E::Message(MessageError::Signer(error))
            | E::Share(ShareError::Signer(error))
            | E::Swap(SwapError::Signer(error)) => SendError::Signer(Box::new(error)).into(),
            E::Message(MessageError::Guard(refused))
            | E::Share(ShareError::Guard(refused))
            | E::Swap(SwapError::Guard(refused)) => SendError::from(refused).into(),
            E::Share(ShareError::NotMultisig) => Self::new(INPUT, "NOT_MULTISIG", ShareError::NotMultisig),
            E::Share(ShareError::ReadOnly) => Self::read_only(),
            E::Share(ShareError::Changed) => Self::new(INPUT, "SWAP_CHANGED", ShareError::Changed),
            E::Share(error) => Self::new(INPUT, "INVALID_SIGNATURES", error),
            E::Swap(SwapError::ReadOnly) => Self::read_only(),
            E::Swap(SwapError::Multisig) => Self::new(INPUT, "MULTISIG", SwapError::Multisig),
            E::Swap(SwapError::Changed) => Self::new(INPUT, "SWAP_CHANGED", SwapError::Changed),
            E::Swap(SwapError::Node(failure)) => SendError::Node(failure).into(),
            E::Swap(SwapError::Partial(error)) => Self::new(INPUT, "INVALID_SIGNATURES", error),
            E::Swap(error) => Self::new(INPUT, "INVALID_SWAP", error),
            E::Unwritten(error) => Self::internal(error),
        }
    }
}

fn signer_code(error: &SignerError) -> &'static str {
    match error {
        SignerError::Refused { .. } => "SIGNER_REFUSED",
        SignerError::Unreachable(_) => "SIGNER_UNREACHABLE",
        SignerError::Wrong(_) | SignerError::Facts(_) => "SIGNER_FAILED",
    }
}

/// An input that lacks its signature is to be signed; one that has a wrong one is not mended by that.
fn signature_code(error: &SignatureError) -> &'static str {
    match error {
        SignatureError::Input { error: InputError::Unsigned, .. } => "NOT_SIGNED",
        SignatureError::Input { .. } => "INVALID_SIGNATURES",
        SignatureError::Inputs(InputsError::Unknown(_)) => "INPUT_UNKNOWN",
        SignatureError::Inputs(InputsError::Node(call)) => call_code(call),
        SignatureError::Inputs(InputsError::NotReady(_)) => "NOT_READY",
        SignatureError::Encode(_) => "TRANSACTION_TOO_LARGE",
    }
}

fn plan_code(error: &PlanError) -> &'static str {
    use PlanError as P;
    match error {
        P::NothingToSend
        | P::NothingToConsolidate
        | P::GivenTwice { .. }
        | P::DataTooLong(_)
        | P::NotTaken(_)
        | P::Script(_)
        | P::Token(_) => "INVALID_INPUT",
        P::ChangeNotMine(_)
        | P::DestinationNotMine
        | P::AuthorityNotMine(_)
        | P::CallerNotMine(_)
        | P::KeptNotMine(_) => "ADDRESS_NOT_MINE",
        P::FeeTooHigh { .. }
        | P::NothingWithdrawn(_)
        | P::WithdrawnTooLittle { .. }
        | P::OtherTokenInCreation(_) => "INVALID_CALL",
        P::Insufficient { .. }
        | P::InputsTooSmall(_)
        | P::QueryInsufficient(_)
        | P::NotEnoughHtr { .. }
        | P::NotEnoughToMelt { .. }
        | P::NotEnoughToDeposit { .. } => "INSUFFICIENT_FUNDS",
        P::LockedOrUsed { .. } => "INPUT_LOCKED",
        P::AlreadySpent { .. } => "INPUT_SPENT",
        P::Voided { .. } => "INPUT_VOIDED",
        P::IsAuthority { .. } => "INPUT_IS_AUTHORITY",
        P::NotFromTheWallet { .. } | P::InvalidInput | P::NoneUsable => "INPUT_UNKNOWN",
        P::NoAuthority(_) | P::NothingToGrant(_) => "NO_AUTHORITY",
        P::Template(error) => match error.problem {
            TemplateProblem::Insufficient { .. } => "INSUFFICIENT_FUNDS",
            TemplateProblem::NoSuchOutput | TemplateProblem::Unknown(TemplateFact::Outputs(_)) => {
                "INPUT_UNKNOWN"
            }
            _ => "INVALID_INPUT",
        },
        P::TooScattered { .. }
        | P::TooManyDataOutputs(_)
        | P::TooManyTokens(_)
        | P::TooLarge(_)
        | P::Encode(_) => "TRANSACTION_TOO_LARGE",
    }
}

fn mining_code(error: &MiningError) -> &'static str {
    match error {
        MiningError::Timeout => "MINING_TIMEOUT",
        MiningError::RateLimited { .. } => "MINING_RATE_LIMITED",
        MiningError::NoMiners => "NO_MINERS",
        MiningError::TooEarly { .. } => "TOO_EARLY",
        MiningError::Refused { .. } | MiningError::Ended { .. } => "MINING_REFUSED",
        MiningError::Call(failure) => call_code(failure),
        MiningError::Encode(_) => "TRANSACTION_TOO_LARGE",
    }
}

fn call_code(failure: &CallError) -> &'static str {
    match (failure.service, &failure.fault) {
        (Service::FullNode, Fault::Unreachable(_) | Fault::Broken(_)) => "NODE_UNREACHABLE",
        (Service::FullNode, Fault::TimedOut(_) | Fault::Busy) => "NODE_TIMEOUT",
        (Service::FullNode, Fault::Status { status: 429, .. }) => "NODE_RATE_LIMITED",
        (Service::FullNode, Fault::Status { .. } | Fault::InvalidAnswer(_)) => "NODE_BAD_ANSWER",
        (Service::FullNode, Fault::Refused(_)) => "NODE_REFUSED",
        (Service::MiningService, Fault::Unreachable(_) | Fault::Broken(_)) => "MINING_UNREACHABLE",
        (Service::MiningService, Fault::TimedOut(_) | Fault::Busy) => "MINING_NO_ANSWER",
        (Service::MiningService, Fault::Status { status: 429, .. }) => "MINING_RATE_LIMITED",
        (Service::MiningService, Fault::Status { .. } | Fault::InvalidAnswer(_)) => "MINING_BAD_ANSWER",
        (Service::MiningService, Fault::Refused(_)) => "MINING_REFUSED",
        (Service::SwapService, _) => "SWAP_SERVICE_FAILED",
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
