//! What a vertex has to do with the wallet's addresses.

use super::history::OutputKey;
use super::tokens::TokenNo;
use super::{PackedVertex, State};
use crate::ledger::nano::VertexNano;
use crate::ledger::{Address, Amount, hash160};

/// What a vertex has to do with the wallet's addresses below some index.
#[derive(Default)]
pub(super) struct VertexEffect {
    pub(super) outputs: Vec<OutputKey>,
    /// The outputs spent, and the sums received by address and token.
    pub(super) spends: Vec<OutputKey>,
    pub(super) received: Vec<((u32, TokenNo), u128)>,
}

impl State {
    /// Derives past the wallet's addresses in a vertex, voided or not, until there are no more of them in it.
    /// Says whether there are any.
    pub(super) fn mark_addresses_of(&mut self, vertex: &PackedVertex) -> bool {
        let mut touches = false;
        loop {
            let outputs = vertex.outputs().map(|(output, _)| output);
            let all = outputs.chain(vertex.inputs().map(|(_, spent)| spent));
            let paid = all.filter_map(|o| self.addresses.paid_by(&o.script)).map(|(index, _)| index);
            let Some(last) = paid.chain(self.signer_of(vertex)).max() else {
                return touches;
            };
            touches = true;
            let derived = self.addresses.end();
            self.addresses.mark_used(last);
            if self.addresses.end() == derived {
                return touches;
            }
        }
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

    /// What a vertex does to the wallet's addresses below the index `addresses`.
    pub(super) fn touch(&mut self, vertex: &PackedVertex, number: u32, addresses: u32) -> VertexEffect {
        let mut touch = VertexEffect::default();
        // Indexes are one byte; a longer list comes from no valid vertex.
        for (index, (output, _)) in (0..=u8::MAX).zip(vertex.outputs()) {
            if let Some((address, _)) = self.addresses.paid_by(&output.script)
                && address < addresses
            {
                touch.outputs.push((number, index));
                if output.unknown.is_none()
                    && !output.token_data.is_authority()
                    && output.value <= Amount::MAX_OUTPUT
                {
                    let token = self.tokens.number_or_new(output.token);
                    touch.received.push(((address, token), output.value.cents()));
                }
            }
        }
        for (spends, output) in vertex.inputs() {
            if self.addresses.paid_by(&output.script).is_some_and(|(address, _)| address < addresses) {
                touch.spends.push((self.history.number_or_new(&spends.tx), spends.index));
            }
        }
        touch
    }
}
