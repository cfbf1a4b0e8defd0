//! One change of the ledger from start to end: what it edits, and what is told of it.
//!
//! A change is `begin` (for a new vertex), any number of `edit`s, and `finish`. The first edit of a vertex
//! keeps how it looked to others; what looks different in the end is told.

use super::{Chain, ChainEvent, Stored, addresses_of, work_of};
use crate::ledger::{TokenUid, VertexId};
use std::collections::{BTreeSet, HashSet};

/// What others are told of when it changes: whether a vertex is voided, and who spends its outputs. That a
/// block confirms it, they are not.
#[derive(Debug, PartialEq)]
struct View {
    voided: bool,
    spenders: Vec<Option<VertexId>>,
}

/// What the change that is being made has edited so far.
#[derive(Debug, Default)]
pub(super) struct Edits {
    edited: HashSet<VertexId>,
    /// What was edited and what that spends.
    seen: HashSet<VertexId>,
    /// How those looked before, in the order in which they came up.
    before: Vec<(VertexId, View)>,
}

impl Chain {
    /// Puts a new vertex into the ledger and its indexes.
    pub(super) fn begin(&mut self, mut stored: Stored) {
        let (id, timestamp) = (stored.id, stored.timestamp());
        stored.meta.spent_outputs = vec![vec![]; stored.outputs().len()];
        stored.meta.accumulated_work = work_of(stored.weight());
        for parent in stored.parents() {
            if let Some(parent) = self.vertices.get_mut(parent) {
                parent.meta.children.insert(id);
            }
        }
        if !stored.is_block() {
            self.transactions_by_time.insert((timestamp, id));
        }
        self.order.push(id);
        self.vertices.insert(id, stored);
        let vertex = self.vertex(&id).expect("it was just put in");
        for address in addresses_of(&vertex, self.rules.network) {
            self.by_address.entry(address).or_default().insert((timestamp, id));
        }
        let outputs = vertex.outputs.iter().map(|output| output.output.token);
        let tokens: BTreeSet<_> =
            outputs.chain(vertex.inputs.iter().map(|input| input.output.token)).collect();
        for token in tokens {
            if let TokenUid::Custom(uid) = token {
                self.by_token.entry(uid).or_default().push(id);
            }
        }
        self.events.push(ChainEvent::Touched(Box::new(vertex)));
        self.note(id);
    }

    /// The vertex, to be changed.
    pub(super) fn edit(&mut self, id: VertexId) -> &mut Stored {
        self.note(id);
        self.vertices.get_mut(&id).expect("only vertices of the ledger are edited")
    }

    /// Keeps how `id` looks, and what it spends: that looks different when `id` is voided.
    fn note(&mut self, id: VertexId) {
        if !self.edits.edited.insert(id) {
            return;
        }
        let spent = self.vertices[&id].inputs().iter().map(|input| input.spends.tx);
        let looks: Vec<_> = std::iter::once(id).chain(spent).collect();
        for id in looks {
            if self.edits.seen.insert(id) {
                let view = self.view(id);
                self.edits.before.push((id, view));
            }
        }
    }

    fn view(&self, id: VertexId) -> View {
        let stored = &self.vertices[&id];
        let spenders = (0..=u8::MAX).take(stored.outputs().len());
        View {
            voided: stored.is_voided(),
            spenders: spenders.map(|index| self.spender(stored.outpoint(index))).collect(),
        }
    }

    /// Ends a change: brings best chain and mempool up to date and tells what happened, first of the `new`
    /// vertex.
    pub(super) fn finish(&mut self, new: Option<VertexId>) {
        while self.blocks.last().is_some_and(|block| self.vertices[block].is_voided()) {
            self.blocks.pop();
        }
        if let Some(vertex) = new.and_then(|id| self.vertex(&id)) {
            self.events.push(ChainEvent::Accepted(Box::new(vertex.clone())));
            self.events.push(ChainEvent::Touched(Box::new(vertex)));
        }
        for (id, before) in std::mem::take(&mut self.edits).before {
            self.update_mempool(id);
            if Some(id) != new && self.view(id) != before {
                self.events.extend(self.vertex(&id).map(|vertex| ChainEvent::Touched(Box::new(vertex))));
            }
        }
    }

    fn update_mempool(&mut self, id: VertexId) {
        let stored = &self.vertices[&id];
        let entry = (stored.timestamp(), id);
        if !stored.is_block() && !stored.is_voided() && stored.meta.first_block.is_none() {
            self.mempool.insert(entry);
        } else {
            self.mempool.remove(&entry);
        }
    }
}
