//! The inputs of sends and the numbers of their calls: reserved in the wallet's state, and claimed in its
//! account.

use super::in_flight::SendGuard;
use super::live_state::LiveState;
use super::shared::{Claim, SharedAccount};
use crate::wallet::{PlanError, ReservationId, State};
use std::sync::Arc;

/// Inputs stay reserved until the send has ended, whatever the clock says meanwhile.
pub(super) const TO_ITS_END: u32 = u32::MAX;

/// A plan's inputs, released when the send ends, however it ends. After a success they are spent, and there
/// is nothing to release.
pub(super) struct Reservation {
    wallet: Arc<LiveState>,
    id: ReservationId,
    /// Ends after the reservation.
    _claim: Claim,
}

impl Reservation {
    /// Plans, or holds, and claims what is reserved: all of it or nothing. What another wallet of the account
    /// has, or an open push of another key than `own`, is passed over, as if it were reserved here.
    pub(super) fn make<T>(
        wallet: &Arc<LiveState>,
        account: &Arc<SharedAccount>,
        turn: &mut SendGuard,
        own: Option<&[u8; 32]>,
        plan: impl Fn(&mut State) -> Result<(ReservationId, T), PlanError>,
    ) -> Result<(T, Self), PlanError> {
        let mut state = wallet.write();
        let mut passed = Vec::new();
        let reserved = loop {
            let (id, planned) = match plan(&mut state) {
                Ok(planned) => planned,
                Err(refusal) => break Err(refusal),
            };
            match account.claim(state.reserved_outpoints(id), state.call_under_way(id), own) {
                Ok(claim) => {
                    turn.holds_inputs();
                    break Ok((planned, Self { wallet: wallet.clone(), id, _claim: claim }));
                }
                Err((outputs, call)) => {
                    state.release(id);
                    passed.push(state.reserve(&outputs, call, TO_ITS_END));
                }
            }
        };
        passed.into_iter().for_each(|id| state.release(id));
        reserved
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.wallet.write().release(self.id);
    }
}
