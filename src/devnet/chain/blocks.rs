//! Blocks: they confirm the mempool and pay their miner, and can be undone. Which transactions a new one, or
//! a block, is to confirm.

use super::stored::work_of;
use super::{Body, Chain, Meta, Stored};
use crate::ledger::{Amount, Block, Output, TokenData, VertexId, target_met};
use std::collections::BTreeSet;

/// The weight of every block: found with two hashes.
const BLOCK_WEIGHT: f64 = 1.0;

impl Chain {
    /// Finds a block that pays `output_script` and confirms the mempool, and adds it.
    ///
    /// The block is younger than the block before it and than all of the mempool. A transaction that is ahead
    /// of `now` takes the block along, and that those after it, until the clock has caught up.
    pub fn mine_block(&mut self, output_script: Vec<u8>, now: u32) -> VertexId {
        let (best, height) = self.best_block();
        let height = height + 1;
        let newest = self.mempool.last().map_or(0, |(time, _)| *time);
        let before = self.vertices[&best].timestamp().max(newest);
        let timestamp = now.max(before.saturating_add(1));
        let confirms: Vec<VertexId> = self
            .mempool
            .iter()
            .map(|(_, id)| *id)
            .filter(|id| self.vertices[id].meta.min_height <= height)
            .collect();
        let (contracts, failed) = self.execute(&confirms, timestamp);
        let undone = self.spenders_of(&failed);
        let confirms: Vec<VertexId> =
            confirms.into_iter().filter(|id| failed.contains(id) || !undone.contains(id)).collect();
        let [first, second] = self.parents_before(timestamp);
        let reward = Output {
            value: Amount::from(self.rules.block_reward),
            token_data: TokenData::NATIVE,
            script: output_script,
        };
        let (mut block, mut id) = solved(Block {
            signal_bits: 0,
            outputs: vec![reward],
            weight: BLOCK_WEIGHT,
            timestamp,
            parents: vec![best, first, second],
            data: vec![],
            nonce: 0,
        });
        // The same block may have been undone a moment ago.
        while self.vertices.contains_key(&id) {
            (block, id) = solved(Block { nonce: block.nonce + 1, ..block });
        }
        let work = confirms
            .iter()
            .fold(work_of(BLOCK_WEIGHT), |sum, id| sum.saturating_add(work_of(self.vertices[id].weight())));
        let meta = Meta {
            height: Some(height),
            min_height: height,
            score: self.vertices[&best].meta.score.saturating_add(work),
            ..Meta::default()
        };
        let bytes = block.to_bytes().expect("one output and three parents can be written");
        self.begin(Stored { id, body: Body::Block(block), bytes, meta });
        for confirmed in &confirms {
            self.edit(*confirmed).meta.first_block = Some(id);
        }
        for voided in &undone {
            let by = if failed.contains(voided) { vec![*voided] } else { failed.iter().copied().collect() };
            self.edit(*voided).meta.voided_by.extend(by);
        }
        self.contracts.insert(id, contracts);
        self.failed_calls.insert(id, failed);
        self.confirmed.insert(id, confirms);
        self.blocks.push(id);
        self.finish(Some(id));
        id
    }

    /// These, and all that spends what comes out of them.
    pub(super) fn spenders_of(&self, ids: &BTreeSet<VertexId>) -> BTreeSet<VertexId> {
        let mut found = ids.clone();
        let mut queue: Vec<VertexId> = ids.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for spender in self.vertices[&id].meta.spent_outputs.iter().flatten() {
                if found.insert(*spender) {
                    queue.push(*spender);
                }
            }
        }
        found
    }

    /// Undoes the newest `count` blocks (never genesis), as a reorganisation does: they are voided, what they
    /// confirmed is back in the mempool, and what spent their rewards is voided. Answers with the undone
    /// blocks, newest first.
    ///
    /// No other blocks take their place, so the height goes down; mine some to have a longer branch, as on a
    /// real network.
    pub fn undo_blocks(&mut self, count: u32) -> Vec<VertexId> {
        let mut undone = Vec::new();
        for _ in 0..count {
            let (best, height) = self.best_block();
            if height == 0 {
                break;
            }
            self.void_block(best);
            self.finish(None);
            undone.push(best);
        }
        undone
    }
}

/// The block with a nonce that meets its weight.
pub(super) fn solved(mut block: Block) -> (Block, VertexId) {
    loop {
        let id = block.id().expect("a block of this ledger can be written");
        if target_met(&id, block.weight) {
            return (block, id);
        }
        block.nonce += 1;
    }
}

// Which transactions a new one, or a block, is to confirm.

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
