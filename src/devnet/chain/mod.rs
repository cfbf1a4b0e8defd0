//! The ledger of the local network, in memory: a stand-in for the full node that verifies everything it is sent, in the
//! node's order and with the node's words.
//!
//! It stands on [`crate::ledger`] alone and knows neither keys nor wallets, so that it can catch them out. It does no I/O
//! and reads no clock: where time matters, `now` is an argument (Unix seconds).

mod error;
mod event;
mod genesis;
mod rules;
mod stored;

pub use error::PushError;
pub use event::ChainEvent;
pub use genesis::{
    FAUCET_COINS, FAUCET_KEY_HASH, FAUCET_PRIVATE_KEY, GENESIS_KEY_HASH, GENESIS_SUPPLY, Genesis,
};
pub use rules::Rules;
pub use stored::{Body, Meta, Stored, weight_of, work_of};

use crate::ledger::{Address, Amount, Network, Outpoint, TokenUid, TokenVersion, Vertex, VertexId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The ledger: vertices, what it thinks of them, and indexes over them.
pub struct Chain {
    rules: Rules,
    vertices: HashMap<VertexId, Stored>,
    /// In order of arrival.
    order: Vec<VertexId>,
    by_address: HashMap<Address, BTreeSet<(u32, VertexId)>>,
    /// The blocks of the best chain; a block's height is its place.
    blocks: Vec<VertexId>,
    mempool: BTreeSet<(u32, VertexId)>,
    events: Vec<ChainEvent>,
}

/// What is known of a token.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct TokenState {
    pub uid: TokenUid,
    pub name: String,
    pub symbol: String,
    /// `None` for HTR.
    pub version: Option<TokenVersion>,
    /// Unspent outputs that allow minting.
    pub mint: Vec<Outpoint>,
    /// Unspent outputs that allow melting.
    pub melt: Vec<Outpoint>,
    /// All that exists.
    pub total: Amount,
    /// Transactions that have it in an input or output and are not voided.
    pub transactions_count: u64,
}

/// Why the faucet could not pay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FundError {
    #[error("the faucet pays at least 0.01 HTR")]
    Nothing,
    #[error("the faucet has {available} cents left and {wanted} are wanted")]
    Empty { available: Amount, wanted: Amount },
    #[error("the faucet's transaction was refused: {0}")]
    Refused(PushError),
}

impl Chain {
    /// A ledger that holds nothing but `genesis`.
    pub fn new(rules: Rules, genesis: Genesis) -> Self {
        let _ = genesis;
        todo!("{rules:?}")
    }

    /// The settings.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The settings, to change them while running.
    pub const fn rules_mut(&mut self) -> &mut Rules {
        &mut self.rules
    }

    /// Takes a transaction as from a wallet (`push_tx`): everything is verified and no conflict gets in.
    pub fn push(&mut self, bytes: &[u8], now: u32) -> Result<VertexId, PushError> {
        todo!("{bytes:?} {now}")
    }

    /// Takes a transaction as from another node: everything is verified but conflicts get in, and the greater weight wins.
    pub fn receive(&mut self, bytes: &[u8], now: u32) -> Result<VertexId, PushError> {
        todo!("{bytes:?} {now}")
    }

    /// Finds a block that pays `output_script` and confirms the mempool, and adds it.
    pub fn mine_block(&mut self, output_script: Vec<u8>, now: u32) -> VertexId {
        todo!("{output_script:?} {now}")
    }

    /// Undoes the newest `count` blocks (never genesis), as a reorganisation does: they are voided, what they confirmed is
    /// back in the mempool, and what spent their rewards is voided. Newest first.
    pub fn undo_blocks(&mut self, count: u32) -> Vec<VertexId> {
        todo!("{count}")
    }

    /// Pays `amount` of HTR to `address` from the faucet's coins.
    pub fn fund(&mut self, address: Address, amount: Amount, now: u32) -> Result<VertexId, FundError> {
        todo!("{address} {amount} {now}")
    }

    /// A vertex with all that is known of it.
    pub fn get(&self, id: &VertexId) -> Option<&Stored> {
        self.vertices.get(id)
    }

    /// A vertex as histories show it.
    pub fn vertex(&self, id: &VertexId) -> Option<Vertex> {
        todo!("{id}")
    }

    /// Who spends `output`, unless they are voided.
    pub fn spender(&self, output: Outpoint) -> Option<VertexId> {
        todo!("{output:?}")
    }

    /// For each output of `id` that is spent by what is not voided: its index and the spender.
    pub fn spent_outputs(&self, id: &VertexId) -> BTreeMap<u8, VertexId> {
        todo!("{id}")
    }

    /// The vertices that have `address` in an input or output, oldest timestamp first.
    pub fn history_of(&self, address: &Address) -> impl DoubleEndedIterator<Item = VertexId> + use<'_> {
        self.by_address.get(address).into_iter().flatten().map(|(_, id)| *id)
    }

    /// The newest block of the best chain, and its height.
    pub fn best_block(&self) -> (VertexId, u32) {
        todo!()
    }

    /// The block at `height` of the best chain.
    pub fn block_at(&self, height: u32) -> Option<VertexId> {
        self.blocks.get(usize::try_from(height).ok()?).copied()
    }

    /// The height of the block that confirmed `id`, if any did.
    pub fn first_block_height(&self, id: &VertexId) -> Option<u32> {
        let block = self.get(id)?.meta.first_block?;
        self.get(&block)?.meta.height
    }

    /// The genesis block and the two genesis transactions.
    pub fn genesis(&self) -> [VertexId; 3] {
        [self.order[0], self.order[1], self.order[2]]
    }

    /// Two parents for a transaction of time `now`: the newest ones that are older and not voided.
    pub fn tx_parents(&self, now: u32) -> [VertexId; 2] {
        todo!("{now}")
    }

    /// Transactions that no block confirmed and that are not voided, oldest timestamp first.
    pub fn mempool(&self) -> impl DoubleEndedIterator<Item = VertexId> + '_ {
        self.mempool.iter().map(|(_, id)| *id)
    }

    /// Every vertex in order of arrival, genesis first.
    pub fn arrivals(&self) -> impl DoubleEndedIterator<Item = &Stored> {
        self.order.iter().map(|id| &self.vertices[id])
    }

    /// What is known of a token; HTR is [`TokenUid::Native`].
    pub fn token(&self, uid: TokenUid) -> Option<TokenState> {
        todo!("{uid}")
    }

    /// All tokens created by what is not voided, in order of arrival.
    pub fn tokens(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.arrivals()
            .filter(|s| !s.is_voided() && s.transaction().is_some_and(|tx| tx.creates.is_some()))
            .map(|s| s.id)
    }

    /// The work of `id` and of all that builds on it, voided or not.
    pub fn accumulated_work(&self, id: &VertexId) -> Option<u128> {
        todo!("{id}")
    }

    /// What happened since the last call, for WebSocket connections.
    pub fn drain_events(&mut self) -> Vec<ChainEvent> {
        std::mem::take(&mut self.events)
    }
}

/// The addresses in the inputs and outputs of `vertex`, each once: outputs first.
pub fn addresses_of(vertex: &Vertex, network: Network) -> Vec<Address> {
    todo!("{vertex:?} {network:?}")
}
