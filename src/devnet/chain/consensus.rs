//! Who wins a conflict, and what that voids.
//!
//! As in a full node, every vertex keeps the set of losers that void it (`voided_by`): a loser has itself in
//! its set, and all that builds on a loser, by spending it or by naming it a parent, has the loser in its
//! own. Of transactions that spend the same output the one with the greatest accumulated work wins; if the
//! greatest are equal, all lose.

use super::{Chain, ChainEvent, Stored, addresses_of, work_of};
use crate::ledger::{TokenUid, VertexId};
use std::collections::{BTreeSet, HashSet};

impl Chain {
    /// Takes the new transaction `id` into account: its conflicts, and those of what it builds on.
    pub(super) fn settle_transaction(&mut self, id: VertexId) {
        self.mark_spent(id);
        let mut voided_by = BTreeSet::new();
        let spends: BTreeSet<_> = self.vertices[&id].inputs().iter().map(|input| input.spends.tx).collect();
        for below in self.dependencies(id) {
            // A call that failed can be confirmed all the same.
            if self.has_failed(&below) && !spends.contains(&below) {
                continue;
            }
            voided_by.extend(self.vertices[&below].meta.voided_by.iter().copied());
        }
        let work = work_of(self.vertices[&id].weight());
        for loser in &voided_by {
            let meta = &mut self.edit(*loser).meta;
            meta.accumulated_work = meta.accumulated_work.saturating_add(work);
        }
        let inherited: Vec<_> = voided_by.iter().copied().collect();
        let conflicts = self.vertices[&id].meta.conflict_with.clone();
        if !conflicts.is_empty() {
            voided_by.insert(id);
        }
        self.edit(id).meta.voided_by = voided_by;
        // It may have lifted what it builds on.
        for loser in inherited {
            self.resolve(loser);
        }
        for other in conflicts {
            if self.vertices[&other].is_voided() {
                self.void_loser(other);
            }
        }
        self.resolve(id);
    }

    /// Notes who spends what, and who conflicts with whom.
    fn mark_spent(&mut self, id: VertexId) {
        let spends: Vec<_> = self.vertices[&id].inputs().iter().map(|input| input.spends).collect();
        for spent in spends {
            let spenders = &mut self.edit(spent.tx).meta.spent_outputs[usize::from(spent.index)];
            let others = std::mem::replace(spenders, [spenders.as_slice(), &[id]].concat());
            for other in others {
                self.note_conflict(id, other);
                self.note_conflict(other, id);
            }
        }
        for other in self.vertices[&id].meta.conflict_with.clone() {
            if self.are_twins(id, other) {
                self.edit(id).meta.twins.push(other);
                self.edit(other).meta.twins.push(id);
            }
        }
    }

    fn note_conflict(&mut self, id: VertexId, other: VertexId) {
        let conflicts = &mut self.edit(id).meta.conflict_with;
        if !conflicts.contains(&other) {
            conflicts.push(other);
        }
    }

    fn are_twins(&self, a: VertexId, b: VertexId) -> bool {
        let parts = |id: VertexId| {
            let stored = &self.vertices[&id];
            let mut inputs: Vec<_> = stored.inputs().iter().map(|i| (i.spends, i.data.as_slice())).collect();
            let mut outputs: Vec<_> =
                stored.outputs().iter().map(|o| (o.script.as_slice(), o.value)).collect();
            inputs.sort_unstable();
            outputs.sort_unstable();
            (inputs, outputs)
        };
        parts(a) == parts(b)
    }

    /// Decides for `id` if it is voided by nothing but its own conflicts: it wins if no rival has as much
    /// work.
    fn resolve(&mut self, id: VertexId) {
        let voided_by_itself_alone =
            |chain: &Self, id: VertexId| chain.vertices[&id].meta.voided_by.iter().eq([&id]);
        if self.vertices[&id].is_block() || self.has_failed(&id) || !voided_by_itself_alone(self, id) {
            return;
        }
        let work = self.vertices[&id].meta.accumulated_work;
        let mut conflicts = self.vertices[&id].meta.conflict_with.clone();
        let mut tie = false;
        for other in &conflicts {
            let rival = if self.vertices[other].is_voided() {
                if !voided_by_itself_alone(self, *other) {
                    continue;
                }
                self.vertices[other].meta.accumulated_work
            } else {
                let full = self.work_above(*other);
                self.edit(*other).meta.accumulated_work = full;
                tie |= full == work;
                full
            };
            if rival > work {
                return;
            }
        }
        conflicts.sort_by_key(|other| std::cmp::Reverse(self.vertices[other].timestamp()));
        for other in conflicts {
            self.void_loser(other);
        }
        if !tie {
            self.lift(id);
        }
    }

    fn void_loser(&mut self, id: VertexId) {
        if !self.vertices[&id].meta.voided_by.contains(&id) {
            self.void(id, id);
        }
    }

    /// Adds `loser` to what voids `id` and all that builds on it.
    pub(super) fn void(&mut self, id: VertexId, loser: VertexId) {
        let mut rivals = Vec::new();
        for above in self.with_descendants(id) {
            if self.vertices[&above].is_block() {
                self.void_block(above);
            }
            let stored = &self.vertices[&above];
            let conflicts = stored.meta.conflict_with.clone();
            if above != id && !stored.is_voided() {
                rivals.extend(conflicts.iter().copied());
            }
            self.edit(above).meta.voided_by.insert(loser);
            if !conflicts.is_empty() {
                self.void_loser(above);
                let work = self.work_above(above);
                self.edit(above).meta.accumulated_work = work;
            }
        }
        // Who lost against something that is voided now may win.
        for rival in rivals {
            self.resolve(rival);
        }
    }

    /// Takes a block out of the best chain: what it confirmed is confirmed no more, what spends its reward is
    /// voided.
    pub(super) fn void_block(&mut self, block: VertexId) {
        if !self.edit(block).meta.voided_by.insert(block) {
            return;
        }
        for confirmed in self.confirmed.remove(&block).unwrap_or_default() {
            self.edit(confirmed).meta.first_block = None;
        }
        self.contracts.remove(&block);
        // What failed may succeed in the next block.
        let failed = self.failed_calls.remove(&block).unwrap_or_default();
        for voided in self.spenders_of(&failed) {
            let meta = &mut self.edit(voided).meta;
            meta.voided_by.retain(|id| !failed.contains(id));
        }
        let spenders: BTreeSet<_> =
            self.vertices[&block].meta.spent_outputs.iter().flatten().copied().collect();
        for spender in spenders {
            self.void(spender, block);
        }
    }

    /// Makes `id` the winner of its conflicts.
    fn lift(&mut self, id: VertexId) {
        let mut candidates = Vec::new();
        let mut queue = BTreeSet::from([(self.vertices[&id].timestamp(), id)]);
        while let Some((_, above)) = queue.pop_first() {
            if !self.edit(above).meta.voided_by.remove(&id) {
                continue;
            }
            if self.vertices[&above].meta.voided_by.contains(&above) {
                candidates.push(above);
            }
            queue.extend(self.built_on(above).map(|next| (self.vertices[&next].timestamp(), next)));
        }
        for candidate in candidates {
            self.resolve(candidate);
        }
    }

    /// The work of `id` and all that builds on it.
    pub(super) fn work_above(&self, id: VertexId) -> u128 {
        self.with_descendants(id)
            .iter()
            .fold(0, |sum: u128, above| sum.saturating_add(work_of(self.vertices[above].weight())))
    }

    /// `id` and all that builds on it, oldest timestamp first.
    fn with_descendants(&self, id: VertexId) -> Vec<VertexId> {
        let mut seen = BTreeSet::from([id]);
        let mut queue = BTreeSet::from([(self.vertices[&id].timestamp(), id)]);
        let mut found = Vec::new();
        while let Some((_, above)) = queue.pop_first() {
            found.push(above);
            for next in self.built_on(above) {
                if seen.insert(next) {
                    queue.insert((self.vertices[&next].timestamp(), next));
                }
            }
        }
        found
    }

    /// What names `id` a parent, spends it or confirmed it. (A block confirms all of the mempool here, also
    /// what its two parents do not lead to.)
    fn built_on(&self, id: VertexId) -> impl Iterator<Item = VertexId> + use<'_> {
        let meta = &self.vertices[&id].meta;
        meta.children.iter().chain(meta.spent_outputs.iter().flatten()).chain(&meta.first_block).copied()
    }

    /// Parents and spent transactions, each once.
    fn dependencies(&self, id: VertexId) -> BTreeSet<VertexId> {
        let stored = &self.vertices[&id];
        stored.parents().iter().copied().chain(stored.inputs().iter().map(|input| input.spends.tx)).collect()
    }
}

// One change of the ledger from start to end: what it edits, and what is told of it.
//
// A change is `begin` (for a new vertex), any number of `edit`s, and `finish`. The first edit of a vertex
// keeps how it looked to others; what looks different in the end is told.

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
