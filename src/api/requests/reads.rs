//! Queries of the endpoints that only read.

use crate::api::check::Checker;
use crate::api::integer::amount;
use crate::api::record::{self, Kind, Need};
use crate::api::{Compat, Refusal};
use crate::ledger::Amount;
use serde_json::{Map, Value};

/// The uid of HTR, for which a token that is not given or empty stands.
const NATIVE: &str = "00";

pub(super) fn token(check: &mut Checker<'_>, compat: Compat) -> String {
    let field = check.field("token");
    let given = check.token(&field, Need::Optional, compat);
    record::default("token", NATIVE);
    given.unwrap_or(NATIVE).to_owned()
}

/// A limit on an amount; negative ones let nothing through, as 0 does.
pub(super) fn given_amount(number: Option<i128>, compat: Compat) -> Option<Amount> {
    let number = number.filter(|n| *n != 0 || !compat.zero_means_not_given())?;
    Some(amount(number).unwrap_or(Amount::ZERO))
}

/// A limit on a count; in release 0.39, 0 stands for none and negative ones act as 1.
pub(super) fn given_count(number: Option<i128>, compat: Compat) -> Option<usize> {
    let number = number.filter(|n| *n != 0 || !compat.zero_means_not_given())?;
    Some(if number < 0 { 1 } else { usize::try_from(number).unwrap_or(usize::MAX) })
}

/// `GET /wallet/balance`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceQuery {
    /// The token's uid as given; `00` is HTR.
    pub token: String,
}

impl BalanceQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let token = token(&mut check, compat);
        check.finish()?;
        Ok(Self { token })
    }
}

/// `GET /wallet/address`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressQuery {
    /// The address at this index rather than the current one.
    pub index: Option<u32>,
    /// Whether the next call gets the next address.
    pub mark_as_used: bool,
}

impl AddressQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let field = check.field("index");
        record::note("index", Kind::Integer(Some(0), Some((1 << 31) - 1)), Need::Optional);
        let index =
            check.optional_integer(&field, Some(0)).map(|index| u32::try_from(index).unwrap_or(u32::MAX));
        if index.is_some_and(|index| index >= 1 << 31) {
            check.invalid(&field, "must be an integer from 0 to 2147483647");
        }
        let mark_as_used = check.boolean("mark_as_used", false);
        check.finish()?;
        Ok(Self { index, mark_as_used })
    }
}

/// `GET /wallet/utxo-filter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UtxoFilter {
    /// At most so many are returned.
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
    /// Whether locked outputs are left out.
    pub only_available_utxos: bool,
}

impl UtxoFilter {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let field = check.field("max_utxos");
        let least = if compat.zero_means_not_given() { None } else { Some(0) };
        let max_utxos = check.optional_integer(&field, least);
        if let Some(most) = compat.max_utxos_default() {
            record::default("max_utxos", most);
        }
        let token = token(&mut check, compat);
        let filter_address = filter_address(&mut check, compat);
        let mut number = |name: &str| {
            let field = check.field(name);
            check.optional_integer(&field, None)
        };
        let smaller = number("amount_smaller_than");
        let bigger = number("amount_bigger_than");
        let maximum = number("maximum_amount");
        let only_available_utxos = check.boolean("only_available_utxos", false);
        check.finish()?;
        Ok(Self {
            max_utxos: match max_utxos {
                None => compat.max_utxos_default(),
                given => given_count(given, compat),
            },
            token,
            filter_address,
            amount_smaller_than: given_amount(smaller, compat),
            // Every amount is bigger than a negative one.
            amount_bigger_than: bigger.and_then(amount),
            maximum_amount: given_amount(maximum, compat),
            only_available_utxos,
        })
    }
}

fn filter_address(check: &mut Checker<'_>, compat: Compat) -> Option<String> {
    let given = check.optional_address("filter_address");
    if compat.address_is_a_utxo_filter() {
        let other_name = check.optional_address("address");
        return given.or(other_name);
    }
    given
}

/// How much of the history is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryLimit {
    /// No limit given.
    None,
    /// At most so many, newest first.
    Newest(usize),
    /// All but so many of the oldest (a negative limit of release 0.39).
    AllButOldest(usize),
}

/// `GET /wallet/tx-history`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    #[allow(missing_docs)]
    pub limit: HistoryLimit,
}

impl HistoryLimit {
    /// How many of `all` transactions are shown.
    pub fn count(self, all: usize) -> usize {
        match self {
            Self::None => all,
            Self::Newest(n) => n.min(all),
            Self::AllButOldest(n) => all.saturating_sub(n),
        }
    }
}

impl HistoryQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let field = check.field("limit");
        let least = if compat.zero_means_not_given() { None } else { Some(0) };
        let limit = check.optional_integer(&field, least);
        check.finish()?;
        let size = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
        let limit = match limit {
            None => HistoryLimit::None,
            Some(0) if compat.zero_means_not_given() => HistoryLimit::None,
            Some(n) if n < 0 => HistoryLimit::AllButOldest(size(n.unsigned_abs())),
            Some(n) => HistoryLimit::Newest(size(n.unsigned_abs())),
        };
        Ok(Self { limit })
    }
}
