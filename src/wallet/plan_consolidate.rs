//! Consolidation: many outputs into one, so that later sends need fewer inputs.

use super::plan::{Draft, OutputToken};
use super::{ConsolidateRequest, Plan, PlanError, State, UtxoFilter};
use crate::ledger::{Amount, MAX_INPUTS, TokenUid, TokenVersion};

impl State {
    /// Plans a consolidation. `now` is the time in Unix seconds; the inputs stay reserved until
    /// `reserve_until`.
    ///
    /// Inputs are the outputs asked for, in the order of the store. For a fee token, an input of HTR and its
    /// change come after.
    ///
    /// # Errors
    /// [`PlanError::DestinationNotMine`], [`PlanError::NothingToConsolidate`], [`PlanError::NotEnoughHtr`]
    /// for a fee, and [`PlanError::Encode`] if the sum is more than an output holds.
    pub fn plan_consolidate(
        &mut self,
        request: &ConsolidateRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        if self.index_of(&request.to).is_none() {
            return Err(PlanError::DestinationNotMine);
        }
        self.utxos.advance_to(now);
        let token = request.outputs.token;
        let pays_fee = request.version == TokenVersion::Fee && token != TokenUid::Native;
        let room = if pays_fee { MAX_INPUTS - 1 } else { MAX_INPUTS };
        let max_utxos = request.outputs.max_utxos.map_or(room, |most| most.min(room));
        // Parts of a cent stay where they are: with them, all of it were an amount that not every wallet
        // reads.
        let filter = UtxoFilter {
            max_utxos: Some(max_utxos),
            only_available: true,
            only_whole: true,
            ..request.outputs
        };
        let found = self.utxos(&filter, now);
        if found.utxos.is_empty() {
            return Err(PlanError::NothingToConsolidate);
        }
        let outputs: Vec<_> = found.utxos.iter().map(|utxo| utxo.outpoint).collect();
        let mut draft = Draft { inputs: self.slots_in_order(&outputs), ..Draft::default() };
        draft.pay(request.to, OutputToken::Token(token), found.available);
        if pays_fee {
            draft.fee = TokenVersion::Fee.fee(outputs.len(), 1);
            let required = draft.fee;
            let left = self.fund(&mut draft, TokenUid::Native, required, |available| {
                PlanError::NotEnoughHtr { required, available }
            })?;
            if left > Amount::ZERO {
                draft.pay(self.current_address(), OutputToken::Token(TokenUid::Native), left);
            }
        }
        self.finalize(draft, now, reserve_until)
    }
}
