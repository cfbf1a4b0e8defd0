//! What a wallet finds out of a transaction for a signer that asks: those that have their keys elsewhere do.

use super::inner::Inner;
use crate::keys::{Previous, SignerError, TransactionFacts};
use crate::ledger::{Output, Transaction, VertexId};
use crate::node::FullNode;
use crate::rt::BoxFuture;
use futures_util::StreamExt;
use futures_util::stream::iter;

/// Transactions that a node is asked for at the same time.
const ASKED_AT_ONCE: usize = 8;

/// What is found out of a transaction for a signer that asks.
pub(super) struct Facts<'a> {
    pub(super) wallet: &'a Inner,
    pub(super) node: FullNode,
    pub(super) transaction: &'a Transaction,
}

impl TransactionFacts for Facts<'_> {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        let mut ids: Vec<_> = self.transaction.spends().into_iter().map(|spent| spent.tx).collect();
        ids.sort_unstable();
        ids.dedup();
        let node = &self.node;
        Box::pin(async move {
            let ask = |id: VertexId| async move {
                match node.vertex_bytes(&id).await {
                    Ok(Some(bytes)) => Ok((id, bytes)),
                    Ok(None) => Err(SignerError::Facts(format!("the full node does not know {id}"))),
                    Err(error) => Err(SignerError::Facts(error.to_string())),
                }
            };
            let asked: Vec<_> = iter(ids).map(ask).buffered(ASKED_AT_ONCE).collect().await;
            asked.into_iter().collect()
        })
    }

    fn own_outputs(&self) -> Vec<(u8, u32)> {
        let state = self.wallet.read();
        let own = |(place, output): (u8, &Output)| Some((place, state.paid_index(&output.script)?));
        (0..=u8::MAX).zip(&self.transaction.outputs).filter_map(own).collect()
    }
}
