//! What callers are answered, written as JSON straight from the ledger's types.

#[cfg(feature = "native")]
mod access;
#[cfg(feature = "native")]
mod approvals;
mod decoded;
mod event;
mod external;
mod health;
mod history;
#[cfg(feature = "native")]
mod history_text;
pub(super) mod kinds;
mod lookups;
mod messages;
mod nano;
mod outbox;
mod package;
mod plain;
mod refusals;
pub(super) mod signing_file;
mod swaps;
#[cfg(feature = "native")]
mod tasks;
mod transaction;
mod utxo;
mod wallet;
#[cfg(feature = "native")]
mod webhooks;

#[cfg(feature = "native")]
pub use access::{KeyListAnswer, KeyMembers, NewKeyAnswer};
#[cfg(feature = "native")]
pub use approvals::{
    ApprovalAnswer, ApprovalData, ApprovalListAnswer, ApprovalMembers, ApprovalStatus, AwaitsApprovalAnswer,
};
pub use decoded::{DecodedInput, DecodedTransaction};
pub use event::{EventAnswer, EventBalance, EventBody};
pub use external::{InputDataAnswer, ProposalAnswer, SignaturesAnswer, UnsignedAnswer, WalletInputsAnswer};
#[cfg(feature = "native")]
pub use health::ProbeAnswer;
pub use health::{HealthAnswer, HealthCheck, HealthStatus};
#[cfg(feature = "native")]
pub use history::History;
pub use history::HistoryEntry;
#[cfg(feature = "native")]
pub use history_text::HistoryText;
pub use lookups::{
    AddressIndex, AddressIndexAnswer, AddressInfoAnswer, ConfigurationAnswer, ConfirmationsAnswer,
    NoAddressIndex, TokenAnswer,
};
pub use messages::{SignedMessageAnswer, VerifiedMessageAnswer};
pub use nano::{ContractHistory, ContractState, OracleData, OracleResult};
pub use outbox::{EventOutput, MovementData, OutboxEvent};
pub use package::{
    AuthoritiesAnswer, BalanceEvent, HistoryTransaction, SwapEvent, TokenDepositAnswer, TxEvent, WalletState,
    WalletStatus,
};
pub use plain::PlainTransaction;
pub use refusals::{InvalidChoice, InvalidDetails, InvalidFields, RefusalAnswer, Unauthorized};
pub use signing_file::{SigningFileAnswer, signing_file_bytes};
pub use swaps::{
    LockedOutputs, LockedUtxosAnswer, SwapAnswer, SwapInputDataAnswer, SwapListAnswer, SwapProposalAnswer,
    SwapProposalMembers,
};
#[cfg(feature = "native")]
pub use tasks::{TaskAnswer, TaskListAnswer, TaskMembers, TaskStatus};
pub use transaction::{
    ArgumentAnswer, CreatedToken, DryRunAnswer, PushedAnswer, TemplateAnswer, TransactionAnswer,
};
pub use utxo::{ConsolidationAnswer, UtxoAnswer, UtxoList};
pub use wallet::{
    AddressAnswer, AddressesAnswer, BalanceAnswer, FeatureWarning, LoadProgress, MessageFailure,
    NotReadyState, ReadyStatus, RefusalOfWallet, RunsOn, StartFailure, Success, WalletRefusal, XpubAnswer,
};
#[cfg(feature = "native")]
pub use webhooks::{
    DeliveriesAnswer, DeliveryAnswer, DeliveryMembers, DeliveryStatus, WebhookAnswer, WebhooksAnswer,
};
