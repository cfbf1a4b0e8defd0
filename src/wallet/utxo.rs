//! What a wallet tells of its unspent outputs.

use super::reserve::UtxoKey;
use super::{Authority, State};
use crate::ledger::{Address, Amount, Outpoint, TokenUid};

/// What the wallet holds of one token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Spendable now; outputs reserved for transactions under way are still counted.
    pub available: Amount,
    /// Unspent, but time-locked or reward-locked.
    pub locked: Amount,
    /// Mint authorities: (available, locked).
    pub mint: (u32, u32),
    /// Melt authorities: (available, locked).
    pub melt: (u32, u32),
}

/// What an address received of one token, and where that is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressInfo {
    pub index: u32,
    /// Sum of all outputs to it in valid transactions.
    pub received: Amount,
    pub sent: Amount,
    pub available: Amount,
    pub locked: Amount,
}

impl AddressInfo {
    /// An address that received nothing.
    pub const fn none_at(index: u32) -> Self {
        let none = Amount::ZERO;
        Self { index, received: none, sent: none, available: none, locked: none }
    }
}

/// An unspent output that holds an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utxo {
    pub outpoint: Outpoint,
    /// Index of the address that it pays.
    pub address_index: u32,
    pub value: Amount,
    pub token: TokenUid,
    /// Time-locked or reward-locked at the time asked for.
    pub locked: bool,
    /// Set aside for a transaction under way.
    pub reserved: bool,
}

/// Most outputs that a list has room for from the start: one that grows is copied each time, and what it was
/// in may be wiped.
const MAX_AHEAD: usize = 2_048;

/// Which outputs to list. The default lists all HTR outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtxoFilter {
    pub token: TokenUid,
    pub address: Option<Address>,
    pub smaller_than: Option<Amount>,
    pub bigger_than: Option<Amount>,
    /// Outputs are taken in order as long as their total stays within this; those that don't fit are passed
    /// over.
    pub maximum_amount: Option<Amount>,
    /// Whether locked outputs count towards `maximum_amount` (the documented interface says so; release 0.39
    /// doesn't count them).
    pub maximum_counts_locked: bool,
    /// At most this many.
    pub max_utxos: Option<usize>,
    /// Leaves out what is locked or reserved.
    pub only_available: bool,
    /// Leaves out what has parts of a cent.
    pub only_whole: bool,
}

impl Default for UtxoFilter {
    fn default() -> Self {
        Self {
            token: TokenUid::Native,
            address: None,
            smaller_than: None,
            bigger_than: None,
            maximum_amount: None,
            maximum_counts_locked: true,
            max_utxos: None,
            only_available: false,
            only_whole: false,
        }
    }
}

/// Outputs listed, and their totals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UtxoList {
    /// In the order of the store: newest transaction first as of the last load, later ones after.
    pub utxos: Vec<Utxo>,
    /// Sum of the unlocked ones listed.
    pub available: Amount,
    /// How many of those.
    pub available_count: usize,
    /// Sum of the locked ones listed.
    pub locked: Amount,
    /// How many of those.
    pub locked_count: usize,
}

impl State {
    /// The best block's height, once it is known.
    pub fn best_height(&self) -> Option<u32> {
        self.utxos.height()
    }
    /// Tokens that the wallet holds or held, HTR first.
    pub fn tokens(&self) -> impl Iterator<Item = TokenUid> + '_ {
        let seen = self.is_part().then(|| self.tokens_seen());
        self.tokens.iter().filter(move |uid| seen.as_ref().is_none_or(|seen| seen.contains(uid)))
    }
    /// HTR, and the tokens of all outputs that are seen.
    fn tokens_seen(&self) -> Vec<TokenUid> {
        let mut seen = vec![TokenUid::Native];
        for packed in self.history.newest_first().filter_map(|it| self.history.record(it).packed.as_ref()) {
            for (output, _) in packed.outputs() {
                if !seen.contains(&output.token) && self.addresses.paid_by(&output.script).is_some() {
                    seen.push(output.token);
                }
            }
        }
        seen
    }

    /// What the wallet holds of a token.
    pub fn balance(&self, token: TokenUid, now: u32) -> Balance {
        let Some(token) = self.tokens.number(token) else { return Balance::default() };
        let (all, locked) = self.utxos.totals(token, now);
        let mut balance = Balance { available: all.saturating_sub(locked), locked, ..Balance::default() };
        for slot in self.utxos.authorities(token) {
            let locked = self.utxos.is_locked(slot, now);
            for (authority, (free, held)) in
                [(Authority::Mint, &mut balance.mint), (Authority::Melt, &mut balance.melt)]
            {
                if self.utxos.utxo(slot).grants(authority) {
                    *(if locked { held } else { free }) += 1;
                }
            }
        }
        balance
    }

    /// What an address received; `None` if it isn't the wallet's.
    pub fn address_info(&self, address: &Address, token: TokenUid, now: u32) -> Option<AddressInfo> {
        let index = self.addresses.index_of(address)?;
        let mut info = AddressInfo::none_at(index);
        let Some(token) = self.tokens.number(token) else { return Some(info) };
        for slot in self.utxos.of_address(index, token) {
            let is_locked = self.utxos.is_locked(slot, now);
            let sum = if is_locked { &mut info.locked } else { &mut info.available };
            *sum = sum.saturating_add(self.utxos.utxo(slot).value.amount());
        }
        info.received = self.received.get(&(index, token)).copied().unwrap_or_default();
        info.sent = info.received.saturating_sub(info.available.saturating_add(info.locked));
        Some(info)
    }

    /// Unspent outputs that hold amounts; authorities are never listed.
    pub fn utxos(&self, filter: &UtxoFilter, now: u32) -> UtxoList {
        let mut list = UtxoList::default();
        list.utxos.reserve(self.room_for_utxos(filter));
        self.for_each_utxo(filter, now, |utxo| {
            let sum = if utxo.locked { &mut list.locked } else { &mut list.available };
            *sum = sum.saturating_add(utxo.value);
            list.locked_count += usize::from(utxo.locked);
            list.utxos.push(utxo);
        });
        list.available_count = list.utxos.len() - list.locked_count;
        list
    }

    /// The same, one after the other: lists of others are made without a copy.
    pub fn for_each_utxo(&self, filter: &UtxoFilter, now: u32, take: impl FnMut(Utxo)) {
        let Some(token) = self.tokens.number(filter.token) else { return };
        match filter.address {
            None => self.filtered(self.utxos.of_token(token), filter, now, take),
            Some(address) => {
                if let Some(index) = self.addresses.index_of(&address) {
                    self.filtered(self.utxos.of_address(index, token), filter, now, take);
                }
            }
        }
    }

    /// How many outputs a list may have at most.
    pub fn most_utxos(&self, filter: &UtxoFilter) -> usize {
        filter.max_utxos.unwrap_or(usize::MAX).min(self.utxos.len())
    }
    /// How many unspent outputs there are.
    pub fn utxo_count(&self) -> usize {
        self.utxos.len()
    }
    /// How many outputs a list should have room for from the start.
    pub fn room_for_utxos(&self, filter: &UtxoFilter) -> usize {
        self.most_utxos(filter).min(MAX_AHEAD)
    }

    fn filtered(
        &self,
        slots: impl Iterator<Item = UtxoKey>,
        filter: &UtxoFilter,
        now: u32,
        mut take: impl FnMut(Utxo),
    ) {
        let most = filter.max_utxos.unwrap_or(usize::MAX);
        let (mut count, mut counted) = (0, Amount::ZERO);
        for slot in slots {
            if count >= most {
                break;
            }
            let utxo = self.utxos.utxo(slot);
            let value = utxo.value.amount();
            let too_small = filter.bigger_than.is_some_and(|bound| value <= bound);
            let too_big = filter.smaller_than.is_some_and(|bound| value >= bound);
            let past = filter.maximum_amount.is_some_and(|max| counted.saturating_add(value) > max);
            if too_small || too_big || past || (filter.only_whole && !utxo.value.is_whole()) {
                continue;
            }
            let (locked, reserved) = (self.utxos.is_locked(slot, now), self.utxos.is_reserved(slot, now));
            if filter.only_available && (locked || reserved) {
                continue;
            }
            count += 1;
            if filter.maximum_amount.is_some() && (!locked || filter.maximum_counts_locked) {
                counted = counted.saturating_add(value);
            }
            take(Utxo {
                outpoint: Outpoint { tx: self.id_of(utxo.place), index: utxo.place.1 },
                address_index: utxo.address,
                value,
                token: filter.token,
                locked,
                reserved,
            });
        }
    }
}
