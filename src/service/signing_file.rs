//! Transactions that leave for offline keys and come back signed.

use super::error::NotReady;
use super::external::check_against;
use super::external::{InputsError, SignatureError};
use super::send::sign::Facts;
use super::swap::SignedSwap;
use super::wallet::Wallet;
use crate::api::{MAX_FILE_BYTES, signing_file_bytes};
use crate::keys::{BadFile, Purpose, SignerError, SigningFile, TransactionFacts};
use crate::ledger::{Outpoint, Transaction, VertexId};
use crate::rt;
use crate::wallet::State;

#[derive(Debug, thiserror::Error)]
pub enum SigningFileError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    #[error("Invalid signing file: {0}")]
    Bad(#[from] BadFile),
    #[error("No input of this transaction spends what is this wallet's: there is nothing to sign.")]
    NotMine,
    /// The file would be too large to be read again.
    #[error(
        "A signing file has at most {MAX_FILE_BYTES} bytes, and of this transaction it would have {0} with all signatures: spend fewer inputs, in \
         several transactions, or consolidate coins first."
    )]
    TooLong(usize),
    #[error("The transaction of this signing file was sent already: it is {0}.")]
    Sent(VertexId),
    /// The bytes of the transactions that it spends are missing.
    #[error("What the transaction spends can't be looked up: {0}")]
    Previous(String),
    #[error("The signing file is of {0}, and this wallet of {1}.")]
    Network(&'static str, &'static str),
    #[error(transparent)]
    Inputs(#[from] InputsError),
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

impl Wallet {
    /// A file of a transaction, to be inspected and signed by the owners of the wallet's keys. Includes
    /// signatures that the transaction has. Nothing is reserved.
    pub async fn signing_file(
        &self,
        transaction: &Transaction,
        label: Option<String>,
    ) -> Result<SigningFile, SigningFileError> {
        let (own, is_of_swap) =
            self.read(|state, _| (state.own_inputs(transaction), state.is_of_swap(transaction)))?;
        if own.is_empty() {
            return Err(SigningFileError::NotMine);
        }
        let purpose = match self.participants() {
            _ if is_of_swap => Purpose::Swap,
            Some(_) => Purpose::Share,
            None => Purpose::Build,
        };
        let facts = Facts { wallet: &self.inner, node: self.node(), transaction };
        let previous = facts.previous().await.map_err(|error| match error {
            SignerError::Facts(why) => SigningFileError::Previous(why),
            error => SigningFileError::Previous(error.to_string()),
        })?;
        let previous = previous.into_iter().map(|(_, bytes)| bytes).collect();
        let about = (self.backend().network, purpose, label);
        let account = self.inner.account.public.clone();
        let own: Vec<_> = own.into_iter().collect();
        let file = SigningFile::of(about, transaction, (previous, account), &own, facts.own_outputs())?;
        match signing_file_bytes(&file) {
            bytes if bytes > MAX_FILE_BYTES => Err(SigningFileError::TooLong(bytes)),
            _ => Ok(file),
        }
    }

    /// The transaction of the ledger that is the file's, if the wallet knows it: other signatures, weight and
    /// time make it no other payment.
    pub async fn sent_already(&self, file: &SigningFile) -> Option<VertexId> {
        let spender = |spent: Outpoint| {
            let spender =
                move |state: &State| state.vertex(&spent.tx)?.outputs.get(usize::from(spent.index))?.spent_by;
            self.read(|state, _| spender(state)).ok().flatten()
        };
        let id = file.transaction.spends().into_iter().find_map(spender)?;
        let bytes = self.node().vertex_bytes(&id).await.ok()??;
        let sent = Transaction::from_bytes_with_v2(&bytes).ok()?.sighash().ok()?;
        (sent == file.digest().ok()?).then_some(id)
    }

    /// The file's transaction with all signatures. Each was verified against the node's bytes of the output
    /// spent. Timestamp is the present, and the weight valid.
    pub async fn finish_signing_file(&self, file: &SigningFile) -> Result<SignedSwap, SigningFileError> {
        let (ours, theirs) = (self.backend().network, file.network);
        if ours != theirs {
            return Err(SigningFileError::Network(theirs.name(), ours.name()));
        }
        let mut transaction = file.signed()?;
        let spends = self.proven_spends(&transaction).await?;
        check_against(&transaction, &spends, ours, self.cpu_share()).await?;
        let earliest = self.read(|state, _| state.min_timestamp(&transaction.spends()))?;
        transaction.timestamp = rt::unix_seconds().max(earliest);
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        Ok(SignedSwap { transaction, spends })
    }
}
