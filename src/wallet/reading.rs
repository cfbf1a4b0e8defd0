//! Reading the history.

use super::history::TimeKey;
use super::packed::PackedOutput;
use super::{PackedVertex, State};
use crate::ledger::nano::VertexNano;
use crate::ledger::{
    Address, Effect, Execution, ExtraMembers, Outpoint, Script, ScriptBytes, SpentOutput, TokenChange,
    TokenUid, TokenVersion, Transaction, Vertex, VertexId, VertexInput, VertexOutput,
};
use litemap::LiteMap;

/// Which part of a history is read, and how far it has been.
#[derive(Clone, Debug)]
pub struct HistoryFilter {
    /// From this place on.
    from: TimeKey,
    before: TimeKey,
    token: Option<TokenUid>,
    address: Option<Address>,
}

impl HistoryFilter {
    /// The whole history, or only what moved a token or has to do with an address.
    pub const fn of(token: Option<TokenUid>, address: Option<Address>) -> Self {
        Self { from: (0, 0, 0), before: (u32::MAX, u64::MAX, u32::MAX), token, address }
    }
    /// Nothing older than a time (Unix seconds).
    pub fn since(&mut self, time: u32) {
        self.from = self.from.max((time, 0, 0));
    }
    /// Nothing but what is newer than a vertex. Says whether the history has it.
    pub fn after(&mut self, id: &VertexId, state: &State) -> bool {
        let Some((time, bytes, number)) = state.place_of(id) else { return false };
        self.from = self.from.max((time, bytes, number.saturating_add(1)));
        true
    }
    /// Nothing but what is older than a vertex. Says whether the history has it.
    pub fn before(&mut self, id: &VertexId, state: &State) -> bool {
        let Some(place) = state.place_of(id) else { return false };
        self.before = self.before.min(place);
        true
    }
}

impl State {
    /// The place of a vertex that is seen.
    fn place_of(&self, id: &VertexId) -> Option<TimeKey> {
        let number = self.history.number(id)?;
        let is_seen = self.sees(self.history.record(number).packed.as_ref()?);
        self.history.time_key(number).filter(|_| is_seen)
    }
    /// Looks through the next so many vertices that a filter has not been at, newest first, for at most so
    /// many that it lets through. Says whether there are more to look at.
    pub fn search_history(
        &self,
        filter: &mut HistoryFilter,
        looks: usize,
        most: usize,
        found: &mut Vec<VertexId>,
    ) -> bool {
        for place in self.history.between(filter.from, filter.before).take(looks) {
            if found.len() >= most {
                return false;
            }
            filter.before = place;
            let record = self.history.record(place.2);
            if record.packed.as_ref().is_some_and(|packed| self.lets_through(filter, packed)) {
                found.push(record.id);
            }
        }
        self.history.between(filter.from, filter.before).next().is_some() && found.len() < most
    }
    fn lets_through(&self, filter: &HistoryFilter, packed: &PackedVertex) -> bool {
        let HistoryFilter { token, address, .. } = filter;
        if token.is_none() && address.is_none() {
            return self.sees(packed);
        }
        let is_meant = |output: &PackedOutput<'_>| {
            token.is_none_or(|token| output.token == token)
                && match (address, Script::parse(&output.script, self.settings.network)) {
                    (Some(address), Some(Script::Pay { to, .. })) => to == *address,
                    (None, Some(Script::Pay { to, .. })) => self.index_of(&to).is_some(),
                    _ => false,
                }
        };
        let outputs = packed.outputs().map(|(output, _)| output);
        let mut all = outputs.chain(packed.inputs().map(|(_, spent)| spent));
        let signs = |address: &Address| {
            self.signer_of(packed).is_some_and(|signer| self.index_of(address) == Some(signer))
        };
        self.sees(packed)
            && (all.any(|output| is_meant(&output)) || token.is_none() && address.as_ref().is_some_and(signs))
    }
    /// Everything, newest first (timestamp, then id, descending), voided ones too. Each is unpacked as it is
    /// asked for.
    pub fn history(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.seen_numbers().filter_map(|number| self.with_spenders(number))
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
