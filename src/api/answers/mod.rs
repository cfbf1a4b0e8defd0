//! What callers are answered, written as JSON straight from the ledger's types.

mod decoded;
mod event;
mod external;
mod health;
mod history;
#[cfg(feature = "native")]
mod history_text;
mod json;
mod lookups;
mod plain;
mod transaction;
mod utxo;
mod wallet;

pub use decoded::{DecodedInput, DecodedTransaction};
pub use event::{EventAnswer, EventBalance, EventBody};
pub use external::{InputDataAnswer, ProposalAnswer, SignaturesAnswer, WalletInputsAnswer};
pub use health::{HealthAnswer, HealthCheck, HealthStatus};
pub use history::HistoryEntry;
#[cfg(feature = "native")]
pub use history_text::HistoryText;
pub use lookups::{
    AddressIndexAnswer, AddressInfoAnswer, ConfigurationAnswer, ConfirmationsAnswer, TokenAnswer,
};
pub use plain::PlainTransaction;
pub use transaction::{CreatedToken, DryRunAnswer, PushedAnswer, TransactionAnswer};
pub use utxo::{ConsolidationAnswer, UtxoAnswer, UtxoList};
pub use wallet::{
    AddressAnswer, AddressesAnswer, BalanceAnswer, LoadProgress, NotReadyState, ReadyStatus, StartFailure,
    Success, WalletRefusal, XpubAnswer,
};
