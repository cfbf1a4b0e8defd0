//! A wallet's proposals at the swap service, with their passwords, and the service's notifications. They are
//! forgotten when the wallet is stopped.

use super::Wallet;
use super::account::live_state::lock;
use crate::node::{SwapNews, SwapProposal, SwapService, SwapServiceError, SwapSubscription, SwapUpdate};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Mutex;
use tokio::sync::broadcast;

/// Per wallet.
const MAX_PROPOSALS: usize = 10_000;
/// In UTF-16 code units, as JavaScript counts.
const MIN_PASSWORD: usize = 3;
/// A listener further behind misses notifications.
const NEWS_KEPT: usize = 256;

pub(super) struct SwapProposals {
    pub(super) service: Option<SwapService>,
    /// In the order of registration.
    registered: Mutex<Vec<Registered>>,
    news: broadcast::Sender<SwapNews>,
}

struct Registered {
    id: String,
    password: SecretString,
    /// Notifications end when it is dropped.
    _subscription: SwapSubscription,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SwapProposalError {
    #[error("this wallet has no swap service: `atomic_swap_service` must have its address")]
    NoService,
    #[error("Proposal is not registered. Register it first.")]
    NotRegistered,
    #[error("Incorrect password")]
    OtherPassword,
    #[error("Password must have at least {MIN_PASSWORD} characters")]
    ShortPassword,
    #[error("Missing mandatory parameters: version")]
    NoVersion,
    #[error(
        "the swap service gave the new proposal the id of one that this wallet is registered for, {0}: it is not registered, and what \
         it gives is free again"
    )]
    IdTaken(String),
    #[error("the wallet is registered for {MAX_PROPOSALS} proposals, and for no more: delete some")]
    TooMany,
    #[error(transparent)]
    Service(#[from] SwapServiceError),
}

impl SwapProposals {
    pub(super) fn new(service: Option<SwapService>) -> Self {
        Self { service, registered: Mutex::default(), news: broadcast::Sender::new(NEWS_KEPT) }
    }
    pub(super) fn forget_all(&self) {
        lock(&self.registered).clear();
    }
    fn service(&self) -> Result<&SwapService, SwapProposalError> {
        self.service.as_ref().ok_or(SwapProposalError::NoService)
    }
    fn password(&self, id: &str) -> Result<SecretString, SwapProposalError> {
        let registered = lock(&self.registered);
        let known = registered.iter().find(|known| known.id == id);
        known.map(|known| known.password.clone()).ok_or(SwapProposalError::NotRegistered)
    }
    /// Keeps the password of a new proposal and subscribes to its changes.
    fn keep(&self, id: &str, password: SecretString) -> Result<(), SwapProposalError> {
        let service = self.service()?;
        let mut registered = lock(&self.registered);
        match registered.iter().find(|known| known.id == id) {
            Some(known) if known.password.expose_secret() == password.expose_secret() => Ok(()),
            Some(_) => Err(SwapProposalError::OtherPassword),
            None if registered.len() >= MAX_PROPOSALS => Err(SwapProposalError::TooMany),
            None => {
                let _subscription = service.subscribe(id, self.news.clone());
                registered.push(Registered { id: id.to_owned(), password, _subscription });
                Ok(())
            }
        }
    }
    fn check_room(&self) -> Result<(), SwapProposalError> {
        let is_full = lock(&self.registered).len() >= MAX_PROPOSALS;
        if is_full { Err(SwapProposalError::TooMany) } else { Ok(()) }
    }
}

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

fn check_password(password: &SecretString) -> Result<(), SwapProposalError> {
    let is_long = password.expose_secret().encode_utf16().count() >= MIN_PASSWORD;
    if is_long { Ok(()) } else { Err(SwapProposalError::ShortPassword) }
}
