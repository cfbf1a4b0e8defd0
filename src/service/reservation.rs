//! The inputs of sends and the numbers of their calls: reserved in the wallet's state, and claimed in its
//! account.

use super::in_flight::SendGuard;
use super::live_state::LiveState;
use super::shared::{Claim, SharedAccount};
use super::shared_hold::Hold;
use crate::store::SharedClaim;
use crate::wallet::{PlanError, ReservationId, State};
use std::sync::Arc;

/// Inputs stay reserved until the send has ended, whatever the clock says meanwhile.
pub(super) const TO_ITS_END: u32 = u32::MAX;

/// A plan's inputs, released when the send ends, however it ends. After a success they are spent, and there
/// is nothing to release.
pub(super) struct Reservation {
    wallet: Arc<LiveState>,
    id: ReservationId,
    /// The same in all servers, once it is reserved there.
    pub(super) shared: Option<Hold>,
    /// Ends after the reservation.
    claim: Claim,
}

impl Reservation {
    /// Plans, or holds, and claims what is reserved: all of it or nothing. What another wallet of the account
    /// has is passed over, as if it were reserved here.
    pub(super) fn make<T>(
        wallet: &Arc<LiveState>,
        account: &Arc<SharedAccount>,
        turn: &mut SendGuard,
        plan: impl Fn(&mut State) -> Result<(ReservationId, T), PlanError>,
    ) -> Result<(T, Self), PlanError> {
        let mut state = wallet.write();
        let mut elsewhere = Vec::new();
        let reserved = loop {
            let (id, planned) = match plan(&mut state) {
                Ok(planned) => planned,
                Err(refusal) => {
                    turn.is_refused(!elsewhere.is_empty());
                    break Err(refusal);
                }
            };
            match account.claim(state.reserved_outpoints(id), state.call_under_way(id)) {
                Ok(claim) => {
                    turn.holds_inputs();
                    break Ok((planned, Self { wallet: wallet.clone(), id, shared: None, claim }));
                }
                Err((outputs, call)) => {
                    state.release(id);
                    elsewhere.push(state.reserve(&outputs, call, TO_ITS_END));
                }
            }
        };
        elsewhere.into_iter().for_each(|id| state.release(id));
        reserved
    }

    /// What it takes.
    pub(super) fn claims(&self) -> Vec<SharedClaim> {
        self.claim.shared_claims()
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.wallet.write().release(self.id);
    }
}
