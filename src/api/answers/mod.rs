//! What callers are answered, written as JSON straight from the ledger's types.

mod history;
mod json;
mod lookups;
mod transaction;
mod utxo;
mod wallet;

pub use history::{HistoryEntry, HistoryList};
pub use lookups::{AddressIndexAnswer, AddressInfoAnswer, ConfigurationAnswer, ConfirmationsAnswer};
pub use transaction::{CreatedToken, DryRunAnswer, TransactionAnswer};
pub use utxo::{UtxoAnswer, UtxoList};
pub use wallet::{
    AddressAnswer, AddressesAnswer, BalanceAnswer, NotReadyState, ReadyStatus, StartFailure, Success,
    WalletRefusal,
};
