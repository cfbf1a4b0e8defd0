//! The wallet as one machine.

use super::{
    AddressInfo, Balance, ChangeSet, CreateTokenRequest, DelegateRequest, DestroyRequest, MeltRequest,
    MintRequest, Plan, PlanError, ReservationId, SendRequest, Update, UtxoFilter, UtxoList,
};
use crate::keys::AccountPublic;
use crate::ledger::{Address, DepositRate, Network, TokenUid, Transaction, Vertex, VertexId};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a wallet must know of its network and its owner's wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whose addresses are meant.
    pub network: Network,
    /// How many unused addresses are watched past the last used one.
    pub gap_limit: u32,
    /// Blocks after which a block reward can be spent, as the node publishes it.
    pub reward_spend_min_blocks: u32,
    /// The share of HTR deposited for minted units, as the node publishes it.
    pub deposit: DepositRate,
}

/// One wallet. See the [module](super) page.
#[derive(Debug)]
pub struct State {
    account: AccountPublic,
    settings: Settings,
}

#[allow(unused_variables, missing_docs, clippy::todo)]
impl State {
    /// A wallet that knows nothing of its history yet. Derives the first `gap_limit` addresses (at least one).
    pub fn new(account: AccountPublic, settings: Settings) -> Self {
        Self { account, settings }
    }
    /// A wallet as its merged change sets left it, its unspent outputs newest first.
    pub fn restore(account: AccountPublic, settings: Settings, changes: ChangeSet) -> Self {
        todo!()
    }
    /// Everything kept so far, as one change set: `restore` of it gives this wallet.
    pub fn snapshot(&self) -> ChangeSet {
        todo!()
    }

    // Facts.

    /// A vertex as the node shows it, or as [`State::vertex_of`] makes it from one just pushed.
    ///
    /// Idempotent; order doesn't matter, except that of two versions of one vertex the one applied last stands: apply what a
    /// subscription said while a page was being asked for after that page. A vertex that doesn't touch the wallet is ignored.
    /// Costs O(inputs + outputs). When addresses are derived because of it ([`Event::NewAddresses`](super::Event)), the history of those must be asked
    /// for: older vertices that pay them count from when they are applied again.
    pub fn apply(&mut self, vertex: Vertex) -> Update {
        todo!()
    }
    /// The best block's height. Until it is known, block rewards are locked.
    pub fn set_best_height(&mut self, height: u32) -> Update {
        todo!()
    }
    /// The whole history has been applied: puts the unspent outputs in the order in which a freshly loaded wallet lists them,
    /// newest transaction first. What is applied later goes to the end.
    pub fn loaded(&mut self) {
        todo!()
    }

    // Addresses.

    /// Addresses still to be subscribed to and asked for when those below `watched` are.
    pub fn addresses_to_watch(&self, watched: u32) -> Range<u32> {
        todo!()
    }
    /// The address at an index below 2^31, derived if need be. Changes nothing.
    pub fn address(&self, index: u32) -> Option<Address> {
        todo!()
    }
    /// The text of an address that the wallet has derived (encoding it anew costs more than reading an output).
    pub fn address_text(&self, index: u32) -> Option<&str> {
        todo!()
    }
    /// Derived addresses, by index.
    pub fn addresses(&self) -> impl ExactSizeIterator<Item = Address> + '_ {
        std::iter::empty()
    }
    /// The index of one of the wallet's derived addresses.
    pub fn index_of(&self, address: &Address) -> Option<u32> {
        todo!()
    }
    /// The address after the last used one, which never goes back: where change goes.
    pub fn current_address(&self) -> Address {
        todo!()
    }
    /// The current address's index.
    pub fn current_index(&self) -> u32 {
        todo!()
    }
    /// The current address, and moves on to the next one. Past the last derived address it stays there.
    pub fn next_address(&mut self) -> (Address, ChangeSet) {
        todo!()
    }
    /// What an address received; `None` if it isn't the wallet's.
    pub fn address_info(&self, address: &Address, token: TokenUid, now: u32) -> Option<AddressInfo> {
        todo!()
    }

    // History.

    /// Everything, newest first (timestamp, then id, descending), voided ones too. Each is unpacked as it is asked for.
    pub fn history(&self) -> impl Iterator<Item = Vertex> + '_ {
        std::iter::empty()
    }
    /// How many the history has.
    pub fn history_len(&self) -> usize {
        todo!()
    }
    /// One of them.
    pub fn vertex(&self, id: &VertexId) -> Option<Vertex> {
        todo!()
    }
    /// What a vertex moved into (positive) or out of the wallet, per token touched, locked and voided included.
    pub fn net(&self, id: &VertexId) -> Option<BTreeMap<TokenUid, i128>> {
        todo!()
    }
    /// A transaction of this wallet as the ledger's indexes will show it. `None` if it spends what the wallet doesn't know.
    pub fn vertex_of(&self, transaction: &Transaction, id: VertexId) -> Option<Vertex> {
        todo!()
    }

    // Unspent outputs.

    /// The best block's height, once it is known.
    pub fn best_height(&self) -> Option<u32> {
        todo!()
    }
    /// Tokens that the wallet has had to do with, HTR first.
    pub fn tokens(&self) -> impl Iterator<Item = TokenUid> + '_ {
        std::iter::empty()
    }
    /// What the wallet holds of a token.
    pub fn balance(&self, token: TokenUid, now: u32) -> Balance {
        todo!()
    }
    /// Unspent outputs that hold amounts; authorities are never listed.
    pub fn utxos(&self, filter: &UtxoFilter, now: u32) -> UtxoList {
        todo!()
    }

    // Planning. `now` is the time in Unix seconds; the inputs of a plan are reserved until `reserve_until`, unless released or
    // spent before.

    pub fn plan_send(
        &mut self,
        request: &SendRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    pub fn plan_create_token(
        &mut self,
        request: &CreateTokenRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    pub fn plan_mint(
        &mut self,
        request: &MintRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    pub fn plan_melt(
        &mut self,
        request: &MeltRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    pub fn plan_delegate(
        &mut self,
        request: &DelegateRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    pub fn plan_destroy(
        &mut self,
        request: &DestroyRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        todo!()
    }
    /// Gives a plan's inputs back, when it failed. A reservation that is gone already is no error.
    pub fn release(&mut self, reservation: ReservationId) {
        todo!()
    }
    /// Keeps a plan's inputs reserved for longer. `false` if the reservation is gone: then its inputs may be in use elsewhere.
    pub fn renew(&mut self, reservation: ReservationId, reserve_until: u32) -> bool {
        todo!()
    }
}
