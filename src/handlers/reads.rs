//! Reads of what a wallet has.

use super::{Call, CallError, Read, Reply, refused};
use crate::api::texts::{ADDRESS_NOT_MINE, NO_ADDRESS_AT_INDEX};
use crate::api::{
    AddressAnswer, AddressIndexAnswer, AddressIndexQuery, AddressInfoAnswer, AddressInfoQuery, AddressQuery,
    AddressesAnswer, BalanceAnswer, BalanceQuery, HistoryLimit, HistoryQuery, Location, UtxoAnswer,
    UtxoFilter, UtxoList,
};
use crate::ledger::{Address, Amount, TokenUid};
use crate::wallet::AddressInfo;

impl Read for BalanceQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        // Release 0.39: a text that is no uid names a token of which the wallet has nothing.
        let nothing = BalanceAnswer { available: Amount::ZERO, locked: Amount::ZERO };
        let Ok(token) = self.token.parse() else { return Ok(call.reply.give(&nothing)) };
        let balance = call.wallet.read(|state, now| state.balance(token, now))?;
        Ok(call.reply.give(&BalanceAnswer { available: balance.available, locked: balance.locked }))
    }
}

impl Read for AddressQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let address = match self.index {
            Some(index) => {
                let address = call.wallet.read(|state, _| state.address(index))?;
                address.ok_or_else(|| refused(NO_ADDRESS_AT_INDEX))?.to_string()
            }
            None => call.wallet.current_address(self.mark_as_used)?,
        };
        Ok(call.reply.give(&AddressAnswer(address)))
    }
}

impl Read for AddressIndexQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let address = Address::parse(&self.address, call.network()).ok();
        let index = call.wallet.read(|state, _| state.index_of(&address?))?;
        Ok(call.reply.give(&AddressIndexAnswer::from(index)))
    }
}

impl Read for AddressInfoQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let not_mine = || refused(ADDRESS_NOT_MINE);
        let address = Address::parse(&self.address, call.network()).map_err(|_| not_mine())?;
        let token = self.token.parse::<TokenUid>();
        let info = call.wallet.read(|state, now| {
            // Release 0.39: a text that is no uid names a token that no address has received.
            let mut info =
                state.address_info(&address, token.as_ref().copied().unwrap_or(TokenUid::Native), now)?;
            if token.is_err() {
                info = AddressInfo::none_at(info.index);
            }
            Some(info)
        })?;
        let info = info.ok_or_else(not_mine)?;
        Ok(call.reply.give(&AddressInfoAnswer {
            received: info.received,
            sent: info.sent,
            available: info.available,
            locked: info.locked,
            token: &self.token,
            index: info.index,
        }))
    }
}

impl Read for UtxoFilter {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let name = if self.filter_address.is_some() { "filter_address" } else { "address" };
        call.check_filter(self.of_address(), name, Location::Query)?;
        let Some(filter) = self.for_network(call.network(), call.compat) else {
            return Ok(call.reply.utxos(&UtxoList::default()));
        };
        // Written while the state is locked, so that no address is copied.
        Ok(call.wallet.read(|state, now| {
            let mut utxos = Vec::with_capacity(state.room_for_utxos(&filter));
            state.for_each_utxo(&filter, now, |utxo| {
                if utxos.len() == utxos.capacity() {
                    // At once for all: each time that the list grows it is copied, and what it was in wiped.
                    utxos.reserve(state.most_utxos(&filter).saturating_sub(utxos.len()));
                }
                let address = state.address_text(utxo.address_index);
                utxos.push(UtxoAnswer {
                    address: address.expect("outputs are of derived addresses"),
                    amount: utxo.value,
                    outpoint: utxo.outpoint,
                    locked: utxo.locked,
                });
            });
            call.reply.utxos(&UtxoList(utxos))
        })?)
    }
}

impl Read for HistoryQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let keyed = self.limit == HistoryLimit::None && call.compat.history_is_keyed();
        // Written while the state is locked: that takes hardly longer than copying it.
        Ok(call.wallet.read(|state, _| {
            let count = self.limit.count(state.history_len());
            call.reply.history(state, count, keyed, call)
        })?)
    }
}

/// The addresses derived so far.
///
/// # Errors
/// [`CallError::NotReady`].
pub fn addresses<R: Reply>(call: &Call<'_, R>) -> Result<R::Answer, CallError> {
    Ok(call.wallet.read(|state, _| {
        let indexes = state.addresses_to_watch(0);
        let texts = indexes.filter_map(|index| state.address_text(index)).collect();
        call.reply.give(&AddressesAnswer(texts))
    })?)
}

/// The index of the last of them.
///
/// # Errors
/// [`CallError::NotReady`].
pub fn last_loaded_index<R: Reply>(call: &Call<'_, R>) -> Result<R::Answer, CallError> {
    let last = call.wallet.read(|state, _| state.addresses_to_watch(0).end.checked_sub(1))?;
    Ok(call.reply.give(&AddressIndexAnswer::from(last)))
}
