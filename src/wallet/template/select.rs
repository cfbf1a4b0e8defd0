//! Inputs that instructions select.

use super::TemplateProblem;
use super::draft::{Draft, Failure, Of, pay};
use crate::ledger::{Address, Amount, MAX_INPUTS, Outpoint, SpentOutput, TokenData, TokenUid};
use crate::wallet::reserve::UtxoKey;
use crate::wallet::{PlanError, State, UtxoFilter};

/// What is selected.
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
        now: u32,
    ) -> Result<Amount, Failure> {
        let Selection { token, amount, address, position } = *selection;
        draft.version_of(token)?;
        let short = || Failure::from(TemplateProblem::Insufficient { token, required: amount });
        let slots = match address {
            None => self.selected(draft, token, amount),
            Some(text) => {
                let address = Address::parse(text, self.settings.network).map_err(|_| short())?;
                self.selected_of(draft, token, amount, address, now)
            }
        };
        let slots = slots.ok_or_else(short)?;
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

    fn selected(&self, draft: &Draft<'_>, token: TokenUid, amount: Amount) -> Option<Vec<UtxoKey>> {
        let number = self.tokens.number(token)?;
        let all = || {
            let values = crate::wallet::utxo_set::Values::All;
            self.utxos.spendable(number, values).filter(|slot| !draft.has(*slot))
        };
        let preferred = all().filter(|slot| self.is_preferred(*slot));
        self.smallest_that_suffices(preferred, amount, draft.room())
            .or_else(|| self.smallest_that_suffices(all(), amount, draft.room()))
    }

    fn selected_of(
        &self,
        draft: &Draft<'_>,
        token: TokenUid,
        amount: Amount,
        address: Address,
        now: u32,
    ) -> Option<Vec<UtxoKey>> {
        let address = Some(address);
        let filter = UtxoFilter { token, address, only_available: true, ..UtxoFilter::default() };
        let listed = self.utxos(&filter, now).utxos;
        let outpoints: Vec<_> = listed.iter().map(|utxo| utxo.outpoint).collect();
        let mut slots = self.slots_in_order(&outpoints);
        slots.retain(|slot| !draft.has(*slot));
        self.utxos.sort_largest_first(&mut slots);
        let preferred = slots.iter().copied().filter(|slot| self.is_preferred(*slot));
        self.smallest_that_suffices(preferred, amount, draft.room())
            .or_else(|| self.smallest_that_suffices(slots.iter().copied(), amount, draft.room()))
    }

    /// The smallest one that suffices, of equal ones the last; else the largest ones until they do.
    fn smallest_that_suffices(
        &self,
        largest_first: impl Iterator<Item = UtxoKey>,
        amount: Amount,
        room: usize,
    ) -> Option<Vec<UtxoKey>> {
        let (mut taken, mut sum) = (Vec::new(), Amount::ZERO);
        for slot in largest_first {
            let value = Amount::from(self.utxos.utxo(slot).value);
            if value >= amount {
                (taken, sum) = (vec![slot], value);
            } else if sum >= amount || taken.len() == room {
                break;
            } else {
                sum = sum.saturating_add(value);
                taken.push(slot);
            }
        }
        (sum >= amount && !taken.is_empty() && taken.len() <= room).then_some(taken)
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
    Failure::Plan(PlanError::LockedOrUsed { token, output })
}
