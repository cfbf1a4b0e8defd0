//! Transactions made elsewhere: pushing them, setting their inputs aside, finding what they spend.

use super::detached::detached;
use super::pushing::{PushObserver, Unrecorded, solve_and_push};
use super::signatures::{SignatureError, check_against, check_signed};
use super::{Backend, NotReady, Preview, SendError, Sent, Wallet};
use crate::ledger::{Cost, Outpoint, SpentOutput, Transaction, Vertex, VertexId};
use crate::node::CallError;
use crate::rt;
use std::time::Duration;

/// Why it can't be said what a transaction spends.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    #[error(transparent)]
    #[allow(missing_docs)]
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
        let backend = self.clone();
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
        check_signed(&transaction)?;
        let spends = self.spent_by(&transaction, |_| None).await?;
        check_against(&transaction, &spends, self.network)?;
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(InputsError::Node)?.weight;
            transaction.weight = constants.wallet_weight(&transaction);
        }
        Ok(Preview { cost: Cost::of(&transaction, &spends), transaction, arguments: Vec::new() })
    }

    /// What the inputs of a transaction spend, in their order: as `known`, or else from the node.
    async fn spent_by(
        &self,
        transaction: &Transaction,
        known: impl Fn(&VertexId) -> Option<Vec<SpentOutput>>,
    ) -> Result<Vec<SpentOutput>, InputsError> {
        let mut asked: Vec<(VertexId, Vec<SpentOutput>)> = Vec::new();
        let mut spent = Vec::with_capacity(transaction.inputs.len());
        for Outpoint { tx, index } in transaction.spends() {
            if !asked.iter().any(|(id, _)| *id == tx) {
                let outputs = match known(&tx) {
                    Some(outputs) => outputs,
                    None => self.node.outputs(&tx).await?.ok_or(InputsError::Unknown(tx))?,
                };
                asked.push((tx, outputs));
            }
            let outputs = asked.iter().find(|(id, _)| *id == tx).map(|(_, outputs)| outputs);
            let output = outputs.and_then(|outputs| outputs.get(usize::from(index)));
            // What is not known says nothing of what is spent.
            let output = output.filter(|output| output.unknown.is_none());
            spent.push(output.cloned().ok_or(InputsError::Unknown(tx))?);
        }
        Ok(spent)
    }
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
        self.inner.account.apply_to_all(&self.inner.state, |state| state.lock_outpoints(outputs, now, until));
        Ok(())
    }

    /// Unlocks outputs that [`Wallet::lock_outpoints`] locked, and gives up what was put into proposals of
    /// swaps with them.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked then.
    pub fn unlock_outpoints(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.apply_to_all(&self.inner.state, |state| state.unlock_outpoints(outputs));
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
        self.backend().spent_by(transaction, |tx| self.inner.state.read().vertex(tx).map(outputs)).await
    }

    /// What the inputs of a transaction spend, in their order, as the bytes of it say that the node has. The
    /// wallet's history must say the same where it knows of it: that is the node's word without proof.
    ///
    /// # Errors
    /// Those of [`Wallet::spent_by`], and [`InputsError::Node`] if the node said otherwise in the history.
    pub async fn proven_spends(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let proven = self.backend().spent_by(transaction, |_| None).await?;
        let state = self.inner.state.read();
        let is_other =
            |place: Outpoint, proven: &SpentOutput| state.output(place).is_some_and(|known| known != *proven);
        let mut places = transaction.spends().into_iter().zip(&proven);
        match places.find(|(place, proven)| is_other(*place, proven)) {
            Some((place, _)) => Err(self.backend().node.other_output(place).into()),
            None => Ok(proven),
        }
    }
}
