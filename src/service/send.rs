//! Sending: plan, sign, solve, push, apply.
//!
//! ```text
//! plan (state locked, inputs reserved) → sign → proof of work → push → apply to the state
//!                    └────────── any failure: the inputs are released ──────────┘
//! ```
//!
//! Each send is a task of its own: when its caller goes away it is brought to its end all the same, because a transaction that is
//! half way to the node can't be called back.

use super::inner::{Inner, Signer, lock};
use super::turns::{Awaited, Others, Turn};
use super::{Backend, NotReady, Operation, Phase, SendError, Status, Wallet};
use crate::keys::AccountKeys;
use crate::ledger::{TokenUid, TokenVersion, Transaction, VertexId};
use crate::node::{PushError, is_far_ahead};
use crate::rt::{self, Instant, SendOutsideWasm};
use crate::store::SyncOutsideWasm;
use crate::wallet::{
    CreateTokenRequest, MeltRequest, MintRequest, Plan, PlanError, ReservationId, SendRequest, State,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tracing::Instrument;

/// Told of a send's steps, so that the transaction can be found whatever becomes of the process.
pub(super) trait Witness: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// What the transaction is signed for. Two sends that differ in this never make the same transaction.
    fn purpose(&self) -> &[u8];
    /// This transaction is about to be pushed; not so if this fails. One that it was told of before, no node takes any more.
    fn before_push(
        &self,
        transaction: &Transaction,
    ) -> impl Future<Output = Result<(), SendError>> + SendOutsideWasm;
    /// The transaction it was told of is not on the ledger, and nobody will push it.
    fn refused(&self) -> impl Future<Output = ()> + SendOutsideWasm;
}

/// Nobody will ask.
pub(super) struct NoWitness;

impl Witness for NoWitness {
    fn purpose(&self) -> &[u8] {
        b""
    }
    async fn before_push(&self, _: &Transaction) -> Result<(), SendError> {
        Ok(())
    }
    async fn refused(&self) {}
}

/// Inputs stay reserved until the send has ended, whatever the clock says meanwhile.
pub(super) const TO_ITS_END: u32 = u32::MAX;
/// How long to ask what became of a transaction whose push had no answer.
const FIND_OUT_LIMIT: Duration = Duration::from_secs(30);
/// How long a send waits for change of others when the wallet holds too little without it. Each of a row of sends that spend each
/// other's change takes a second at least, and as long as its proof of work.
pub(super) const WAIT_FOR_CHANGE: Duration = Duration::from_secs(300);
/// Solutions in a row that the node may find too early.
const MAX_TOO_EARLY: u32 = 5;

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
    pub async fn send(&self, request: SendRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Send(request)).await
    }

    /// Creates a token or an NFT.
    pub async fn create_token(&self, request: CreateTokenRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::CreateToken(request)).await
    }

    /// Mints more of a token. `version` of the request is filled in from what the node says.
    pub async fn mint(&self, request: MintRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Mint(request)).await
    }

    /// Melts some of a token. `version` of the request is filled in from what the node says.
    pub async fn melt(&self, request: MeltRequest) -> Result<Sent, SendError> {
        self.carry_out(Operation::Melt(request)).await
    }

    pub(super) fn check_can_send(&self) -> Result<(), SendError> {
        self.check_ready()?;
        self.inner.account_keys().map(drop)
    }

    pub(super) async fn submit<F>(&self, plan: F, witness: impl Witness) -> Result<Sent, SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        self.check_can_send()?;
        let mut turn = self.inner.sends.begin().ok_or_else(|| NotReady(Status::new(Phase::Closed)))?;
        let plan = self.plan_or_wait(&mut turn, plan).await?;
        tracing::debug!(inputs = plan.transaction.inputs.len(), "send: planned");
        let reservation = Reservation { wallet: self.inner.clone(), id: plan.reservation };
        let wallet = self.inner.clone();
        self.see_through(turn, reservation, async move { finish(&wallet, plan, &witness).await }).await
    }

    /// Brings a send to its end in a task of its own, whatever becomes of its caller. `inputs` are let go when it has ended.
    pub(super) async fn see_through(
        &self,
        turn: Turn,
        inputs: impl SendOutsideWasm + 'static,
        send: impl Future<Output = Result<Sent, SendError>> + SendOutsideWasm + 'static,
    ) -> Result<Sent, SendError> {
        let wallet = self.inner.clone();
        let (answer, outcome) = oneshot::channel();
        rt::spawn(
            async move {
                let result = send.await;
                drop(inputs);
                wallet.note_send(result.as_ref().err());
                if let Err(failure) = &result {
                    tracing::warn!("a send failed: {failure}");
                }
                // The caller may be gone.
                let _ = answer.send(result);
                drop(turn);
            }
            .in_current_span(),
        );
        outcome.await.unwrap_or(Err(SendError::CutOff))
    }

    /// Plans. When the wallet holds too little, but a send under way may bring change or free its inputs by failing, waits for one
    /// of those to end and plans again, unless the wallet's owner does not want that.
    async fn plan_or_wait<F>(&self, turn: &mut Turn, plan: F) -> Result<Plan, SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Looked at before planning, so that no end in between is missed.
            let mut others = turn.others();
            let planned = {
                let mut state = self.inner.state();
                let planned = plan(&mut state, rt::unix_seconds(), TO_ITS_END);
                if planned.is_ok() {
                    turn.holds_inputs();
                }
                planned
            };
            let refusal = match planned {
                Err(refusal) if self.inner.wait_for_change && may_pass(&refusal) => refusal,
                planned => return Ok(planned?),
            };
            self.wait_for_another(&mut others, deadline, refusal).await?;
        }
    }

    /// Waits until a send under way has ended, and the wallet is ready; gives `refusal` where that is of no use.
    pub(super) async fn wait_for_another(
        &self,
        others: &mut Others,
        deadline: Instant,
        refusal: PlanError,
    ) -> Result<(), SendError> {
        let left = || deadline.saturating_duration_since(Instant::now());
        match others.one_ended_within(left()).await {
            Awaited::Ended => {}
            Awaited::Nothing => return Err(refusal.into()),
            Awaited::Closed => return Err(NotReady(Status::new(Phase::Closed)).into()),
        }
        // The connection to the node may have broken meanwhile, which is mostly soon mended.
        let settled = |status: &Status| status.phase.is_settled() || others.are_closed();
        let _ = rt::timeout(left(), self.watch().wait_for(settled)).await;
        match others.are_closed() {
            true => Err(NotReady(Status::new(Phase::Closed)).into()),
            false => Ok(self.check_ready()?),
        }
    }
}

/// Whether the wallet may have enough once a send under way has ended.
fn may_pass(refusal: &PlanError) -> bool {
    matches!(
        refusal,
        PlanError::Insufficient(_)
            | PlanError::QueryInsufficient(_)
            | PlanError::NotEnoughHtr { .. }
            | PlanError::NotEnoughToMelt { .. }
            | PlanError::NoAuthority(_)
            | PlanError::TooScattered { .. }
    )
}

/// Signs, solves and pushes a planned transaction, and applies it.
async fn finish(wallet: &Inner, plan: Plan, witness: &impl Witness) -> Result<Sent, SendError> {
    let mut transaction = sign(wallet, plan.transaction, &plan.signers, witness.purpose())?;
    tracing::debug!("send: signed");
    transaction.weight = wallet.version.weight.wallet_weight(&transaction);
    let (id, transaction) = solve_and_push(&wallet.backend, transaction, plan.min_timestamp, witness).await?;
    tracing::debug!(%id, "send: pushed");
    wallet.apply(|state| state.apply_pushed(&transaction, id));
    Ok(Sent { id, transaction })
}

fn sign(
    wallet: &Inner,
    mut transaction: Transaction,
    signers: &[u32],
    purpose: &[u8],
) -> Result<Transaction, SendError> {
    let keys = wallet.account_keys()?;
    let digest = transaction.sighash()?;
    for (input, signer) in transaction.inputs.iter_mut().zip(signers) {
        input.data = keys.sign_for(purpose, *signer, &digest).to_bytes().map_err(PlanError::from)?;
    }
    Ok(transaction)
}

/// Does the proof of work for a signed transaction, and pushes it.
pub(super) async fn solve_and_push(
    backend: &Backend,
    mut transaction: Transaction,
    min_timestamp: u32,
    witness: &impl Witness,
) -> Result<(VertexId, Transaction), SendError> {
    transaction.parents.clear();
    let transaction = solve(backend, transaction, min_timestamp, witness).await?;
    push(backend, transaction, min_timestamp, witness).await
}

async fn solve(
    Backend { node, mining, .. }: &Backend,
    transaction: Transaction,
    min_timestamp: u32,
    witness: &impl Witness,
) -> Result<Transaction, SendError> {
    let transaction = mining.solve(node, transaction, min_timestamp).await.map_err(SendError::Mining)?;
    tracing::debug!("send: solved");
    witness.before_push(&transaction).await?;
    Ok(transaction)
}

/// A transaction must be later, in whole seconds, than all that it spends and confirms. The wallet knows what it spends; should
/// the node still find it too early (its parents are new, its clock is behind), it is solved again: for a later second, or with older
/// parents when somebody has dated the newest ones well ahead of the clock.
pub(super) async fn push(
    backend: &Backend,
    mut transaction: Transaction,
    mut min_timestamp: u32,
    witness: &impl Witness,
) -> Result<(VertexId, Transaction), SendError> {
    let node = &backend.node;
    let mut tries = 0;
    loop {
        let id = transaction.id()?;
        let bytes = transaction.to_bytes()?;
        match node.push_and_find_out(&id, &bytes, FIND_OUT_LIMIT).await {
            Ok(()) | Err(PushError::AlreadyExists { .. }) => return Ok((id, transaction)),
            Err(PushError::TooEarly { after, confirmed, .. }) if tries < MAX_TOO_EARLY => {
                tries += 1;
                transaction.parents.clear();
                if confirmed && is_far_ahead(after) {
                    transaction.parents =
                        node.older_parents(&transaction).await.map_err(SendError::Node)?.into();
                } else {
                    min_timestamp = min_timestamp.max(after.saturating_add(1));
                }
                transaction = solve(backend, transaction, min_timestamp, witness).await?;
            }
            Err(PushError::Voided { message }) => return Err(SendError::Rejected(message)),
            Err(PushError::Rejected { message } | PushError::TooEarly { message, .. }) => {
                witness.refused().await;
                return Err(SendError::Rejected(with_remedy(message, rt::unix_seconds())));
            }
            Err(PushError::NotSent(failure)) => {
                witness.refused().await;
                return Err(SendError::Node(failure));
            }
            Err(PushError::Unknown(cause)) => return Err(SendError::Unknown { id, cause }),
        }
    }
}

impl Inner {
    /// What signs all alone.
    fn account_keys(&self) -> Result<&AccountKeys, SendError> {
        match &self.signer {
            Signer::Account(keys) => Ok(keys),
            Signer::Nothing => Err(SendError::ReadOnly),
            #[cfg(feature = "native")]
            Signer::Participant(_) => Err(SendError::OneOfSeveral),
        }
    }

    /// How a token is paid for: asked once. A token that the node does not know is treated as any other; planning then says what
    /// is missing.
    pub(super) async fn token_version(&self, token: &VertexId) -> Result<TokenVersion, SendError> {
        if let Some(version) = lock(&self.token_versions).get(token) {
            return Ok(*version);
        }
        let described = self.backend.node.token(&TokenUid::Custom(*token)).await.map_err(SendError::Node)?;
        let Some(described) = described else { return Ok(TokenVersion::Deposit) };
        let version = described.version.unwrap_or(TokenVersion::Deposit);
        lock(&self.token_versions).insert(*token, version);
        Ok(version)
    }
}

/// A node's refusal; what it says of the time is followed by what to do.
fn with_remedy(message: String, now: u32) -> String {
    if !message.starts_with("Ignoring transaction in the future") {
        return message;
    }
    format!(
        "{message}: that is more than 300 s ahead of the full node's clock. This machine's clock shows {now}: set it right, or those \
         of the full node and the mining service."
    )
}

/// A plan's inputs, released when the send ends, however it ends. After a success they are spent, and there is nothing to release.
pub(super) struct Reservation {
    pub(super) wallet: Arc<Inner>,
    pub(super) id: ReservationId,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.wallet.state().release(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::with_remedy;

    #[test]
    fn a_refusal_because_of_the_time_names_the_clocks() {
        assert_eq!(
            with_remedy("Ignoring transaction in the future ab (timestamp=1400)".to_owned(), 1_000),
            "Ignoring transaction in the future ab (timestamp=1400): that is more than 300 s ahead of the full node's clock. This \
             machine's clock shows 1000: set it right, or those of the full node and the mining service."
        );
        assert_eq!(with_remedy("Invalid transaction".to_owned(), 1_000), "Invalid transaction");
    }
}
