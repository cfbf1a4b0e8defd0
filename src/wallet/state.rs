//! The wallet as one machine: what it keeps, and what each fact does to it.

use super::addresses::Addresses;
use super::calls::Calls;
use super::history::{History, OutputKey};
use super::packed::{BlockOf, PackedOutput};
use super::reserve::UtxoKey;
use super::swap_parts::SwapParts;
use super::tokens::{TokenNo, Tokens};
use super::utxo_set::{UtxoEntry, UtxoSet, Value, sort};
use super::{ChangeSet, Event, PackedVertex, ReservationId, Update};
use crate::keys::AddressKeys;
use crate::ledger::nano::VertexNano;
use crate::ledger::{Amount, DepositRate, Network, Outpoint, Transaction, Vertex, VertexId};
use std::collections::HashMap;

/// What a wallet must know of its network and its owner's wishes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whose addresses are meant.
    pub network: Network,
    /// Which addresses are the wallet's.
    pub scan: Scan,
    /// Blocks after which a block reward can be spent, as the node publishes it.
    pub reward_spend_min_blocks: u32,
    /// The share of HTR deposited for minted units, as the node publishes it.
    pub deposit: DepositRate,
}

/// Which addresses are watched. At least one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// All up to the last used one, and so many past it.
    GapLimit(u32),
    /// Those from one index to another, and what [`State::extend_view`] adds.
    IndexLimit { first: u32, last: u32 },
}

/// One wallet. See the [module](super) page.
#[derive(Debug)]
pub struct State {
    pub(super) settings: Settings,
    pub(super) addresses: Addresses,
    pub(super) history: History,
    pub(super) utxos: UtxoSet,
    pub(super) tokens: Tokens,
    /// Sums of the outputs of valid vertices, by address.
    pub(super) received: HashMap<(u32, TokenNo), Amount>,
    /// Calls of contracts by the wallet's addresses.
    pub(super) calls: Calls,
    pub(super) swap_parts: SwapParts,
}

impl State {
    /// A wallet that knows nothing of its history yet. Derives the first addresses.
    pub fn new(keys: impl Into<AddressKeys>, settings: Settings) -> Self {
        Self {
            settings,
            addresses: Addresses::new(keys.into(), settings.network, settings.scan),
            history: History::default(),
            utxos: UtxoSet::default(),
            tokens: Tokens::new(),
            received: HashMap::new(),
            calls: Calls::default(),
            swap_parts: SwapParts::default(),
        }
    }

    /// A wallet as its merged change sets left it, its unspent outputs newest first.
    pub fn restore(keys: impl Into<AddressKeys>, settings: Settings, changes: ChangeSet) -> Self {
        let mut state = Self::new(keys, settings);
        state.addresses.restore(changes.address_count, changes.current_index.unwrap_or(0));
        // All addresses come first: a greater gap limit than before may find some that transactions kept
        // already pay.
        loop {
            let derived = state.addresses.len();
            for vertex in changes.vertices.values() {
                state.mark_addresses_of(vertex);
            }
            if state.addresses.len() == derived {
                break;
            }
        }
        for (id, vertex) in changes.vertices {
            let _ = state.apply_packed(id, vertex);
        }
        if let Some(height) = changes.best_height {
            let _ = state.set_best_height(height);
        }
        let locked =
            changes.locked_outpoints.into_iter().filter_map(|(output, until)| Some((output, until?)));
        state.restore_locks(locked);
        state.restore_swaps(changes.swap_parts.unwrap_or_default());
        state.loaded();
        state
    }

    /// Everything kept so far, as one change set: `restore` of it gives this wallet.
    pub fn snapshot(&self) -> ChangeSet {
        let (address_count, current_index) = self.addresses.kept();
        let mut all = ChangeSet {
            address_count,
            current_index,
            best_height: self.utxos.height(),
            ..ChangeSet::default()
        };
        // A map that is collected sorts first, which is 6 kB of code for each kind of map.
        all.vertices.extend(self.told());
        let locked = self.locked_outpoints().into_iter();
        all.locked_outpoints.extend(locked.map(|(output, until)| (output, Some(until))));
        all.swap_parts = Some(self.swap_parts.0.clone()).filter(|parts| !parts.is_empty());
        all
    }

    /// A vertex as the node shows it.
    ///
    /// Idempotent. The order of vertices doesn't matter; of two versions of one vertex, the one applied last
    /// stands, so what a subscription says while a page is being asked for must be applied after that page. A
    /// vertex that doesn't touch the wallet is ignored. Costs O(inputs + outputs).
    ///
    /// When addresses are derived because of it ([`Event::NewAddresses`]), their history must be asked for:
    /// older vertices that pay them count from when they are applied again.
    pub fn apply(&mut self, vertex: Vertex) -> Update {
        self.apply_packed(vertex.id, PackedVertex::of(&vertex))
    }

    fn apply_packed(&mut self, id: VertexId, packed: PackedVertex) -> Update {
        let mut update = Update::default();
        let (derived, kept) = (self.addresses.len(), self.addresses.kept().0);
        let touches = self.mark_addresses_of(&packed);
        let previous = self.history.number(&id).and_then(|number| {
            let record = self.history.record(number);
            Some((record.packed.clone()?, record.addresses))
        });
        if !touches && previous.is_none() {
            return update;
        }
        let number = self.history.number_or_new(&id);
        let addresses = self.addresses.len();
        if previous.as_ref().is_some_and(|(old, counted)| *old == packed && *counted == addresses) {
            return update;
        }

        let mut received_before = Vec::new();
        if let Some((old, counted)) = &previous
            && !old.voided()
        {
            let before = self.touch(old, number, *counted);
            received_before.clone_from(&before.received);
            for (key, sum) in &before.received {
                let received = self.received.entry(*key).or_default();
                *received = received.saturating_sub(*sum);
            }
            before.spends.iter().for_each(|place| self.history.remove_spend(*place, number));
        }
        let (after, voided) = (self.touch(&packed, number, addresses), packed.voided());
        if !voided {
            for (key, sum) in &after.received {
                let received = self.received.entry(*key).or_default();
                *received = received.saturating_add(*sum);
            }
            after.spends.iter().for_each(|place| self.history.add_spend(*place, number));
        }
        if let Some((address, seqnum)) = self.call_of(&packed) {
            self.calls.note(number, address, seqnum, !voided || packed.head().first_block.is_some());
        }
        let is_call = matches!(packed.nano(), Some(VertexNano::Call(_)));
        let unchanged = previous.as_ref().is_some_and(|(old, _)| old.is_as_known_as(&packed));
        // It is the same, and pays addresses that were not known when it came.
        let pays_more = unchanged && !voided && after.received != received_before;
        self.history.put(number, packed.clone(), addresses);
        if let Some(key) = self.history.time_key(number).filter(|_| is_call) {
            self.calls.note_unconfirmed(key, !voided && packed.head().first_block.is_none());
        }
        let (block, mut own) = (packed.head().block(), after.outputs.into_iter().peekable());
        for (index, (output, spent_by)) in (0..=u8::MAX).zip(packed.outputs()) {
            if let Some(place) = own.next_if_eq(&(number, index)) {
                let utxo = self.coin_of(place, &output, spent_by, block);
                self.set_coin(place, utxo.filter(|_| !voided), &mut update.changes);
            }
        }
        after.spends.into_iter().for_each(|place| self.refresh(place, &mut update.changes));

        self.note_addresses(derived, kept, &mut update);
        match previous {
            None => update.events.push(Event::NewVertex(id)),
            Some((old, _)) if unchanged => {
                if pays_more {
                    update.events.push(Event::UpdatedVertex { id, voided: None });
                }
                if old != packed {
                    update.changes.vertices.insert(id, packed);
                }
                return update;
            }
            Some((old, _)) => {
                let voided = (old.voided() != voided).then_some(voided);
                update.events.push(Event::UpdatedVertex { id, voided });
            }
        }
        update.changes.vertices.insert(id, packed);
        update
    }

    /// A transaction of this wallet that the node has just taken. What the node told of it in the meantime is
    /// newer, and stands.
    pub fn apply_pushed(&mut self, transaction: &Transaction, id: VertexId) -> Update {
        if self.history.find(&id).is_some() {
            return Update::default();
        }
        self.vertex_of(transaction, id).map(|vertex| self.apply(vertex)).unwrap_or_default()
    }

    /// Calls of contracts that no block has yet, whoever calls, at most so many: those after one of them
    /// first, and the oldest first.
    pub fn unconfirmed_calls(&self, after: Option<&VertexId>, most: usize) -> Vec<VertexId> {
        let after = after.and_then(|id| self.history.time_key(self.history.number(id)?));
        let calls = self.calls.unconfirmed(after.unwrap_or_default()).take(most);
        calls.map(|number| self.history.record(number).id).collect()
    }

    /// A block has a call of a contract, the node says, and when that was, and of which blueprint the
    /// contract is, where it is known. Whatever else the node has told of that call in the meantime stands.
    pub fn confirm_call(
        &mut self,
        id: &VertexId,
        block: VertexId,
        timestamp: Option<u32>,
        blueprint: Option<VertexId>,
    ) -> Update {
        let waiting = self.vertex(id).filter(|vertex| !vertex.voided && vertex.first_block.is_none());
        let Some(mut vertex) = waiting else { return Update::default() };
        vertex.first_block = Some(block);
        if let Some(VertexNano::Call(call)) = vertex.nano.as_deref_mut() {
            call.timestamp = timestamp.or(call.timestamp);
            call.blueprint = blueprint.or(call.blueprint);
        }
        self.apply(vertex)
    }

    /// The best block's height. Until it is known, block rewards are locked.
    pub fn set_best_height(&mut self, height: u32) -> Update {
        if self.utxos.height() == Some(height) {
            return Update::default();
        }
        self.utxos.set_height(height);
        Update {
            changes: ChangeSet { best_height: Some(height), ..ChangeSet::default() },
            events: vec![Event::BestHeight(height)],
        }
    }

    /// The whole history has been applied: puts the unspent outputs in the order in which a freshly loaded
    /// wallet lists them, newest transaction first. What is applied later goes to the end.
    pub fn loaded(&mut self) {
        let history = &self.history;
        self.utxos.reorder(|utxo| {
            let record = history.record(utxo.place.0);
            let time = record.packed.as_ref().map_or(0, PackedVertex::timestamp);
            (std::cmp::Reverse((time, record.id)), utxo.place.1)
        });
    }

    /// Forgets the whole history, which turned out to be wrong. The addresses stay, and so do reservations,
    /// and what the user has locked and put into swaps.
    pub fn forget(&mut self) -> Update {
        self.history.forget();
        self.received.clear();
        self.calls.forget();
        self.utxos.forget();
        self.tokens = Tokens::new();
        Update { changes: ChangeSet { forget: true, ..self.snapshot() }, events: Vec::new() }
    }

    /// Gives a plan's inputs back, when it failed. A reservation that is gone already is no error.
    pub fn release(&mut self, reservation: ReservationId) {
        self.calls.release(reservation);
        self.utxos.release(reservation);
    }

    /// Whether an unspent output of the wallet can't be spent yet.
    pub fn is_locked(&self, output: Outpoint, now: u32) -> bool {
        self.slots_in_order(&[output]).iter().any(|slot| self.utxos.is_locked(*slot, now))
    }
    /// When the next time lock ends (Unix seconds): balances change then though nothing happens.
    pub fn next_unlock(&self, now: u32) -> Option<u32> {
        self.utxos.next_unlock(now)
    }
    /// Those of the outputs that are unspent ones of the wallet, in the order given.
    pub(super) fn slots_in_order(&self, outputs: &[Outpoint]) -> Vec<UtxoKey> {
        let find = |output: &Outpoint| self.utxos.find_seen((self.history.number(&output.tx)?, output.index));
        outputs.iter().filter_map(find).collect()
    }
    pub(super) fn slots_of(&self, outputs: &[Outpoint]) -> Vec<UtxoKey> {
        let mut slots = self.slots_in_order(outputs);
        sort(&mut slots, &|one, other| one.cmp(&other));
        slots.dedup();
        slots
    }

    /// Makes the utxo at a place of the history what it should be.
    fn refresh(&mut self, place: OutputKey, changes: &mut ChangeSet) {
        let Some(packed) = self.history.record(place.0).packed.clone() else { return };
        let output = packed.output(place.1).filter(|_| !packed.voided());
        let utxo = output
            .and_then(|(output, spent_by)| self.coin_of(place, &output, spent_by, packed.head().block()));
        self.set_coin(place, utxo, changes);
    }

    /// What is spent is not locked any more.
    fn set_coin(&mut self, place: OutputKey, utxo: Option<UtxoEntry>, changes: &mut ChangeSet) {
        let is_gone = utxo.is_none();
        self.utxos.set(place, utxo);
        if is_gone && self.history.spender(place).is_some() && self.utxos.unlock_for_user(place) {
            changes.locked_outpoints.insert(self.outpoint_at(place), None);
        }
    }

    /// An output of a valid vertex as a utxo, if it is the wallet's and unspent.
    fn coin_of(
        &mut self,
        place: OutputKey,
        output: &PackedOutput<'_>,
        spent_by: Option<VertexId>,
        block: BlockOf,
    ) -> Option<UtxoEntry> {
        if output.unknown.is_some() {
            return None;
        }
        let (address, timelock) = self.addresses.paid_by(&output.script)?;
        let value = Value::of(output.value)?;
        let is_counted = self.addresses.place_of(address) < Some(self.history.record(place.0).addresses);
        if !is_counted || self.history.is_spent(place, spent_by) {
            return None;
        }
        let unlock_height = match (block, self.settings.reward_spend_min_blocks) {
            (BlockOf::Transaction, _) | (_, 0) => 0,
            (BlockOf::Block(height), blocks) => height.map_or(u32::MAX, |h| h.saturating_add(blocks)),
        };
        let token = self.tokens.number_or_new(output.token);
        let authority = output.token_data.is_authority();
        Some(UtxoEntry { place, value, token, address, timelock, unlock_height, authority })
    }

    /// The id of the vertex that has an output.
    pub(super) fn id_of(&self, place: OutputKey) -> VertexId {
        self.history.record(place.0).id
    }
}
