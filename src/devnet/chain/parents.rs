//! Which transactions a new one, or a block, is to confirm.

use super::Chain;
use crate::ledger::VertexId;
use std::collections::BTreeSet;

impl Chain {
    /// Two parents for a new transaction, as a full node chooses them (`generate_parent_txs`): the newest two
    /// of the mempool that nothing builds on yet; with fewer of those, the newest of what they and the
    /// best block build on.
    ///
    /// They are older than `now` as long as the best block is. Once that is ahead of the clock, because a
    /// transaction in it is, they may be ahead too, and a transaction of time `now` that confirms them is
    /// refused.
    pub fn tx_parents(&self, now: u32) -> [VertexId; 2] {
        let (best, _) = self.best_block();
        let tips = self.newest_tips(now.max(self.vertices[&best].timestamp()));
        if let [newest, second, ..] = tips[..] {
            return [newest, second];
        }
        let mut below: BTreeSet<VertexId> = self.transactions_below(best);
        if let Some(tip) = tips.first() {
            below.extend(self.transactions_below(*tip));
            below.extend(self.spent_transactions(*tip));
        } else {
            for parent in below.clone() {
                below.extend(self.transactions_below(parent));
                below.extend(self.spent_transactions(parent));
            }
        }
        let mut below: Vec<_> = below.into_iter().filter(|id| !tips.contains(id)).collect();
        below.sort_by_key(|id| std::cmp::Reverse((self.vertices[id].timestamp(), *id)));
        let mut chosen = tips.into_iter().chain(below);
        match (chosen.next(), chosen.next()) {
            (Some(one), Some(other)) => [one, other],
            _ => self.first_transactions(),
        }
    }

    /// The newest two transactions that are older than `timestamp` and not voided, confirmed or not.
    pub fn parents_before(&self, timestamp: u32) -> [VertexId; 2] {
        let older = self.transactions_by_time.range(..(timestamp, VertexId([0; 32])));
        let mut newest = older.rev().map(|(_, id)| *id).filter(|id| !self.vertices[id].is_voided());
        match (newest.next(), newest.next()) {
            (Some(a), Some(b)) => [a, b],
            // Before genesis there is nothing to choose from.
            _ => self.first_transactions(),
        }
    }

    /// At most two of the mempool that are older than `timestamp` and that nothing valid spends or names a
    /// parent, newest first.
    fn newest_tips(&self, timestamp: u32) -> Vec<VertexId> {
        let older = self.mempool.range(..(timestamp, VertexId([0; 32])));
        older.rev().map(|(_, id)| *id).filter(|id| self.is_tip(id)).take(2).collect()
    }

    fn is_tip(&self, id: &VertexId) -> bool {
        let meta = &self.vertices[id].meta;
        let mut above = meta.children.iter().chain(meta.spent_outputs.iter().flatten());
        above.all(|above| self.vertices[above].is_voided())
    }

    /// The transactions that a vertex names as parents; each genesis transaction stands on the other one.
    fn transactions_below(&self, id: VertexId) -> BTreeSet<VertexId> {
        let parents = self.vertices[&id].parents();
        if parents.is_empty() {
            return self.first_transactions().into_iter().filter(|first| *first != id).collect();
        }
        parents.iter().copied().filter(|parent| !self.vertices[parent].is_block()).collect()
    }

    fn spent_transactions(&self, id: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        let spent = self.vertices[&id].inputs().iter().map(|input| input.spends.tx);
        spent.filter(|spent| !self.vertices[spent].is_block())
    }

    fn first_transactions(&self) -> [VertexId; 2] {
        let [_, first, second] = self.genesis();
        [first, second]
    }
}
