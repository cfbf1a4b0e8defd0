//! Everything that sends a transaction of the wallet.

use super::{Call, CallError, Done, Reply, SendMode, refused};
use crate::api::texts::{
    CHANGE_NOT_FROM_THIS_WALLET, READ_ONLY_CONSOLIDATE, READ_ONLY_CREATE, READ_ONLY_MELT, READ_ONLY_MINT,
    READ_ONLY_SEND, READ_ONLY_SIMPLE_SEND,
};
use crate::api::{
    ArgumentAnswer, Compat, Consolidate, ConsolidationAnswer, CreateNft, CreateToken, CreatedToken,
    DryRunAnswer, Location, MeltTokens, MintTokens, PushedAnswer, Request, SendTx, SignProposal,
    SimpleSendTx, TemplateAnswer, TransactionAnswer, UtxoAnswer,
};
use crate::ledger::{Address, TokenUid};
use crate::rt::{self, CpuShare};
use crate::service::{IdempotentSend, Operation, Preview, Sent};

/// A request that sends.
pub trait Sends: Request {
    /// What release 0.39 says to a wallet that can't sign.
    const READ_ONLY: &'static str;
    /// What the wallet is to do.
    ///
    /// # Errors
    /// [`CallError`] says what is not as it must be.
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError>;
    /// Whether it takes some milliseconds to say that.
    fn is_long(&self) -> bool {
        false
    }
}

impl Sends for SendTx {
    const READ_ONLY: &'static str = READ_ONLY_SEND;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        call.check_query(&self.inputs)?;
        Ok(Operation::Send(self.for_network(call.network())?))
    }
}

/// The change address is looked at before all else, and in other words than that of send-tx.
impl Sends for SimpleSendTx {
    const READ_ONLY: &'static str = READ_ONLY_SIMPLE_SEND;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THIS_WALLET)?;
        Ok(Operation::Send(self.for_network(call.network())?))
    }
}

impl Sends for CreateToken {
    const READ_ONLY: &'static str = READ_ONLY_CREATE;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        Ok(Operation::CreateToken(self.for_network(call.network())?))
    }
}

impl Sends for CreateNft {
    const READ_ONLY: &'static str = READ_ONLY_CREATE;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        Ok(Operation::CreateToken(self.for_network(call.network())?))
    }
}

impl Sends for MintTokens {
    const READ_ONLY: &'static str = READ_ONLY_MINT;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        Ok(Operation::Mint(self.for_network(call.network())?))
    }
}

impl Sends for MeltTokens {
    const READ_ONLY: &'static str = READ_ONLY_MELT;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        Ok(Operation::Melt(self.for_network(call.network())?))
    }
}

impl Sends for Consolidate {
    const READ_ONLY: &'static str = READ_ONLY_CONSOLIDATE;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        call.check_filter(self.filter_address.as_deref(), "filter_address", Location::Body)?;
        call.check_filter(self.address.as_deref(), "address", Location::Body)?;
        Ok(Operation::Consolidate(self.for_network(call.network())?))
    }
}

impl<R: Reply> Call<'_, R> {
    /// Carries out a request that sends, or says what it would do.
    ///
    /// # Errors
    /// [`CallError`] says why nothing was sent, or that it is not known.
    pub async fn send<S: Sends>(&self, request: S, mode: SendMode) -> Result<Done<R::Answer>, CallError> {
        let is_long = request.is_long();
        let read = || request.operation(self);
        let operation = if is_long { rt::offload(CpuShare::Sends, read).await } else { read() };
        self.carry_out(operation?, mode, S::READ_ONLY).await
    }

    /// Looks at a request that is to be carried out later for what [`Call::send`] would refuse before it
    /// plans: addresses, tokens, a wallet that can't sign.
    ///
    /// # Errors
    /// Those of [`Call::send`].
    pub fn check_send<S: Sends>(&self, request: S) -> Result<(), CallError> {
        request.operation(self)?;
        let failed = |error| CallError::Send { error: Box::new(error), read_only: S::READ_ONLY };
        self.wallet.check_can_send().map_err(failed)
    }

    /// The same before [`Call::sign_and_push`].
    ///
    /// # Errors
    /// Those of it.
    pub async fn check_sign_and_push(&self, request: SignProposal) -> Result<(), CallError> {
        request.assembled(&self.wallet.for_sending(), self.compat).await.map(drop)
    }

    /// Sends a proposal with the signatures of participants, or says what it would do.
    ///
    /// # Errors
    /// As [`Call::send`].
    pub async fn sign_and_push(
        &self,
        request: SignProposal,
        mode: SendMode,
    ) -> Result<Done<R::Answer>, CallError> {
        let signed = request.assembled(&self.wallet_for(mode), self.compat).await?;
        let failed = |error| CallError::Send { error: Box::new(error), read_only: "" };
        if mode.dry_run {
            let preview = self.wallet.preview_signed(signed).map_err(failed)?;
            return Ok(self.reply.give(&would_send(&preview, self.compat)).into());
        }
        let sent = match mode.once {
            None => self.wallet.push_signed(signed).await.map(IdempotentSend::from),
            Some(key) => self.wallet.push_signed_once(signed, key).await,
        };
        let IdempotentSend { sent, replayed } = sent.map_err(failed)?;
        Ok(Done { answer: self.transaction(&sent), replayed })
    }

    /// Carries out what a request that sends asks for. `read_only` is what release 0.39 says to a wallet that
    /// can't sign.
    ///
    /// # Errors
    /// As [`Call::send`].
    pub async fn carry_out(
        &self,
        operation: Operation,
        mode: SendMode,
        read_only: &'static str,
    ) -> Result<Done<R::Answer>, CallError> {
        let failed = |error| CallError::Send { error: Box::new(error), read_only };
        if mode.dry_run {
            let preview = self.wallet.preview(operation).await.map_err(failed)?;
            return Ok(self.reply.give(&would_send(&preview, self.compat)).into());
        }
        let by_template = matches!(operation, Operation::Template(_));
        let consolidated = match &operation {
            Operation::Consolidate(request) => Some(request.outputs.token),
            _ => None,
        };
        let sent = match mode.once {
            None => self.wallet.carry_out(operation).await.map(IdempotentSend::from),
            Some(key) => self.wallet.carry_out_once(operation, key).await,
        };
        let IdempotentSend { sent, replayed } = sent.map_err(failed)?;
        let answer = match consolidated {
            None if by_template => self.by_template(&sent),
            None => self.transaction(&sent),
            Some(token) => self.consolidation(&sent, token),
        };
        Ok(Done { answer, replayed })
    }

    /// The answer for what was sent.
    pub(super) fn transaction(&self, Sent { id, transaction }: &Sent) -> R::Answer {
        let compat = self.compat;
        match &transaction.creates {
            Some(token) => self.reply.give(&CreatedToken { transaction, token, id: *id, compat }),
            None => self.reply.give(&TransactionAnswer { transaction, id: *id, compat }),
        }
    }

    /// The answer for what was sent by a template.
    fn by_template(&self, Sent { id, transaction }: &Sent) -> R::Answer {
        self.reply.give(&TemplateAnswer(PushedAnswer { transaction, id: *id, compat: self.compat }))
    }

    /// Refuses a change address that isn't the wallet's before anything else is looked at.
    pub(super) fn check_change(&self, change: Option<&str>, not_mine: &str) -> Result<(), CallError> {
        let Some(change) = change else { return Ok(()) };
        let address = Address::parse(change, self.network());
        let is_mine =
            self.wallet.read(|state, _| address.is_ok_and(|address| state.index_of(&address).is_some()))?;
        if is_mine { Ok(()) } else { Err(refused(not_mine)) }
    }

    /// Also when the wallet has lost its node since: it was sent.
    fn consolidation(&self, sent: &Sent, token: TokenUid) -> R::Answer {
        self.wallet.look(|state, _| {
            let vertex = state.vertex(&sent.id);
            let inputs = vertex.iter().flat_map(|vertex| &vertex.inputs).filter(|i| i.output.token == token);
            let address = |script: &[u8]| state.paid_index(script).and_then(|i| state.address_text(i));
            let utxos = inputs.map(|input| UtxoAnswer {
                address: address(&input.output.script).unwrap_or(""),
                amount: input.output.value,
                outpoint: input.spends,
                locked: false,
            });
            self.reply.give(&ConsolidationAnswer { id: sent.id, utxos: utxos.collect() })
        })
    }
}

/// The answer for what would be sent.
pub fn would_send(Preview { transaction, cost, arguments }: &Preview, compat: Compat) -> DryRunAnswer<'_> {
    let arguments =
        arguments.iter().map(|argument| ArgumentAnswer { of: &argument.of, value: &argument.value });
    DryRunAnswer { transaction, cost: *cost, arguments: arguments.collect(), compat }
}
