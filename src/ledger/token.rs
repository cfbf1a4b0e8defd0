//! Tokens: names, the configuration string, deposits and withdrawals.

use super::{Amount, VertexId};

/// How a token is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TokenVersion {
    /** By a deposit of HTR that melting returns. */
    Deposit = 1,
    /** By a fee for each output. */
    Fee = 2,
}

/// What a creation transaction says of its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /** 1 to 30 characters. */
    pub name: String,
    /** 1 to 5 characters. */
    pub symbol: String,
    #[allow(missing_docs)]
    pub version: TokenVersion,
}

/// The share of HTR deposited for a minted amount, as the node publishes it: 1 % on every network so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepositRate {
    #[allow(missing_docs)]
    pub numerator: u64,
    #[allow(missing_docs)]
    pub denominator: u64,
}

impl Default for DepositRate {
    fn default() -> Self {
        Self { numerator: 10_000_000, denominator: 1_000_000_000 }
    }
}

impl DepositRate {
    /// HTR needed to mint `amount`: rounded up.
    pub fn deposit(self, amount: Amount) -> Amount {
        todo!("{amount}")
    }
    /// HTR returned for melting `amount`: rounded down.
    pub fn withdraw(self, amount: Amount) -> Amount {
        todo!("{amount}")
    }
}

/// `[name:symbol:uid:checksum]`, by which wallets tell each other of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ConfigurationString {
    pub uid: VertexId,
    pub name: String,
    pub symbol: String,
}

impl ConfigurationString {
    /// Reads one and checks its checksum.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        todo!("{text}")
    }
}
impl std::fmt::Display for ConfigurationString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let _ = f;
        todo!()
    }
}

/// Runs of two or more white space characters to one space, trimmed, lower case: how wallets compare names.
pub fn clean_token_text(text: &str) -> String {
    todo!("{text}")
}
/// Checks a name: 1 to 30 characters, not `Hathor`.
pub fn validate_token_name(name: &str) -> Result<(), TokenError> {
    todo!("{name}")
}
/// Checks a symbol: 1 to 5 characters, not `HTR`.
pub fn validate_token_symbol(symbol: &str) -> Result<(), TokenError> {
    todo!("{symbol}")
}

/// What is wrong with a token's name, symbol or configuration string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TokenError {
    #[error("Token name and symbol are required when creating a new token")]
    Missing,
    #[error("Token {what} size is {len} but maximum size is {max}")]
    TooLong { what: &'static str, len: usize, max: usize },
    #[error("Token {what} {text:?} is reserved for the native token")]
    Reserved { what: &'static str, text: String },
    #[error("Invalid configuration string: {0}")]
    ConfigurationString(&'static str),
}
