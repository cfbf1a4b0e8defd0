//! What the bytes mean: amounts, addresses, scripts, tokens, transactions, weight. No I/O, no clock, no JSON.

mod address;
mod amount;
mod block;
mod codec;
mod hash;
mod header;
mod id;
mod network;
mod pow;
mod script;
mod token;
mod transaction;
mod vertex;
mod weight;

pub use address::{Address, AddressError, AddressKind};
pub use amount::{Amount, ParseAmountError};
pub use block::Block;
pub use codec::{DecodeError, EncodeError};
pub use hash::{hash160, sha256d};
pub use header::{FeeEntry, Header};
pub use id::{Outpoint, ParseIdError, TokenUid, VertexId};
pub use network::{Network, UnknownNetwork};
pub use pow::{MiningJob, target_met};
pub use script::{
    InputData, MAX_DATA_OUTPUTS, MAX_DATA_TEXT_CHARS, MAX_STANDARD_SCRIPT_BYTES, RedeemScript, Script,
    ScriptError,
};
pub use token::{
    ConfigurationString, DepositRate, TokenError, TokenInfo, TokenVersion, clean_token_text,
    validate_token_name, validate_token_symbol,
};
pub use transaction::{Input, MAX_INPUTS, MAX_OUTPUTS, Output, TokenCreation, TokenData, Transaction};
pub use vertex::{SpentOutput, Vertex, VertexInput, VertexOutput};
pub use weight::WeightConstants;
