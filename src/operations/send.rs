//! How everything is sent: what a request asks for is planned, then tried or pushed, and answered.

use super::call::{Answer, Call, Done, Make, Outgoing, SendMode, Sends, Waits};
use super::error::CallError;
use crate::api::{
    ArgumentAnswer, Compat, ConsolidationAnswer, CreatedToken, DryRunAnswer, ProposalAnswer, PushedAnswer,
    TemplateAnswer, TransactionAnswer, UtxoAnswer,
};
use crate::ledger::{TokenUid, Transaction};
use crate::rt::BoxFuture;
#[cfg(target_arch = "wasm32")]
use crate::rt::CpuShare;
use crate::service::{self, IdempotentSend, Preview, Recorded, SendError, SendKey, Sent, SigningFileError};

/// How the answer to a send is written.
#[derive(Clone, Copy)]
enum Kind {
    Usual,
    ByTemplate,
    Consolidated(TokenUid),
    #[cfg(target_arch = "wasm32")]
    Given,
}

impl Kind {
    fn of(outgoing: &Outgoing) -> Self {
        match outgoing {
            Outgoing::Planned(service::Operation::Template(_)) => Self::ByTemplate,
            Outgoing::Planned(service::Operation::Consolidate(request)) => {
                Self::Consolidated(request.outputs.token)
            }
            #[cfg(target_arch = "wasm32")]
            Outgoing::Given(_) => Self::Given,
            _ => Self::Usual,
        }
    }
}

impl Call<'_> {
    /// Carries out a request that sends, or says what it would do. `read_only` is what release 0.39 says to
    /// a wallet that can't sign.
    ///
    /// # Errors
    /// [`CallError`] says why nothing was sent, or that it is not known.
    pub async fn send(
        &self,
        request: Box<dyn Sends>,
        read_only: &'static str,
        mode: SendMode,
    ) -> Result<Done, CallError> {
        let outgoing = request.plan(self, mode).await?;
        let failed = |error| CallError::Send { error: Box::new(error), read_only };
        if mode.dry_run {
            let preview = self.preview(outgoing, &failed).await?;
            return Ok(Done::made(self.give(&would_send(&preview, self.compat))?, false));
        }
        let kind = Kind::of(&outgoing);
        let IdempotentSend { sent, replayed } = self.push(outgoing, mode.once, &failed).await?;
        let answer = match kind {
            Kind::Usual => self.sent(&sent),
            Kind::ByTemplate => self.give(&TemplateAnswer(self.pushed(&sent))),
            Kind::Consolidated(token) => self.consolidation(&sent, token),
            #[cfg(target_arch = "wasm32")]
            Kind::Given => self.give(&self.pushed(&sent)),
        };
        Ok(Done { answer: answer?, sent: Some(sent.id), replayed })
    }

    /// Looks at a request that is to be carried out later for what [`Call::send`] would refuse before it
    /// plans: addresses, tokens, a wallet that can't sign.
    ///
    /// # Errors
    /// Those of [`Call::send`].
    pub async fn check(&self, request: Box<dyn Sends>, read_only: &'static str) -> Result<(), CallError> {
        let failed = |error| CallError::Send { error: Box::new(error), read_only };
        match request.plan(self, SendMode::default()).await? {
            Outgoing::Planned(_) => self.wallet.check_can_send().map_err(failed),
            _ => Ok(()),
        }
    }

    async fn preview(
        &self,
        outgoing: Outgoing,
        failed: &(impl Fn(SendError) -> CallError + Sync),
    ) -> Result<Preview, CallError> {
        match outgoing {
            Outgoing::Planned(operation) => self.wallet.preview(operation).await.map_err(failed),
            Outgoing::Signed(transaction) => self.wallet.preview_signed(transaction).map_err(failed),
            Outgoing::OfFiles(_, Some(id)) => Err(SigningFileError::Sent(id).into()),
            Outgoing::Assembled(swap) | Outgoing::OfFiles(swap, None) => Ok(self.wallet.preview_swap(swap)),
            #[cfg(target_arch = "wasm32")]
            Outgoing::Given(transaction) => Ok(self.wallet.backend().preview_push(transaction).await?),
        }
    }

    async fn push(
        &self,
        outgoing: Outgoing,
        once: Option<SendKey>,
        failed: &(impl Fn(SendError) -> CallError + Sync),
    ) -> Result<IdempotentSend, CallError> {
        let wallet = self.wallet;
        let already = if let Outgoing::OfFiles(_, already) = &outgoing { *already } else { None };
        let sent = match (outgoing, once) {
            (Outgoing::Planned(operation), None) => wallet.carry_out(operation).await.map(Into::into),
            (Outgoing::Planned(operation), Some(key)) => wallet.carry_out_once(operation, key).await,
            (Outgoing::Signed(transaction), None) => wallet.push_signed(transaction).await.map(Into::into),
            (Outgoing::Signed(transaction), Some(key)) => wallet.push_signed_once(transaction, key).await,
            (Outgoing::Assembled(swap) | Outgoing::OfFiles(swap, _), None) => {
                wallet.push_swap(swap).await.map(Into::into)
            }
            (Outgoing::Assembled(swap) | Outgoing::OfFiles(swap, _), Some(key)) => {
                wallet.push_swap_once(swap, key).await
            }
            #[cfg(target_arch = "wasm32")]
            (Outgoing::Given(transaction), once) => {
                service::check_signed(&transaction, CpuShare::Sends).await?;
                match once {
                    None => wallet.backend().push(transaction).await.map(Into::into),
                    Some(key) => wallet.push_signed_once(transaction, key).await,
                }
            }
        };
        sent.map_err(|error| match (already, &error) {
            (Some(id), SendError::Plan(_) | SendError::Rejected(_)) => SigningFileError::Sent(id).into(),
            _ => failed(error),
        })
    }

    /// The answer for what was sent.
    fn sent(&self, Sent { id, transaction }: &Sent) -> Result<Answer, CallError> {
        let compat = self.compat;
        match &transaction.creates {
            Some(token) => self.give(&CreatedToken { transaction, token, id: *id, compat }),
            None => self.give(&TransactionAnswer { transaction, id: *id, compat }),
        }
    }

    fn pushed<'s>(&self, Sent { id, transaction }: &'s Sent) -> PushedAnswer<'s> {
        PushedAnswer { transaction, id: *id, compat: self.compat }
    }

    /// Also when the wallet has lost its node since: it was sent.
    fn consolidation(&self, sent: &Sent, token: TokenUid) -> Result<Answer, CallError> {
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
            self.give(&ConsolidationAnswer { id: sent.id, utxos: utxos.collect() })
        })
    }
}

/// The answer for what would be sent.
pub fn would_send(Preview { transaction, cost, arguments }: &Preview, compat: Compat) -> DryRunAnswer<'_> {
    let arguments =
        arguments.iter().map(|argument| ArgumentAnswer { of: &argument.of, value: &argument.value });
    DryRunAnswer { transaction, cost: *cost, arguments: arguments.collect(), compat }
}

/// A request for a proposal.
pub trait Proposes: crate::rt::SendOutsideWasm {
    /// What the proposed transaction is to do, and whether its inputs are set aside.
    ///
    /// # Errors
    /// [`CallError`] says what is not as it must be.
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError>;
}

impl<P: Proposes> Make for P {
    fn make<'a>(self: Box<Self>, call: &'a Call<'a>, once: Option<SendKey>) -> Waits<'a, Done> {
        let operation = self.operation(call);
        Box::pin(call.propose(operation, once))
    }
}

impl Call<'_> {
    /// Makes a proposal of an operation, and sets its inputs aside if so asked.
    async fn propose(
        &self,
        operation: Result<(service::Operation, bool), CallError>,
        once: Option<SendKey>,
    ) -> Result<Done, CallError> {
        let ((operation, set_aside), wallet) = (operation?, self.wallet.clone());
        let proposed = async move { wallet.propose(operation, set_aside).await };
        let Recorded { transaction, replayed } = self.make(once, Box::pin(proposed)).await?;
        Ok(Done::made(self.proposal(&transaction)?, replayed))
    }

    /// The answer that gives a transaction as hexadecimal text.
    pub(super) fn proposal(&self, transaction: &Transaction) -> Result<Answer, CallError> {
        self.give(&ProposalAnswer(transaction.to_bytes()?))
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
