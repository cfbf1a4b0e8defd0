//! What callers are told of a send that failed: the words of release 0.39 where it has some, which clients
//! match.

use crate::api::{Failure, Lack, texts};
use crate::ledger::TokenUid;
use crate::service::SendError;
use crate::wallet::{PlanError, Planned, TemplateProblem};

/// The text, and what else callers are told in keys of their own.
pub fn send_failure(error: &SendError) -> Failure {
    match error {
        SendError::Plan(plan) => plan_failure(plan),
        other => Failure::new(other.to_string()),
    }
}

/// What release 0.39 says of a template that can't be carried out: not where.
pub fn template_failure(error: &SendError) -> Option<Failure> {
    match error {
        SendError::Plan(plan) => match &**plan {
            PlanError::Template(error) => Some(Failure::new(match &error.problem {
                TemplateProblem::Address { text, .. } => text.clone(),
                problem => problem.to_string(),
            })),
            _ => None,
        },
        _ => None,
    }
}

/// What callers are told of a transaction that can't be built, as in [`send_failure`].
pub fn plan_failure(error: &PlanError) -> Failure {
    Failure { lack: lack(error).map(Box::new), ..Failure::new(plan_words(error)) }
}

/// How much was lacking of which token, where that is known.
pub fn lack(error: &PlanError) -> Option<Lack> {
    let (token, amounts) = match *error {
        PlanError::Insufficient { token, required, available }
        | PlanError::NotEnoughToDeposit { token, required, available } => {
            (Some(token), Some((required, available)))
        }
        PlanError::NotEnoughHtr { required, available } => {
            (Some(TokenUid::Native), Some((required, available)))
        }
        PlanError::NotEnoughToMelt { requested, available } => (None, Some((requested, available))),
        PlanError::QueryInsufficient(token) => (Some(token), None),
        _ => return None,
    };
    Some(Lack { token, amounts })
}

fn plan_words(error: &PlanError) -> String {
    use PlanError as P;
    match error {
        P::NothingToSend => texts::NOTHING_TO_SEND.to_owned(),
        P::ChangeNotMine(Planned::Send) => texts::CHANGE_NOT_FROM_THE_WALLET.to_owned(),
        P::ChangeNotMine(Planned::Deposit) => "Change address must belong to the same wallet.".to_owned(),
        P::CallerNotMine(address) => texts::caller_not_mine(&address.to_string()),
        P::NotEnoughToDeposit { .. } => "Not enough utxos to execute the deposit.".to_owned(),
        P::NothingToGrant(_) => "Not enough authority utxos to execute the grant authority.".to_owned(),
        P::KeptNotMine(_) => "Authority address must belong to the same wallet.".to_owned(),
        P::FeeTooHigh { fee, most } => {
            format!("Calculated fee ({fee}) exceeds maximum fee ({most}).")
        }
        P::NothingWithdrawn(_) => "No available HTR output to deduct fee from.".to_owned(),
        P::WithdrawnTooLittle { withdrawn, cost } => {
            format!("HTR withdrawal amount insufficient to cover fee. Withdrawal: {withdrawn}, Fee: {cost}")
        }
        P::ChangeNotMine(Planned::OfToken) => texts::CHANGE_NOT_FROM_THIS_WALLET.to_owned(),
        P::AuthorityNotMine(authority) => texts::authority_not_mine(authority.name()),
        P::Insufficient { token, .. } => texts::insufficient(*token),
        P::NoneUsable => texts::NONE_USABLE.to_owned(),
        P::InputsTooSmall(token) => texts::inputs_too_small(*token),
        P::GivenTwice { token, output } => texts::given_twice(*token, *output),
        P::LockedOrUsed { token, output } => texts::locked_or_used(*token, *output),
        P::AlreadySpent { token, output } => texts::unusable_input(*token, *output, "is already spent"),
        P::Voided { token, tx } => texts::voided_input(*token, *tx),
        P::IsAuthority { token, output } => texts::unusable_input(*token, *output, "is an authority output"),
        P::NotFromTheWallet { token, output } => {
            texts::unusable_input(*token, *output, "is not from the wallet")
        }
        P::InvalidInput => texts::INVALID_INPUT.to_owned(),
        P::QueryInsufficient(_) => texts::NO_UTXOS_FOR_QUERY.to_owned(),
        P::NotEnoughHtr { required, available } => texts::not_enough_htr(*required, *available),
        P::NotEnoughToMelt { requested, available } => texts::not_enough_to_melt(*requested, *available),
        P::NoAuthority(authority) => texts::no_authority(authority.name()),
        P::TooScattered { token, needed, reachable } => texts::too_scattered(*token, *needed, *reachable),
        P::TooManyDataOutputs(count) => texts::too_many_data_outputs(*count),
        P::TooManyTokens(count) => texts::too_many_tokens(*count),
        P::TooLarge(bytes) => texts::too_large(*bytes),
        P::DestinationNotMine => texts::DESTINATION_NOT_MINE.to_owned(),
        P::NothingToConsolidate => texts::NOTHING_TO_CONSOLIDATE.to_owned(),
        P::DataTooLong(bytes) => texts::data_too_long(*bytes),
        P::Encode(error) => texts::not_encodable(error),
        P::NotTaken(_)
        | P::PartsHandedOut
        | P::OtherTokenInCreation(_)
        | P::Script(_)
        | P::Token(_)
        | P::Template(_) => error.to_string(),
    }
}
