//! Sending a transaction, from top to bottom: plan, sign, solve, record, push, settle.
//!
//! ```text
//! plan (state locked, inputs reserved) → sign → proof of work → record → push → apply to the state
//! └────────────── any failure: the inputs are released ──────────────┘
//! ```
//!
//! | module | step |
//! |---|---|
//! | `operation`, `template` | the request: the node is asked of its tokens, and it is planned |
//! | `tokens` | the ledger's word on melted tokens, and on how tokens are paid for |
//! | `sign`, `approve` | signatures, for what the caller's guard admits; plans that wait for approval |
//! | `push` | proof of work, push, and the payment that was there first |
//! | `record`, `once`, `recover` | the record before the push; repeated requests; open pushes |
//!
//! A send continues when its caller leaves (`detached`): a transaction on its way to the node can't be called
//! back.

#[cfg(feature = "native")]
pub mod approve;
pub mod once;
pub mod operation;
pub mod push;
pub mod record;
pub mod recover;
pub mod sign;
pub mod template;
pub mod tokens;

pub use once::{IdempotentSend, Recorded, RecordedText};
pub use operation::{Deposit, Operation, Preview};

use super::account::reserve::{OtherSends, Reservation, SendGuard, TO_ITS_END, WaitOutcome};
use super::account::{Pushed, Sent};
use super::detached::detached;
use super::error::{NotReady, SendError};
use super::guard::{AnyGuard, Guarded, SendKey, ToAdmit};
use super::status::Status;
use super::wallet::{Inner, Wallet};
use crate::keys::Purpose;
use crate::ledger::{Transaction, VertexId};
use crate::limits::Effects;
use crate::node::CallError;
use crate::rt::{self, BoxFuture, Instant};
use crate::wallet::{
    CreateTokenRequest, MeltRequest, MintRequest, Plan, PlanError, SendRequest, State, TemplateProblem,
};
use push::{PushObserver, Pushing, SamePayment, push, solve};
use record::Recorder;
use std::time::Duration;

/// How long a send waits for others' change when too little is available without it. Sends that spend each
/// other's change in a row take a second each at least, and as long as their proofs of work.
pub const WAIT_FOR_CHANGE: Duration = Duration::from_secs(300);

impl Wallet {
    pub async fn send(&self, request: SendRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Send(request)).await
    }

    pub async fn create_token(&self, request: CreateTokenRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::CreateToken(request)).await
    }

    /// `version` of the request is filled in from the node.
    pub async fn mint(&self, request: MintRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Mint(request)).await
    }

    /// `version` of the request is filled in from the node.
    pub async fn melt(&self, request: MeltRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Melt(request)).await
    }

    pub fn check_can_send(&self) -> Result<(), SendError> {
        self.check_ready()?;
        self.inner.signer_alone().map(drop)
    }

    pub(in crate::service) async fn submit<F>(&self, plan: F, recorder: Recorder) -> Result<Sent, SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        self.check_can_send()?;
        let counted = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let (plan, reservation) = self.plan_or_wait(&counted, plan).await?;
        tracing::debug!(inputs = plan.transaction.inputs.len(), "send: planned");
        let observer = WhileAllowed::over(Box::new(recorder.clone()), &self.guard);
        let (wallet, own) = (self.for_sending(), recorder.clone());
        let push = async move { finish(&wallet, plan, &*observer, &own).await };
        self.run_detached(counted, Some(reservation), recorder, Box::pin(push)).await
    }

    /// Runs a send to its end in a task of its own, so that it survives its caller. `inputs` are released
    /// when it has ended.
    pub(in crate::service) async fn run_detached(
        &self,
        counted: SendGuard,
        inputs: Option<Reservation>,
        recorder: Recorder,
        push: Pushing,
    ) -> Result<Sent, SendError> {
        let wallet = self.inner.clone();
        recorder.hold(inputs);
        detached(Box::pin(async move {
            let pushed = recorder.withdrawn(push.await).await;
            // Applied before the inputs are released, so that no other send sees them unspent.
            let result = pushed.map(|pushed| wallet.account.sent(pushed));
            recorder.end(&result);
            wallet.note_send(result.as_ref().err());
            match &result {
                Err(waits @ SendError::AwaitsApproval { .. }) => tracing::info!("a send waits: {waits}"),
                Err(failure) => tracing::warn!("a send failed: {failure}"),
                Ok(_) => {}
            }
            // Last, because a stop waits for it.
            drop(counted);
            result
        }))
        .await
    }

    /// Plans. If too little is available, but a send under way may bring change, or free its inputs by
    /// failing, waits for one to end and plans again, unless `wait_for_change` is off.
    async fn plan_or_wait<F>(&self, counted: &SendGuard, plan: F) -> Result<(Plan, Reservation), SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Taken before planning, so that no end in between is missed.
            let mut others = counted.others();
            let planned = self.inner.account.reserve(&mut self.inner.write(), |state| {
                let plan = plan(state, rt::unix_seconds(), TO_ITS_END)?;
                Ok((plan.reservation, plan))
            });
            let refusal = match planned {
                Ok(planned) => return Ok(planned),
                Err(refusal) if self.inner.wait_for_change && may_pass(&refusal) => refusal,
                Err(refusal) => return Err(refusal.into()),
            };
            self.wait_for_another(&mut others, deadline, refusal).await?;
        }
    }

    /// Waits until a send under way has ended and the wallet is ready. Fails with `refusal` if waiting is of
    /// no use.
    pub(in crate::service) async fn wait_for_another(
        &self,
        others: &mut OtherSends,
        deadline: Instant,
        refusal: PlanError,
    ) -> Result<(), SendError> {
        let left = || deadline.saturating_duration_since(Instant::now());
        match others.one_ended_within(left()).await {
            WaitOutcome::Ended => {}
            WaitOutcome::Nothing => return Err(refusal.into()),
            WaitOutcome::Closed => return Err(NotReady::closed().into()),
        }
        // The connection to the node may have broken meanwhile, and is mostly soon restored.
        let settled = |status: &Status| status.phase.is_settled() || others.are_closed();
        let _ = rt::timeout(left(), self.watch().wait_for(settled)).await;
        match others.are_closed() {
            true => Err(NotReady::closed().into()),
            false => Ok(self.check_ready()?),
        }
    }
}

/// Whether the plan may succeed once a send under way has ended.
fn may_pass(refusal: &PlanError) -> bool {
    if let PlanError::Template(error) = refusal {
        return matches!(error.problem, TemplateProblem::Insufficient { .. });
    }
    matches!(
        refusal,
        PlanError::Insufficient { .. }
            | PlanError::QueryInsufficient(_)
            | PlanError::NotEnoughHtr { .. }
            | PlanError::NotEnoughToMelt { .. }
            | PlanError::NoAuthority(_)
            | PlanError::NotEnoughToDeposit { .. }
            | PlanError::NothingToGrant(_)
            | PlanError::TooScattered { .. }
    )
}

/// Signs, solves and pushes a planned transaction. An unsent one does not count as spent.
async fn finish(
    wallet: &Wallet,
    plan: Plan,
    observer: &dyn PushObserver,
    recorder: &Recorder,
) -> Result<Pushed, SendError> {
    let guard = &wallet.guard;
    let id = plan.transaction.sighash()?;
    #[cfg(feature = "native")]
    let planned = guard.is_some().then(|| plan.transaction.clone());
    let sent = sign_and_push(wallet, plan, observer).await;
    // Withdrawn before anybody is told that nothing was sent.
    let sent = recorder.withdrawn(sent).await;
    // Not in pages, where the optimizer would keep it: only servers have limits with approvals.
    #[cfg(feature = "native")]
    if let (Err(SendError::Unapproved(why)), Some(guard), Some(planned)) = (&sent, guard, planned) {
        return Err(wallet.inner.ask_for_approval(&**guard, &planned, observer.key(), why.clone()).await);
    }
    if let (Err(failure), Some(guard)) = (&sent, guard)
        && !failure.may_be_sent()
    {
        // An unclear send stays counted: it may be on the ledger.
        guard.take_back(id).await;
    }
    sent
}

async fn sign_and_push(
    wallet: &Wallet,
    plan: Plan,
    observer: &dyn PushObserver,
) -> Result<Pushed, SendError> {
    wallet.check_planned(&plan.transaction).await?;
    let Plan { mut transaction, signers, caller, min_timestamp, .. } = plan;
    let inputs: Vec<_> = (0..=u8::MAX).zip(signers).collect();
    let (signer, purpose) = (wallet.inner.signer_alone()?, (Purpose::Send, observer.salt()));
    wallet.sign_into(signer, &mut transaction, &inputs, caller, purpose).await?;
    tracing::debug!("send: signed");
    transaction.weight = wallet.inner.version.weight.wallet_weight(&transaction);
    transaction.parents.clear();
    let backend = wallet.pushes();
    let transaction = solve(&backend, transaction, min_timestamp, observer).await?;
    let same = SamePayment::SameSignatures;
    let (id, transaction) = push(&backend, transaction, min_timestamp, observer, same).await?;
    tracing::debug!(%id, "send: pushed");
    Ok(Pushed { id, transaction, spends: None })
}

impl Wallet {
    /// The same wallet, with a guard that decides on everything signed for this handle.
    #[cfg(feature = "native")]
    #[must_use]
    pub fn guarded(&self, guard: AnyGuard) -> Self {
        Self { guard: Some(guard), ..self.clone() }
    }

    /// The same wallet, for the process itself, which keeps it longer than its caller.
    #[must_use]
    pub fn unguarded(&self) -> Self {
        Self { guard: None, ..self.clone() }
    }
}

impl Inner {
    /// Asks the guard about a transaction. Nothing is counted.
    pub async fn look_by_guard(&self, guard: &Guarded, transaction: &Transaction) -> Result<(), SendError> {
        let Some(guard) = guard else { return Ok(()) };
        let (effects, id) = (&self.effects(transaction), transaction.sighash()?);
        let what = ToAdmit::Transaction { purpose: Purpose::Send, effects, id };
        guard.look(what).await.map_err(SendError::from)
    }

    pub fn effects(&self, transaction: &Transaction) -> Effects {
        let state = self.read();
        let own = |spends| state.output(spends).filter(|output| state.paid_index(&output.script).is_some());
        Effects::of(transaction, self.backend.network, own, |script| state.paid_index(script).is_some())
    }
}

/// Records nothing, so that nothing is pushed, once the caller's key was revoked.
pub struct WhileAllowed(Box<dyn PushObserver>, AnyGuard);

impl WhileAllowed {
    pub fn over(observer: Box<dyn PushObserver>, guard: &Guarded) -> Box<dyn PushObserver> {
        match guard.clone() {
            Some(guard) => Box::new(Self(observer, guard)),
            None => observer,
        }
    }
}

impl PushObserver for WhileAllowed {
    fn salt(&self) -> &[u8] {
        self.0.salt()
    }
    fn key(&self) -> Option<SendKey> {
        self.0.key()
    }
    fn pushed_before(&self) -> bool {
        self.0.pushed_before()
    }
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        self.0.unknown(id, cause)
    }
    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            // A transaction that may have been pushed before must be brought to an outcome nevertheless.
            if !self.0.pushed_before() {
                self.1.still_holds()?;
            }
            self.0.before_push(transaction).await
        })
    }
}
