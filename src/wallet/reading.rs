//! Reading the history.

use super::{PackedVertex, State};
use crate::ledger::nano::VertexNano;
use crate::ledger::{
    Effect, Execution, ExtraMembers, Outpoint, ScriptBytes, SpentOutput, TokenChange, TokenUid, TokenVersion,
    Transaction, Vertex, VertexId, VertexInput, VertexOutput,
};
use litemap::LiteMap;

impl State {
    /// Everything, newest first (timestamp, then id, descending), voided ones too. Each is unpacked as it is
    /// asked for.
    pub fn history(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.seen_numbers().filter_map(|number| self.with_spenders(number))
    }
    /// The ids of these.
    pub fn history_ids(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.seen_numbers().map(|number| self.history.record(number).id)
    }
    /// Numbers of what is seen, newest first.
    fn seen_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let sees =
            |number: &u32| self.history.record(*number).packed.as_ref().is_some_and(|it| self.sees(it));
        self.history.newest_first().filter(move |number| !self.is_part() || sees(number))
    }
    /// How many the history has.
    pub fn history_len(&self) -> usize {
        if self.is_part() { self.seen_numbers().count() } else { self.history.len() }
    }
    pub fn vertex(&self, id: &VertexId) -> Option<Vertex> {
        let number = self.history.number(id)?;
        self.sees(self.history.record(number).packed.as_ref()?).then(|| self.with_spenders(number))?
    }
    /// Everything as the node showed it, newest first.
    pub(super) fn told(&self) -> impl Iterator<Item = (VertexId, PackedVertex)> + '_ {
        self.history.newest_first().filter_map(|number| {
            let record = self.history.record(number);
            Some((record.id, record.packed.clone()?))
        })
    }
    /// A vertex as the node showed it, save for who spent its outputs: there the wallet knows of sends just
    /// made, and of spenders that were voided since.
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

    /// An output of a transaction of the history.
    pub fn output(&self, place: Outpoint) -> Option<SpentOutput> {
        Some(self.history.find(&place.tx)?.output(place.index)?.0.unpack())
    }

    /// Those inputs of a transaction that spend what pays the wallet, by their places, with the indexes of
    /// the addresses paid.
    pub fn own_inputs(&self, transaction: &Transaction) -> Vec<(u8, u32)> {
        let own = (0..=u8::MAX).zip(&transaction.inputs).filter_map(|(place, input)| {
            let (spent, _) = self.history.find(&input.spends.tx)?.output(input.spends.index)?;
            Some((place, self.paid_index(&spent.script)?))
        });
        own.collect()
    }

    /// What a vertex did to the wallet. Locks are not looked at. `version_of` says how a token is paid for,
    /// where that is known: the history does not tell.
    pub fn effect(&self, vertex: &Vertex, version_of: impl Fn(&VertexId) -> Option<TokenVersion>) -> Effect {
        let is_own = |output: &SpentOutput| self.addresses.paid_by(&output.script).is_some();
        Effect::of(vertex, is_own, self.settings.deposit, version_of)
    }

    /// What became of a call of a contract: a block that confirms it executes it, unless it was voided
    /// before.
    pub fn execution(&self, vertex: &Vertex) -> Option<Execution> {
        vertex.nano.as_ref()?.call()?;
        let spends_voided = || {
            let mut spent = vertex.inputs.iter().filter_map(|input| self.history.find(&input.spends.tx));
            spent.any(|record| record.voided())
        };
        Some(match (vertex.voided, vertex.first_block) {
            (false, None) => Execution::Pending,
            (false, Some(_)) => Execution::Success,
            (true, Some(_)) if !spends_voided() => Execution::Failure,
            (true, _) => Execution::Skipped,
        })
    }

    /// What a vertex did to the wallet's holdings, by token: outputs that are locked now apart from the
    /// others.
    pub fn changes(&self, vertex: &Vertex, now: u32) -> LiteMap<TokenUid, TokenChange> {
        let mut changes: LiteMap<TokenUid, TokenChange> = LiteMap::new();
        let mut count = |output: &SpentOutput, locked: bool, is_spent: bool| {
            if self.paid_index(&output.script).is_some() {
                let change = changes.entry(output.token).or_default();
                change.count(output.token_data.is_authority(), output.value, locked, is_spent);
            }
        };
        for (index, VertexOutput { output, .. }) in (0..=u8::MAX).zip(&vertex.outputs) {
            count(output, self.is_locked(Outpoint { tx: vertex.id, index }, now), false);
        }
        vertex.inputs.iter().for_each(|input| count(&input.output, false, true));
        changes
    }

    /// A transaction of this wallet as the ledger's indexes will show it, not yet confirmed. `None` if it
    /// spends what the wallet doesn't know or names a token that it doesn't list.
    pub fn vertex_of(&self, transaction: &Transaction, id: VertexId) -> Option<Vertex> {
        let spent = transaction.spends().into_iter().map(|Outpoint { tx, index }| {
            let (spent, _) = self.history.find(&tx)?.output(index)?;
            Some(spent.unpack())
        });
        vertex_spending(transaction, id, spent.collect::<Option<_>>()?)
    }
}

/// A transaction as the ledger's indexes will show it, not yet confirmed: `spends` is what its inputs spend,
/// in their order. `None` if it names a token that it doesn't list.
pub(super) fn vertex_spending(
    transaction: &Transaction,
    id: VertexId,
    spends: Vec<SpentOutput>,
) -> Option<Vertex> {
    let inputs = transaction.inputs.iter().zip(spends);
    let inputs = inputs.map(|(input, output)| VertexInput { spends: input.spends, output });
    let outputs = transaction.outputs.iter().map(|output| {
        let token = match transaction.token_at(output.token_data) {
            Some(token) => token,
            None if transaction.creates.is_some() && output.token_data.index() == 1 => TokenUid::Custom(id),
            None => return None,
        };
        let script = ScriptBytes::from_slice(&output.script);
        let output =
            SpentOutput { value: output.value, token, token_data: output.token_data, script, unknown: None };
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
        inputs: inputs.collect(),
        outputs: outputs.collect::<Option<_>>()?,
        creates: transaction.creates.as_ref().map(|info| (info.name.clone(), info.symbol.clone())),
        nano: VertexNano::of(transaction, id).map(Box::new),
        extra: ExtraMembers::default(),
    })
}
