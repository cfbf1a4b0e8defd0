//! Transactions and their one wire codec.

use super::{Amount, DecodeError, EncodeError, Header, Outpoint, TokenInfo, TokenUid, VertexId};

/// Most inputs (the count is one byte).
pub const MAX_INPUTS: usize = 255;
/// Most outputs (the count is one byte).
pub const MAX_OUTPUTS: usize = 255;

/// A transaction of version 1, or of version 2 when it creates a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// 0 in every accepted transaction.
    pub signal_bits: u8,
    /// Custom tokens that outputs refer to; empty for a token creation.
    pub tokens: Vec<VertexId>,
    #[allow(missing_docs)]
    pub inputs: Vec<Input>,
    #[allow(missing_docs)]
    pub outputs: Vec<Output>,
    /// Makes it version 2.
    pub creates: Option<TokenCreation>,
    /// Difficulty of the proof of work: 2^weight hashes expected.
    pub weight: f64,
    /// Unix seconds.
    pub timestamp: u32,
    /// Two once mined, none before.
    pub parents: Vec<VertexId>,
    /// Proof of work.
    pub nonce: u32,
    #[allow(missing_docs)]
    pub headers: Vec<Header>,
}

/// The token that a version 2 transaction creates.
pub type TokenCreation = TokenInfo;

/// An output spent, and the proof that it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    #[allow(missing_docs)]
    pub spends: Outpoint,
    /** Empty until signed. */
    pub data: Vec<u8>,
}

/// Value put under a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /** 1 to 2^63; for authorities a bit mask: 1 mint, 2 melt. */
    pub value: Amount,
    #[allow(missing_docs)]
    pub token_data: TokenData,
    /** At most 1,024 bytes; 256 to be standard. */
    pub script: Vec<u8>,
}

/// The byte that says which token an output is of: bit 7 marks an authority, bits 0–6 are the token's index (0 is HTR).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenData(pub u8);

impl TokenData {
    /// HTR.
    pub const NATIVE: Self = Self(0);
    /// The first custom token of the transaction.
    pub const FIRST: Self = Self(1);
    /// An amount of the token at `index` of the list, counted from 1.
    pub const fn token(index: u8) -> Self {
        Self(index & 0x7f)
    }
    /// An authority over the token at `index` of the list, counted from 1.
    pub const fn authority(index: u8) -> Self {
        Self(index | 0x80)
    }
    /// Place in the token list, counted from 1; 0 is HTR.
    pub const fn index(self) -> u8 {
        self.0 & 0x7f
    }
    /// Whether it is an authority and its value a bit mask.
    pub const fn is_authority(self) -> bool {
        self.0 & 0x80 != 0
    }
}

impl Output {
    /// Authority bit that allows minting.
    pub const MINT: u8 = 1;
    /// Authority bit that allows melting.
    pub const MELT: u8 = 2;
}

impl Transaction {
    /// 1, or 2 for a token creation.
    pub fn version(&self) -> u8 {
        if self.creates.is_some() { 2 } else { 1 }
    }
    /// Reads a whole transaction; every byte must be used and every value canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        todo!("{bytes:?}")
    }
    /// Writes it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        todo!()
    }
    /// The transaction id: hash over everything, the proof of work included.
    pub fn id(&self) -> Result<VertexId, EncodeError> {
        todo!()
    }
    /// The digest that every input signs (double SHA-256 of the sighash bytes).
    pub fn sighash(&self) -> Result<[u8; 32], EncodeError> {
        todo!()
    }
    /// The bytes that are signed.
    pub fn sighash_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        todo!()
    }
    /// SHA-256 of funds, then of graph and headers: what the nonce is hashed with (64 bytes).
    pub fn mining_bytes(&self) -> Result<[u8; 64], EncodeError> {
        todo!()
    }
    /// Sum of the outputs that are no authorities, all tokens together: what weight depends on.
    pub fn outputs_sum(&self) -> Amount {
        todo!()
    }
    /// The token that `token_data` names in this transaction; `None` past the list, or for the token being created (whose uid is the id).
    pub fn token_at(&self, token_data: TokenData) -> Option<TokenUid> {
        todo!("{token_data:?}")
    }
}
