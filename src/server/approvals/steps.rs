//! Steps of approvals, as events. Each step is written with the change that causes it, into the same
//! document, and stays there until the wallet's event log has it. That log accepts each step once.

use super::approval::{Approval, State, Step};
use super::list::ApprovalList;
use crate::api::{ApprovalData, ApprovalMembers, ApprovalStatus};
use crate::ledger::{VertexId, sha256d};
use crate::store::{EventFact, EventKind, EventRecord, Happening};
use serde::Deserialize;

/// Most bytes of steps that no log has yet: of a wallet that does not run, or whose store fails. The oldest
/// are deleted first.
const MAX_BYTES: usize = 4 << 20;

impl Step {
    fn of(approval: &mut Approval, kind: EventKind, now: u64) -> Self {
        approval.steps = approval.steps.saturating_add(1);
        let data = ApprovalData(members(approval, now));
        Self {
            wallet: approval.wallet.clone(),
            id: approval.id.clone(),
            number: approval.steps,
            kind: kind.name().to_owned(),
            data: serde_json::to_string(&data).expect("answers have text keys and no failing parts"),
        }
    }

    /// For the wallet's log; `None` for a kind that this program does not know.
    pub fn fact(&self) -> Option<EventFact> {
        let kind = EventKind::ALL.into_iter().find(|kind| kind.name() == self.kind)?;
        let happened = Happening::Step(kind, self.number);
        Some(EventFact { tx: subject(&self.wallet, &self.id), happened, data: self.data.clone() })
    }

    pub fn key(&self) -> (&str, &str, u32) {
        (&self.wallet, &self.id, self.number)
    }

    fn bytes(&self) -> usize {
        256 + self.data.len()
    }
}

pub fn members(approval: &Approval, now: u64) -> ApprovalMembers<'_> {
    let (hash, denied) = match &approval.state {
        State::Sent(hash) => (Some(&**hash), None),
        State::Denied(by) => (None, Some(&**by)),
        State::Waiting | State::Sending(..) | State::Expired => (None, None),
    };
    ApprovalMembers {
        id: &approval.id,
        status: ApprovalStatus(approval.status(now)),
        by: approval.by.as_deref(),
        does: &approval.does,
        why: &approval.why,
        of: &approval.of,
        approved: &approval.approved,
        created: approval.created,
        until: approval.until,
        hash,
        denied,
        error: approval.error.as_deref(),
        transaction: Some(&*approval.transaction).filter(|hex| !hex.is_empty()),
    }
}

/// The id in events in the place of a transaction's.
fn subject(wallet: &str, id: &str) -> VertexId {
    VertexId(sha256d(format!("approval\n{wallet}\n{id}").as_bytes()))
}

/// Whether an event is for listeners of the wallet with this id. All ids of an account share one log; an
/// approval belongs to the id that requested it.
pub fn is_for(event: &EventRecord, wallet_id: &str) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct About {
        approval_id: String,
    }
    if !event.kind.is_of_approval() {
        return true;
    }
    let about = serde_json::from_str::<About>(&event.data);
    about.is_ok_and(|about| subject(wallet_id, &about.approval_id) == event.tx)
}

impl ApprovalList {
    /// Adds the steps since `before`. Returns how many steps were deleted without an event.
    pub fn note_steps(&mut self, before: &Self, now: u64) -> usize {
        let Self { approvals, steps } = self;
        for approval in approvals {
            let old = before.approvals.iter().find(|old| old.id == approval.id);
            steps.extend(kinds(old, approval).into_iter().map(|kind| Step::of(approval, kind, now)));
        }
        let mut spare = steps.iter().map(Step::bytes).sum::<usize>().saturating_sub(MAX_BYTES);
        let gone = steps.iter().take_while(|step| {
            let goes = spare > 0;
            spare = spare.saturating_sub(step.bytes());
            goes
        });
        let gone = gone.count();
        steps.drain(..gone);
        gone
    }

    pub fn steps_done(&mut self, done: &[Step]) {
        self.steps.retain(|step| !done.iter().any(|gone| gone.key() == step.key()));
    }
}

/// What happened to an approval, in order.
fn kinds(old: Option<&Approval>, new: &Approval) -> Vec<EventKind> {
    let mut kinds = Vec::new();
    if old.is_none() {
        kinds.push(EventKind::ApprovalWaiting);
    }
    let approvals = new.approved.len().saturating_sub(old.map_or(0, |old| old.approved.len()));
    kinds.extend(std::iter::repeat_n(EventKind::ApprovalGiven, approvals));
    let had = old.and_then(|old| old.error.as_deref());
    if new.error.is_some() && new.error.as_deref() != had {
        kinds.push(EventKind::ApprovalFailed);
    }
    let is_news = |is: fn(&State) -> bool| is(&new.state) && !old.is_some_and(|old| is(&old.state));
    if is_news(|state| matches!(state, State::Sent(_))) {
        kinds.push(EventKind::ApprovalSent);
    }
    if is_news(|state| matches!(state, State::Denied(_))) {
        kinds.push(EventKind::ApprovalDenied);
    }
    if is_news(|state| *state == State::Expired) {
        kinds.push(EventKind::ApprovalExpired);
    }
    kinds
}
