//! Transactions that are built here and signed elsewhere.

use super::{Ask, Call, CallError, Done, Read, Reply, refused};
use crate::api::texts::{MULTISIG, NO_ADDRESS_AT_INDEX, NOT_MULTISIG, UNKNOWN_SIGNER};
use crate::api::{
    AddSignatures, BuildTx, GivenSignatures, InputDataAnswer, MakeInputData, ProposalAnswer, UnsignedAnswer,
    WalletInputsAnswer, WalletInputsQuery,
};
use crate::keys::{MultisigPublic, account_key_of};
use crate::ledger::{InputData, Transaction};
use crate::rt::BoxFuture;
use crate::service::{Operation, Preview, Recorded, SendError, SendKey};
use litemap::LiteMap;

impl Ask for AddSignatures {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let transaction = self.signed()?;
        if call.compat.checks_signatures() {
            call.wallet.check_signatures(&transaction).await?;
        }
        call.proposal(&transaction)
    }
}

impl Read for WalletInputsQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let inputs = call.wallet.read(|state, _| state.own_inputs(&self.transaction))?;
        Ok(call.reply.give(&WalletInputsAnswer { inputs: &inputs, account: call.wallet.account_path() }))
    }
}

impl Read for MakeInputData {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let index = self.index;
        let data = match self.signatures {
            GivenSignatures::One(signature) => {
                let why = || refused(call.wallet.participants().map_or(NO_ADDRESS_AT_INDEX, |_| MULTISIG));
                let public_key = call.wallet.public_key(index).ok_or_else(why)?;
                InputData::P2pkh { signature, public_key }
            }
            GivenSignatures::Participants(given) => {
                let participants = call.wallet.participants().ok_or_else(|| refused(NOT_MULTISIG))?;
                of_participants(participants, index, given).map_err(refused)?
            }
        };
        let data = data.to_bytes().map_err(|error| refused(error.to_string()))?;
        Ok(call.reply.give(&InputDataAnswer(data)))
    }
}

/// The signatures of participants, in the order of their keys.
fn of_participants(
    participants: &MultisigPublic,
    index: u32,
    given: Vec<(String, Vec<u8>)>,
) -> Result<InputData, String> {
    let mut signatures = LiteMap::<_, Vec<u8>>::new();
    for (xpub, signature) in given {
        let position = account_key_of(&xpub).and_then(|key| participants.position(&key));
        signatures.insert(position.ok_or(UNKNOWN_SIGNER)?, signature);
    }
    let redeem_script = participants.redeem_script(index).to_bytes().map_err(|error| error.to_string())?;
    Ok(InputData::P2sh {
        signatures: signatures.into_iter().map(|(_, signature)| signature).collect(),
        redeem_script,
    })
}

fn proposal(transaction: &Transaction) -> Result<ProposalAnswer, CallError> {
    Ok(ProposalAnswer(transaction.to_bytes()?))
}

impl<R: Reply> Call<'_, R> {
    /// The answer that gives a transaction as hexadecimal text.
    pub(super) fn proposal(&self, transaction: &Transaction) -> Result<R::Answer, CallError> {
        Ok(self.reply.give(&proposal(transaction)?))
    }

    /// Builds a transaction to be signed elsewhere. Nothing is reserved. A repetition with the same key gets
    /// the same transaction.
    ///
    /// # Errors
    /// [`CallError`] says why it can't be built.
    pub async fn build(&self, request: BuildTx, once: Option<SendKey>) -> Result<Done<R::Answer>, CallError> {
        self.check_query(&request.inputs)?;
        let request = request.for_network(self.network())?;
        // Nothing is signed: the guard looks at it once somebody wants that.
        let wallet = self.wallet.unguarded();
        let transaction = async move {
            let Preview { mut transaction, .. } = wallet.preview(Operation::Send(request)).await?;
            // For whoever pushes it to fill in.
            (transaction.weight, transaction.timestamp) = (0.0, 0);
            Ok(transaction)
        };
        let Recorded { transaction, replayed } = self.make(once, Box::pin(transaction)).await?;
        let digest = transaction.sighash()?;
        let answer = self.reply.give(&UnsignedAnswer { proposal: proposal(&transaction)?, digest });
        Ok(Done { answer, replayed })
    }

    /// Makes a transaction that is not sent, or gives the one that was made for the key before.
    pub(super) async fn make(
        &self,
        once: Option<SendKey>,
        transaction: BoxFuture<'static, Result<Transaction, SendError>>,
    ) -> Result<Recorded, CallError> {
        let made = match once {
            None => transaction.await.map(|transaction| Recorded { transaction, replayed: false }),
            Some(key) => self.wallet.make_once(key, transaction).await,
        };
        made.map_err(|error| CallError::Send { error: Box::new(error), read_only: "" })
    }
}
