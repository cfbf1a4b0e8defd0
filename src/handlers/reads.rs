//! Reads of what a wallet has.

use super::{Call, CallError, Read, Reply, refused};
use crate::api::texts::{ADDRESS_NOT_MINE, NO_ADDRESS_AT_INDEX};
use crate::api::{
    AddressAnswer, AddressIndexAnswer, AddressIndexQuery, AddressInfoAnswer, AddressInfoQuery, AddressQuery,
    AddressesAnswer, BalanceAnswer, BalanceQuery, HistoryLimit, HistoryQuery, Location, UtxoAnswer,
    UtxoFilter, UtxoList,
};
use crate::ledger::{Address, Amount, TokenUid};
use crate::service::Wallet;
use crate::wallet::AddressInfo;

/// What the text of an address takes.
const ADDRESS_BYTES: usize = 34;
/// It takes milliseconds to write more outputs or addresses than this.
const LONG_LIST: usize = 4_096;
/// The same of transactions, which may have 255 inputs and as many outputs.
const LONG_HISTORY: usize = 32;

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
        Ok(call.reply.utxos(&UtxoList(answers.collect())))
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        self.max_utxos.is_none_or(|most| most > LONG_LIST)
            && wallet.look(|state, _| state.utxo_count() > LONG_LIST)
    }
}

impl Read for HistoryQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let keyed = self.limit == HistoryLimit::None && call.compat.history_is_keyed();
        let ids: Vec<_> = call
            .wallet
            .read(|state, _| state.history_ids().take(self.limit.count(state.history_len())).collect())?;
        Ok(call.reply.history(&ids, keyed, call)?)
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        wallet.look(|state, _| self.limit.count(state.history_len()) > LONG_HISTORY)
    }
}

/// The addresses derived so far.
///
/// # Errors
/// [`CallError::NotReady`].
pub fn addresses<R: Reply>(call: &Call<'_, R>) -> Result<R::Answer, CallError> {
    // Written when the state is no longer locked.
    let texts = call.wallet.read(|state, _| {
        let indexes = state.addresses_to_watch(0);
        let mut texts = String::with_capacity(indexes.len() * (ADDRESS_BYTES + 1));
        for text in indexes.filter_map(|index| state.address_text(index)) {
            texts.extend([text, " "]);
        }
        texts
    })?;
    Ok(call.reply.give(&AddressesAnswer(texts.split_terminator(' ').collect())))
}

/// Whether they are so many that it takes more than a few milliseconds to write them.
pub fn are_many_addresses(wallet: &Wallet) -> bool {
    wallet.look(|state, _| state.addresses_to_watch(0).len() > LONG_LIST)
}

/// The index of the last of them.
///
/// # Errors
/// [`CallError::NotReady`].
pub fn last_loaded_index<R: Reply>(call: &Call<'_, R>) -> Result<R::Answer, CallError> {
    let last = call.wallet.read(|state, _| state.addresses_to_watch(0).end.checked_sub(1))?;
    Ok(call.reply.give(&AddressIndexAnswer::from(last)))
}
