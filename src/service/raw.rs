//! Transactions made elsewhere: pushing them, setting their inputs aside, finding what they spend.

use super::send::{NoWitness, solve_and_push};
use super::signatures::{SignatureError, check_against, check_signed};
use super::{Backend, Cost, NotReady, Preview, SendError, Sent, Wallet};
use crate::ledger::{Outpoint, SpentOutput, Transaction, Vertex, VertexId};
use crate::node::CallError;
use crate::rt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;
use tracing::Instrument;

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
    /// Does the proof of work for a transaction that is signed, and pushes it. Where its weight is 0, it gets the least one that will
    /// do. Goes on to its end when the caller goes away.
    pub async fn push(&self, mut transaction: Transaction) -> Result<Sent, SendError> {
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(SendError::Node)?.weight;
            transaction.parents.clear();
            transaction.weight = constants.wallet_weight(&transaction);
        }
        let backend = self.clone();
        let (answer, outcome) = tokio::sync::oneshot::channel();
        rt::spawn(
            async move {
                let pushed = solve_and_push(&backend, transaction, 0, &NoWitness).await;
                // The caller may be gone.
                let _ = answer.send(pushed.map(|(id, transaction)| Sent { id, transaction }));
            }
            .in_current_span(),
        );
        outcome.await.unwrap_or(Err(SendError::CutOff))
    }

    /// What pushing a transaction would cost, if it is signed as it must be. Nothing is sent.
    pub async fn preview_push(&self, mut transaction: Transaction) -> Result<Preview, SignatureError> {
        check_signed(&transaction)?;
        let spends = self.spent_by(&transaction, |_| None).await?;
        check_against(&transaction, &spends, self.network)?;
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(InputsError::Node)?.weight;
            transaction.weight = constants.wallet_weight(&transaction);
        }
        Ok(Preview { cost: Cost::of(&transaction, &spends, self.network), transaction })
    }

    /// What the inputs of a transaction spend, in their order: as `known`, or else from the node.
    async fn spent_by(
        &self,
        transaction: &Transaction,
        known: impl Fn(&VertexId) -> Option<Vec<SpentOutput>>,
    ) -> Result<Vec<SpentOutput>, InputsError> {
        let mut asked: BTreeMap<VertexId, Vec<SpentOutput>> = BTreeMap::new();
        let mut spent = Vec::with_capacity(transaction.inputs.len());
        for Outpoint { tx, index } in transaction.spends() {
            if let Entry::Vacant(unasked) = asked.entry(tx) {
                unasked.insert(match known(&tx) {
                    Some(outputs) => outputs,
                    None => self.node.outputs(&tx).await?.ok_or(InputsError::Unknown(tx))?,
                });
            }
            let output = asked.get(&tx).and_then(|outputs| outputs.get(usize::from(index)));
            spent.push(output.cloned().ok_or(InputsError::Unknown(tx))?);
        }
        Ok(spent)
    }
}

impl Wallet {
    /// Sets outputs aside, so that no send takes them: for a time (in whole seconds, rounded up), or until they are given back or
    /// spent. Others than the wallet's unspent ones are passed over, and so are those that a send under way holds.
    pub fn mark(&self, outputs: &[Outpoint], ttl: Option<Duration>) -> Result<(), NotReady> {
        self.check_ready()?;
        let now = rt::unix_seconds();
        let until = ttl.map_or(u32::MAX, |ttl| {
            let seconds = ttl.as_secs().saturating_add(u64::from(ttl.subsec_nanos() > 0));
            now.saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX))
        });
        self.inner.state().mark(outputs, now, until);
        Ok(())
    }

    /// Gives back outputs that [`Wallet::mark`] set aside.
    pub fn unmark(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.state().unmark(outputs);
        Ok(())
    }

    /// What the inputs of a transaction spend, in their order: from the history, or else from the node.
    pub async fn spent_by(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let outputs = |vertex: Vertex| vertex.outputs.into_iter().map(|output| output.output).collect();
        self.backend().spent_by(transaction, |tx| self.inner.state().vertex(tx).map(outputs)).await
    }
}
