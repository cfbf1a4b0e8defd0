//! Transactions made elsewhere: pushing them, setting their inputs aside, finding what they spend.

use super::detached::detached;
use super::pushing::{PushObserver, Unrecorded, solve_and_push};
use super::signatures::{SignatureError, check_against, check_signed};
use super::{Backend, NotReady, Preview, SendError, Sent, Wallet};
use crate::ledger::{Cost, Outpoint, SpentOutput, Transaction, Vertex, VertexId};
use crate::node::{CallError, FullNode};
use crate::rt::{self, CpuShare};
use crate::wallet::State;
use futures_util::StreamExt;
use futures_util::stream::iter;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

/// Transactions that the node is asked for at the same time for one request: fewer than one who reads may
/// have under way.
const ASKED_AT_ONCE: usize = 4;

/// Why it can't be said what a transaction spends.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Neither the wallet nor the node knows a transaction, or it has no such output.
    #[error("{}", crate::api::texts::no_input_transaction(&.0.to_string()))]
    Unknown(VertexId),
    /// The node could not be asked.
    #[error(transparent)]
    Node(#[from] CallError),
}

impl Backend {
    /// Does the proof of work for a transaction that is signed, and pushes it. Where its weight is 0, it gets
    /// the least one that will do. Goes on to its end when the caller goes away. What is on the ledger
    /// already, or is being pushed, is not pushed again: it is one payment.
    ///
    /// # Errors
    /// [`SendError::Mining`] without a proof of work, [`SendError::Rejected`] if the node refuses it,
    /// [`SendError::Node`] if the node can't be asked or reached, [`SendError::Unknown`] or
    /// [`SendError::CutOff`] if it may have been sent.
    pub async fn push(&self, transaction: Transaction) -> Result<Sent, SendError> {
        let backend = self.for_pushes();
        let push = async move { backend.push_before(Unrecorded::new(), transaction).await };
        detached(Box::pin(push)).await
    }

    pub(super) async fn push_before(
        &self,
        observer: Box<dyn PushObserver>,
        mut transaction: Transaction,
    ) -> Result<Sent, SendError> {
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(SendError::Node)?.weight;
            transaction.parents.clear();
            transaction.weight = constants.wallet_weight(&transaction);
        }
        let (id, transaction) = solve_and_push(self, transaction, 0, &*observer).await?;
        Ok(Sent { id, transaction })
    }

    /// What pushing a transaction would cost, if it is signed as it must be. Nothing is sent.
    ///
    /// # Errors
    /// [`SignatureError`] if an input is not signed as it must be, or the node can't be asked, or does not
    /// know what it spends.
    pub async fn preview_push(&self, mut transaction: Transaction) -> Result<Preview, SignatureError> {
        check_signed(&transaction, CpuShare::Reads).await?;
        let spends = spent_by(&self.node, &transaction, |_| None).await?;
        check_against(&transaction, &spends, self.network, CpuShare::Reads).await?;
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(InputsError::Node)?.weight;
            transaction.weight = constants.wallet_weight(&transaction);
        }
        Ok(Preview { cost: Cost::of(&transaction, &spends), transaction, arguments: Vec::new() })
    }
}

/// What the inputs of a transaction spend, in their order: as `known`, or else from the node.
async fn spent_by(
    node: &FullNode,
    transaction: &Transaction,
    known: impl Fn(&VertexId) -> Option<Vec<SpentOutput>>,
) -> Result<Vec<SpentOutput>, InputsError> {
    let mut outputs = HashMap::new();
    let mut unknown = Vec::new();
    for Outpoint { tx, .. } in transaction.spends() {
        if let Entry::Vacant(place) = outputs.entry(tx) {
            let found = known(&tx);
            unknown.extend(found.is_none().then_some(tx));
            place.insert(Ok(found));
        }
    }
    let ask = |id: VertexId| async move { (id, node.outputs(&id).await) };
    let mut asked = iter(unknown).map(ask).buffered(ASKED_AT_ONCE);
    while let Some((id, answer)) = asked.next().await {
        // No more are asked for: one that was not has its place behind this one.
        let is_last = !matches!(answer, Ok(Some(_)));
        outputs.insert(id, answer);
        if is_last {
            break;
        }
    }
    let output = |Outpoint { tx, index }: Outpoint| {
        let outputs = outputs.get(&tx).map(Result::as_ref).transpose().map_err(CallError::clone)?;
        let output = outputs.and_then(Option::as_ref).and_then(|outputs| outputs.get(usize::from(index)));
        // What is not known says nothing of what is spent.
        output.filter(|output| output.unknown.is_none()).cloned().ok_or(InputsError::Unknown(tx))
    };
    transaction.spends().into_iter().map(output).collect()
}

impl Wallet {
    /// Locks outputs, so that no send selects them: for a time (in whole seconds, rounded up), or until they
    /// are unlocked or spent, in all wallets of the account and, where they are kept, across starts. Others
    /// than the wallet's unspent ones are passed over.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is locked then.
    pub fn lock_outpoints(&self, outputs: &[Outpoint], ttl: Option<Duration>) -> Result<(), NotReady> {
        self.check_ready()?;
        let now = rt::unix_seconds();
        let until = ttl.map_or(u32::MAX, |ttl| {
            let seconds = ttl.as_secs().saturating_add(u64::from(ttl.subsec_nanos() > 0));
            now.saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX))
        });
        let lock = |state: &mut State| state.lock_outpoints(outputs, now, until);
        self.inner.account.state.apply_through(self.inner.view, lock);
        Ok(())
    }

    /// Unlocks outputs that [`Wallet::lock_outpoints`] locked, and gives up what was put into proposals of
    /// swaps with them. Those that the wallet does not see are passed over.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked then.
    pub fn unlock_outpoints(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply_through(self.inner.view, |state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// Unlocks what was locked for a transaction that was given up, whichever wallet of the account sees it
    /// now.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked then.
    pub fn unlock_reserved(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply(|state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// What the inputs of a transaction spend, in their order: from the history, or else from the node.
    ///
    /// # Errors
    /// [`InputsError`] if the wallet is not ready, if nobody knows an output that is spent, or if the node
    /// can't be asked of one that the wallet does not know.
    pub async fn spent_by(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let outputs = |vertex: Vertex| vertex.outputs.into_iter().map(|output| output.output).collect();
        spent_by(&self.node(), transaction, |tx| self.inner.account.state.read().vertex(tx).map(outputs))
            .await
    }

    /// What the inputs of a transaction spend, in their order, as the bytes of it say that the node has. The
    /// wallet's history must say the same where it knows of it: that is the node's word without proof.
    ///
    /// # Errors
    /// Those of [`Wallet::spent_by`], and [`InputsError::Node`] if the node said otherwise in the history.
    pub async fn proven_spends(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let node = self.node();
        let proven = spent_by(&node, transaction, |_| None).await?;
        let state = self.inner.account.state.read();
        let is_other =
            |place: Outpoint, proven: &SpentOutput| state.output(place).is_some_and(|known| known != *proven);
        let mut places = transaction.spends().into_iter().zip(&proven);
        match places.find(|(place, proven)| is_other(*place, proven)) {
            Some((place, _)) => Err(node.other_output(place).into()),
            None => Ok(proven),
        }
    }
}
