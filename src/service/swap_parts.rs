//! What the wallets of an account have put into proposals of atomic swaps. A proposal comes back from its
//! other participants, who may have put in more outputs of this wallet, or taken out what it was to get.

use super::live_state::lock;
use crate::ledger::{Holding, Outpoint, PartialInput, PartialOutput, PartialTx};
use std::collections::VecDeque;
use std::sync::Mutex;

/// Most parts that are remembered, the newest ones.
const MAX_PARTS: usize = 256;

#[derive(Default)]
pub(super) struct SwapParts(Mutex<VecDeque<Part>>);

#[derive(Default)]
struct Part {
    inputs: Vec<Outpoint>,
    outputs: Vec<(Holding, Vec<u8>)>,
}

impl SwapParts {
    /// `after` is `before` with another part at the end of its inputs and outputs. What of `before` was put
    /// in earlier belongs to it from now on, whether or not all of it is still there: neither can be taken
    /// out without the other. Older parts that offered the same outputs elsewhere are given up.
    pub(super) fn remember(&self, before: &PartialTx, after: &PartialTx) {
        let spends = |inputs: &[PartialInput]| inputs.iter().map(|input| input.spends).collect::<Vec<_>>();
        let (before_spends, new) = (spends(&before.inputs), spends(&after.inputs[before.inputs.len()..]));
        let mut parts = lock(&self.0);
        let mut whole = Part::default();
        let mut found = found(parts.iter(), before).into_iter();
        parts.retain_mut(|part| {
            let is_earlier = found.next() == Some(true) || part.spends_any(&before_spends);
            if is_earlier {
                whole.inputs.append(&mut part.inputs);
                whole.outputs.append(&mut part.outputs);
            }
            !is_earlier && !part.spends_any(&new)
        });
        whole.inputs.extend(new);
        whole.outputs.extend(after.outputs[before.outputs.len()..].iter().map(paid));
        if parts.len() == MAX_PARTS {
            parts.pop_front();
        }
        parts.push_back(whole);
    }

    /// Gives up the parts that spend any of these outputs: their proposals are as those of strangers.
    pub(super) fn forget(&self, outputs: &[Outpoint]) {
        lock(&self.0).retain(|part| !part.spends_any(outputs));
    }

    /// Whether these inputs of a proposal were put in here, and all that was put in with them is still there.
    pub(super) fn are_as_put_in(&self, inputs: &[Outpoint], partial: &PartialTx) -> bool {
        let parts = lock(&self.0);
        let found = found(parts.iter(), partial);
        let put_in: Vec<_> =
            parts.iter().zip(found).filter(|(_, found)| *found).flat_map(|(part, _)| &part.inputs).collect();
        inputs.iter().all(|input| put_in.contains(&input))
    }
}

impl Part {
    fn spends_any(&self, outputs: &[Outpoint]) -> bool {
        self.inputs.iter().any(|input| outputs.contains(input))
    }
}

/// Which of the parts a proposal has, with all of their outputs.
fn found<'a>(parts: impl DoubleEndedIterator<Item = &'a Part>, partial: &PartialTx) -> Vec<bool> {
    let mut outputs: Vec<_> = partial.outputs.iter().map(paid).collect();
    let inputs: Vec<_> = partial.inputs.iter().map(|input| input.spends).collect();
    // Of two that have the same, the newer one counts.
    let is_there = parts.rev().map(|part| {
        if !part.inputs.is_empty() && !part.spends_any(&inputs) {
            return false;
        }
        let mut left = outputs.clone();
        let take = |output: &(Holding, Vec<u8>)| {
            left.iter().position(|there| there == output).map(|place| left.swap_remove(place)).is_some()
        };
        let all = part.outputs.iter().all(take);
        if all {
            outputs = left;
        }
        all
    });
    let mut is_there: Vec<_> = is_there.collect();
    is_there.reverse();
    is_there
}

fn paid(output: &PartialOutput) -> (Holding, Vec<u8>) {
    (output.holds, output.script.clone())
}
