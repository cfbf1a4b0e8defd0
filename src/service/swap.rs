//! Atomic swaps: each wallet adds to a proposal what it gives and gets, and signs its own inputs. Anyone with
//! all signatures sends it.
//!
//! A proposal's statements about its inputs are untrusted input. Before anything is signed or sent, the node
//! is asked for the outputs: with a wrong amount, the difference would be given away.

use super::account::reserve::TO_ITS_END;
use super::external::{SignatureError, check_against};
use super::send::record::Recorder;
use super::send::sign::SigningError;
use super::{IdempotentSend, InputsError, NotReady, Preview, Refused, SendError, SendKey, Sent, Wallet};
use crate::api::texts;
use crate::keys::{Purpose, SignerError};
use crate::ledger::{
    Address, Cost, EncodeError, PartialTx, PartialTxError, PartialTxInputData, SpentOutput, TokenUid,
    TokenVersion, Transaction,
};
use crate::node::CallError;
use crate::rt;
use crate::wallet::{State, SwapRequest};

#[derive(Debug, thiserror::Error)]
pub enum SwapError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Signing a proposal whose inputs and outputs differ.
    #[error("{}", texts::SWAP_NOT_BALANCED)]
    NotBalanced,
    /// It spends outputs of this wallet that it did not put in, or lacks what it put in with them.
    #[error("{}", texts::SWAP_CHANGED)]
    Changed,
    /// Assembling a proposal whose inputs and outputs differ.
    #[error("{}", texts::SWAP_INCOMPLETE)]
    Incomplete,
    /// Assembling a proposal without signatures of the inputs from these addresses.
    #[error("{}", texts::swap_unsigned(.0))]
    Unsigned(Vec<Address>),
    /// The node has other outputs than the proposal states.
    #[error("{}", texts::SWAP_INCONSISTENT)]
    Inconsistent,
    #[error(transparent)]
    Node(#[from] CallError),
    #[error(transparent)]
    Signature(#[from] SignatureError),
    #[error(transparent)]
    Partial(#[from] PartialTxError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("{}", SendError::ReadOnly)]
    ReadOnly,
    #[error(transparent)]
    Guard(Refused),
    #[error(transparent)]
    Signer(SignerError),
    /// The inputs need several signatures each.
    #[error(
        "this wallet is multisig: give the proposal's transaction (its second part) to p2sh/tx-proposal/get-my-signatures of each \
         participant, with as_is at those that put nothing into the swap, and to p2sh/tx-proposal/sign, and what that answers to get-input-data"
    )]
    Multisig,
}

impl From<SigningError> for SwapError {
    fn from(error: SigningError) -> Self {
        match error {
            SigningError::Encode(error) => Self::Encode(error),
            SigningError::Signer(error) => Self::Signer(error),
            SigningError::Guard(refused) => Self::Guard(refused),
        }
    }
}

#[derive(Clone, Debug)]
pub struct SignedSwap {
    pub transaction: Transaction,
    pub spends: Vec<SpentOutput>,
}

impl Wallet {
    /// Adds to a proposal what this wallet gives and gets. With `lock`, nothing else of this account spends
    /// what it gives until that is unlocked or spent.
    ///
    /// # Errors
    /// [`SendError::Plan`] if the wallet can't give it.
    pub async fn add_to_swap(
        &self,
        partial: &PartialTx,
        request: &SwapRequest,
        lock: bool,
    ) -> Result<PartialTx, SendError> {
        self.check_ready()?;
        let _counted = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let now = rt::unix_seconds();
        // Reserved until they are locked, so that nothing takes them in between.
        let add = |state: &mut State| state.add_to_swap(partial.clone(), request, now, TO_ITS_END);
        let (added, _held) = self.inner.account.reserve(&mut self.inner.write(), add)?;
        if lock {
            let own: Vec<_> = added.inputs[partial.inputs.len()..].iter().map(|input| input.spends).collect();
            self.inner.account.lock_reserved(&own, now, u32::MAX).await?;
        }
        Ok(added)
    }

    /// A token of the swap that is paid for by fees, for which proposals have no place. A token that the node
    /// does not know passes: the node refuses the transaction later.
    pub async fn fee_token_in(&self, partial: &PartialTx, request: &SwapRequest) -> Option<TokenUid> {
        let balance = partial.balance();
        let asked = request.sends.iter().map(|(token, _)| token);
        let asked = asked.chain(request.receives.iter().map(|receive| &receive.token));
        for token in balance.keys().chain(asked) {
            let TokenUid::Custom(id) = token else { continue };
            if self.known_token_version(id).await.ok()? == Some(TokenVersion::Fee) {
                return Some(*token);
            }
        }
        None
    }

    /// Remembers what [`Wallet::add_to_swap`] added to `before`, once others get it: the wallet signs only
    /// this.
    pub async fn remember_swap(&self, before: &PartialTx, added: &PartialTx) {
        self.inner.account.state.apply(|state| state.remember_swap(before, added));
        if let Err(failure) = self.inner.account.flush().await {
            tracing::warn!("{failure}: what was put into a swap is kept later");
        }
    }

    /// [`Wallet::proven_spends`] of a proposal, if the proposal states the same.
    ///
    /// # Errors
    /// [`SwapError::Inconsistent`] if it does not.
    pub async fn check_swap(&self, partial: &PartialTx) -> Result<Vec<SpentOutput>, SwapError> {
        let spends = match self.proven_spends(&partial.transaction()?).await {
            Err(InputsError::Unknown(_)) => return Err(SwapError::Inconsistent),
            Err(InputsError::Node(failure)) => return Err(failure.into()),
            Err(InputsError::NotReady(not_ready)) => return Err(not_ready.into()),
            Ok(spends) => spends,
        };
        let agrees = partial.agrees_with(&spends, self.backend().network);
        if agrees { Ok(spends) } else { Err(SwapError::Inconsistent) }
    }

    /// The wallet's input data for its own inputs of a proposal. Unless it is signed `as_is`, these must be
    /// inputs that wallets of this account put in since the process started, and everything put in with them
    /// must still be there.
    pub async fn sign_swap(&self, partial: &PartialTx, as_is: bool) -> Result<PartialTxInputData, SwapError> {
        let signer = self.inner.signer_alone().map_err(|error| match error {
            SendError::OneOfSeveral => SwapError::Multisig,
            _ => SwapError::ReadOnly,
        })?;
        if !partial.is_complete() {
            return Err(SwapError::NotBalanced);
        }
        self.check_swap(partial).await?;
        let mut transaction = partial.transaction()?;
        let (own, is_as_put_in) =
            self.read(|state, _| (state.own_inputs(&transaction), state.is_as_put_in(&transaction)))?;
        if !as_is && !is_as_put_in {
            return Err(SwapError::Changed);
        }
        self.sign_into(signer, &mut transaction, &own, None, (Purpose::Swap, b"")).await?;
        Ok(PartialTxInputData::of(&transaction)?)
    }

    /// The transaction with the input data of all participants, at the present time and with a valid weight.
    /// Signatures are not verified.
    ///
    /// # Errors
    /// [`SwapError::Partial`] for input data of something else, [`SwapError::Unsigned`] if an input has none,
    /// [`SwapError::Incomplete`] if the proposal is not balanced.
    pub fn assemble_swap(&self, partial: &PartialTx, given: &[String]) -> Result<Transaction, SwapError> {
        let mut transaction = partial.transaction()?;
        let mut data = PartialTxInputData::of(&transaction)?;
        given.iter().try_for_each(|text| data.add(text))?;
        if !partial.is_complete() {
            return Err(SwapError::Incomplete);
        }
        let mut unsigned: Vec<_> = data.missing().map(|place| partial.inputs[place].address).collect();
        if !unsigned.is_empty() {
            unsigned.dedup();
            return Err(SwapError::Unsigned(unsigned));
        }
        data.fill(&mut transaction);
        let earliest = self.read(|state, _| state.min_timestamp(&transaction.spends()))?;
        transaction.timestamp = rt::unix_seconds().max(earliest);
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        Ok(transaction)
    }

    /// [`Wallet::assemble_swap`], if the node agrees about the inputs and, with `signatures`, if each input
    /// may spend its output.
    pub async fn assemble_checked_swap(
        &self,
        partial: &PartialTx,
        given: &[String],
        signatures: bool,
    ) -> Result<SignedSwap, SwapError> {
        let transaction = self.assemble_swap(partial, given)?;
        let spends = self.check_swap(partial).await?;
        if signatures {
            check_against(&transaction, &spends, self.backend().network, self.cpu_share()).await?;
        }
        Ok(SignedSwap { transaction, spends })
    }

    /// For all participants together.
    pub fn preview_swap(&self, SignedSwap { transaction, spends }: SignedSwap) -> Preview {
        Preview { cost: Cost::of(&transaction, &spends), transaction, arguments: Vec::new() }
    }

    /// As [`Wallet::push_signed`].
    pub async fn push_swap(&self, swap: SignedSwap) -> Result<Sent, SendError> {
        self.push_swap_before(Recorder::new(&self.inner.account, None), swap).await
    }

    /// As [`Wallet::push_signed_once`].
    pub async fn push_swap_once(&self, swap: SignedSwap, key: SendKey) -> Result<IdempotentSend, SendError> {
        let wallet = self.clone();
        self.push_once(key, |recorder| Box::pin(async move { wallet.push_swap_before(recorder, swap).await }))
            .await
    }

    async fn push_swap_before(
        &self,
        recorder: Recorder,
        SignedSwap { transaction, spends }: SignedSwap,
    ) -> Result<Sent, SendError> {
        self.check_ready()?;
        self.for_sending().check_melted(&transaction).await.map_err(SendError::Node)?;
        self.push_reserved(recorder, transaction, Some(spends)).await
    }
}
