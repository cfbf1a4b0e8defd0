//! What callers are answered, written as JSON straight from the ledger's types.

#[cfg(feature = "native")]
mod administration;
mod decoded;
mod event;
mod health;
mod history;
#[cfg(feature = "native")]
mod history_text;
pub(super) mod kinds;
mod lookups;
mod nano;
mod outbox;
mod package;
mod refusals;
pub(super) mod signing;
mod swaps;
mod transaction;
mod wallet;

#[cfg(feature = "native")]
pub use administration::{
    ApprovalAnswer, ApprovalData, ApprovalListAnswer, ApprovalMembers, ApprovalStatus, AwaitsApprovalAnswer,
    DeliveriesAnswer, DeliveryAnswer, DeliveryMembers, DeliveryStatus, KeyListAnswer, KeyMembers,
    NewKeyAnswer, TaskAnswer, TaskListAnswer, TaskMembers, TaskStatus, WebhookAnswer, WebhooksAnswer,
};
pub use decoded::{DecodedInput, DecodedTransaction, PlainTransaction};
pub use event::{EventAnswer, EventBalance, EventBody};
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
    ConsolidationAnswer, NoAddressIndex, TokenAnswer, UtxoAnswer, UtxoList,
};
pub use nano::{ContractHistory, ContractState, OracleData, OracleResult};
pub use outbox::{EventOutput, MovementData, OutboxEvent};
pub use package::{
    AuthoritiesAnswer, HistoryTransaction, SwapEvent, TokenDepositAnswer, TxEvent, WalletState, WalletStatus,
};
pub use refusals::{InvalidChoice, InvalidDetails, InvalidFields, RefusalAnswer, Unauthorized};
pub use signing::{
    InputDataAnswer, ProposalAnswer, SignaturesAnswer, SignedMessageAnswer, SigningFileAnswer,
    UnsignedAnswer, VerifiedMessageAnswer, WalletInputsAnswer, signing_file_bytes,
};
pub use swaps::{
    LockedOutputs, LockedUtxosAnswer, SwapAnswer, SwapInputDataAnswer, SwapListAnswer, SwapProposalAnswer,
    SwapProposalMembers,
};
pub use transaction::{
    ArgumentAnswer, CreatedToken, DryRunAnswer, PushedAnswer, TemplateAnswer, TransactionAnswer,
};
pub use wallet::{
    AddressAnswer, AddressesAnswer, BalanceAnswer, BalancesAnswer, FeatureWarning, LoadProgress,
    MessageFailure, NotReadyState, ReadyStatus, RefusalOfWallet, RunsOn, StartFailure, Success, TokenBalance,
    WalletRefusal, XpubAnswer,
};
