//! What callers may ask. Every request is read whole: all that is wrong with it is found before anything is
//! done.

#[cfg(feature = "native")]
mod access;
#[cfg(feature = "native")]
mod approvals;
mod consolidate;
#[cfg(feature = "native")]
mod dry_run;
mod external;
mod health;
mod lookups;
mod messages;
mod nano;
mod p2sh;
mod policy;
mod raw;
mod reads;
mod send;
mod signatures;
mod signing_file;
mod simple_send;
mod start;
mod supply;
mod swaps;
#[cfg(feature = "native")]
mod tasks;
mod template;
mod token;
#[cfg(feature = "native")]
mod webhooks;

#[cfg(feature = "native")]
pub use access::{AddKey, KeyName, MAX_OF_KEY, RotateKey, is_key_name};
#[cfg(feature = "native")]
pub use approvals::ApprovalId;
pub use consolidate::Consolidate;
#[cfg(feature = "native")]
pub use dry_run::DryRun;
#[cfg(feature = "native")]
pub(super) use dry_run::{LEAVE_OUT, is_like_dry_run};
pub use external::BuildTx;
pub use health::{HealthQuery, MultisigPubkey};
pub use lookups::{AddressIndexQuery, AddressInfoQuery, ConfigurationStringQuery, TransactionQuery};
pub use messages::{SignMessage, VerifyMessage};
pub use nano::{
    ContractAction, ContractData, ContractHistoryQuery, ContractStateQuery, ContractToken, CreateBlueprint,
    CreateContract, ExecuteContract, OracleDataQuery, OracleResultQuery,
};
pub use p2sh::{
    ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens, ProposeTx, SignProposal, SignShare,
};
pub use policy::{LastIndex, LoadMoreAddresses};
pub use raw::{Decode, GivenTransaction, SelectUtxos};
pub use reads::{AddressQuery, BalanceQuery, HistoryLimit, HistoryQuery, UtxoFilter};
pub use send::{ExplicitInput, SendInputs, SendOutput, SendTx, UtxoQuery};
pub use signatures::{AddSignatures, GivenInputData, GivenSignatures, MakeInputData, WalletInputsQuery};
pub use signing_file::{MAX_FILE_BYTES, MakeSigningFile, PushSigningFile, read_signing_file};
pub use simple_send::SimpleSendTx;
pub use start::{
    FireblocksStart, GivenWords, HsmStart, MAX_GAP_LIMIT, ScanPolicy, StartRequest, StartSecret,
};
pub use supply::{MeltTokens, MintTokens};
pub use swaps::{
    ProposeSwap, PushSwap, RegisterSwap, SignSwap, SwapAmount, SwapInputData, SwapProposalId,
    SwapServiceFields, SwapSignatures, SwapVersion, UnlockSwap,
};
#[cfg(feature = "native")]
pub use tasks::{CancelTask, TaskQuery, TasksQuery};
pub use template::{BuildTemplate, RunTemplate};
pub use token::{CreateNft, CreateToken};
#[cfg(feature = "native")]
pub use webhooks::{DeliveriesQuery, Redeliver};
