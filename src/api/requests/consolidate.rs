//! utxo-consolidation: many outputs into one.

use super::reads::{given_amount, given_count, token};
use crate::api::check::Checker;
use crate::api::integer::amount;
use crate::api::{Compat, Refusal};
use crate::ledger::Amount;
use serde_json::{Map, Value};

/// `POST /wallet/utxo-consolidation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consolidate {
    /// Where the sum goes: an address of the wallet, as given.
    pub destination_address: String,
    /// At most so many are taken; one transaction takes 255.
    pub max_utxos: Option<usize>,
    /// The token's uid as given; `00` is HTR.
    pub token: String,
    /// Only outputs of this address, as given.
    pub filter_address: Option<String>,
    /// Only outputs of less.
    pub amount_smaller_than: Option<Amount>,
    /// Only outputs of more.
    pub amount_bigger_than: Option<Amount>,
    /// Outputs are taken while their total stays within this.
    pub maximum_amount: Option<Amount>,
}

impl Consolidate {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let field = check.field("destination_address");
        let destination_address = check.text(&field).unwrap_or_default().to_owned();
        let least = if compat.zero_means_not_given() { None } else { Some(0) };
        let field = check.field("max_utxos");
        let max_utxos = check.optional_integer(&field, least);
        let token = token(&mut check, compat);
        let filter_address = check.optional_address("filter_address");
        let mut number = |name: &str| {
            let field = check.field(name);
            check.optional_integer(&field, None)
        };
        let smaller = number("amount_smaller_than");
        let bigger = number("amount_bigger_than");
        let maximum = number("maximum_amount");
        check.finish()?;
        Ok(Self {
            destination_address,
            max_utxos: given_count(max_utxos, compat),
            token,
            filter_address,
            amount_smaller_than: given_amount(smaller, compat),
            amount_bigger_than: bigger.and_then(amount),
            maximum_amount: given_amount(maximum, compat),
        })
    }
}
