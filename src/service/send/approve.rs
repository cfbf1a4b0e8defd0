//! Sends that wait for approval: a plan is set aside, and signed and sent unchanged once it is approved.

use super::once::IdempotentSend;
use super::push::SamePayment;
use crate::ledger::{Address, Network, Transaction, hash160};
use crate::limits::DAY;
use crate::rt;
use crate::service::error::SendError;
use crate::service::guard::{Awaiting, Guard, SendKey};
use crate::service::wallet::{Inner, Wallet};
use crate::wallet::{Plan, PlanError, State};

/// How long a plan waits with its inputs set aside, in seconds.
const WAITS: u32 = DAY;

impl Wallet {
    /// Whether the guard admits a finished transaction now. Nothing is counted.
    pub async fn check_by_guard(&self, transaction: &Transaction) -> Result<(), SendError> {
        self.inner.look_by_guard(&self.guard, transaction).await
    }

    /// Sends a plan that waited for approval: exactly this transaction, once for the key.
    pub async fn carry_out_approved(
        &self,
        transaction: Transaction,
        key: SendKey,
    ) -> Result<IdempotentSend, SendError> {
        self.check_can_send()?;
        let wallet = self.clone();
        self.once(key, SamePayment::SameSignatures, |recorder| {
            Box::pin(async move {
                let network = wallet.inner.backend.network;
                let plan =
                    |state: &mut State, now, until| plan_again(state, (&transaction, network), now, until);
                wallet.submit(plan, recorder).await
            })
        })
        .await
    }
}

impl Inner {
    /// Adds a plan to those that wait for approval, and sets its inputs aside. Returns the error for the
    /// caller.
    pub async fn ask_for_approval(
        &self,
        guard: &dyn Guard,
        transaction: &Transaction,
        key: Option<SendKey>,
        why: String,
    ) -> SendError {
        let (now, spends) = (rt::unix_seconds(), transaction.spends());
        let until = now.saturating_add(WAITS);
        let effects = &self.effects(transaction);
        let id = match guard.ask(Awaiting { transaction, effects, key, why: &why, until }).await {
            Ok(id) => id,
            Err(refused) => return refused.into(),
        };
        // The inputs are reserved while this send is under way, so nothing takes them in between.
        if let Err(failure) = self.account.lock_reserved(&spends, now, until).await {
            tracing::warn!("{failure}: what is set aside for an approval is kept later");
        }
        SendError::AwaitsApproval { id, why }
    }
}

/// The plan of a transaction that was planned before, unchanged; its inputs are reserved.
fn plan_again(
    state: &mut State,
    (transaction, network): (&Transaction, Network),
    now: u32,
    until: u32,
) -> Result<Plan, PlanError> {
    let spends = transaction.spends();
    let signer = |spent| {
        let index = state.output(spent).and_then(|output| state.paid_index(&output.script));
        index.ok_or(PlanError::InvalidInput)
    };
    let signers = spends.iter().map(|spent| signer(*spent)).collect::<Result<_, _>>()?;
    let caller = caller(state, transaction, network);
    let min_timestamp = state.min_timestamp(&spends);
    let reservation = state.hold(&spends, None, now, until)?;
    let transaction = Transaction { timestamp: now.max(min_timestamp), ..transaction.clone() };
    Ok(Plan { transaction, signers, caller, min_timestamp, reservation })
}

/// The index of the address whose key signs a call or a blueprint.
fn caller(state: &State, transaction: &Transaction, network: Network) -> Option<u32> {
    let address = match (transaction.nano(), &transaction.blueprint) {
        (Some(call), _) => call.caller,
        (None, Some(blueprint)) => Address::p2pkh(network, hash160(&blueprint.public_key)),
        (None, None) => return None,
    };
    state.index_of(&address)
}
