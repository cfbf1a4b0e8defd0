//! Inputs that instructions select.

use super::TemplateProblem;
use super::draft::{Draft, Failure, Of, pay};
use crate::ledger::{Address, Amount, MAX_INPUTS, Outpoint, SpentOutput, TokenData, TokenUid};
use crate::wallet::reserve::UtxoKey;
use crate::wallet::select::largest_first;
use crate::wallet::tokens::TokenNo;
use crate::wallet::utxo_set::{Value, Values};
use crate::wallet::{PlanError, State};

pub(super) struct Selection<'a> {
    pub token: TokenUid,
    pub amount: Amount,
    /// Only outputs of this address: any text.
    pub address: Option<&'a str>,
    /// Of the first input.
    pub position: i128,
}

impl State {
    /// Selects inputs of an amount and adds them to the draft. Gives what they hold beyond it.
    pub(super) fn select_amount(
        &self,
        draft: &mut Draft<'_>,
        selection: &Selection<'_>,
    ) -> Result<Amount, Failure> {
        let Selection { token, amount, address, position } = *selection;
        draft.version_of(token)?;
        let short = || Failure::from(TemplateProblem::Insufficient { token, required: amount });
        let index = match address {
            None => None,
            Some(text) => {
                let address = Address::parse(text, self.settings.network).ok();
                Some(address.and_then(|address| self.addresses.index_of(&address)).ok_or_else(short)?)
            }
        };
        let slots = self.selected(draft, token, amount, index).ok_or_else(short)?;
        self.add_inputs(draft, &slots, position)?;
        Ok(self.sum(&slots).saturating_sub(amount))
    }

    pub(super) fn add_inputs(
        &self,
        draft: &mut Draft<'_>,
        slots: &[UtxoKey],
        position: i128,
    ) -> Result<(), Failure> {
        for (slot, offset) in slots.iter().zip(0..) {
            let utxo = self.utxos.utxo(*slot);
            let spends = Outpoint { tx: self.id_of(utxo.place), index: utxo.place.1 };
            let output = self.output_of(*slot);
            let position = if position < 0 { position } else { position.saturating_add(offset) };
            draft.add_input(position, spends, Some(*slot), &output)?;
        }
        Ok(())
    }

    /// The output that a utxo is.
    fn output_of(&self, slot: UtxoKey) -> SpentOutput {
        let (record, index) = self.utxos.utxo(slot).place;
        let packed =
            self.history.record(record).packed.as_ref().expect("utxos are of vertices that are kept");
        packed.output(index).expect("utxos are outputs").0.unpack()
    }

    /// Of the address at an index, if that is given.
    fn selected(
        &self,
        draft: &Draft<'_>,
        token: TokenUid,
        amount: Amount,
        address: Option<u32>,
    ) -> Option<Vec<UtxoKey>> {
        let token = self.tokens.number(token)?;
        let is_free = |slot: UtxoKey| {
            address.is_none_or(|index| self.utxos.utxo(slot).address == index) && !draft.has(slot)
        };
        let is_preferred = |slot| self.is_preferred(slot) && is_free(slot);
        let select = |eligible: &dyn Fn(UtxoKey) -> bool| {
            self.smallest_that_suffices(token, amount, draft.room(), eligible)
        };
        // Those with parts of a cent come last.
        let has_parts = self.utxos.has_parts();
        let is_whole = |slot| !has_parts || self.utxos.utxo(slot).value.is_whole();
        select(&|slot| is_whole(slot) && is_preferred(slot))
            .or_else(|| select(&|slot| is_whole(slot) && is_free(slot)))
            .or_else(|| if has_parts { select(&is_free) } else { None })
    }

    /// The smallest one that suffices, of equal ones the last; else the largest ones until they do.
    fn smallest_that_suffices(
        &self,
        token: TokenNo,
        amount: Amount,
        room: usize,
        is_eligible: &dyn Fn(UtxoKey) -> bool,
    ) -> Option<Vec<UtxoKey>> {
        let is_eligible = |slot: &UtxoKey| self.utxos.is_seen(*slot) && is_eligible(*slot);
        let eligible = |values| self.utxos.spendable(token, values).filter(is_eligible);
        let suffice = Value::of(amount).map(Values::AtLeast);
        if let Some(one) = suffice.and_then(|values| eligible(values).next_back()) {
            return (room > 0).then(|| vec![one]);
        }
        largest_first(&self.utxos, eligible(Values::All).take(room), amount, room)
            .ok()
            .filter(|slots| !slots.is_empty())
    }

    /// An amount that is left over goes back.
    pub(super) fn add_change(
        draft: &mut Draft<'_>,
        token: TokenUid,
        left: Amount,
        to: Address,
    ) -> Result<(), Failure> {
        if left.is_zero() {
            return Ok(());
        }
        let place = draft.count_amount(Of::Token(token), left)?;
        draft.add_output(-1, TokenData::token(place), left, pay(to, None))
    }
}

impl Draft<'_> {
    fn room(&self) -> usize {
        MAX_INPUTS - self.inputs.len()
    }
    pub(super) fn has(&self, slot: UtxoKey) -> bool {
        self.inputs.iter().any(|(_, known)| *known == Some(slot))
    }
    /// The output is among the inputs.
    pub(super) fn spends(&self, output: Outpoint) -> bool {
        self.inputs.iter().any(|(spends, _)| *spends == output)
    }
}

/// An input that is named twice.
pub(super) fn named_twice(token: TokenUid, output: Outpoint) -> Failure {
    Failure::Plan(PlanError::GivenTwice { token, output })
}
