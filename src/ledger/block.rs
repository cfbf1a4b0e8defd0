//! Blocks, as far as a wallet or a local network has to read and write them (version 0).

use super::{DecodeError, EncodeError, Output, VertexId};

/// A block: outputs paid to its miner, three parents (the block before it first), 16 bytes of nonce.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Block {
    pub signal_bits: u8,
    pub outputs: Vec<Output>,
    pub weight: f64,
    pub timestamp: u32,
    pub parents: Vec<VertexId>,
    pub data: Vec<u8>,
    pub nonce: u128,
}

impl Block {
    /// Reads a block of version 0.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        todo!("{bytes:?}")
    }
    /// Writes it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        todo!()
    }
    /// Its hash.
    pub fn id(&self) -> Result<VertexId, EncodeError> {
        todo!()
    }
    /// What the nonce is hashed with.
    pub fn mining_bytes(&self) -> Result<[u8; 64], EncodeError> {
        todo!()
    }
}
