//! What the wallet counts on each of its addresses, for comparing with what a node counts there.

use super::State;
use super::packed::{BlockOf, PackedOutput};
use crate::ledger::{Amount, TokenUid, VertexId};
use std::collections::BTreeMap;

/// For how many seconds after its timestamp a transaction may be new to a node: it is given that before its
/// proof of work, for which wallets have 75 s.
const LATE: u32 = 90;

/// What happened on one address, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressTotals {
    /// Transactions and blocks that have the address in an input or output, voided ones too.
    pub transactions: u64,
    /// Of those that are not voided; authorities are no amounts. A token without any amount has no entry.
    pub sums: BTreeMap<TokenUid, Sums>,
}

/// Amounts of one token that came to an address and left it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub received: Amount,
    pub spent: Amount,
}

/// One of the wallet's addresses, as far as its history is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressRecord {
    pub tally: AddressTotals,
    /// Whether there are valid ones that no block has confirmed as far as is known.
    pub has_unconfirmed: bool,
    /// The latest of which all that comes before it, by timestamp and id, is settled unless blocks are
    /// undone: those that no block has confirmed come later, and so does what may have arrived since.
    /// None if that is so of no one.
    pub settled: Option<VertexId>,
    /// What comes before this time is settled.
    unsettled: u32,
    /// Voided ones that no block has confirmed: they may become valid if what they conflict with is voided.
    pub voided: Vec<VertexId>,
}

impl State {
    /// Every derived address, in the order of [`State::addresses`]. Costs one pass over the history.
    pub fn address_records(&self) -> Vec<AddressRecord> {
        let mut records = vec![AddressRecord::default(); self.addresses.iter().len()];
        let mut touched = Vec::new();
        for number in self.history.newest_first() {
            let kept = self.history.record(number);
            let Some(vertex) = &kept.packed else { continue };
            let head = vertex.head();
            // Addresses derived since the vertex was applied have not been credited with it.
            let place_of = |index| {
                let place = self.addresses.place_of(index).filter(|place| *place < kept.addresses)?;
                Some(place as usize)
            };
            let paid = |output: &PackedOutput<'_>| place_of(self.addresses.paid_by(&output.script)?.0);
            touched.clear();
            let outputs = vertex.outputs().map(|(output, _)| (output, true));
            for (output, is_received) in outputs.chain(vertex.inputs().map(|(_, spent)| (spent, false))) {
                let Some(place) = paid(&output) else { continue };
                if !touched.contains(&place) {
                    touched.push(place);
                }
                if !head.voided && output.unknown.is_none() && !output.token_data.is_authority() {
                    let sums = records[place].tally.sums.entry(output.token).or_default();
                    let sum = if is_received { &mut sums.received } else { &mut sums.spent };
                    *sum = sum.saturating_add(output.value);
                }
            }
            // Who called a contract, or published a blueprint, need neither have paid nor been paid.
            if let Some(place) = self.signer_of(vertex).and_then(place_of)
                && !touched.contains(&place)
            {
                touched.push(place);
            }
            for place in &touched {
                let record = &mut records[*place];
                record.tally.transactions += 1;
                let is_open = head.first_block.is_none();
                let is_unconfirmed = is_open && !head.voided && head.block() == BlockOf::Transaction;
                if is_unconfirmed || record.tally.transactions == 1 {
                    record.has_unconfirmed |= is_unconfirmed;
                    record.settled = None;
                    record.unsettled = head.timestamp.saturating_sub(LATE);
                }
                if is_open && head.voided {
                    record.voided.push(kept.id);
                } else if record.settled.is_none() && head.timestamp < record.unsettled {
                    record.settled = Some(kept.id);
                }
            }
        }
        records
    }
}
