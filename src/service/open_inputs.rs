//! What is held of the inputs of a recorded transaction that may still come to the ledger.

use super::in_flight::SendGuard;
use super::inner::Inner;
use super::live_state::lock;
use super::reservation::{Reservation, TO_ITS_END};
use super::{SendError, Sent};
use crate::ledger::{Outpoint, VertexId};
use crate::rt::{self, Instant};
use crate::wallet::{PlanError, State};
use std::sync::Arc;
use std::time::Duration;

/// How long the inputs of a transaction stay reserved whose outcome could not be found out. Until then no
/// other send takes them, so that a repetition can push the same bytes; and not for ever, since it may never
/// come to the ledger.
const OPEN_INPUTS_HELD: Duration = Duration::from_secs(600);

/// How it stands with a recorded transaction, by what the wallet knows.
pub(super) enum PushState {
    OnLedger,
    /// This valid transaction spends one of its inputs.
    Conflict(VertexId),
    /// Its inputs, held.
    Open(Option<Reservation>),
}

impl Inner {
    /// Looks how it stands with a recorded transaction, and holds its inputs if it may still come.
    pub(super) fn push_state(
        self: &Arc<Self>,
        turn: &mut SendGuard,
        id: VertexId,
        inputs: &[Outpoint],
    ) -> Result<PushState, PlanError> {
        // Those that an earlier try has left held are taken over.
        let held = lock(&self.open_inputs).remove(&id);
        {
            let state = self.state.read();
            if state.vertex(&id).is_some_and(|vertex| !vertex.voided) {
                return Ok(PushState::OnLedger);
            }
            if let Some(spender) = conflict(&state, id, inputs) {
                return Ok(PushState::Conflict(spender));
            }
        }
        if let Some((held, _)) = held {
            turn.holds_inputs();
            return Ok(PushState::Open(Some(held)));
        }
        let hold = |state: &mut State| Ok((state.hold(inputs, rt::unix_seconds(), TO_ITS_END)?, ()));
        match Reservation::make(&self.state, &self.account, turn, hold) {
            Ok(((), held)) => Ok(PushState::Open(Some(held))),
            // By itself: the node has told of that before the wallet heard of the transaction.
            Err(PlanError::AlreadySpent { .. }) => Ok(PushState::Open(None)),
            Err(refusal) => Err(refusal),
        }
    }

    /// Lets the inputs of a send go that has ended, unless it is still open. Those that are reserved in all
    /// servers stay so there, until one of these has brought it to its end.
    pub(super) fn let_go(self: &Arc<Self>, inputs: Option<Reservation>, result: &Result<Sent, SendError>) {
        if let (Some(inputs), Err(SendError::Open { id, .. })) = (inputs, result)
            && inputs.shared.is_none()
        {
            self.hold_while_open(*id, inputs);
        }
    }

    /// Keeps the inputs of a transaction reserved whose outcome is not known, for some time.
    fn hold_while_open(self: &Arc<Self>, id: VertexId, inputs: Reservation) {
        let until = Instant::now() + OPEN_INPUTS_HELD;
        lock(&self.open_inputs).insert(id, (inputs, until));
        let wallet = Arc::downgrade(self);
        rt::spawn(async move {
            rt::sleep(OPEN_INPUTS_HELD).await;
            let Some(wallet) = wallet.upgrade() else { return };
            let is_over = |(_, until): &mut (Reservation, Instant)| *until <= Instant::now();
            // Let go only when the table is free again.
            let over: Vec<_> = lock(&wallet.open_inputs).extract_if(|_, held| is_over(held)).collect();
            drop(over);
        });
    }
}

/// A valid transaction other than `id` that spends one of these outputs.
fn conflict(state: &State, id: VertexId, outputs: &[Outpoint]) -> Option<VertexId> {
    let spender = |output: &Outpoint| {
        let vertex = state.vertex(&output.tx)?;
        vertex.outputs.get(usize::from(output.index))?.spent_by
    };
    outputs.iter().filter_map(spender).find(|spender| *spender != id)
}
