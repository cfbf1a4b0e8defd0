//! Addresses as requests give them.

use crate::api::Refusal;
use crate::ledger::{Address, Network};
use crate::operations::failure::plan_failure;
use crate::wallet::{PlanError, Planned};

pub(crate) fn refuse(error: &PlanError) -> Refusal {
    Refusal::Failure(plan_failure(error))
}

pub(crate) fn address(text: &str, network: Network) -> Result<Address, Refusal> {
    Address::parse(text, network).map_err(|error| Refusal::failure(error.to_string()))
}

pub(crate) fn optional_address(text: Option<String>, network: Network) -> Result<Option<Address>, Refusal> {
    text.map(|text| address(&text, network)).transpose()
}

/// An address that must be the wallet's: a text that is no address isn't either.
pub(crate) fn own_address(
    text: Option<String>,
    network: Network,
    not_mine: &PlanError,
) -> Result<Option<Address>, Refusal> {
    text.map(|text| Address::parse(&text, network).map_err(|_| refuse(not_mine))).transpose()
}

pub(crate) fn change_of_token(text: Option<String>, network: Network) -> Result<Option<Address>, Refusal> {
    own_address(text, network, &PlanError::ChangeNotMine(Planned::OfToken))
}
