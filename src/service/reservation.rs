//! The inputs of sends: reserved in the wallet's state, and claimed in its account.

use super::in_flight::SendGuard;
use super::inner::Inner;
use super::shared::Claim;
use super::{SendError, Sent};
use crate::ledger::{Transaction, VertexId};
use crate::wallet::{PlanError, ReservationId, State};
use std::sync::Arc;

/// Inputs stay reserved until the send has ended, whatever the clock says meanwhile.
pub(super) const TO_ITS_END: u32 = u32::MAX;

impl Inner {
    /// Plans, or holds, and claims what is reserved: all of it or nothing. What another wallet of the account
    /// has is passed over, as if it were reserved here.
    pub(super) fn reserve<T>(
        self: &Arc<Self>,
        turn: &mut SendGuard,
        plan: impl Fn(&mut State) -> Result<(ReservationId, T), PlanError>,
    ) -> Result<(T, Reservation), PlanError> {
        let mut state = self.state();
        let mut elsewhere = Vec::new();
        let reserved = loop {
            let (id, planned) = match plan(&mut state) {
                Ok(planned) => planned,
                Err(refusal) => break Err(refusal),
            };
            match self.account.claim(state.reserved_outpoints(id)) {
                Ok(claim) => {
                    turn.holds_inputs();
                    break Ok((planned, Reservation { wallet: self.clone(), id, _claim: claim }));
                }
                Err(taken) => {
                    state.release(id);
                    elsewhere.push(state.reserve(&taken, TO_ITS_END));
                }
            }
        };
        elsewhere.into_iter().for_each(|id| state.release(id));
        reserved
    }

    /// Lets the inputs of a send go that has ended, unless it is still open.
    pub(super) fn let_go(self: &Arc<Self>, inputs: Option<Reservation>, result: &Result<Sent, SendError>) {
        if let Err(SendError::Open { id, .. }) = result {
            return inputs.into_iter().for_each(|inputs| self.hold_while_open(*id, inputs));
        }
        let _ = result;
        drop(inputs);
    }

    /// Takes what was sent into the state of this wallet and of those that are of the same account.
    pub(super) fn sent(&self, id: VertexId, transaction: Transaction) -> Sent {
        self.apply(|state| state.apply_pushed(&transaction, id));
        let vertex = self.state().vertex(&id);
        vertex.into_iter().for_each(|vertex| self.account.tell_sent(self, &vertex));
        Sent { id, transaction }
    }
}

/// A plan's inputs, released when the send ends, however it ends. After a success they are spent, and there
/// is nothing to release.
pub(super) struct Reservation {
    wallet: Arc<Inner>,
    id: ReservationId,
    /// Ends after the reservation.
    _claim: Claim,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.wallet.state().release(self.id);
    }
}
