//! The code of each error: what programs go by, in the package and where a server answers with real statuses.

use super::CallError;
use crate::api::Refusal;
use crate::keys::{InputError, SignerError};
use crate::node::{self, Fault, MiningError, Service};
use crate::service::{
    InputsError, MessageError, NotReady, Phase, SendError, ShareError, SignatureError, SwapError,
};
use crate::wallet::{PlanError, TemplateFact, TemplateProblem};

/// Of an operation that was not carried out.
pub fn code(error: &CallError) -> &'static str {
    use CallError as E;
    match error {
        E::Refused(refusal) => refusal_code(refusal),
        E::NotReady(not_ready) => not_ready_code(not_ready),
        E::Node { error, .. } => call_code(error),
        E::Send { error, .. } => send_code(error),
        E::Signature(error) | E::Swap(SwapError::Signature(error)) => signature_code(error),
        E::Message(MessageError::NotReady(not_ready))
        | E::Share(ShareError::NotReady(not_ready))
        | E::Swap(SwapError::NotReady(not_ready)) => not_ready_code(not_ready),
        E::Message(MessageError::ReadOnly)
        | E::Share(ShareError::ReadOnly)
        | E::Swap(SwapError::ReadOnly) => "READ_ONLY",
        E::Message(MessageError::Multisig) | E::Swap(SwapError::Multisig) => "MULTISIG",
        E::Message(MessageError::NotMine) => "ADDRESS_NOT_MINE",
        E::Message(MessageError::Signer(error))
        | E::Share(ShareError::Signer(error))
        | E::Swap(SwapError::Signer(error)) => signer_code(error),
        E::Message(MessageError::Guard(_))
        | E::Share(ShareError::Guard(_))
        | E::Swap(SwapError::Guard(_)) => "SIGNER_REFUSED",
        E::Share(ShareError::NotMultisig) => "NOT_MULTISIG",
        E::Share(ShareError::Changed) | E::Swap(SwapError::Changed) => "SWAP_CHANGED",
        E::Swap(SwapError::Node(failure)) => call_code(failure),
        E::Share(_) | E::Swap(SwapError::Partial(_)) => "INVALID_SIGNATURES",
        E::Swap(_) => "INVALID_SWAP",
        #[cfg(target_arch = "wasm32")]
        E::Unwritten(_) => "INTERNAL",
    }
}

pub fn refusal_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Failure(failure) => failure.code,
        Refusal::Fields(_) | Refusal::Details(_) | Refusal::Body(_) => "INVALID_INPUT",
        Refusal::Encoding(_) => "UNSUPPORTED_ENCODING",
        Refusal::Forbidden(_) => "FORBIDDEN",
        Refusal::NotFound(_) => "NOT_FOUND",
        Refusal::NotAllowed(_) => "NOT_ALLOWED",
    }
}

pub fn not_ready_code(NotReady(status): &NotReady) -> &'static str {
    if status.phase == Phase::Closed { "STOPPED" } else { "NOT_READY" }
}

pub fn send_code(error: &SendError) -> &'static str {
    match error {
        SendError::NotReady(not_ready) => not_ready_code(not_ready),
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
        SendError::CutOff => "CUT_OFF",
        SendError::OneOfSeveral => "MULTISIG",
        SendError::Unknown { .. } | SendError::Open { .. } | SendError::RecordUnclear { .. } => {
            "OUTCOME_UNKNOWN"
        }
        SendError::KeyTaken => "IDEMPOTENCY_KEY_TAKEN",
        SendError::NotRecorded(_) | SendError::Store(_) => "STORE",
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
        | P::PartsHandedOut
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

pub fn call_code(failure: &node::CallError) -> &'static str {
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
