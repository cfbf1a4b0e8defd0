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
use super::shared::Claim;
use super::turns::{Awaited, Others, Turn};
use super::{Backend, NotReady, Operation, Phase, SendError, Status, Wallet};
use crate::keys::AccountKeys;
use crate::ledger::{TokenUid, TokenVersion, Transaction, VertexId};
use crate::node::{CallError, FullNode, PushError, is_far_ahead};
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
pub(super) trait PushObserver: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// What the transaction is signed for. Two sends that differ in this never make the same signatures.
    fn purpose(&self) -> &[u8];
    /// Whether a transaction may have been pushed before: then a refusal proves nothing.
    fn pushed_before(&self) -> bool {
        false
    }
    /// What the caller is told when the time was up.
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        SendError::Unknown { id, cause }
    }
    /// This transaction is about to be pushed; not so if this fails. One that it was told of before, no node takes any more.
    fn before_push(
        &self,
        transaction: &Transaction,
    ) -> impl Future<Output = Result<(), SendError>> + SendOutsideWasm;
    /// The transaction it was told of is not on the ledger, and nobody will push it.
    fn refused(&self) -> impl Future<Output = ()> + SendOutsideWasm;
}

/// For a send that nobody will ask for again.
pub(super) struct Unrecorded([u8; 8]);

impl Unrecorded {
    /// One send, told from all others.
    pub(super) fn new() -> Self {
        // Without random numbers the time has to do.
        Self(getrandom::u64().unwrap_or_else(|_| rt::unix_millis()).to_be_bytes())
    }
}

impl PushObserver for Unrecorded {
    fn purpose(&self) -> &[u8] {
        &self.0
    }
    async fn before_push(&self, _: &Transaction) -> Result<(), SendError> {
        Ok(())
    }
    async fn refused(&self) {}
}

/// Which other transaction is as good as the one that was to be pushed.
#[derive(Clone, Copy, Debug)]
pub(super) enum SamePayment {
    /// Planned here: only one with the same signatures, since another send may have paid the same from the same inputs.
    SameSignatures,
    /// Given by the caller, who wants this very payment: whoever has signed or pushed it.
    AnySignatures,
}

/// Inputs stay reserved until the send has ended, whatever the clock says meanwhile.
pub(super) const TO_ITS_END: u32 = u32::MAX;
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

    pub(super) async fn submit<F>(&self, plan: F, observer: impl PushObserver) -> Result<Sent, SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        self.check_can_send()?;
        let mut turn = self.inner.sends.begin().ok_or_else(|| NotReady(Status::new(Phase::Closed)))?;
        let (plan, reservation) = self.plan_or_wait(&mut turn, plan).await?;
        tracing::debug!(inputs = plan.transaction.inputs.len(), "send: planned");
        let wallet = self.inner.clone();
        self.run_detached(turn, Some(reservation), async move { finish(&wallet, plan, &observer).await })
            .await
    }

    /// Brings a send to its end in a task of its own, whatever becomes of its caller. `inputs` are let go when it has ended.
    pub(super) async fn run_detached(
        &self,
        turn: Turn,
        inputs: Option<Reservation>,
        send: impl Future<Output = Result<Sent, SendError>> + SendOutsideWasm + 'static,
    ) -> Result<Sent, SendError> {
        let wallet = self.inner.clone();
        let (answer, outcome) = oneshot::channel();
        rt::spawn(
            async move {
                let result = send.await;
                wallet.let_go(inputs, &result);
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
    async fn plan_or_wait<F>(&self, turn: &mut Turn, plan: F) -> Result<(Plan, Reservation), SendError>
    where
        F: Fn(&mut State, u32, u32) -> Result<Plan, PlanError>,
    {
        let deadline = Instant::now() + WAIT_FOR_CHANGE;
        loop {
            // Looked at before planning, so that no end in between is missed.
            let mut others = turn.others();
            let planned = self.inner.reserve(turn, |state| {
                let plan = plan(state, rt::unix_seconds(), TO_ITS_END)?;
                Ok((plan.reservation, plan))
            });
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
async fn finish(wallet: &Inner, plan: Plan, observer: &impl PushObserver) -> Result<Sent, SendError> {
    let mut transaction = sign(wallet, plan.transaction, &plan.signers, observer.purpose())?;
    tracing::debug!("send: signed");
    transaction.weight = wallet.version.weight.wallet_weight(&transaction);
    transaction.parents.clear();
    let transaction = solve(&wallet.backend, transaction, plan.min_timestamp, observer).await?;
    let same = SamePayment::SameSignatures;
    let (id, transaction) = push(&wallet.backend, transaction, plan.min_timestamp, observer, same).await?;
    tracing::debug!(%id, "send: pushed");
    Ok(wallet.sent(id, transaction))
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

/// Does the proof of work for a transaction that was signed elsewhere, and pushes it. Where the process does the same for the same
/// payment already, its end is waited for: they come to one transaction.
pub(super) async fn solve_and_push(
    backend: &Backend,
    mut transaction: Transaction,
    min_timestamp: u32,
    observer: &impl PushObserver,
) -> Result<(VertexId, Transaction), SendError> {
    let same = SamePayment::AnySignatures;
    let turn = backend.node.payments.lock(transaction.sighash()?).await;
    if turn.waited
        && let Some(sent) = on_ledger(backend, &transaction, None, same).await.map_err(SendError::Node)?
    {
        return Ok(sent);
    }
    transaction.parents.clear();
    let transaction = solve(backend, transaction, min_timestamp, observer).await?;
    push(backend, transaction, min_timestamp, observer, same).await
}

/// The transaction that has spent the inputs of `ours` and is as good.
async fn on_ledger(
    Backend { node, .. }: &Backend,
    ours: &Transaction,
    id: Option<&VertexId>,
    same: SamePayment,
) -> Result<Option<(VertexId, Transaction)>, CallError> {
    match node.spender(&ours.spends(), id).await? {
        Some(spender) => as_good(node, ours, spender, same).await,
        None => Ok(None),
    }
}

/// A transaction that is on the ledger, if it is as good as `ours`.
pub(super) async fn as_good(
    node: &FullNode,
    ours: &Transaction,
    id: VertexId,
    same: SamePayment,
) -> Result<Option<(VertexId, Transaction)>, CallError> {
    let theirs = node.full_transaction(&id).await?;
    Ok(theirs.filter(|theirs| same.holds(ours, theirs)).map(|theirs| (id, theirs)))
}

impl SamePayment {
    fn holds(self, ours: &Transaction, theirs: &Transaction) -> bool {
        match self {
            Self::SameSignatures => ours.is_solved_from(theirs),
            Self::AnySignatures => ours.is_same_payment(theirs),
        }
    }
}

async fn solve(
    Backend { node, mining, .. }: &Backend,
    transaction: Transaction,
    min_timestamp: u32,
    observer: &impl PushObserver,
) -> Result<Transaction, SendError> {
    let transaction = mining.solve(node, transaction, min_timestamp).await.map_err(SendError::Mining)?;
    tracing::debug!("send: solved");
    observer.before_push(&transaction).await?;
    Ok(transaction)
}

/// A transaction must be later, in whole seconds, than all that it spends and confirms. The wallet knows what it spends; should
/// the node still find it too early (its parents are new, its clock is behind), it is solved again: for a later second, or with older
/// parents when somebody has dated the newest ones well ahead of the clock.
pub(super) async fn push(
    backend: &Backend,
    mut transaction: Transaction,
    mut min_timestamp: u32,
    observer: &impl PushObserver,
    same: SamePayment,
) -> Result<(VertexId, Transaction), SendError> {
    let node = &backend.node;
    let mut tries = 0;
    loop {
        let id = transaction.id()?;
        let bytes = transaction.to_bytes()?;
        let (inputs, before) = (transaction.spends(), observer.pushed_before());
        match node.push_until_known(&id, &bytes, &inputs, before, node.read_limit()).await {
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
                transaction = solve(backend, transaction, min_timestamp, observer).await?;
            }
            Err(PushError::Voided { message }) => return Err(SendError::Rejected(message)),
            Err(PushError::Conflict { message, spender }) => {
                match as_good(node, &transaction, spender, same).await {
                    Ok(Some(sent)) => return Ok(sent),
                    Ok(None) => {
                        observer.refused().await;
                        return Err(SendError::Rejected(with_remedy(message, rt::unix_seconds())));
                    }
                    Err(cause) => return Err(observer.unknown(id, cause)),
                }
            }
            Err(PushError::Rejected { message } | PushError::TooEarly { message, .. }) => {
                // The mining service has the signatures, and could push what it found by itself.
                if is_double_spend(&message) {
                    match on_ledger(backend, &transaction, Some(&id), same).await {
                        Ok(Some(sent)) => return Ok(sent),
                        Ok(None) => {}
                        Err(cause) => return Err(observer.unknown(id, cause)),
                    }
                }
                observer.refused().await;
                return Err(SendError::Rejected(with_remedy(message, rt::unix_seconds())));
            }
            Err(PushError::NotSent(failure)) => {
                observer.refused().await;
                return Err(SendError::Node(failure));
            }
            Err(PushError::Unknown(cause)) => return Err(observer.unknown(id, cause)),
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

/// Whether a node refuses because an input is spent (full node: `DoubleSpendingError`).
fn is_double_spend(message: &str) -> bool {
    message.contains("already been spent")
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

impl Inner {
    /// Plans, or holds, and claims what is reserved: all of it or nothing. What another wallet of the account has is passed over, as if it
    /// were reserved here.
    pub(super) fn reserve<T>(
        self: &Arc<Self>,
        turn: &mut Turn,
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
    fn let_go(self: &Arc<Self>, inputs: Option<Reservation>, result: &Result<Sent, SendError>) {
        #[cfg(feature = "native")]
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

/// A plan's inputs, released when the send ends, however it ends. After a success they are spent, and there is nothing to release.
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
