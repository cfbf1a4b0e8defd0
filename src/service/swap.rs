//! Atomic swaps: each wallet adds to a proposal what it gives and gets, and signs its own inputs. Anyone with
//! all signatures sends it.
//!
//! A proposal's statements about its inputs are untrusted input. Before anything is signed or sent, the node
//! is asked for the outputs: with a wrong amount, the difference would be given away.

use super::account::Sent;
use super::account::live_state::lock;
use super::account::reserve::TO_ITS_END;
use super::error::{NotReady, SendError};
use super::external::InputsError;
use super::external::{SignatureError, check_against};
use super::guard::{Refused, SendKey};
use super::send::once::IdempotentSend;
use super::send::operation::Preview;
use super::send::record::Recorder;
use super::send::sign::SigningError;
use super::swap_proposals::{SwapProposalError, check_password};
use super::wallet::Wallet;
use crate::api::texts;
use crate::keys::{Purpose, SignerError};
use crate::ledger::{
    Address, Cost, EncodeError, PartialTx, PartialTxError, PartialTxInputData, SpentOutput, TokenUid,
    TokenVersion, Transaction,
};
use crate::node::{CallError, SwapNews, SwapProposal, SwapServiceError, SwapUpdate};
use crate::rt;
use crate::wallet::{State, SwapRequest};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::broadcast;

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

/// Proposals at the swap service.
impl Wallet {
    pub fn has_swap_service(&self) -> bool {
        self.inner.swaps.service.is_some()
    }

    pub fn swap_news(&self) -> broadcast::Receiver<SwapNews> {
        self.inner.swaps.news.subscribe()
    }

    /// In the order of registration.
    pub fn swap_proposals(&self) -> Vec<String> {
        lock(&self.inner.swaps.registered).iter().map(|known| known.id.clone()).collect()
    }

    /// Registers a proposal that can be read with the password.
    pub async fn register_swap(&self, id: &str, password: SecretString) -> Result<(), SwapProposalError> {
        let swaps = &self.inner.swaps;
        if let Ok(known) = swaps.password(id) {
            let is_same = known.expose_secret() == password.expose_secret();
            return if is_same { Ok(()) } else { Err(SwapProposalError::OtherPassword) };
        }
        swaps.check_room()?;
        swaps.service()?.proposal(id, &password).await?;
        // A concurrent request may have registered it.
        swaps.keep(id, password)
    }

    pub fn knows_swap(&self, id: &str) -> bool {
        self.inner.swaps.password(id).is_ok()
    }

    /// The service keeps the proposal.
    pub fn forget_swap(&self, id: &str) {
        lock(&self.inner.swaps.registered).retain(|known| known.id != id);
    }

    /// Reads a registered proposal. If the service no longer has it, it is unregistered.
    pub async fn swap_proposal(&self, id: &str) -> Result<SwapProposal, SwapProposalError> {
        let service = self.inner.swaps.service()?;
        let password = self.inner.swaps.password(id)?;
        let found = service.proposal(id, &password).await;
        if let Err(SwapServiceError::NotFound(_)) = found {
            self.forget_swap(id);
        }
        Ok(found?)
    }

    /// Creates a proposal at the service, registers it, and returns its id.
    pub async fn create_swap(
        &self,
        partial_tx: &str,
        password: SecretString,
    ) -> Result<String, SwapProposalError> {
        let swaps = &self.inner.swaps;
        check_password(&password)?;
        swaps.check_room()?;
        let id = swaps.service()?.create(partial_tx, &password).await?;
        // An id that is registered already belongs to another proposal.
        if self.knows_swap(&id) {
            return Err(SwapProposalError::IdTaken(id));
        }
        swaps.keep(&id, password)?;
        Ok(id)
    }

    pub async fn update_swap(&self, id: &str, update: SwapUpdate<'_>) -> Result<(), SwapProposalError> {
        let service = self.inner.swaps.service()?;
        let password = self.inner.swaps.password(id)?;
        Ok(service.update(id, &password, update).await?)
    }
}
