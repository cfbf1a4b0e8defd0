//! Reading the history.

use super::{PackedVertex, State};
use crate::ledger::{SpentOutput, TokenUid, Transaction, Vertex, VertexId, VertexInput, VertexOutput};
use std::collections::BTreeMap;

impl State {
    /// Everything, newest first (timestamp, then id, descending), voided ones too. Each is unpacked as it is asked for.
    pub fn history(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.history.newest_first().filter_map(|number| self.with_spenders(number))
    }
    /// How many the history has.
    pub fn history_len(&self) -> usize {
        self.history.len()
    }
    /// One of them.
    pub fn vertex(&self, id: &VertexId) -> Option<Vertex> {
        self.with_spenders(self.history.number(id)?)
    }
    /// Everything as the node showed it, newest first.
    pub(super) fn told(&self) -> impl Iterator<Item = (VertexId, PackedVertex)> + '_ {
        self.history.newest_first().filter_map(|number| {
            let record = self.history.record(number);
            Some((record.id, record.packed.clone()?))
        })
    }
    /// A vertex as the node showed it, save for who spent its outputs: there the wallet knows of sends just made, and of spenders
    /// that were voided since.
    fn with_spenders(&self, number: u32) -> Option<Vertex> {
        let record = self.history.record(number);
        let mut vertex = record.packed.as_ref()?.unpack(record.id);
        for (output, index) in vertex.outputs.iter_mut().zip(0..=u8::MAX) {
            let told =
                output.spent_by.filter(|id| self.history.find(id).is_none_or(|spender| !spender.voided()));
            output.spent_by = self.history.spender((number, index)).or(told);
        }
        Some(vertex)
    }

    /// Those inputs of a transaction that spend what pays the wallet, by their places, with the indexes of the addresses paid.
    pub fn own_inputs(&self, transaction: &Transaction) -> Vec<(u8, u32)> {
        let own = (0..=u8::MAX).zip(&transaction.inputs).filter_map(|(place, input)| {
            let (spent, _) = self.history.find(&input.spends.tx)?.output(input.spends.index)?;
            Some((place, self.paid_index(&spent.script)?))
        });
        own.collect()
    }

    /// What a vertex moved into (positive) or out of the wallet, for each token touched. Locks and voiding are not looked at, and
    /// authorities are no amounts: a token of which only they moved has 0.
    pub fn net(&self, id: &VertexId) -> Option<BTreeMap<TokenUid, i128>> {
        let vertex = self.vertex(id)?;
        let mut net = BTreeMap::new();
        let mut count = |output: &SpentOutput, sign: i128| {
            if output.unknown.is_none() && self.addresses.paid_by(&output.script).is_some() {
                let amount = if output.token_data.is_authority() { 0 } else { output.value.cents() };
                let sum: &mut i128 = net.entry(output.token).or_default();
                *sum = sum.saturating_add(sign * i128::try_from(amount).unwrap_or(i128::MAX));
            }
        };
        vertex.outputs.iter().for_each(|o| count(&o.output, 1));
        vertex.inputs.iter().for_each(|i| count(&i.output, -1));
        Some(net)
    }

    /// A transaction of this wallet as the ledger's indexes will show it, not yet confirmed. `None` if it spends what the wallet
    /// doesn't know or names a token that it doesn't list.
    pub fn vertex_of(&self, transaction: &Transaction, id: VertexId) -> Option<Vertex> {
        let inputs = transaction.inputs.iter().map(|input| {
            let (spent, _) = self.history.find(&input.spends.tx)?.output(input.spends.index)?;
            Some(VertexInput { spends: input.spends, output: spent.unpack() })
        });
        let outputs = transaction.outputs.iter().map(|output| {
            let token = match transaction.token_at(output.token_data) {
                Some(token) => token,
                None if transaction.creates.is_some() && output.token_data.index() == 1 => {
                    TokenUid::Custom(id)
                }
                None => return None,
            };
            let script = output.script.clone().into_boxed_slice();
            let output = SpentOutput {
                value: output.value,
                token,
                token_data: output.token_data,
                script,
                unknown: None,
            };
            Some(VertexOutput { output, spent_by: None })
        });
        Some(Vertex {
            id,
            version: transaction.version(),
            weight: transaction.weight,
            timestamp: transaction.timestamp,
            voided: false,
            first_block: None,
            height: None,
            parents: transaction.parents.clone(),
            inputs: inputs.collect::<Option<_>>()?,
            outputs: outputs.collect::<Option<_>>()?,
            creates: transaction.creates.as_ref().map(|info| (info.name.clone(), info.symbol.clone())),
        })
    }
}
