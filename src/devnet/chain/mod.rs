//! The ledger of the local network, in memory: a stand-in for the full node that verifies everything it is
//! sent, in the node's order and with the node's words.
//!
//! It stands on [`crate::ledger`] alone and knows neither keys nor wallets, so that it can catch them out. It
//! does no I/O and reads no clock: where time matters, `now` is an argument (Unix seconds).
//!
//! ```
//! use headless_wallet::devnet::chain::{Chain, Genesis, Rules};
//! use headless_wallet::ledger::{Address, Amount, Network};
//!
//! let mut chain = Chain::new(Rules::default(), Genesis::private());
//! let address = Address::p2pkh(Network::Privatenet, [7; 20]);
//! let id = chain.fund(address, Amount::new(1_000), 1_800_000_000)?;
//! assert_eq!(chain.mempool().collect::<Vec<_>>(), [id]);
//! let block = chain.mine_block(vec![0x51], 1_800_000_001);
//! assert_eq!(chain.get(&id).and_then(|stored| stored.meta.first_block), Some(block));
//! # Ok::<(), headless_wallet::devnet::chain::FundError>(())
//! ```

mod balance;
mod blocks;
mod consensus;
mod genesis;
pub mod nano;
#[cfg(test)]
mod recorded;
mod rules;
mod script_eval;
mod stored;
mod verify;

pub use genesis::{
    FAUCET_COINS, FAUCET_KEY_HASH, FAUCET_PRIVATE_KEY, FundError, GENESIS_COINS, GENESIS_KEY_HASH,
    GENESIS_SMALL_COIN, GENESIS_SUPPLY, Genesis,
};
pub use rules::{ChainEvent, PushError, Rules};
pub use script_eval::{ScriptContext, ScriptError, evaluate_script};
pub use stored::{Body, Meta, Stored, TokenState, addresses_of, number_and_words, weight_of, work_of};
pub(super) use verify::is_standard;
pub use verify::verify_content;

use crate::ledger::{Address, Block, Transaction, VertexId};
use consensus::Edits;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The ledger: vertices, what it thinks of them, and indexes over them.
pub struct Chain {
    rules: Rules,
    vertices: HashMap<VertexId, Stored>,
    /// In order of arrival; genesis first.
    order: Vec<VertexId>,
    by_address: HashMap<Address, BTreeSet<(u32, VertexId)>>,
    by_token: HashMap<VertexId, Vec<VertexId>>,
    transactions_by_time: BTreeSet<(u32, VertexId)>,
    /// The blocks of the best chain; a block's height is its place.
    blocks: Vec<VertexId>,
    /// What each block of the best chain confirms first.
    confirmed: HashMap<VertexId, Vec<VertexId>>,
    mempool: BTreeSet<(u32, VertexId)>,
    /// The contracts after each block.
    contracts: HashMap<VertexId, Arc<nano::NanoState>>,
    /// The calls of each block that failed.
    failed_calls: HashMap<VertexId, BTreeSet<VertexId>>,
    edits: Edits,
    events: Vec<ChainEvent>,
}

impl Chain {
    /// A ledger that holds `genesis` and as many blocks as it takes for genesis coins to be spendable; these
    /// pay the faucet.
    pub fn new(rules: Rules, genesis: Genesis) -> Self {
        let first_blocks = rules.reward_spend_min_blocks.max(1);
        let mut chain = Self {
            rules,
            vertices: HashMap::new(),
            order: vec![],
            by_address: HashMap::new(),
            by_token: HashMap::new(),
            transactions_by_time: BTreeSet::new(),
            blocks: vec![],
            confirmed: HashMap::new(),
            mempool: BTreeSet::new(),
            contracts: HashMap::new(),
            failed_calls: HashMap::new(),
            edits: Edits::default(),
            events: vec![],
        };
        let after_genesis = genesis.transactions[1].timestamp.saturating_add(1);
        chain.add_genesis(genesis);
        for _ in 0..first_blocks {
            chain.mine_block(genesis::p2pkh_script(FAUCET_KEY_HASH), after_genesis);
        }
        chain.events.clear();
        chain
    }

    fn add_genesis(&mut self, genesis: Genesis) {
        let id = genesis.block.id().expect("the genesis block can be written");
        let bytes = genesis.block.to_bytes().expect("the genesis block can be written");
        let score = work_of(genesis.block.weight);
        let meta = Meta { height: Some(0), score, ..Meta::default() };
        self.begin(Stored { id, body: Body::Block(genesis.block), bytes, meta });
        self.blocks.push(id);
        self.contracts.insert(id, Arc::default());
        self.finish(Some(id));
        for tx in genesis.transactions {
            let id = tx.id().expect("a genesis transaction can be written");
            let bytes = tx.to_bytes().expect("a genesis transaction can be written");
            self.begin(Stored { id, body: Body::Transaction(tx), bytes, meta: Meta::default() });
            self.finish(Some(id));
        }
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The settings, to change them while running.
    pub const fn rules_mut(&mut self) -> &mut Rules {
        &mut self.rules
    }

    /// Takes a transaction as from a wallet (`push_tx`): everything is verified and no conflict gets in.
    ///
    /// # Errors
    /// [`PushError`], with the full node's text for the first thing that is wrong. The chain is as it was
    /// then.
    pub fn push(&mut self, bytes: &[u8], now: u32) -> Result<VertexId, PushError> {
        let (tx, id) = self.read(bytes)?;
        self.verify_for_push(&tx)?;
        self.verify(&tx, id, now)?;
        self.add(tx, id, bytes);
        Ok(id)
    }

    /// Takes a transaction as from another node: the ledger's rules are verified, but it may be non-standard,
    /// spend voided outputs (and is voided then) and conflict with others, also confirmed ones. The
    /// greater weight wins a conflict; equal weights void both.
    ///
    /// # Errors
    /// [`PushError`] for bytes that are no transaction, for one that is here already or too far in the
    /// future, and for a broken rule of the ledger. The chain is as it was then.
    pub fn receive(&mut self, bytes: &[u8], now: u32) -> Result<VertexId, PushError> {
        let (tx, id) = self.read(bytes)?;
        self.verify(&tx, id, now)?;
        self.add(tx, id, bytes);
        Ok(id)
    }

    fn read(&self, bytes: &[u8]) -> Result<(Transaction, VertexId), PushError> {
        // The node looks at the second byte, the version, before anything can fail in an orderly way.
        let [_, version, ..] = bytes else { return Err(PushError::Unanswered) };
        if bytes.len() > verify::MAX_TRANSACTION_BYTES {
            return Err(PushError::Unanswered);
        }
        if *version == 0 && Block::from_bytes(bytes).is_ok() {
            return Err(PushError::IsBlock);
        }
        // A node reads these, and refuses them for what they may come to mean.
        if let [bits, 1 | 2 | 6, ..] = bytes
            && *bits & !self.rules.known_signal_bits() != 0
        {
            return Err(PushError::Invalid(verify::unknown_signal_bits(*bits)));
        }
        let tx = Transaction::from_bytes_with_v2(bytes).map_err(|_| PushError::Malformed)?;
        let id = tx.id().map_err(|_| PushError::Malformed)?;
        if self.vertices.contains_key(&id) { Err(PushError::AlreadyExists(id)) } else { Ok((tx, id)) }
    }

    fn add(&mut self, tx: Transaction, id: VertexId, bytes: &[u8]) {
        let meta = Meta { min_height: self.min_height(&tx), ..Meta::default() };
        self.begin(Stored { id, body: Body::Transaction(tx), bytes: bytes.to_vec(), meta });
        self.settle_transaction(id);
        self.finish(Some(id));
    }

    /// The height below which no block may confirm `tx`, for the rewards that it or what it builds on spends.
    fn min_height(&self, tx: &Transaction) -> u32 {
        let lock = self.rules.reward_spend_min_blocks.saturating_add(1);
        let spent = tx.inputs.iter().filter_map(|input| self.get(&input.spends.tx)).map(|spent| {
            spent.meta.height.map_or(spent.meta.min_height, |height| height.saturating_add(lock))
        });
        let parents = tx.parents.iter().filter_map(|parent| self.get(parent)).map(|p| p.meta.min_height);
        spent.chain(parents).max().unwrap_or(0)
    }

    /// A vertex with all that is known of it.
    pub fn get(&self, id: &VertexId) -> Option<&Stored> {
        self.vertices.get(id)
    }

    /// The vertices that have `address` in an input or output, oldest timestamp first.
    pub fn history_of(&self, address: &Address) -> impl DoubleEndedIterator<Item = VertexId> + use<'_> {
        self.by_address.get(address).into_iter().flatten().map(|(_, id)| *id)
    }

    /// The newest block of the best chain, and its height.
    pub fn best_block(&self) -> (VertexId, u32) {
        let (last, before) = self.blocks.split_last().expect("genesis is never undone");
        (*last, u32::try_from(before.len()).expect("blocks are counted in 32 bits"))
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

    /// Transactions that no block confirmed and that are not voided, oldest timestamp first.
    pub fn mempool(&self) -> impl DoubleEndedIterator<Item = VertexId> + '_ {
        self.mempool.iter().map(|(_, id)| *id)
    }

    /// Every vertex in order of arrival, genesis first.
    pub fn arrivals(&self) -> impl DoubleEndedIterator<Item = &Stored> {
        self.order.iter().map(|id| &self.vertices[id])
    }

    /// All tokens created by what is not voided, in order of arrival.
    pub fn tokens(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.arrivals()
            .filter(|stored| {
                !stored.is_voided() && stored.transaction().is_some_and(|tx| tx.creates.is_some())
            })
            .map(|stored| stored.id)
    }

    /// The work of `id` and of all that builds on it, voided or not.
    pub fn accumulated_work(&self, id: &VertexId) -> Option<u128> {
        self.vertices.contains_key(id).then(|| self.work_above(*id))
    }

    /// What happened since the last call, for WebSocket connections.
    pub fn drain_events(&mut self) -> Vec<ChainEvent> {
        std::mem::take(&mut self.events)
    }
}
