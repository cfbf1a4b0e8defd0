//! What is asked of one transaction, and addresses that are loaded on request.

use super::{Ask, Call, CallError, Read, Reply, refused};
use crate::api::texts::{HEIGHT_NOT_TOLD, TRANSACTION_NOT_TOLD, no_such_transaction};
use crate::api::{
    ConfirmationsAnswer, Decode, DecodedInput, DecodedTransaction, LastIndex, LoadMoreAddresses, SelectUtxos,
    TransactionQuery,
};
use crate::ledger::Vertex;
use crate::rt;
use crate::service::{ConfirmationsError, Wallet};

impl TransactionQuery {
    /// The transaction, of the wallet's history.
    fn find(&self, wallet: &Wallet) -> Result<Vertex, CallError> {
        let id = self.id.parse().ok();
        let vertex = wallet.read(|state, _| state.vertex(&id?))?;
        vertex.ok_or_else(|| refused(no_such_transaction(&self.id)))
    }
}

impl Read for TransactionQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let id = self.id.parse().ok();
        let answer = call.wallet.read(|state, _| {
            let vertex = state.vertex(&id?)?;
            Some(call.reply.transaction(state, &vertex, call))
        })?;
        answer.ok_or_else(|| refused(no_such_transaction(&self.id)))
    }
}

/// How many blocks have come since the one that confirmed a transaction; 0 until one does. The node is asked.
///
/// # Errors
/// [`CallError`] says why there is no answer.
pub async fn confirmations<R: Reply>(
    query: TransactionQuery,
    call: &Call<'_, R>,
) -> Result<R::Answer, CallError> {
    let vertex = query.find(call.wallet)?;
    let count = call.wallet.confirmations(&vertex).await.map_err(|error| match error {
        ConfirmationsError::Transaction(_) => refused(TRANSACTION_NOT_TOLD),
        ConfirmationsError::Height(_) => refused(HEIGHT_NOT_TOLD),
    })?;
    Ok(call.reply.give(&ConfirmationsAnswer(count)))
}

impl Ask for Decode {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let (transaction, spent) = match self {
            Self::Transaction(transaction) => {
                let spent = call.wallet.proven_spends(&transaction).await?;
                (transaction, spent)
            }
            Self::Swap(text) => call.checked_transaction(&text).await?,
        };
        let (network, now) = (call.network(), rt::unix_seconds());
        let (inputs, outputs_mine) = call.wallet.read(|state, _| {
            let mine = |script: &[u8]| state.paid_index(script).is_some();
            let inputs = transaction.inputs.iter().zip(spent).map(|(input, spends)| DecodedInput {
                mine: mine(&spends.script),
                locked: state.is_locked(input.spends, now),
                spends,
            });
            let inputs: Vec<_> = inputs.collect();
            let outputs: Vec<bool> = transaction.outputs.iter().map(|output| mine(&output.script)).collect();
            (inputs, outputs)
        })?;
        Ok(call.reply.give(&DecodedTransaction {
            transaction: &transaction,
            inputs: &inputs,
            outputs_mine: &outputs_mine,
            now,
            network,
        }))
    }
}

impl Read for SelectUtxos {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let outputs = self.transaction.spends();
        if self.mark_as_used {
            call.wallet.lock_outpoints(&outputs, self.ttl)?;
        } else {
            call.wallet.unlock_outpoints(&outputs)?;
        }
        Ok(call.success())
    }
}

/// Answers once they are loaded.
impl Ask for LoadMoreAddresses {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        call.wallet.watch_to(end(call.wallet).saturating_add(self.count - 1)).await?;
        Ok(call.success())
    }
}

/// Answers once they are loaded. An index below the last one changes nothing.
impl Ask for LastIndex {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let request = self.after(end(call.wallet))?;
        call.wallet.watch_to(request.index).await?;
        Ok(call.success())
    }
}

/// The index after that of the last address.
fn end(wallet: &Wallet) -> u32 {
    wallet.look(|state, _| state.addresses_to_watch(0).end)
}
