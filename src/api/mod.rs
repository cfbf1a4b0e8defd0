//! The interface as types: what callers may ask, what they are answered, and in which words they are refused.
//!
//! Nothing here knows how the work is done or how it travels: requests are read from JSON objects (an HTTP
//! body or query, a JavaScript object), answers are written as JSON straight from the ledger's types. What
//! differs between the documented interface and hathor-wallet-headless 0.39 is in [`Compat`] alone.

#[cfg(feature = "native")]
mod amount_form;
mod answer;
mod answers;
pub(crate) mod check;
pub(crate) mod check_twice;
mod command;
mod compat;
pub(crate) mod declare;
#[cfg(feature = "native")]
mod dry_run;
#[cfg(feature = "native")]
pub mod errors;
mod exact_names;
mod group;
pub(crate) mod integer;
mod joined;
mod node_json;
#[cfg(feature = "native")]
pub mod openapi;
#[cfg(feature = "native")]
mod operation;
pub mod options;
mod package_method;
mod refusal;
mod right;
pub(crate) mod rules;
#[cfg(feature = "native")]
pub mod shape;
mod signing_file;
pub mod texts;
mod topic;
#[cfg(feature = "native")]
pub mod typescript;
#[cfg(feature = "native")]
mod unknown_fields;

#[cfg(feature = "native")]
pub use amount_form::AmountForm;
pub use answers::{
    AddressAnswer, AddressIndex, AddressIndexAnswer, AddressInfoAnswer, AddressesAnswer, ArgumentAnswer,
    AuthoritiesAnswer, BalanceAnswer, BalancesAnswer, ConfigurationAnswer, ConfirmationsAnswer,
    ConsolidationAnswer, ContractHistory, ContractState, CreatedToken, DecodedInput, DecodedTransaction,
    DryRunAnswer, EventAnswer, EventBalance, EventBody, EventOutput, FeatureWarning, HealthAnswer,
    HealthCheck, HealthStatus, HistoryEntry, HistoryTransaction, InputDataAnswer, InvalidChoice,
    InvalidDetails, InvalidFields, LoadProgress, LockedOutputs, LockedUtxosAnswer, MessageFailure,
    MovementData, NoAddressIndex, NotReadyState, OracleData, OracleResult, OutboxEvent, PlainTransaction,
    ProposalAnswer, PushedAnswer, ReadyStatus, RefusalAnswer, RefusalOfWallet, RunsOn, SignaturesAnswer,
    SignedMessageAnswer, SigningFileAnswer, StartFailure, Success, SwapAnswer, SwapEvent,
    SwapInputDataAnswer, SwapListAnswer, SwapProposalAnswer, SwapProposalMembers, TemplateAnswer,
    TokenAnswer, TokenBalance, TokenDepositAnswer, TransactionAnswer, TxEvent, Unauthorized, UnsignedAnswer,
    UtxoAnswer, UtxoList, VerifiedMessageAnswer, WalletInputsAnswer, WalletRefusal, WalletState,
    WalletStatus, XpubAnswer, signing_file_bytes,
};
#[cfg(feature = "native")]
pub use answers::{
    ApprovalAnswer, ApprovalData, ApprovalListAnswer, ApprovalMembers, ApprovalStatus, AwaitsApprovalAnswer,
    DeliveriesAnswer, DeliveryAnswer, DeliveryMembers, DeliveryStatus, History, HistoryText, KeyListAnswer,
    KeyMembers, NewKeyAnswer, ProbeAnswer, TaskAnswer, TaskListAnswer, TaskMembers, TaskStatus,
    WebhookAnswer, WebhooksAnswer,
};
pub use command::{Argument, Command, command};
pub use compat::{Compat, UnknownCompat};
pub use declare::{Kind, Length, Literal, Member, Need, Request, camel_case};
#[cfg(feature = "native")]
pub use dry_run::DryRun;
pub use group::Group;
pub(crate) use joined::Joined;
#[cfg(feature = "native")]
pub use operation::{Answers, Declared, Method};
pub use package_method::{PackageMethod, method};
pub use refusal::{Failure, Lack, Location, Problem, Refusal};
pub use right::{Right, Rights, UnknownRight};
#[cfg(feature = "native")]
pub use shape::{Shape, Shaped};
pub(crate) use signing_file::signing_file;
pub use signing_file::{MAX_FILE_BYTES, read_signing_file};
#[cfg(feature = "native")]
pub use topic::TOPICS;
pub use topic::Topic;
