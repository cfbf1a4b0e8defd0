//! Every vertex that touches the wallet, and which of them spends what.

use super::PackedVertex;
use crate::ledger::VertexId;
use hashbrown::HashTable;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};

/// An output, by its vertex's number and its place in it.
pub(super) type OutputKey = (u32, u8);

/// A vertex's place in the order of the history: its timestamp, the first bytes of its id, its number. What
/// spends another vertex has a later timestamp, so those of one second are independent of each other.
pub(super) type TimeKey = (u32, u64, u32);

/// What is looked up in order. All such sets are of one kind, so that its code is in the WebAssembly file
/// once.
pub(super) type Ordered = BTreeSet<TimeKey>;

/// A vertex of the history; or one that is only known because the wallet spends from it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) id: VertexId,
    pub(super) packed: Option<PackedVertex>,
    /// How many addresses the wallet had when the vertex was applied: outputs to later ones don't count yet.
    pub(super) addresses: u32,
}

/// Vertices are numbered in the order in which they are first heard of, so that the rest of the wallet refers
/// to them in 4 bytes.
#[derive(Debug, Default)]
pub(super) struct History {
    records: Vec<Record>,
    /// All numbers, by the hashes of their ids, which are not kept twice.
    numbers: HashTable<u32>,
    hasher: RandomState,
    /// Timestamps, the first bytes of ids, and numbers.
    by_time: Ordered,
    /// Which valid vertices spend an output of the wallet; known before the output itself if they come in
    /// that order. By the output's vertex and its place in it.
    spends: Ordered,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.by_time.len()
    }
    /// Forgets all vertices. Their numbers stay theirs: what is reserved and locked is told by them.
    pub(super) fn forget(&mut self) {
        self.by_time.clear();
        self.spends.clear();
        self.records.iter_mut().for_each(|record| record.packed = None);
    }
    pub(super) fn number(&self, id: &VertexId) -> Option<u32> {
        let is_it = |number: &u32| self.records[*number as usize].id == *id;
        self.numbers.find(self.hasher.hash_one(id), is_it).copied()
    }
    pub(super) fn number_or_new(&mut self, id: &VertexId) -> u32 {
        if let Some(number) = self.number(id) {
            return number;
        }
        let number = u32::try_from(self.records.len()).expect("far fewer than 2^32 vertices fit in memory");
        self.records.push(Record { id: *id, packed: None, addresses: 0 });
        let hash = |number: &u32| self.hasher.hash_one(self.records[*number as usize].id);
        self.numbers.insert_unique(self.hasher.hash_one(id), number, hash);
        number
    }
    pub(super) fn record(&self, number: u32) -> &Record {
        &self.records[number as usize]
    }
    pub(super) fn find(&self, id: &VertexId) -> Option<&PackedVertex> {
        self.record(self.number(id)?).packed.as_ref()
    }
    pub(super) fn put(&mut self, number: u32, packed: PackedVertex, addresses: u32) {
        let record = &mut self.records[number as usize];
        // The timestamp is part of the hash; should a node ever change it all the same, the old entry must
        // not stay.
        if let Some(old) = &record.packed
            && old.timestamp() != packed.timestamp()
        {
            self.by_time.remove(&(old.timestamp(), first_bytes(&record.id), number));
        }
        self.by_time.insert((packed.timestamp(), first_bytes(&record.id), number));
        record.packed = Some(packed);
        record.addresses = addresses;
    }
    pub(super) fn time_key(&self, number: u32) -> Option<TimeKey> {
        let record = self.record(number);
        Some((record.packed.as_ref()?.timestamp(), first_bytes(&record.id), number))
    }
    /// Numbers, newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_time.iter().rev().map(|(_, _, number)| *number)
    }
    /// The places from one on and before another, newest first.
    pub(super) fn between(&self, from: TimeKey, before: TimeKey) -> impl Iterator<Item = TimeKey> + '_ {
        // A range that ends before it begins panics.
        self.by_time.range(from..before.max(from)).rev().copied()
    }

    pub(super) fn add_spend(&mut self, place: OutputKey, spender: u32) {
        self.spends.insert((place.0, place.1.into(), spender));
    }
    pub(super) fn remove_spend(&mut self, place: OutputKey, spender: u32) {
        self.spends.remove(&(place.0, place.1.into(), spender));
    }
    /// The valid vertex that spends an output, if the wallet knows one.
    pub(super) fn spender(&self, place: OutputKey) -> Option<VertexId> {
        let (vertex, index) = (place.0, place.1.into());
        let (_, _, spender) = self.spends.range((vertex, index, 0)..=(vertex, index, u32::MAX)).next()?;
        Some(self.record(*spender).id)
    }
    /// Whether an output is spent, where the node says that `spent_by` spent it. A spender that the wallet
    /// knows counts for itself; the node's word counts unless the wallet knows better, namely that the
    /// spender is voided.
    pub(super) fn is_spent(&self, place: OutputKey, spent_by: Option<VertexId>) -> bool {
        self.spender(place).is_some()
            || spent_by.is_some_and(|id| self.find(&id).is_none_or(|spender| !spender.voided()))
    }
}

/// Enough of an id to order those of one second: two that are alike in this much are not to be found.
fn first_bytes(id: &VertexId) -> u64 {
    u64::from_be_bytes(id.0[..8].try_into().expect("an id has 32 bytes"))
}
