//! The operations of the interface. Each is one file, or has one with its next of kin: its declaration, its
//! request, and what it does, for every entry point. Routes, the package's methods, TypeScript, the OpenAPI
//! document, rights, the command line and docs/operations.md are loops over [`ALL`].
//!
//! ```
//! use headless_wallet::api::{Compat, Request};
//! use headless_wallet::operations::CreateToken;
//!
//! let body = serde_json::json!({"name": "Coffee", "symbol": "CFE", "amount": 1000});
//! let request = CreateToken::read(body.as_object().expect("an object"), Compat::Documented);
//! let request = request.expect("all fields are there");
//! assert_eq!(request.amount.cents(), 1000);
//!
//! let refusal = CreateToken::read(&serde_json::Map::new(), Compat::Documented).unwrap_err();
//! assert_eq!(refusal.status(), 400);
//! ```

mod addresses;
mod answer;
#[cfg(feature = "native")]
mod approvals;
mod bodies;
#[cfg(feature = "native")]
pub(crate) mod buffers;
mod call;
pub(crate) mod codes;
mod contracts;
mod error;
mod external;
mod failure;
#[cfg(feature = "native")]
mod keys;
mod messages;
mod multisig;
mod operation;
mod prelude;
mod reading;
mod send;
mod sending;
#[cfg(feature = "native")]
mod service;
mod swaps;
#[cfg(feature = "native")]
mod tasks;
mod templates;
mod tokens;
mod transactions;
mod wallets;
#[cfg(feature = "native")]
mod webhooks;

pub use answer::write;
#[cfg(feature = "native")]
pub use approvals::*;
pub use call::{Answer, Ask, Call, Done, Make, Outgoing, Read, SendMode, Sends, Waits};
pub use contracts::*;
pub use error::CallError;
pub use external::*;
pub use failure::{lack, plan_failure, send_failure, template_failure};
#[cfg(feature = "native")]
pub use keys::*;
pub use messages::*;
pub use multisig::*;
pub use operation::{Operation, Reader, Run};
pub use reading::*;
pub use send::would_send;
pub use sending::*;
#[cfg(feature = "native")]
pub use service::*;
pub use swaps::*;
#[cfg(feature = "native")]
pub use tasks::*;
pub use templates::*;
pub use tokens::*;
pub use transactions::*;
pub use wallets::*;
#[cfg(feature = "native")]
pub use webhooks::*;

#[cfg(feature = "native")]
use crate::api::Declared;

/// All operations, in the order in which one meets them.
pub static ALL: &[&Operation] = &[
    #[cfg(feature = "native")]
    &wallets::START,
    #[cfg(feature = "native")]
    &wallets::HSM_START,
    #[cfg(feature = "native")]
    &wallets::FIREBLOCKS_START,
    &wallets::LOAD_MORE_ADDRESSES,
    &wallets::LAST_INDEX,
    #[cfg(feature = "native")]
    &wallets::EVENTS,
    #[cfg(feature = "native")]
    &wallets::STATUS,
    #[cfg(feature = "native")]
    &wallets::STOP,
    #[cfg(feature = "native")]
    &wallets::MULTISIG_PUBKEY,
    &reading::BALANCE,
    &reading::BALANCES,
    &reading::CURRENT_ADDRESS,
    &reading::ADDRESSES,
    &reading::ADDRESS_INDEX,
    &reading::ADDRESS_INFO,
    &reading::UTXO_FILTER,
    &reading::TX_HISTORY,
    &reading::ONE_TRANSACTION,
    &reading::CONFIRMATIONS,
    &reading::LAST_LOADED_INDEX,
    #[cfg(feature = "native")]
    &reading::CONFIGURATION_STRING,
    &sending::SIMPLE_SEND_TX,
    &sending::SEND_TX,
    &tokens::CREATE_TOKEN,
    &tokens::CREATE_NFT,
    &tokens::MINT_TOKENS,
    &tokens::MELT_TOKENS,
    &sending::CONSOLIDATE,
    &transactions::PUSH_TX,
    &transactions::DECODE,
    &transactions::SELECT_UTXOS,
    #[cfg(feature = "native")]
    &tasks::LIST_TASKS,
    #[cfg(feature = "native")]
    &tasks::ONE_TASK,
    #[cfg(feature = "native")]
    &tasks::CANCEL_TASK,
    #[cfg(feature = "native")]
    &approvals::LIST_APPROVALS,
    #[cfg(feature = "native")]
    &approvals::ONE_APPROVAL,
    #[cfg(feature = "native")]
    &approvals::APPROVE,
    #[cfg(feature = "native")]
    &approvals::DENY,
    &external::BUILD_TX,
    &external::WALLET_INPUTS,
    &external::INPUT_DATA,
    &external::ADD_SIGNATURES,
    &external::SIGNING_FILE,
    &external::PUSH_SIGNING_FILE,
    &multisig::PROPOSE_TX,
    &tokens::PROPOSE_CREATE_TOKEN,
    &tokens::PROPOSE_MINT_TOKENS,
    &tokens::PROPOSE_MELT_TOKENS,
    &multisig::MY_SIGNATURES,
    &multisig::SIGN_PROPOSAL,
    &multisig::SIGN_AND_PUSH,
    &swaps::PROPOSE_SWAP,
    &swaps::SWAP_SIGNATURES,
    &swaps::SIGN_SWAP,
    &swaps::SIGN_AND_PUSH_SWAP,
    &swaps::SWAP_INPUT_DATA,
    &swaps::UNLOCK_SWAP,
    &swaps::LOCKED_UTXOS,
    &swaps::LIST_SWAPS,
    &swaps::FETCH_SWAP,
    &swaps::REGISTER_SWAP,
    &swaps::DELETE_SWAP,
    &templates::RUN_TEMPLATE,
    &templates::BUILD_TEMPLATE,
    &contracts::CONTRACT_STATE,
    &contracts::CONTRACT_HISTORY,
    &contracts::ORACLE_DATA,
    &contracts::ORACLE_SIGNED_RESULT,
    &contracts::CREATE_CONTRACT,
    &contracts::EXECUTE_CONTRACT,
    &contracts::CREATE_BLUEPRINT,
    &messages::SIGN_MESSAGE,
    &messages::VERIFY_MESSAGE,
    #[cfg(feature = "native")]
    &webhooks::LIST_WEBHOOKS,
    #[cfg(feature = "native")]
    &webhooks::LIST_DELIVERIES,
    #[cfg(feature = "native")]
    &webhooks::REDELIVER,
    #[cfg(feature = "native")]
    &service::WELCOME,
    #[cfg(feature = "native")]
    &service::DOCS,
    #[cfg(feature = "native")]
    &service::DOCS_UI,
    #[cfg(feature = "native")]
    &service::HEALTH,
    #[cfg(feature = "native")]
    &service::LIVE,
    #[cfg(feature = "native")]
    &service::READY,
    #[cfg(feature = "native")]
    &service::RELOAD_CONFIG,
    #[cfg(feature = "native")]
    &service::METRICS,
    #[cfg(feature = "native")]
    &keys::LIST_KEYS,
    #[cfg(feature = "native")]
    &keys::ADD_KEY,
    #[cfg(feature = "native")]
    &keys::ROTATE_KEY,
    #[cfg(feature = "native")]
    &keys::REVOKE_KEY,
];

/// All operations.
#[cfg(feature = "native")]
pub fn all() -> impl Iterator<Item = &'static Operation> {
    ALL.iter().copied()
}

/// Their declarations.
#[cfg(feature = "native")]
pub fn declared() -> impl Iterator<Item = &'static Declared> {
    ALL.iter().map(|operation| &***operation)
}

/// The operation that a method of the npm package's `Wallet` asks for.
#[cfg(not(feature = "native"))]
pub fn of_package(method: &str) -> Option<&'static Operation> {
    ALL.iter().copied().find(|operation| operation.method == method)
}
