//! What a wallet has put into proposals of atomic swaps. A proposal comes back from its other participants,
//! who may have put in more outputs of this wallet, or taken out what it was to get.

use super::{ChangeSet, State, Update};
use crate::ledger::{Holding, Outpoint, Output, PartialOutput, PartialTx, Transaction};

/// Most parts that are remembered: those that spend something, then the newest ones. A part that spends
/// nothing costs whoever asks for it nothing, and must not drive out one that does.
const MAX_PARTS: usize = 256;
/// Most inputs and outputs that all of them have together.
const MAX_PUT_IN: usize = 4_096;

/// The parts, the newest one last.
#[derive(Debug, Default)]
pub(super) struct SwapParts(pub(super) Vec<SwapPart>);

/// What a wallet has put into one proposal of an atomic swap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwapPart {
    pub inputs: Vec<Outpoint>,
    pub outputs: Vec<PaidInSwap>,
    /// Whether the wallet gets something that is no change.
    pub gets: bool,
}

/// What is paid, and the script that it is paid to.
pub type PaidInSwap = (Holding, Vec<u8>);

impl State {
    /// Remembers what was put into a proposal: `after` is `before` with another part at the end of its inputs
    /// and outputs. What of `before` was put in earlier belongs to it from now on, whether or not all of it
    /// is still there: neither can be taken out without the other. Older parts that offered the same outputs
    /// in other proposals are given up.
    pub fn remember_swap(&mut self, before: &PartialTx, after: &PartialTx) -> Update {
        self.swap_parts.remember(before, after);
        Update { changes: self.swaps_changed(), events: Vec::new() }
    }

    /// Gives up what was put into swaps with any of these outputs: their proposals are as those of strangers.
    pub(super) fn give_up_swaps(&mut self, outputs: &[Outpoint]) -> ChangeSet {
        let before = self.swap_parts.0.len();
        self.swap_parts.0.retain(|part| !part.spends_any(outputs));
        if self.swap_parts.0.len() == before { ChangeSet::default() } else { self.swaps_changed() }
    }

    fn swaps_changed(&self) -> ChangeSet {
        ChangeSet { swap_parts: Some(self.swap_parts.0.clone()), ..ChangeSet::default() }
    }

    /// Takes over what was kept.
    pub(super) fn restore_swaps(&mut self, parts: Vec<SwapPart>) {
        self.swap_parts = SwapParts(parts);
    }

    /// Whether all outputs of the wallet that a transaction spends were put into a swap, for something, and
    /// all that was put in with them is still there.
    pub fn is_as_put_in(&self, transaction: &Transaction) -> bool {
        let spends = transaction.spends();
        let paid = |output: &Output| {
            let (value, is_authority) = (output.value, output.token_data.is_authority());
            let token = transaction.token_at(output.token_data)?;
            Some((Holding { token, value, is_authority }, output.script.clone()))
        };
        let found = self.swap_parts.found(&spends, transaction.outputs.iter().filter_map(paid).collect());
        let parts = self.swap_parts.0.iter().zip(found);
        let put_in: Vec<_> =
            parts.filter(|(part, found)| *found && part.gets).flat_map(|(part, _)| &part.inputs).collect();
        let own = self.own_inputs(transaction);
        own.iter().all(|(place, _)| put_in.contains(&&spends[usize::from(*place)]))
    }

    /// Whether a transaction spends what is not the wallet's, or what the wallet has put into a swap.
    pub fn is_of_swap(&self, transaction: &Transaction) -> bool {
        let spends = transaction.spends();
        self.own_inputs(transaction).len() < spends.len()
            || self.swap_parts.0.iter().any(|part| part.spends_any(&spends))
    }
}

impl SwapParts {
    fn remember(&mut self, before: &PartialTx, after: &PartialTx) {
        let spends: Vec<_> = after.inputs.iter().map(|input| input.spends).collect();
        let (before_spends, new) = spends.split_at(before.inputs.len());
        let mut whole = SwapPart::default();
        let found = self.found(before_spends, before.outputs.iter().map(paid).collect());
        let mut found = found.into_iter();
        self.0.retain(|part| {
            let is_earlier = found.next() == Some(true) || part.spends_any(before_spends);
            if is_earlier {
                whole.inputs.extend_from_slice(&part.inputs);
                whole.outputs.extend_from_slice(&part.outputs);
                whole.gets |= part.gets;
            }
            // What spends nothing may be answered more than once.
            part.inputs.is_empty() || !(is_earlier || part.spends_any(new))
        });
        let outputs = &after.outputs[before.outputs.len()..];
        whole.inputs.extend(new);
        whole.outputs.extend(outputs.iter().map(paid));
        whole.gets |= outputs.iter().any(|output| !output.is_change);
        self.0.push(whole);
        let size = |part: &SwapPart| part.inputs.len() + part.outputs.len();
        while self.0.len() > MAX_PARTS || self.0.iter().map(size).sum::<usize>() > MAX_PUT_IN {
            let place = self.0.iter().position(|part| part.inputs.is_empty()).unwrap_or_default();
            self.0.remove(place);
        }
    }

    /// Which of the parts are in a transaction, with all of their outputs.
    fn found(&self, spends: &[Outpoint], mut paid: Vec<PaidInSwap>) -> Vec<bool> {
        let mut found = vec![false; self.0.len()];
        // Of two that have the same, the newer one counts, and one that spends something before one that does
        // not: that is tied to nothing.
        for spending in [true, false] {
            for (part, found) in self.0.iter().zip(&mut found).rev() {
                let is_meant = if spending { part.spends_any(spends) } else { part.inputs.is_empty() };
                if !is_meant {
                    continue;
                }
                let mut left = paid.clone();
                let take = |output: &PaidInSwap| {
                    left.iter()
                        .position(|there| there == output)
                        .map(|place| left.swap_remove(place))
                        .is_some()
                };
                if part.outputs.iter().all(take) {
                    (*found, paid) = (true, left);
                }
            }
        }
        found
    }
}

impl SwapPart {
    fn spends_any(&self, outputs: &[Outpoint]) -> bool {
        self.inputs.iter().any(|input| outputs.contains(input))
    }
}

fn paid(output: &PartialOutput) -> PaidInSwap {
    (output.holds, output.script.clone())
}
