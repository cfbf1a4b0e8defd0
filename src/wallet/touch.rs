//! What a vertex has to do with the wallet's addresses.

use super::history::OutputKey;
use super::tokens::TokenNo;
use super::{PackedVertex, State};
use crate::ledger::nano::VertexNano;
use crate::ledger::{Address, Amount, hash160};

/// What a vertex has to do with the first so many addresses.
#[derive(Default)]
pub(super) struct VertexEffect {
    pub(super) outputs: Vec<OutputKey>,
    /// The outputs spent, and the sums received by address and token.
    pub(super) spends: Vec<OutputKey>,
    pub(super) received: Vec<((u32, TokenNo), Amount)>,
}

impl State {
    /// Derives past the wallet's addresses in a vertex, voided or not, until there are no more of them in it.
    /// Says whether there are any.
    pub(super) fn mark_addresses_of(&mut self, vertex: &PackedVertex) -> bool {
        loop {
            let (mut touches, mut new) = (false, Vec::new());
            for index in self.indexes_in(vertex) {
                touches = true;
                if !self.addresses.is_used(index) {
                    new.push(index);
                }
            }
            let derived = self.addresses.len();
            new.into_iter().for_each(|index| self.addresses.mark_used(index));
            if self.addresses.len() == derived {
                return touches;
            }
        }
    }

    /// The indexes of the addresses that a vertex has in its outputs and inputs, or that signed it.
    fn indexes_in(&self, vertex: &PackedVertex) -> impl Iterator<Item = u32> {
        let outputs = vertex.outputs().map(|(output, _)| output);
        let all = outputs.chain(vertex.inputs().map(|(_, spent)| spent));
        let paid = all.filter_map(|output| self.addresses.paid_by(&output.script)).map(|(index, _)| index);
        paid.chain(self.signer_of(vertex))
    }

    /// Whether a vertex has addresses that are seen.
    pub(super) fn sees(&self, vertex: &PackedVertex) -> bool {
        !self.is_part() || self.indexes_in(vertex).next().is_some()
    }

    /// The wallet's address that called a contract, or put a blueprint on the ledger.
    pub(super) fn signer_of(&self, vertex: &PackedVertex) -> Option<u32> {
        match vertex.nano()? {
            VertexNano::Call(call) => self.addresses.index_of(&call.caller),
            VertexNano::Blueprint { public_key } => {
                self.addresses.index_of(&Address::p2pkh(self.settings.network, hash160(&public_key)))
            }
        }
    }

    /// The wallet's address that called a contract, and the number of that call.
    pub(super) fn call_of(&self, vertex: &PackedVertex) -> Option<(u32, u64)> {
        match vertex.nano()? {
            VertexNano::Call(call) => Some((self.addresses.index_of(&call.caller)?, call.seqnum)),
            VertexNano::Blueprint { .. } => None,
        }
    }

    /// What a vertex does to the first `addresses` addresses.
    pub(super) fn touch(&mut self, vertex: &PackedVertex, number: u32, addresses: u32) -> VertexEffect {
        let mut touch = VertexEffect::default();
        // Indexes are one byte; a longer list comes from no valid vertex.
        for (index, (output, _)) in (0..=u8::MAX).zip(vertex.outputs()) {
            if let Some((address, _)) = self.addresses.paid_by(&output.script)
                && self.addresses.place_of(address) < Some(addresses)
            {
                touch.outputs.push((number, index));
                if output.unknown.is_none()
                    && !output.token_data.is_authority()
                    && output.value <= Amount::MAX_OUTPUT
                {
                    let token = self.tokens.number_or_new(output.token);
                    touch.received.push(((address, token), output.value));
                }
            }
        }
        for (spends, output) in vertex.inputs() {
            let paid = self.addresses.paid_by(&output.script);
            if paid.is_some_and(|(address, _)| self.addresses.place_of(address) < Some(addresses)) {
                touch.spends.push((self.history.number_or_new(&spends.tx), spends.index));
            }
        }
        touch
    }
}
