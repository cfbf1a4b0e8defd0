//! Atomic swaps: transactions that several wallets make together.

use super::swap_proposals::at_service;
use super::{Ask, Call, CallError, Done, Read, Reply, SendMode, refused, would_send};
use crate::api::texts::{
    CHANGE_NOT_FROM_THE_WALLET, DECODED_INCONSISTENT, INVALID_PARTIAL_TX, INVALID_TOKEN_UID, NONE_USABLE,
    NOT_ENOUGH_UTXOS, fee_token_in_swap,
};
use crate::api::{
    Compat, LockedOutputs, LockedUtxosAnswer, ProposeSwap, PushSwap, Refusal, SignSwap, SwapAmount,
    SwapAnswer, SwapInputData, SwapInputDataAnswer, SwapServiceFields, SwapSignatures, UnlockSwap,
};
use crate::ledger::{
    Address, Network, Outpoint, PartialTx, PartialTxError, PartialTxInputData, SpentOutput, TokenUid,
    Transaction, VertexId,
};
use crate::service::{IdempotentSend, RecordedText, SendError, SendKey, SignedSwap, SwapError, Wallet};
use crate::wallet::{PlanError, SwapReceive, SwapRequest};
use litemap::LiteMap;

impl ProposeSwap {
    fn request<R: Reply>(self, call: &Call<'_, R>) -> Result<SwapRequest, CallError> {
        if call.compat.checks_change_of_swaps() {
            call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THE_WALLET)?;
        }
        let address = |text: Option<String>| {
            let read = |text: String| Address::parse(&text, call.network());
            text.map(read).transpose().map_err(|error| refused(error.to_string()))
        };
        // Of what is no uid the wallet has nothing.
        let gives = |SwapAmount { token, value, .. }: SwapAmount| match token.parse() {
            Ok(token) => Ok((token, value)),
            Err(_) => Err(refused(NOT_ENOUGH_UTXOS)),
        };
        let gets = |SwapAmount { token, value, address: to, timelock }: SwapAmount| {
            let token: TokenUid = token.parse().map_err(|_| refused(INVALID_TOKEN_UID))?;
            Ok::<_, CallError>(SwapReceive { token, value, address: address(to)?, timelock })
        };
        let utxos: Vec<_> = self.utxos.iter().filter_map(|utxo| utxo.outpoint()).collect();
        if utxos.is_empty() && !self.utxos.is_empty() {
            return Err(CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())));
        }
        Ok(SwapRequest {
            sends: self.send.into_iter().map(gives).collect::<Result<_, _>>()?,
            receives: self.receive.into_iter().map(gets).collect::<Result<_, _>>()?,
            utxos,
            change_address: address(self.change_address)?,
        })
    }
}

impl Ask for SwapSignatures {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let as_is = self.as_is || !call.compat.guards_swaps();
        let data = call.wallet.sign_swap(&call.partial_tx(&self.partial_tx)?, as_is).await?;
        Ok(call.reply.give(&SwapInputDataAnswer(&data)))
    }
}

impl Ask for SignSwap {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let partial = call.partial_tx(&self.partial_tx)?;
        let signed = match call.compat.checks_signatures() {
            true => call.wallet.assemble_checked_swap(&partial, &self.signatures, true).await?.transaction,
            false => call.wallet.assemble_swap(&partial, &self.signatures)?,
        };
        if self.service.proposal_id.is_some() {
            let signatures = PartialTxInputData::of(&signed)?.to_string();
            at_service(call.wallet, call.compat, &self.service, &self.partial_tx, Some(&signatures)).await?;
        }
        call.proposal(&signed)
    }
}

impl Read for SwapInputData {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        Ok(call.reply.give(&SwapInputDataAnswer(&PartialTxInputData::of(&self.transaction)?)))
    }
}

impl Read for UnlockSwap {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let partial = call.partial_tx(&self.partial_tx)?;
        let spends: Vec<_> = partial.inputs.iter().map(|input| input.spends).collect();
        call.wallet.unlock_outpoints(&spends)?;
        Ok(call.success())
    }
}

/// The outputs that are locked, by their transactions.
///
/// # Errors
/// [`CallError::NotReady`].
pub fn locked_utxos<R: Reply>(call: &Call<'_, R>) -> Result<R::Answer, CallError> {
    let locked = call.wallet.read(|state, now| {
        let mut locked = state.locked_outpoints();
        locked.retain(|(_, until)| now < *until);
        locked
    })?;
    let mut by_tx: LiteMap<VertexId, Vec<u8>> = LiteMap::new();
    for (Outpoint { tx, index }, _) in locked {
        let outputs = by_tx.entry(tx).or_default();
        outputs.insert(outputs.partition_point(|other| *other < index), index);
    }
    let locked = by_tx.into_iter().map(|(tx, outputs)| LockedOutputs { tx, outputs });
    Ok(call.reply.give(&LockedUtxosAnswer(locked.collect())))
}

/// A proposal with a wallet's part in it, and what became of it at the swap service.
struct Proposed {
    partial: PartialTx,
    created_id: Option<String>,
}

impl Proposed {
    /// Adds a wallet's part to a proposal. Where the swap service fails, what was locked is unlocked: nobody
    /// has the text.
    async fn make(
        wallet: &Wallet,
        compat: Compat,
        before: PartialTx,
        request: SwapRequest,
        (lock, service): (bool, SwapServiceFields),
    ) -> Result<Self, CallError> {
        if let Some(token) = wallet.fee_token_in(&before, &request).await {
            return Err(refused(fee_token_in_swap(&token.to_string())));
        }
        let partial =
            wallet.add_to_swap(&before, &request, lock).await.map_err(|error| not_added(error, compat))?;
        match at_service(wallet, compat, &service, &partial.to_text()?, None).await {
            Ok(created_id) => {
                wallet.remember_swap(&before, &partial).await;
                Ok(Self { partial, created_id })
            }
            Err(error) => {
                let added = partial.inputs.iter().skip(before.inputs.len()).filter(|_| lock);
                wallet.unlock_outpoints(&added.map(|input| input.spends).collect::<Vec<_>>())?;
                Err(error)
            }
        }
    }

    /// As it is recorded: the id is of one line.
    fn to_text(&self) -> Result<String, CallError> {
        Ok(format!("{}\n{}", self.created_id.as_deref().unwrap_or_default(), self.partial.to_text()?))
    }

    fn from_text(text: &str, network: Network) -> Option<Self> {
        let (id, partial) = text.split_once('\n')?;
        let created_id = (!id.is_empty()).then(|| id.to_owned());
        Some(Self { partial: PartialTx::parse(partial, network).ok()?, created_id })
    }
}

impl<R: Reply> Call<'_, R> {
    /// Makes a proposal of an atomic swap, or adds this wallet's part to one. A repetition with the same key
    /// gets the same, and nothing more is locked.
    ///
    /// # Errors
    /// [`CallError`] says why the wallet adds nothing.
    pub async fn propose_swap(
        &self,
        request: ProposeSwap,
        once: Option<SendKey>,
    ) -> Result<Done<R::Answer>, CallError> {
        let before = match &request.partial_tx {
            Some(text) => self.partial_tx(text)?,
            None => PartialTx::default(),
        };
        let how = (request.lock, request.service.clone());
        let request = request.request(self)?;
        let (wallet, compat, network) = (self.wallet.clone(), self.compat, self.network());
        let make = async move { Proposed::make(&wallet, compat, before, request, how).await };
        let make = async move { make.await?.to_text() };
        let RecordedText { text, replayed } = self.wallet.answer_once(once, make).await?;
        let read = Proposed::from_text(&text, network);
        let Proposed { partial, created_id } =
            read.ok_or_else(|| refused("what was proposed with this key can't be read"))?;
        let (partial_tx, is_complete) = (partial.to_text()?, partial.is_complete());
        let answer = self.reply.give(&SwapAnswer { partial_tx, is_complete, created_id });
        Ok(Done { answer, replayed })
    }

    /// Puts a swap together with the signatures of all participants and sends it, or says what it would do.
    ///
    /// # Errors
    /// As [`Call::send`].
    pub async fn push_swap(&self, request: PushSwap, mode: SendMode) -> Result<Done<R::Answer>, CallError> {
        let wallet = self.wallet_for(mode);
        let swap = self.assembled_swap(&wallet, &request).await?;
        if mode.dry_run {
            return Ok(self.reply.give(&would_send(&self.wallet.preview_swap(swap), self.compat)).into());
        }
        let sent = match mode.once {
            None => self.wallet.push_swap(swap).await.map(IdempotentSend::from),
            Some(key) => self.wallet.push_swap_once(swap, key).await,
        };
        let failed = |error| CallError::Send { error: Box::new(error), read_only: "" };
        let IdempotentSend { sent, replayed } = sent.map_err(failed)?;
        Ok(Done { answer: self.transaction(&sent), replayed })
    }

    /// Looks at a request that is to be carried out later for what [`Call::push_swap`] would refuse.
    ///
    /// # Errors
    /// Those of it.
    pub async fn check_push_swap(&self, request: PushSwap) -> Result<(), CallError> {
        self.assembled_swap(&self.wallet.for_sending(), &request).await.map(drop)
    }

    async fn assembled_swap(&self, wallet: &Wallet, request: &PushSwap) -> Result<SignedSwap, CallError> {
        let partial = self.partial_tx(&request.partial_tx)?;
        let checks = self.compat.checks_signatures();
        Ok(wallet.assemble_checked_swap(&partial, &request.signatures, checks).await?)
    }

    /// A proposal of an atomic swap.
    pub(super) fn partial_tx(&self, text: &str) -> Result<PartialTx, CallError> {
        PartialTx::parse(text, self.network()).map_err(|error| match error {
            PartialTxError::UnsupportedScript => refused(error.to_string()),
            _ if self.compat.explains_swaps() => refused(error.to_string()),
            _ => refused(INVALID_PARTIAL_TX),
        })
    }

    /// The transaction of a proposal and what its inputs spend, in their order, if the node says of them what
    /// the proposal says.
    pub(super) async fn checked_transaction(
        &self,
        text: &str,
    ) -> Result<(Transaction, Vec<SpentOutput>), CallError> {
        let partial = self.partial_tx(text)?;
        match self.wallet.check_swap(&partial).await {
            Err(SwapError::Inconsistent) => Err(refused(DECODED_INCONSISTENT)),
            Err(error) => Err(error.into()),
            Ok(spends) => Ok((partial.transaction()?, spends)),
        }
    }
}

/// Why nothing is added to a proposal.
fn not_added(error: SendError, compat: Compat) -> CallError {
    let SendError::Plan(plan) = &error else { return error.into() };
    match **plan {
        PlanError::NoneUsable => CallError::Refused(Refusal::Body(NONE_USABLE.to_owned())),
        PlanError::Insufficient { .. } | PlanError::TooScattered { .. } if !compat.explains_swaps() => {
            refused(NOT_ENOUGH_UTXOS)
        }
        _ => error.into(),
    }
}
