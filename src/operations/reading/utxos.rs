//! Unspent outputs.

use super::address::{ADDRESS_BYTES, LONG_LIST};
use crate::api::rules::{
    LOWER_BOUND, MOST, OPTIONAL_ADDRESS, TOKEN_OR_HTR, UPPER_BOUND, flag, most, says_something,
};
use crate::api::{Literal, Location, UtxoAnswer, UtxoList};
use crate::ledger::{Address, Amount, Network};
use crate::operations::prelude::*;
use crate::service::Wallet;
use crate::wallet;

pub static UTXO_FILTER: Operation = get("utxo-filter", "/wallet/utxo-filter", Group::Reading, Right::Read)
    .does("List unspent outputs, and their total.")
    .package(&[method("utxos").takes("filter?: UtxosRequest").example(
        "const { utxos } = await wallet.utxos({ maxUtxos: 10, amountBiggerThan: 100n, onlyAvailableUtxos: true });",
    )])
    .command(&[command("utxos")])
    .reads::<UtxoFilter>(&[("example", r#"{"max_utxos": 10, "amount_bigger_than": 50}"#)])
    .answers(answers![UtxoList, Failure])
    .with_amounts();

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
        let Some(number) = check.optional_integer(field, context.least()) else {
            return Ok(context.compat.max_utxos_default());
        };
        Ok(most(Some(number), context.compat))
    })
    .default(Literal::Number(255));

pub(crate) const OTHER_NAME: Rule<Option<String>> = OPTIONAL_ADDRESS.not_in_0_39().deprecated();

/// Refuses two addresses under the two names of one field.
pub(crate) fn refuse_two_addresses(check: &mut Checker<'_>, compat: Compat) {
    let (filter, address) = (check.field("filter_address"), check.field("address"));
    let both = [filter.value, address.value].into_iter().flatten().filter(|value| says_something(value));
    let mut both = both.collect::<Vec<_>>();
    both.dedup();
    if both.len() > 1 && compat.address_is_a_utxo_filter() {
        check.unused(&address, "must be the same as filter_address, whose other name it is");
    }
}

impl UtxoFilter {
    /// The address whose outputs are asked for, as given.
    pub fn of_address(&self) -> Option<&str> {
        self.filter_address.as_deref().or(self.address.as_deref())
    }
}

impl UtxoFilter {
    /// The filter for a wallet of `network`; `None` where a token or address is meant that the wallet can't
    /// have.
    pub fn for_network(self, network: Network, compat: Compat) -> Option<wallet::UtxoFilter> {
        let address = match self.of_address() {
            Some(text) => Some(Address::parse(text, network).ok()?),
            None => None,
        };
        Some(wallet::UtxoFilter {
            token: self.token.parse().ok()?,
            address,
            smaller_than: self.amount_smaller_than,
            bigger_than: self.amount_bigger_than,
            maximum_amount: self.maximum_amount,
            maximum_counts_locked: compat.maximum_counts_locked(),
            max_utxos: self.max_utxos,
            only_available: self.only_available_utxos,
            only_whole: false,
        })
    }
}

impl Read for UtxoFilter {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let name = if self.filter_address.is_some() { "filter_address" } else { "address" };
        call.check_filter(self.of_address(), name, Location::Query)?;
        let Some(filter) = self.for_network(call.network(), call.compat) else {
            return call.utxos(&UtxoList::default());
        };
        // Written when the state is no longer locked.
        let (utxos, texts) = call.wallet.read(|state, now| {
            let room = state.room_for_utxos(&filter);
            let (mut utxos, mut texts) =
                (Vec::with_capacity(room), String::with_capacity(room * ADDRESS_BYTES));
            state.for_each_utxo(&filter, now, |utxo| {
                if utxos.len() == utxos.capacity() {
                    // At once for all: each time that a list grows it is copied, and what it was in wiped.
                    let more = state.most_utxos(&filter).saturating_sub(utxos.len());
                    utxos.reserve(more);
                    texts.reserve(more * ADDRESS_BYTES);
                }
                let address = state.address_text(utxo.address_index);
                texts.push_str(address.expect("outputs are of derived addresses"));
                utxos.push((utxo.value, utxo.outpoint, utxo.locked, texts.len()));
            });
            (utxos, texts)
        })?;
        let mut start = 0;
        let answers = utxos.into_iter().map(|(amount, outpoint, locked, end)| {
            let address = &texts[std::mem::replace(&mut start, end)..end];
            UtxoAnswer { address, amount, outpoint, locked }
        });
        call.utxos(&UtxoList(answers.collect()))
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        self.max_utxos.is_none_or(|most| most > LONG_LIST)
            && wallet.look(|state, _| state.utxo_count() > LONG_LIST)
    }
}
