//! What the bytes mean: amounts, addresses, scripts, tokens, transactions, weight. No I/O, no clock, no JSON.
//!
//! A transaction is a plain value. Its bytes, its id and what its inputs sign follow from it:
//!
//! ```
//! use headless_wallet::ledger::{Address, Amount, Network, Output, Script, TokenData, Transaction};
//!
//! let to = Address::parse("HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq", Network::Mainnet)?;
//! let output = Output {
//!     value: Amount::new(1_500),
//!     token_data: TokenData::NATIVE,
//!     script: Script::Pay { to, timelock: None }.to_bytes()?,
//! };
//! let tx = Transaction {
//!     signal_bits: 0,
//!     tokens: vec![],
//!     inputs: vec![],
//!     outputs: vec![output],
//!     creates: None,
//!     blueprint: None,
//!     weight: 14.0,
//!     timestamp: 1_750_000_000,
//!     parents: vec![],
//!     nonce: 0,
//!     headers: vec![],
//! };
//! let bytes = tx.to_bytes()?;
//! assert_eq!(Transaction::from_bytes(&bytes)?, tx);
//! assert_eq!(tx.id()?.to_string(), "25ae9fc32b15534d2f8939f1494e72b0289f81d8fbed041e89cf9b74fa9aec0f");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod amount;
mod block;
mod codec;
mod effect;
mod id;
pub mod nano;
mod partial_tx;
mod pow;
mod script;
mod token;
mod transaction;
mod vertex;

pub use address::{Address, AddressError, AddressKind, Network, UnknownNetwork};
pub use amount::{Amount, AmountVersion, ParseAmountError, SignedAmount};
pub use block::Block;
pub use codec::{DecodeError, EncodeError};
pub use effect::{Change, Cost, DATA_OUTPUT_COST, Direction, Effect, TokenChange, TransactionKind};
pub(crate) use id::checksum;
pub use id::{Outpoint, ParseIdError, TokenUid, VertexId, hash160, sha256d};
pub use partial_tx::{Holding, PartialInput, PartialOutput, PartialTx, PartialTxError, PartialTxInputData};
pub(crate) use pow::PARENTS_BYTES;
pub use pow::{MiningJob, WeightConstants, target_met};
#[cfg(feature = "native")]
pub(crate) use script::relayed_data_of;
pub use script::{
    InputData, MAX_DATA_OUTPUTS, MAX_DATA_TEXT_CHARS, MAX_STANDARD_SCRIPT_BYTES, RedeemScript, Script,
    ScriptBytes, ScriptError, data_of,
};
pub(crate) use script::{P2PKH_HEAD, P2PKH_TAIL};
pub use token::{
    ConfigurationString, DepositRate, HTR_NAME, HTR_SYMBOL, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS,
    TokenError, TokenInfo, TokenVersion, clean_token_text, validate_token_name, validate_token_symbol,
};
pub use transaction::{
    FeeEntry, Header, Input, MAX_INPUTS, MAX_OUTPUTS, MAX_TRANSACTION_BYTES, Output, TokenCreation,
    TokenData, Transaction,
};
pub use vertex::{
    Execution, ExtraMembers, Part, SpentOutput, Vertex, VertexInput, VertexOutput, vertex_outputs,
};
