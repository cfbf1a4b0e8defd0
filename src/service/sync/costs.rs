//! The costs of a history by stream and by pages. A node streams a transaction once for each of its addresses
//! in the wallet. A page has it once for all addresses on the page, but the next page repeats it.
//!
//! The unit is an input or output, which takes a node most of its time: some 25 µs. Other work is converted
//! to this unit, as measured with nodes of version 0.70.

use crate::ledger::Vertex;
use crate::wallet::State;

/// Per address of a stream, besides its transactions.
const STREAMED_ADDRESS: f64 = 6.0;
/// Per page, besides its transactions.
const PAGE: f64 = 100.0;
/// Per transaction on a page, besides its inputs and outputs; these cost more than in a stream.
const PAGED_TRANSACTION: f64 = 5.0;
const PAGED_PART: f64 = 1.2;
/// The node's setting `MAX_TX_ADDRESSES_HISTORY`.
const PAGE_TRANSACTIONS: f64 = 150.0;
/// The node's setting `MAX_INPUTS_OUTPUTS_ADDRESS_HISTORY`.
const PAGE_PARTS: f64 = 900.0;
/// Most addresses expected on a page: the unused ones at a wallet's end.
const PAGE_ADDRESSES: u32 = 20;

#[derive(Default)]
struct OfAddress {
    transactions: u32,
    parts: usize,
    /// For each transaction, its addresses near this one, including this one; their sum.
    neighbours: u32,
}

impl OfAddress {
    fn by_stream(&self) -> f64 {
        self.parts as f64 + STREAMED_ADDRESS
    }

    /// Its share of the cost of a page for as many addresses as fit, if its transactions each have `shared`
    /// of them.
    fn by_pages(&self) -> f64 {
        if self.transactions == 0 {
            return STREAMED_ADDRESS;
        }
        let transactions = f64::from(self.transactions);
        let parts = self.parts as f64 / transactions;
        let shared = f64::from(self.neighbours) / transactions;
        let of_addresses = |count: f64| transactions * (count + shared - 1.0) / shared;
        let fit = PAGE_TRANSACTIONS.min(PAGE_PARTS / parts);
        let addresses = (fit * shared / transactions - shared + 1.0).clamp(1.0, f64::from(PAGE_ADDRESSES));
        (PAGE + of_addresses(addresses) * (parts * PAGED_PART + PAGED_TRANSACTION)) / addresses
    }
}

/// The costs of a stream, and of pages in its place.
#[derive(Default)]
pub(super) struct Costs {
    address: OfAddress,
    excess: f64,
}

impl Costs {
    /// Counts a transaction of the address at index `at`.
    pub(super) fn add(&mut self, vertex: &Vertex, at: u32, state: &State) {
        let spent = vertex.inputs.iter().map(|input| &input.output);
        let outputs = spent.chain(vertex.outputs.iter().map(|output| &output.output));
        let mut neighbours = 0_u64;
        for index in outputs.filter_map(|output| state.paid_index(&output.script)) {
            if index.abs_diff(at) < PAGE_ADDRESSES {
                neighbours |= 1 << (index + PAGE_ADDRESSES - at);
            }
        }
        self.count(vertex.inputs.len() + vertex.outputs.len(), neighbours.count_ones().max(1));
    }

    fn count(&mut self, parts: usize, neighbours: u32) {
        self.address.transactions += 1;
        self.address.parts += parts;
        self.address.neighbours += neighbours;
    }

    pub(super) fn next_address(&mut self) {
        let done = std::mem::take(&mut self.address);
        self.excess = (self.excess + done.by_stream() - done.by_pages()).max(0.0);
    }

    /// The excess of the stream's costs since they were last lower.
    pub(super) const fn excess(&self) -> f64 {
        self.excess
    }
}

#[cfg(test)]
mod tests {
    use super::Costs;

    /// The excess after `addresses`, each with `transactions` of `parts` inputs and outputs, with
    /// `neighbours` of the addresses near it.
    fn excess(addresses: u32, transactions: u32, parts: usize, neighbours: u32) -> f64 {
        let mut costs = Costs::default();
        for _ in 0..addresses {
            (0..transactions).for_each(|_| costs.count(parts, neighbours));
            costs.next_address();
        }
        costs.excess()
    }

    #[test]
    fn a_stream_costs_more_where_pages_have_once_what_it_repeats() {
        // Six transactions to 250 addresses each, or 60 to 25, of 750 addresses: two to each.
        assert!(excess(1, 2, 252, 20) > 400.0);
        assert!(excess(1, 2, 27, 20) > 40.0 && excess(3, 2, 27, 20) > 100.0);
        // 500 to three addresses.
        assert!((2.0..5.0).contains(&excess(1, 2, 5, 3)));
    }

    #[test]
    fn a_stream_costs_no_more_where_nothing_is_shared_or_no_page_has_all_of_an_address() {
        for (transactions, parts, neighbours) in [
            (0, 0, 0),
            // One transaction to each address, or ten.
            (1, 3, 1),
            (10, 3, 1),
            // 600 transactions to three of 20 addresses; 40 to 25, so to all; eight to 250.
            (90, 5, 3),
            (50, 27, 20),
            (8, 252, 20),
        ] {
            let excess = excess(1, transactions, parts, neighbours);
            assert!(excess == 0.0, "{transactions} of {parts}, shared by {neighbours}: {excess}");
        }
    }
}
