//! Sending: plan, sign, solve, push, apply.
//!
//! ```text
//! plan (state locked, inputs reserved) → sign → proof of work → push → apply to the state
//! └────────── any failure: the inputs are released ──────────┘
//! ```
//!
//! Each send is a task of its own: when its caller goes away it is brought to its end all the same, because a
//! transaction that is half way to the node can't be called back.

use super::detached::detached;
use super::guard::WhileHeld;
use super::in_flight::{OtherSends, Reservation, SendGuard, TO_ITS_END, WaitOutcome};
use super::live_state::lock;
use super::pushing::{PushObserver, Pushed, Pushing, SamePayment, push, solve};
use super::recording::Recorder;
use super::{NotReady, Operation, SendError, Status, Wallet};
use crate::keys::Purpose;
use crate::ledger::nano::{ActionKind, TokenAction, VertexNano};
use crate::ledger::{Outpoint, Output, SpentOutput, TokenUid, TokenVersion, Transaction, VertexId};
use crate::node::{CallError, FullNode};
use crate::rt::{self, Instant};
use crate::wallet::{
    CreateTokenRequest, MeltRequest, MintRequest, Plan, PlanError, SendRequest, State, TemplateProblem,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

/// How long a send waits for change of others when the wallet holds too little without it. Each of a row of
/// sends that spend each other's change takes a second at least, and as long as its proof of work.
pub(super) const WAIT_FOR_CHANGE: Duration = Duration::from_secs(300);

/// A transaction that the node has taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Its id; for a creation, the new token's uid.
    pub id: VertexId,
    /// As it is on the ledger.
    pub transaction: Transaction,
}

impl Wallet {
    /// Sends amounts and data.
    ///
    /// # Errors
    /// [`SendError::Plan`] if the wallet can't pay or a field does not fit; else as for
    /// [`Wallet::carry_out`].
    pub async fn send(&self, request: SendRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Send(request)).await
    }

    /// Creates a token or an NFT.
    ///
    /// # Errors
    /// [`SendError::Plan`] if name or symbol is not allowed or the wallet can't pay; else as for
    /// [`Wallet::carry_out`].
    pub async fn create_token(&self, request: CreateTokenRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::CreateToken(request)).await
    }

    /// Mints more of a token. `version` of the request is filled in from what the node says.
    ///
    /// # Errors
    /// [`SendError::Plan`] without a mint authority or the HTR that it takes; else as for
    /// [`Wallet::carry_out`].
    pub async fn mint(&self, request: MintRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Mint(request)).await
    }

    /// Melts some of a token. `version` of the request is filled in from what the node says.
    ///
    /// # Errors
    /// [`SendError::Plan`] without a melt authority or units enough; else as for [`Wallet::carry_out`].
    pub async fn melt(&self, request: MeltRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Melt(request)).await
    }

    /// Looks whether the wallet can send at all now.
    ///
    /// # Errors
    /// [`SendError::NotReady`], or that it can't sign by itself.
    pub fn check_can_send(&self) -> Result<(), SendError> {
        self.check_ready()?;
        self.inner.signer_alone().map(drop)
    }

    pub(super) async fn submit<F>(&self, plan: F, recorder: Recorder) -> Result<Sent, SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        self.check_can_send()?;
        let turn = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let (plan, reservation) = self.plan_or_wait(&turn, plan).await?;
        tracing::debug!(inputs = plan.transaction.inputs.len(), "send: planned");
        let observer = WhileHeld::over(Box::new(recorder.clone()), &self.guard);
        let (wallet, own) = (self.for_sending(), recorder.clone());
        let push = async move { finish(&wallet, plan, &*observer, &own).await };
        self.run_detached(turn, Some(reservation), recorder, Box::pin(push)).await
    }

    /// Brings a send to its end in a task of its own, whatever becomes of its caller. `inputs` are released
    /// when it has ended.
    pub(super) async fn run_detached(
        &self,
        turn: SendGuard,
        inputs: Option<Reservation>,
        recorder: Recorder,
        push: Pushing,
    ) -> Result<Sent, SendError> {
        let wallet = self.inner.clone();
        recorder.hold(inputs);
        detached(Box::pin(async move {
            let pushed = recorder.withdrawn(push.await).await;
            let result = pushed.map(|pushed| wallet.account.sent(pushed));
            recorder.end(&result);
            wallet.note_send(result.as_ref().err());
            match &result {
                Err(waits @ SendError::AwaitsApproval { .. }) => tracing::info!("a send waits: {waits}"),
                Err(failure) => tracing::warn!("a send failed: {failure}"),
                Ok(_) => {}
            }
            drop(turn);
            result
        }))
        .await
    }

    /// Plans. When the wallet holds too little, but a send under way may bring change or free its inputs by
    /// failing, waits for one of those to end and plans again, unless the wallet's owner does not want that.
    async fn plan_or_wait<F>(&self, turn: &SendGuard, plan: F) -> Result<(Plan, Reservation), SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Looked at before planning, so that no end in between is missed.
            let mut others = turn.others();
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

    /// Waits until a send under way has ended, and the wallet is ready; gives `refusal` where that is of no
    /// use.
    pub(super) async fn wait_for_another(
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
        // The connection to the node may have broken meanwhile, which is mostly soon mended.
        let settled = |status: &Status| status.phase.is_settled() || others.are_closed();
        let _ = rt::timeout(left(), self.watch().wait_for(settled)).await;
        match others.are_closed() {
            true => Err(NotReady::closed().into()),
            false => Ok(self.check_ready()?),
        }
    }
}

/// Whether the wallet may have enough once a send under way has ended.
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

/// Signs, solves and pushes a planned transaction. What was not sent does not count as spent.
async fn finish(
    wallet: &Wallet,
    plan: Plan,
    observer: &dyn PushObserver,
    recorder: &Recorder,
) -> Result<Pushed, SendError> {
    let guard = &wallet.guard;
    let id = plan.transaction.sighash()?;
    let planned = guard.is_some().then(|| plan.transaction.clone());
    let sent = sign_and_push(wallet, plan, observer).await;
    // Before it is said that nothing was spent.
    let sent = recorder.withdrawn(sent).await;
    if let (Err(SendError::Unapproved(why)), Some(guard), Some(planned)) = (&sent, guard, planned) {
        return Err(wallet.inner.ask_for_approval(&**guard, &planned, observer.key(), why.clone()).await);
    }
    if let (Err(failure), Some(guard)) = (&sent, guard)
        && !failure.may_be_sent()
    {
        guard.take_back(id).await;
    }
    sent
}

async fn sign_and_push(
    wallet: &Wallet,
    plan: Plan,
    observer: &dyn PushObserver,
) -> Result<Pushed, SendError> {
    wallet.check_melted(&plan.transaction).await.map_err(SendError::Node)?;
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

/// An output as the bytes of its transaction say it is.
async fn output_on_ledger<'a>(
    node: &FullNode,
    asked: &'a mut HashMap<VertexId, Vec<SpentOutput>>,
    output: &Outpoint,
) -> Result<Option<&'a SpentOutput>, CallError> {
    let outputs = match asked.entry(output.tx) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(unasked) => {
            let outputs = node.outputs(&output.tx).await?;
            unasked.insert(outputs.unwrap_or_default())
        }
    };
    Ok(outputs.get(usize::from(output.index)))
}

/// The tokens of which a contract gives the right to melt to the very transaction that calls it.
fn melted_by_call(transaction: &Transaction) -> Vec<TokenUid> {
    // The id is that of the token created, if any: no input is of that.
    let nano = VertexNano::of(transaction, VertexId([0; 32]));
    let actions = nano.as_ref().and_then(VertexNano::call).map_or(&[][..], |call| &call.actions);
    let gives = |action: &&TokenAction| action.kind == ActionKind::AcquireAuthority && action.melts();
    actions.iter().filter(gives).map(|action| action.token).collect()
}

impl Wallet {
    /// Makes sure that what a melt spends of its token is what the ledger has there. A node that says too
    /// little of it in its history would have the rest melted, too: nothing that is signed says what inputs
    /// hold. In other transactions the sums would not match then. It is asked for wherever a transaction is
    /// signed, or handed out to be signed.
    pub(super) async fn check_melted(&self, transaction: &Transaction) -> Result<(), CallError> {
        let node = &self.node();
        let spends = transaction.spends();
        let known: HashMap<Outpoint, SpentOutput> = {
            let state = self.inner.read();
            spends.iter().filter_map(|spends| Some((*spends, state.output(*spends)?))).collect()
        };
        let is_amount = |output: &SpentOutput| !output.token_data.is_authority();
        if !known.values().any(|output| is_amount(output) && output.token != TokenUid::Native) {
            return Ok(());
        }
        let mut asked: HashMap<VertexId, Vec<SpentOutput>> = HashMap::new();
        let mut melted = melted_by_call(transaction);
        // The right to melt may be another's, or come out of a contract.
        for spends in &spends {
            let output = match known.get(spends) {
                Some(known) => Some(known),
                None => output_on_ledger(node, &mut asked, spends).await?,
            };
            if let Some(output) = output
                && output.token_data.is_authority()
                && output.value.cents() & u128::from(Output::MELT) != 0
            {
                melted.push(output.token);
            }
        }
        for spends in &spends {
            if let Some(known) = known.get(spends)
                && is_amount(known)
                && melted.contains(&known.token)
                && output_on_ledger(node, &mut asked, spends).await? != Some(known)
            {
                return Err(node.other_output(*spends));
            }
        }
        Ok(())
    }

    /// How a token is paid for: asked once. A token that the node does not know is treated as any other;
    /// planning then says what is missing.
    pub(super) async fn token_version(&self, token: &VertexId) -> Result<TokenVersion, SendError> {
        Ok(self.known_token_version(token).await?.unwrap_or(TokenVersion::Deposit))
    }

    /// The same; `None` for a token that the node does not know.
    pub(super) async fn known_token_version(
        &self,
        token: &VertexId,
    ) -> Result<Option<TokenVersion>, SendError> {
        if let Some(version) = lock(&self.inner.account.token_versions).get(token) {
            return Ok(Some(*version));
        }
        let described = self.node().token(&TokenUid::Custom(*token)).await.map_err(SendError::Node)?;
        let Some(described) = described else { return Ok(None) };
        let version = described.version.unwrap_or(TokenVersion::Deposit);
        lock(&self.inner.account.token_versions).insert(*token, version);
        Ok(Some(version))
    }
}
