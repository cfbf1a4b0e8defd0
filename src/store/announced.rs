//! The last event written for a transaction decides which facts about it make a new event:
//! ```text
//!          entered             confirmed
//!   (none) ───────▶ seen ─────────────────▶ confirmed
//!                    ▲ │ voided                │ voided
//!       valid again  │ ▼                       │
//!                  reverted ◀──────────────────┘
//! ```
//!
//! Steps of an approval, and of a feature of the network, are numbered by whoever states them; each step
//! makes one event.

use super::event_log::{EventFact, EventFacts, EventKind, EventRecord, Happening, Movement, Standing};
use crate::ledger::VertexId;
use std::collections::HashMap;

/// The last event of a transaction, and how many "seen" events it has had; for an approval or a feature, the
/// number of its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Announced {
    pub(super) stage: Stage,
    pub(super) times: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// No event: the first load of the history brought the transaction.
    Quiet,
    Seen,
    Confirmed,
    Reverted,
    Steps,
}

#[cfg(feature = "native")]
impl Announced {
    pub(super) fn code(self) -> u8 {
        self.stage as u8
    }

    pub(super) fn of(code: u8, times: u32) -> Option<Self> {
        let stages = [Stage::Quiet, Stage::Seen, Stage::Confirmed, Stage::Reverted, Stage::Steps];
        Some(Self { stage: *stages.get(usize::from(code))?, times })
    }
}

impl Announced {
    pub(super) const QUIET: Self = Self { stage: Stage::Quiet, times: 0 };

    pub(super) fn is_unconfirmed(self) -> bool {
        self.stage == Stage::Seen
    }

    /// The state after an event, and the kind of that event; `None` if the fact makes no event.
    fn with(announced: Option<Self>, happened: Happening) -> Option<(Self, EventKind)> {
        match happened {
            Happening::Moved(movement, standing) => {
                let now = Self::next(announced, standing)?;
                Some((now, now.kind(movement)))
            }
            Happening::Step(kind, step) => {
                let is_new = step > announced.map_or(0, |announced| announced.times);
                is_new.then_some((Self { stage: Stage::Steps, times: step }, kind))
            }
        }
    }

    /// The state after the next event of a transaction; `None` if the fact makes no event.
    fn next(announced: Option<Self>, standing: Standing) -> Option<Self> {
        let times = announced.map_or(0, |announced| announced.times);
        let stage = announced.map(|announced| announced.stage);
        Some(match (standing, stage) {
            (Standing::Entered, None) => Self { stage: Stage::Seen, times: 1 },
            (Standing::Valid, None | Some(Stage::Quiet | Stage::Reverted)) => {
                Self { stage: Stage::Seen, times: times + 1 }
            }
            (Standing::Voided, stage) if stage != Some(Stage::Reverted) => {
                Self { stage: Stage::Reverted, times: times.max(1) }
            }
            (Standing::Confirmed, Some(Stage::Seen)) => Self { stage: Stage::Confirmed, times },
            _ => return None,
        })
    }

    fn kind(self, movement: Movement) -> EventKind {
        match (movement, self.stage) {
            (Movement::Deposit, Stage::Quiet | Stage::Steps | Stage::Seen) => EventKind::DepositSeen,
            (Movement::Deposit, Stage::Confirmed) => EventKind::DepositConfirmed,
            (Movement::Deposit, Stage::Reverted) => EventKind::DepositReverted,
            (Movement::Send, Stage::Quiet | Stage::Steps | Stage::Seen) => EventKind::SendPushed,
            (Movement::Send, Stage::Confirmed) => EventKind::SendConfirmed,
            (Movement::Send, Stage::Reverted) => EventKind::SendReverted,
        }
    }
}

/// The facts that count, given whether facts have counted before; `None` if facts do not count yet.
pub(super) fn counted_facts(facts: &EventFacts, have_begun: bool) -> Option<&[EventFact]> {
    let from = if have_begun { 0 } else { facts.begin_at? };
    Some(facts.facts.get(from..).unwrap_or_default())
}

/// Makes events of facts. `announced` has the last events of their transactions and is updated. A transaction
/// in the history that had no event came with the first load.
pub(super) fn events_among(
    facts: &[EventFact],
    announced: &mut HashMap<VertexId, Announced>,
    is_in_history: impl Fn(&VertexId) -> bool,
    last: u64,
    time: u64,
) -> Vec<EventRecord> {
    let mut added = Vec::new();
    for EventFact { tx, happened, data } in facts {
        let before = announced.get(tx).copied().or_else(|| is_in_history(tx).then_some(Announced::QUIET));
        let Some((now, kind)) = Announced::with(before, *happened) else { continue };
        announced.insert(*tx, now);
        let (times, data) = (now.times, data.clone());
        added.push(EventRecord { seq: last + 1 + added.len() as u64, kind, tx: *tx, times, time, data });
    }
    added
}
