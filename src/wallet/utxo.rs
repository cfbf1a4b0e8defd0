//! What a wallet tells of its unspent outputs.

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
    /// The address's index.
    pub index: u32,
    /// Sum of all outputs to it in valid transactions.
    pub received: Amount,
    /// Spent of that.
    pub sent: Amount,
    /// Unspent and unlocked.
    pub available: Amount,
    /// Unspent and locked.
    pub locked: Amount,
}

/// An unspent output that holds an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utxo {
    /// Which output.
    pub outpoint: Outpoint,
    /// Index of the address that it pays.
    pub address_index: u32,
    /// How much.
    pub value: Amount,
    /// Of which token.
    pub token: TokenUid,
    /// Time-locked or reward-locked at the time asked for.
    pub locked: bool,
    /// Set aside for a transaction under way.
    pub reserved: bool,
}

/// Which outputs to list. The default lists all HTR outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtxoFilter {
    /// Of this token.
    pub token: TokenUid,
    /// To this address.
    pub address: Option<Address>,
    /// Amounts below this.
    pub smaller_than: Option<Amount>,
    /// Amounts above this.
    pub bigger_than: Option<Amount>,
    /// Outputs are taken in order as long as their total stays within this; those that don't fit are passed over.
    pub maximum_amount: Option<Amount>,
    /// Whether locked outputs count towards `maximum_amount` (the documented interface says so; release 0.39 doesn't count them).
    pub maximum_counts_locked: bool,
    /// At most this many.
    pub max_utxos: Option<usize>,
    /// Leaves out what is locked or reserved.
    pub only_available: bool,
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
