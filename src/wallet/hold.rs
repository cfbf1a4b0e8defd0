//! Holding the inputs of a transaction that was not planned here while it is on its way.

use super::calls::CallNumber;
use super::{PlanError, ReservationId, State};
use crate::ledger::Outpoint;

impl State {
    /// Reserves those of the outputs that are the wallet's, so that nothing else spends them, until they are
    /// released or until a time. Those that the user has locked are taken too, since they may be locked for
    /// this very transaction, and stay locked. Where there is a reservation `own` for them, it stays theirs.
    ///
    /// # Errors
    /// [`PlanError`] if one of them is spent, voided, locked or held by a plan: nothing has changed then.
    pub fn hold(
        &mut self,
        outputs: &[Outpoint],
        own: Option<ReservationId>,
        now: u32,
        until: u32,
    ) -> Result<ReservationId, PlanError> {
        self.utxos.advance_to(now);
        outputs.iter().try_for_each(|output| self.check_free(*output, own, now))?;
        let slots = self.slots_of(outputs);
        Ok(own.unwrap_or_else(|| self.utxos.reserve(&slots, until)))
    }

    /// Reserves outputs until they are released, whoever has them and whether they are known yet, and the
    /// number of a call.
    pub(crate) fn reserve(&mut self, outputs: &[Outpoint], call: Option<CallNumber>) -> ReservationId {
        let place = |output: &Outpoint| (self.history.number_or_new(&output.tx), output.index);
        let outputs: Vec<_> = outputs.iter().map(place).collect();
        let reservation = self.utxos.reserve_outputs(&outputs);
        if let Some(call) = call {
            self.calls.begin(reservation, call);
        }
        reservation
    }

    /// The least timestamp of a transaction that spends these outputs: later than the transactions that have
    /// them, and than their locks. Outputs that are none of the wallet's unspent ones are passed over.
    pub fn min_timestamp(&self, outputs: &[Outpoint]) -> u32 {
        self.slots_in_order(outputs).into_iter().map(|slot| self.spendable_from(slot)).max().unwrap_or(0)
    }

    /// Whether nothing else has an output, but for the reservation `own`.
    pub(super) fn check_free(
        &self,
        output: Outpoint,
        own: Option<ReservationId>,
        now: u32,
    ) -> Result<(), PlanError> {
        let number = self.history.number(&output.tx);
        let Some((number, packed)) = number.and_then(|n| Some((n, self.history.record(n).packed.as_ref()?)))
        else {
            return Ok(());
        };
        let (paid, _) = packed.output(output.index).ok_or(PlanError::InvalidInput)?;
        if self.addresses.paid_by(&paid.script).is_none() {
            return Ok(());
        }
        let token = paid.token;
        if packed.voided() {
            return Err(PlanError::Voided { token, tx: output.tx });
        }
        match self.utxos.find((number, output.index)) {
            None => Err(PlanError::AlreadySpent { token, output }),
            Some(slot) if self.utxos.is_locked(slot, now) || self.utxos.is_held(slot, own) => {
                Err(PlanError::LockedOrUsed { token, output })
            }
            Some(_) => Ok(()),
        }
    }
}
