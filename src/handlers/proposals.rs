//! Transactions of multisig wallets: proposed by one participant, signed by enough of them.

use super::{Ask, Call, CallError, Done, Reply};
use crate::api::texts::{CHANGE_NOT_FROM_THE_WALLET, CHANGE_NOT_LOADED};
use crate::api::{
    Compat, CreateToken, MeltTokens, MintTokens, ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens,
    ProposeTx, Request, SendTx, SignProposal, SignShare, SignaturesAnswer,
};
use crate::ledger::Transaction;
use crate::service::{Operation, Recorded, SendKey, Wallet};

/// A request for a proposal.
pub trait Proposes: Request {
    /// What the proposed transaction is to do, and whether its inputs are set aside.
    ///
    /// # Errors
    /// [`CallError`] says what is not as it must be.
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<(Operation, bool), CallError>;
}

impl Proposes for ProposeTx {
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<(Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_LOADED)?;
        let set_aside = self.mark_inputs_as_used;
        let request = SendTx::from(self).for_network(call.network())?;
        Ok((Operation::Send(request), set_aside))
    }
}

impl Proposes for ProposeCreateToken {
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<(Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THE_WALLET)?;
        let set_aside = self.mark_inputs_as_used;
        let request = CreateToken::from(self).for_network(call.network())?;
        Ok((Operation::CreateToken(request), set_aside))
    }
}

impl Proposes for ProposeMintTokens {
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<(Operation, bool), CallError> {
        let set_aside = self.mark_inputs_as_used;
        Ok((Operation::Mint(MintTokens::from(self).for_network(call.network())?), set_aside))
    }
}

impl Proposes for ProposeMeltTokens {
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<(Operation, bool), CallError> {
        let set_aside = self.mark_inputs_as_used;
        Ok((Operation::Melt(MeltTokens::from(self).for_network(call.network())?), set_aside))
    }
}

impl Ask for SignShare {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let as_is = self.as_is || !call.compat.guards_swaps();
        let share = call.wallet.sign_share(&self.transaction, as_is).await?;
        Ok(call.reply.give(&SignaturesAnswer(&share)))
    }
}

/// The transaction with the participants' signatures.
impl Ask for SignProposal {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let signed = self.assembled(call.wallet, call.compat).await?;
        call.proposal(&signed)
    }
}

impl SignProposal {
    pub(super) async fn assembled(self, wallet: &Wallet, compat: Compat) -> Result<Transaction, CallError> {
        let (transaction, shares) = (self.transaction, &self.signatures);
        Ok(if compat.checks_signatures() {
            wallet.assemble(transaction, shares).await?
        } else {
            wallet.assemble_unchecked(transaction, shares).await?
        })
    }
}

impl<R: Reply> Call<'_, R> {
    /// Makes a proposal, or gives the one that was made for the key before.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn propose<P: Proposes>(
        &self,
        request: P,
        once: Option<SendKey>,
    ) -> Result<Done<R::Answer>, CallError> {
        let (operation, set_aside) = request.operation(self)?;
        self.propose_operation(operation, set_aside, once).await
    }

    /// Makes a proposal of an operation, and sets its inputs aside if so asked.
    ///
    /// # Errors
    /// As [`Call::propose`].
    pub async fn propose_operation(
        &self,
        operation: Operation,
        set_aside: bool,
        once: Option<SendKey>,
    ) -> Result<Done<R::Answer>, CallError> {
        let wallet = self.wallet.clone();
        let proposed = async move { wallet.propose(operation, set_aside).await };
        let Recorded { transaction, replayed } = self.make(once, Box::pin(proposed)).await?;
        Ok(Done { answer: self.proposal(&transaction)?, replayed })
    }
}
