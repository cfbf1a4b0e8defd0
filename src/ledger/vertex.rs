//! A transaction or block as the ledger's indexes show it: its inputs with what they spend, its outputs with
//! who spent them.

use super::nano::VertexNano;
use super::{Amount, ExtraMembers, Outpoint, ScriptBytes, TokenData, TokenUid, VertexId, data_of};

/// A transaction or block of somebody's history.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    pub id: VertexId,
    /// 0, 3 and 5 are blocks, 1 a transaction, 2 a token creation, 6 a blueprint.
    pub version: u8,
    pub weight: f64,
    /// Unix seconds.
    pub timestamp: u32,
    /// Lost a conflict, or spends what did: it moves nothing.
    pub voided: bool,
    /// The block that first confirmed it.
    pub first_block: Option<VertexId>,
    /// Blocks only.
    pub height: Option<u32>,
    pub parents: Vec<VertexId>,
    pub inputs: Vec<VertexInput>,
    pub outputs: Vec<VertexOutput>,
    /// Name and symbol, on token creations.
    pub creates: Option<(String, String)>,
    /// What it has to do with contracts.
    pub nano: Option<Box<VertexNano>>,
    /// What the node says of it that is not known here.
    pub extra: ExtraMembers,
}

/// An input and the output that it spends.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexInput {
    pub spends: Outpoint,
    pub output: SpentOutput,
}

/// An output: `token_data` counts in the transaction that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpentOutput {
    pub value: Amount,
    pub token: TokenUid,
    pub token_data: TokenData,
    pub script: ScriptBytes,
    /// The node's JSON of an input or output of a kind that is not known here. It counts as nothing: it has
    /// no value, its token is HTR, and its script is there only if it could be read.
    pub unknown: Option<Box<str>>,
}

/// An output and who spent it.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexOutput {
    pub output: SpentOutput,
    pub spent_by: Option<VertexId>,
}

/// What became of a call of a contract, in the full node's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// No block has confirmed it.
    Pending,
    Success,
    /// It is voided, and moves nothing.
    Failure,
    /// It was voided before a block could execute it.
    Skipped,
}

impl Vertex {
    /// Whether it is a block of any kind.
    pub const fn is_block(&self) -> bool {
        Self::is_block_version(self.version)
    }

    /// Whether this is the version of blocks of any kind.
    pub const fn is_block_version(version: u8) -> bool {
        matches!(version, 0 | 3 | 5)
    }

    /// What identifies the NFT that it creates, if it does: then its first output holds data.
    pub fn nft_data(&self) -> Option<&str> {
        self.creates.as_ref()?;
        data_of(&self.outputs.first()?.output.script)
    }

    /// Whether an input or output is of a kind that is not known here.
    pub fn has_unknown(&self) -> bool {
        let outputs = self.outputs.iter().map(|o| &o.output);
        outputs.chain(self.inputs.iter().map(|i| &i.output)).any(|output| output.unknown.is_some())
    }
}
