//! Queries of the endpoints that only read.

use super::start::says_something;
use crate::api::Compat;
use crate::api::check::Checker;
use crate::api::declare::{Kind, Literal, Rule, request};
use crate::api::rules::{
    LOWER_BOUND, MAX_INDEX, MOST, OPTIONAL_ADDRESS, TOKEN_OR_HTR, UPPER_BOUND, flag, least, most,
};
use crate::ledger::Amount;
use serde_json::Value;

request! {
    /// `GET /wallet/balance`.
    pub struct BalanceQuery in query {
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
    }
}

request! {
    /// `GET /wallet/address`.
    pub struct AddressQuery in query, also = refuse_mark_of_index {
        /// The address at this index rather than the current one.
        pub index: Option<u32> = INDEX,
        /// Whether the next call gets the next address.
        pub mark_as_used: bool = flag(false),
    }
}

const INDEX: Rule<Option<u32>> =
    Rule::optional(Kind::Integer(Some(0), Some(MAX_INDEX as i128)), |check, field, _| {
        let index = check.optional_integer(field, Some(0));
        let fits = index.and_then(|index| u32::try_from(index).ok()).filter(|index| *index <= MAX_INDEX);
        if index.is_some() && fits.is_none() {
            check.invalid(field, "must be an integer from 0 to 2147483647");
        }
        Ok(fits)
    });

request! {
    /// `GET /wallet/utxo-filter`.
    pub struct UtxoFilter in query, also = refuse_two_addresses {
        /// At most so many.
        pub max_utxos: Option<usize> = AT_MOST_255,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
        /// Only outputs of this address.
        pub filter_address: Option<String> = OPTIONAL_ADDRESS,
        /// Another name of `filter_address`.
        pub address: Option<String> = OTHER_NAME,
        /// Only outputs of less, in cents.
        pub amount_smaller_than: Option<Amount> = UPPER_BOUND,
        /// Only outputs of more, in cents.
        pub amount_bigger_than: Option<Amount> = LOWER_BOUND,
        /// Outputs are taken while their total stays within this, in cents.
        pub maximum_amount: Option<Amount> = UPPER_BOUND,
        /// Whether locked outputs are left out.
        pub only_available_utxos: bool = flag(false),
    }
}

/// Like [`MOST`], with the documented default.
const AT_MOST_255: Rule<Option<usize>> = MOST
    .read_by(|check, field, context| {
        let Some(number) = check.optional_integer(field, least(context.compat)) else {
            return Ok(context.compat.max_utxos_default());
        };
        Ok(most(Some(number), context.compat))
    })
    .default(Literal::Number(255));

pub(super) const OTHER_NAME: Rule<Option<String>> = OPTIONAL_ADDRESS.not_in_0_39().deprecated();

/// Refuses two addresses under the two names of one field.
pub(super) fn refuse_two_addresses(check: &mut Checker<'_>, compat: Compat) {
    let (filter, address) = (check.field("filter_address"), check.field("address"));
    let both = [filter.value, address.value].into_iter().flatten().filter(|value| says_something(value));
    let mut both = both.collect::<Vec<_>>();
    both.dedup();
    if both.len() > 1 && compat.address_is_a_utxo_filter() {
        check.unused(&address, "must be the same as filter_address, whose other name it is");
    }
}

/// Refuses to mark an address by its index: only the current one is marked, by making the next one current.
fn refuse_mark_of_index(check: &mut Checker<'_>, compat: Compat) {
    let (index, mark) = (check.field("index"), check.field("mark_as_used"));
    let marks =
        mark.value.is_some_and(|mark| matches!(mark, Value::Bool(true)) || mark == "true" || mark == "1");
    if index.value.is_some() && marks && compat.refuses_unused_fields() {
        check.unused(&mark, "must be left out: only the current address is marked, not that of an index");
    }
}

impl UtxoFilter {
    /// The address whose outputs are asked for, as given.
    pub fn of_address(&self) -> Option<&str> {
        self.filter_address.as_deref().or(self.address.as_deref())
    }
}

/// How much of the history is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryLimit {
    None,
    /// At most so many, newest first.
    Newest(usize),
    /// All but so many of the oldest (a negative limit of release 0.39).
    AllButOldest(usize),
}

request! {
    /// `GET /wallet/tx-history`.
    pub struct HistoryQuery in query {
        /// At most so many, newest first.
        pub limit: HistoryLimit = LIMIT,
    }
}

const LIMIT: Rule<HistoryLimit> = Rule::optional(Kind::Integer(Some(0), None), |check, field, context| {
    let size = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(match check.optional_integer(field, least(context.compat)) {
        None => HistoryLimit::None,
        Some(0) if context.compat.zero_means_not_given() => HistoryLimit::None,
        Some(n) if n < 0 => HistoryLimit::AllButOldest(size(n.unsigned_abs())),
        Some(n) => HistoryLimit::Newest(size(n.unsigned_abs())),
    })
})
.in_0_39(Kind::Integer(None, None));

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
