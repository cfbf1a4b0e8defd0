//! Proposals of atomic swaps: what a wallet adds to one.

use super::plan::{MAX_TOKENS, check_value, pay_script};
use super::reading::vertex_spending;
use super::reserve::UtxoKey;
use super::select::{largest_first, select_inputs};
use super::{PlanError, ReservationId, State, Update};
use crate::ledger::{
    Address, Amount, EncodeError, Holding, MAX_INPUTS, MAX_OUTPUTS, Outpoint, PartialInput, PartialOutput,
    PartialTx, SpentOutput, TokenUid, Transaction, VertexId,
};

/// What a wallet adds to a proposal.
#[derive(Clone, Debug, Default)]
pub struct SwapRequest {
    /// Amounts that it gives.
    pub sends: Vec<(TokenUid, Amount)>,
    /// Amounts that it is to get.
    pub receives: Vec<SwapReceive>,
    /// What it may spend of its own; the wallet chooses if these are none.
    pub utxos: Vec<Outpoint>,
    /// Where the change goes; to the current address if not given.
    pub change_address: Option<Address>,
}

/// An amount to be received.
#[derive(Clone, Copy, Debug)]
pub struct SwapReceive {
    pub token: TokenUid,
    pub value: Amount,
    /// By whom; the current address if not given.
    pub address: Option<Address>,
    /// Unix seconds before which it can't be spent.
    pub timelock: Option<u32>,
}

impl State {
    /// Adds to a proposal what the wallet gives, its change, and what it gets. The outputs that are spent
    /// stay reserved until `reserve_until`.
    ///
    /// # Errors
    /// [`PlanError::NoneUsable`] if nothing of what it may spend can be spent, [`PlanError::Insufficient`] if
    /// that is too little, and others if the transaction would be larger than the network takes: nothing has
    /// changed then.
    pub fn add_to_swap(
        &mut self,
        mut partial: PartialTx,
        request: &SwapRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<(ReservationId, PartialTx), PlanError> {
        self.utxos.advance_to(now);
        // What the proposal has is not selected again. Plans that have some of it keep it.
        let spent: Vec<_> = partial.inputs.iter().map(|input| input.spends).collect();
        let mut spent = self.slots_of(&spent);
        spent.retain(|slot| !self.utxos.is_held(*slot, None));
        let spent = self.utxos.reserve(&spent, u32::MAX);
        let added = self.fill_swap(&mut partial, request, now);
        self.utxos.release(spent);
        Ok((self.utxos.reserve(&added?, reserve_until), partial))
    }

    /// [`State::apply_pushed`] of a transaction that spends what is others', too: `spends` is what its inputs
    /// spend, in their order.
    pub fn apply_pushed_swap(
        &mut self,
        transaction: &Transaction,
        id: VertexId,
        spends: Vec<SpentOutput>,
    ) -> Update {
        if self.history.find(&id).is_some() {
            return Update::default();
        }
        vertex_spending(transaction, id, spends).map(|vertex| self.apply(vertex)).unwrap_or_default()
    }

    fn fill_swap(
        &self,
        partial: &mut PartialTx,
        request: &SwapRequest,
        now: u32,
    ) -> Result<Vec<UtxoKey>, PlanError> {
        let pool = self.usable(&request.utxos, now)?;
        let mut taken = Vec::new();
        for (token, value) in by_token(&request.sends)? {
            let room = MAX_INPUTS.saturating_sub(partial.inputs.len());
            let slots = self.select_for_swap(token, value, pool.as_deref(), room)?;
            let change = self.sum(&slots).saturating_sub(value);
            partial.inputs.extend(slots.iter().map(|slot| self.partial_input(*slot)));
            taken.extend(slots);
            if !change.is_zero() {
                let to = request.change_address.unwrap_or_else(|| self.current_address());
                let (holds, script) = (Holding::amount(token, change), pay_script(to, None));
                partial.outputs.push(PartialOutput { holds, script, is_change: true });
            }
        }
        for SwapReceive { token, value, address, timelock } in &request.receives {
            check_value(*value)?;
            let to = address.unwrap_or_else(|| self.current_address());
            let (holds, script) = (Holding::amount(*token, *value), pay_script(to, *timelock));
            partial.outputs.push(PartialOutput { holds, script, is_change: false });
        }
        if partial.outputs.len() > MAX_OUTPUTS {
            return Err(EncodeError::TooManyOutputs(partial.outputs.len()).into());
        }
        // What can't be written is found here, while nothing is reserved.
        let transaction = partial.transaction()?;
        if transaction.tokens.len() > MAX_TOKENS {
            return Err(PlanError::TooManyTokens(transaction.tokens.len()));
        }
        transaction.to_bytes()?;
        Ok(taken)
    }

    /// Those of the outputs that can be spent now; `None` where none are given.
    fn usable(&self, outputs: &[Outpoint], now: u32) -> Result<Option<Vec<UtxoKey>>, PlanError> {
        if outputs.is_empty() {
            return Ok(None);
        }
        let mut slots = self.slots_of(outputs);
        slots.retain(|slot| {
            let is_free = !self.utxos.is_locked(*slot, now) && !self.utxos.is_reserved(*slot, now);
            let utxo = self.utxos.utxo(*slot);
            is_free && !utxo.authority && utxo.value.is_whole()
        });
        if slots.is_empty() { Err(PlanError::NoneUsable) } else { Ok(Some(slots)) }
    }

    fn select_for_swap(
        &self,
        token: TokenUid,
        value: Amount,
        pool: Option<&[UtxoKey]>,
        room: usize,
    ) -> Result<Vec<UtxoKey>, PlanError> {
        // A token that the wallet never had has no number, and no utxos either.
        let number = self.tokens.number(token).unwrap_or(u32::MAX);
        let selected = match pool {
            None => {
                let preferred = |slot| self.is_preferred(slot);
                select_inputs(&self.utxos, number, value, room, true, preferred)
            }
            Some(pool) => {
                let held = |slot: &UtxoKey| self.utxos.utxo(*slot).value.amount();
                let mut slots: Vec<_> =
                    pool.iter().copied().filter(|slot| self.utxos.utxo(*slot).token == number).collect();
                self.utxos.sort_largest_first(&mut slots);
                // The smallest one that suffices, or else the largest ones until they do.
                let enough = slots.partition_point(|slot| held(slot) >= value);
                let slots = slots.split_off(enough.saturating_sub(1));
                largest_first(&self.utxos, slots.into_iter(), value, room)
            }
        };
        selected.map_err(|shortfall| {
            let short = |available| PlanError::Insufficient { token, required: value, available };
            shortfall.explain(token, room, short)
        })
    }

    fn partial_input(&self, slot: UtxoKey) -> PartialInput {
        let utxo = self.utxos.utxo(slot);
        PartialInput {
            spends: self.outpoint_at(utxo.place),
            holds: Holding::amount(self.tokens.uid(utxo.token), utxo.value.amount()),
            address: self.address(utxo.address).expect("utxos pay addresses of the wallet"),
        }
    }
}

/// What is given of each token, in the order of first appearance.
fn by_token(sends: &[(TokenUid, Amount)]) -> Result<Vec<(TokenUid, Amount)>, PlanError> {
    let mut sums: Vec<(TokenUid, Amount)> = Vec::new();
    for (token, value) in sends {
        check_value(*value)?;
        match sums.iter_mut().find(|(of, _)| of == token) {
            Some((_, sum)) => *sum = sum.saturating_add(*value),
            None => sums.push((*token, *value)),
        }
    }
    Ok(sums)
}
