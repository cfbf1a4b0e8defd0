//! A vertex as the ledger keeps it: its content, which never changes, and what the ledger thinks of it, which
//! does.

use crate::ledger::{Block, Input, Outpoint, Output, TokenData, TokenUid, Transaction, VertexId};
use std::collections::BTreeSet;

/// What a vertex is.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Transaction(Transaction),
    Block(Block),
}

/// A transaction or block of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub id: VertexId,
    pub body: Body,
    pub bytes: Vec<u8>,
    pub meta: Meta,
}

/// What the ledger thinks of a vertex; the names are those of a full node's `meta`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// The block that confirmed it (transactions).
    pub first_block: Option<VertexId>,
    /// Place in the chain of blocks; 0 is genesis (blocks).
    pub height: Option<u32>,
    /// The losers of conflicts that void it, itself among them if it is one. Empty: it counts.
    pub voided_by: BTreeSet<VertexId>,
    /// Transactions that spend an output that it spends too, in order of arrival.
    pub conflict_with: Vec<VertexId>,
    /// Conflicting transactions with the same inputs and outputs.
    pub twins: Vec<VertexId>,
    /// Vertices that name it as a parent.
    pub children: BTreeSet<VertexId>,
    /// For each output, all that spend it, voided or not, in order of arrival.
    pub spent_outputs: Vec<Vec<VertexId>>,
    /// Work of it and of what builds on it, as far as conflicts made it necessary to count (full node:
    /// `accumulated_weight_raw`): the sum of 2^weight.
    pub accumulated_work: u128,
    /// Work of a block and all that it confirms, directly or not (full node: `score_raw`).
    pub score: u128,
    /// Least height of a block that may confirm it, by the rewards that it or its ancestors spend.
    pub min_height: u32,
}

/// The work that `weight` stands for: 2^weight, rounded down.
pub fn work_of(weight: f64) -> u128 {
    // A cast of a float saturates, and NaN becomes 0.
    weight.exp2().floor() as u128
}

/// The weight that `work` stands for: its binary logarithm.
pub fn weight_of(work: u128) -> f64 {
    if work == 0 { 0.0 } else { (work as f64).log2() }
}

impl Stored {
    /// Whether it is a block.
    pub const fn is_block(&self) -> bool {
        matches!(self.body, Body::Block(_))
    }
    /// Whether it lost a conflict, builds on what did, or is a block that was undone.
    pub fn is_voided(&self) -> bool {
        !self.meta.voided_by.is_empty()
    }
    /// The transaction, if it is one.
    pub const fn transaction(&self) -> Option<&Transaction> {
        match &self.body {
            Body::Transaction(tx) => Some(tx),
            Body::Block(_) => None,
        }
    }
    /// The block, if it is one.
    pub const fn block(&self) -> Option<&Block> {
        match &self.body {
            Body::Block(block) => Some(block),
            Body::Transaction(_) => None,
        }
    }
    /// Unix seconds.
    pub const fn timestamp(&self) -> u32 {
        match &self.body {
            Body::Transaction(tx) => tx.timestamp,
            Body::Block(block) => block.timestamp,
        }
    }
    /// Binary logarithm of the hashes expected.
    pub const fn weight(&self) -> f64 {
        match &self.body {
            Body::Transaction(tx) => tx.weight,
            Body::Block(block) => block.weight,
        }
    }
    /// None for a block.
    pub fn inputs(&self) -> &[Input] {
        self.transaction().map_or(&[], |tx| &tx.inputs)
    }
    pub fn outputs(&self) -> &[Output] {
        match &self.body {
            Body::Transaction(tx) => &tx.outputs,
            Body::Block(block) => &block.outputs,
        }
    }
    pub fn parents(&self) -> &[VertexId] {
        match &self.body {
            Body::Transaction(tx) => &tx.parents,
            Body::Block(block) => &block.parents,
        }
    }
    /// The token that `token_data` stands for here; `None` past the token list.
    pub fn token(&self, token_data: TokenData) -> Option<TokenUid> {
        match (&self.body, token_data.index()) {
            (_, 0) => Some(TokenUid::Native),
            (Body::Block(_), _) => None,
            (Body::Transaction(tx), 1) if tx.creates.is_some() => Some(TokenUid::Custom(self.id)),
            (Body::Transaction(tx), _) => tx.token_at(token_data),
        }
    }
    /// The output at `index` as an outpoint.
    pub const fn outpoint(&self, index: u8) -> Outpoint {
        Outpoint { tx: self.id, index }
    }
}
