//! From a signed transaction to one on the ledger: proof of work, push, and the payment that was there first.

use super::{Backend, SendError};
use crate::ledger::{Transaction, VertexId};
use crate::node::{CallError, FullNode, PushError, is_far_ahead};
use crate::rt::{self, SendOutsideWasm};
use crate::store::SyncOutsideWasm;

/// Solutions in a row that the node may find too early.
const MAX_TOO_EARLY: u32 = 5;

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
    /// This transaction is about to be pushed; not so if this fails. One that it was told of before, no node
    /// takes any more.
    fn before_push(
        &self,
        transaction: &Transaction,
    ) -> impl Future<Output = Result<(), SendError>> + SendOutsideWasm;
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
}

/// Which other transaction is as good as the one that was to be pushed.
#[derive(Clone, Copy, Debug)]
pub(super) enum SamePayment {
    /// Planned here: only one with the same signatures, since another send may have paid the same from the
    /// same inputs.
    SameSignatures,
    /// Given by the caller, who wants this very payment: whoever has signed or pushed it.
    AnySignatures,
}

/// Does the proof of work for a transaction that was signed elsewhere, and pushes it. Where the process does
/// the same for the same payment already, its end is waited for: they come to one transaction.
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

pub(super) async fn solve(
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

/// A transaction must be later, in whole seconds, than all that it spends and confirms. The wallet knows what
/// it spends; should the node still find it too early (its parents are new, its clock is behind), it is
/// solved again: for a later second, or with older parents when somebody has dated the newest ones well ahead
/// of the clock.
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
        let pushed = node.push_until_known(&id, &bytes, &inputs, before, node.read_limit()).await;
        if pushed.is_err() {
            node.forget_recent_parents();
        }
        match pushed {
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
                return Err(SendError::Rejected(with_remedy(message, rt::unix_seconds())));
            }
            Err(PushError::NotSent(failure)) => return Err(SendError::Node(failure)),
            Err(PushError::Unknown(cause)) => return Err(observer.unknown(id, cause)),
        }
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
