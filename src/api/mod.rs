//! The interface as types: what callers may ask, what they are answered, and in which words they are refused.
//!
//! Nothing here knows how the work is done or how it travels: requests are read from JSON objects (an HTTP
//! body or query, a JavaScript object), answers are written as JSON straight from the ledger's types. What
//! differs between the documented interface and hathor-wallet-headless 0.39 is in [`Compat`] alone.
//!
//! ```
//! use headless_wallet::api::{Compat, CreateToken, Request};
//!
//! let body = serde_json::json!({"name": "Coffee", "symbol": "CFE", "amount": 1000});
//! let request = CreateToken::read(body.as_object().unwrap(), Compat::Documented).unwrap();
//! assert_eq!(request.amount.cents(), 1000);
//!
//! let refusal = CreateToken::read(&serde_json::Map::new(), Compat::Documented).unwrap_err();
//! assert_eq!(refusal.status(), 400);
//! ```

mod answer;
mod answers;
mod check;
mod check_twice;
mod compat;
mod declare;
#[cfg(feature = "native")]
pub mod errors;
mod integer;
mod node_json;
#[cfg(feature = "native")]
pub mod openapi;
#[cfg(feature = "native")]
pub mod operations;
pub mod options;
mod refusal;
mod requests;
mod rules;
#[cfg(feature = "native")]
pub mod shape;
pub mod texts;
mod topic;
#[cfg(feature = "native")]
pub mod typescript;
#[cfg(feature = "native")]
mod unknown_fields;

pub use answers::{
    AddressAnswer, AddressIndex, AddressIndexAnswer, AddressInfoAnswer, AddressesAnswer, ArgumentAnswer,
    AuthoritiesAnswer, BalanceAnswer, BalanceEvent, ConfigurationAnswer, ConfirmationsAnswer,
    ConsolidationAnswer, ContractHistory, ContractState, CreatedToken, DecodedInput, DecodedTransaction,
    DryRunAnswer, EventAnswer, EventBalance, EventBody, EventOutput, FeatureWarning, HealthAnswer,
    HealthCheck, HealthStatus, HistoryEntry, HistoryTransaction, InputDataAnswer, InvalidChoice,
    InvalidDetails, InvalidFields, LoadProgress, LockedOutputs, LockedUtxosAnswer, MessageFailure,
    MovementData, NoAddressIndex, NotReadyState, OracleData, OracleResult, OutboxEvent, PlainTransaction,
    ProposalAnswer, PushedAnswer, ReadyStatus, RefusalAnswer, RefusalOfWallet, RunsOn, SignaturesAnswer,
    SignedMessageAnswer, SigningFileAnswer, StartFailure, Success, SwapAnswer, SwapEvent,
    SwapInputDataAnswer, SwapListAnswer, SwapProposalAnswer, SwapProposalMembers, TemplateAnswer,
    TokenAnswer, TokenDepositAnswer, TransactionAnswer, TxEvent, Unauthorized, UnsignedAnswer, UtxoAnswer,
    UtxoList, VerifiedMessageAnswer, WalletInputsAnswer, WalletRefusal, WalletState, WalletStatus,
    XpubAnswer, signing_file_bytes,
};
#[cfg(feature = "native")]
pub use answers::{
    ApprovalAnswer, ApprovalData, ApprovalListAnswer, ApprovalMembers, ApprovalStatus, AwaitsApprovalAnswer,
    DeliveriesAnswer, DeliveryAnswer, DeliveryMembers, DeliveryStatus, History, HistoryText, KeyListAnswer,
    KeyMembers, NewKeyAnswer, ProbeAnswer, TaskAnswer, TaskListAnswer, TaskMembers, TaskStatus,
    WebhookAnswer, WebhooksAnswer,
};
pub use compat::{Compat, UnknownCompat};
pub use declare::{Kind, Literal, Member, Need, Request, camel_case};
pub use refusal::{Failure, Location, Problem, Refusal};
#[cfg(feature = "native")]
pub use requests::{
    AddKey, ApprovalId, CancelTask, DeliveriesQuery, DryRun, KeyName, MAX_OF_KEY, Redeliver, RotateKey,
    TaskQuery, TasksQuery, is_key_name,
};
pub use requests::{
    AddSignatures, AddressIndexQuery, AddressInfoQuery, AddressQuery, BalanceQuery, BuildTemplate, BuildTx,
    ConfigurationStringQuery, Consolidate, ContractAction, ContractData, ContractHistoryQuery,
    ContractStateQuery, ContractToken, CreateBlueprint, CreateContract, CreateNft, CreateToken, Decode,
    ExecuteContract, ExplicitInput, FireblocksStart, GivenInputData, GivenSignatures, GivenTransaction,
    GivenWords, HealthQuery, HistoryLimit, HistoryQuery, HsmStart, LastIndex, LoadMoreAddresses,
    MAX_FILE_BYTES, MAX_GAP_LIMIT, MakeInputData, MakeSigningFile, MeltTokens, MintTokens, MultisigPubkey,
    OracleDataQuery, OracleResultQuery, ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens,
    ProposeSwap, ProposeTx, PushSigningFile, PushSwap, RegisterSwap, RunTemplate, ScanPolicy, SelectUtxos,
    SendInputs, SendOutput, SendTx, SignMessage, SignProposal, SignShare, SignSwap, SimpleSendTx,
    StartRequest, StartSecret, SwapAmount, SwapInputData, SwapProposalId, SwapServiceFields, SwapSignatures,
    SwapVersion, TransactionQuery, UnlockSwap, UtxoFilter, UtxoQuery, VerifyMessage, WalletInputsQuery,
    read_signing_file,
};
#[cfg(feature = "native")]
pub use topic::TOPICS;
pub use topic::Topic;
