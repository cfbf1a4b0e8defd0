//! From a signed transaction to the ledger: proof of work, push, and the payment that was there first.

use crate::keys::check_input;
use crate::ledger::{Input, InputData, Transaction, VertexId};
use crate::node::{CallError, FullNode, PushError, is_far_ahead};
use crate::rt::{self, BoxFuture, SendOutsideWasm, SyncOutsideWasm};
use crate::service::account::Pushed;
use crate::service::backend::Backend;
use crate::service::error::SendError;
use crate::service::guard::SendKey;
use std::future::ready;

/// How often in a row the node may find a transaction too early.
const MAX_TOO_EARLY: u32 = 5;

pub type Pushing = BoxFuture<'static, Result<Pushed, SendError>>;

/// Observes the steps of a send, so that its transaction can be found after a crash.
pub trait PushObserver: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// Distinguishes the send from others: two sends with different salts never make the same signatures.
    fn salt(&self) -> &[u8];
    #[cfg_attr(
        not(feature = "native"),
        allow(dead_code, reason = "only servers have plans wait for approval")
    )]
    fn key(&self) -> Option<SendKey> {
        None
    }
    /// Whether a transaction may have been pushed before: then a refusal proves nothing.
    fn pushed_before(&self) -> bool {
        false
    }
    /// The error for the caller when the time is up.
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        SendError::Unknown { id, cause: cause.into() }
    }
    /// Called before a transaction is pushed; it is not pushed if this fails. By then no node accepts the
    /// transaction of an earlier call.
    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>>;
}

/// For a push without a wallet that no request repeats.
pub struct Unrecorded([u8; 8]);

impl Unrecorded {
    pub fn new() -> Box<Self> {
        // Without randomness the time has to do.
        Box::new(Self(getrandom::u64().unwrap_or_else(|_| rt::unix_millis()).to_be_bytes()))
    }
}

impl PushObserver for Unrecorded {
    fn salt(&self) -> &[u8] {
        &self.0
    }
    fn before_push<'a>(&'a self, _: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(ready(Ok(())))
    }
}

/// Which other transaction is equivalent to the one to be pushed.
#[derive(Clone, Copy, Debug)]
pub enum SamePayment {
    /// Planned here: only one with the same signatures, because another send may have paid the same from the
    /// same inputs.
    SameSignatures,
    /// Given by the caller, who wants this payment, whoever has signed or pushed it.
    AnySignatures,
}

/// Does the proof of work for an externally signed transaction, and pushes it. If the process does the same
/// for the same payment already, waits for its end: both come to one transaction.
pub async fn solve_and_push(
    backend: &Backend,
    mut transaction: Transaction,
    min_timestamp: u32,
    observer: &dyn PushObserver,
) -> Result<(VertexId, Transaction), SendError> {
    let same = SamePayment::AnySignatures;
    let lock = backend.node.payments.lock(transaction.sighash()?).await;
    if lock.waited
        && let Some(sent) = on_ledger(backend, &transaction, None, same).await.map_err(SendError::Node)?
    {
        return Ok(sent);
    }
    transaction.parents.clear();
    let transaction = solve(backend, transaction, min_timestamp, observer).await?;
    push(backend, transaction, min_timestamp, observer, same).await
}

/// The transaction that has spent the inputs of `ours` and is equivalent.
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

/// A transaction on the ledger, if it is equivalent to `ours`; `None` if it is another one that has taken an
/// input of `ours`.
///
/// # Errors
/// [`CallError`], also if the node does not prove its answer: a node could accept one payment and invent a
/// transaction that has spent its inputs, and payments would be made twice.
pub async fn as_good(
    node: &FullNode,
    ours: &Transaction,
    id: VertexId,
    same: SamePayment,
) -> Result<Option<(VertexId, Transaction)>, CallError> {
    match node.full_transaction(&id).await? {
        Some(theirs) if same.holds(ours, &theirs) => Ok(Some((id, theirs))),
        Some(theirs) if is_rival(ours, &theirs) => Ok(None),
        _ => Err(node.unproven_spender(&id)),
    }
}

/// Whether a transaction proves that it may spend an output of `ours`: by a signature of the same keys. It
/// can't be invented without them.
fn is_rival(ours: &Transaction, theirs: &Transaction) -> bool {
    let Ok(digest) = theirs.sighash() else { return false };
    let takes = |input: &Input| {
        let mine = ours.inputs.iter().find(|mine| mine.spends == input.spends);
        mine.is_some_and(|mine| match InputData::parse(&mine.data) {
            Some(mine) => {
                let shown = InputData::parse(&input.data);
                let by_same_keys = shown.is_some_and(|shown| shown.is_by_keys_of(&mine));
                by_same_keys && check_input(&input.data, &digest, None).is_ok()
            }
            // A script that wallets don't write: there is no key to compare.
            None => true,
        })
    };
    theirs.inputs.iter().any(takes)
}

impl SamePayment {
    fn holds(self, ours: &Transaction, theirs: &Transaction) -> bool {
        match self {
            Self::SameSignatures => ours.is_solved_from(theirs),
            Self::AnySignatures => ours.is_same_payment(theirs),
        }
    }
}

pub async fn solve(
    Backend { node, mining, .. }: &Backend,
    transaction: Transaction,
    min_timestamp: u32,
    observer: &dyn PushObserver,
) -> Result<Transaction, SendError> {
    let transaction = mining.solve(node, transaction, min_timestamp).await.map_err(SendError::Mining)?;
    tracing::debug!("send: solved");
    observer.before_push(&transaction).await?;
    Ok(transaction)
}

/// Pushes. A transaction must be later, in whole seconds, than all that it spends and confirms. The wallet
/// knows what it spends. If the node still finds it too early (its parents are new, its clock is behind), it
/// is solved again: with older parents, because right after a block a node may offer transactions of this
/// second, or for a later second.
pub async fn push(
    backend: &Backend,
    mut transaction: Transaction,
    mut min_timestamp: u32,
    observer: &dyn PushObserver,
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
                if confirmed && (tries == 1 || is_far_ahead(after)) {
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
                // The mining service has the signatures, and may have pushed its own solution.
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

/// The full node's `DoubleSpendingError`.
fn is_double_spend(message: &str) -> bool {
    message.contains("already been spent")
}

/// A node's refusal; a message about the time is followed by the remedy.
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
    use super::{is_rival, with_remedy};
    use crate::keys::{AccountKeys, Mnemonic, MultisigKeys, MultisigPublic};
    use crate::ledger::{Input, InputData, Outpoint, Transaction, VertexId};

    fn spending(place: u8, tokens: Vec<VertexId>) -> Transaction {
        let input = Input { spends: Outpoint { tx: VertexId([place; 32]), index: 0 }, data: Vec::new() };
        Transaction {
            signal_bits: 0,
            tokens,
            inputs: vec![input],
            outputs: Vec::new(),
            creates: None,
            blueprint: None,
            weight: 1.0,
            timestamp: 1,
            parents: Vec::new(),
            nonce: 0,
            headers: Vec::new(),
        }
    }

    fn signed_by(keys: &AccountKeys, mut transaction: Transaction) -> Transaction {
        let digest = transaction.sighash().unwrap();
        transaction.inputs[0].data = keys.sign(0, &digest).to_bytes().unwrap();
        transaction
    }

    #[test]
    fn a_transaction_takes_an_input_from_another_one_only_if_the_same_key_has_signed_it() {
        let [mine, foreign] =
            [(); 2].map(|()| AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), ""));
        let ours = signed_by(&mine, spending(1, Vec::new()));
        let other = spending(1, vec![VertexId([3; 32])]);
        assert!(is_rival(&ours, &signed_by(&mine, other.clone())));
        assert!(!is_rival(&ours, &signed_by(&mine, spending(2, Vec::new()))), "of another output");
        assert!(!is_rival(&ours, &signed_by(&foreign, other.clone())), "by another key");
        assert!(!is_rival(&ours, &other), "unsigned");
        let mut taken = other;
        taken.inputs[0].data.clone_from(&ours.inputs[0].data);
        assert!(!is_rival(&ours, &taken), "with the signature of ours");
    }

    #[test]
    fn an_input_of_several_signers_is_taken_by_their_signatures_alone() {
        let keys = [(); 2].map(|()| MultisigKeys::from_mnemonic(&Mnemonic::generate().unwrap(), ""));
        let participants = MultisigPublic::new(&keys.each_ref().map(MultisigKeys::account_xpub), 1).unwrap();
        let redeem_script = participants.redeem_script(0).to_bytes().unwrap();
        let signed = |mut transaction: Transaction, digest: &[u8; 32], keys: &MultisigKeys| {
            let signatures = vec![keys.sign(0, digest)];
            let data = InputData::P2sh { signatures, redeem_script: redeem_script.clone() };
            transaction.inputs[0].data = data.to_bytes().unwrap();
            transaction
        };
        let (one, two) = (spending(1, Vec::new()), spending(1, vec![VertexId([3; 32])]));
        let digests = [one.sighash().unwrap(), two.sighash().unwrap()];
        let ours = signed(one, &digests[0], &keys[0]);
        assert!(is_rival(&ours, &signed(two.clone(), &digests[1], &keys[1])), "by another participant");
        assert!(!is_rival(&ours, &signed(two.clone(), &digests[0], &keys[1])), "of another transaction");
        let foreign = MultisigKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
        assert!(!is_rival(&ours, &signed(two, &digests[1], &foreign)), "by nobody of them");
    }

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
