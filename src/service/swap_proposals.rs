//! The proposals at the swap service that a wallet has to do with, their passwords, and what the service
//! tells of them. They are forgotten when the wallet is stopped.

use super::Wallet;
use super::account::live_state::lock;
use crate::node::{SwapNews, SwapProposal, SwapService, SwapServiceError, SwapSubscription, SwapUpdate};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Mutex;
use tokio::sync::broadcast;

/// Most proposals that a wallet can be registered for.
const MAX_PROPOSALS: usize = 10_000;
/// Fewest characters of a password, in UTF-16 as JavaScript counts them.
const MIN_PASSWORD: usize = 3;
/// News that a listener may be behind before it is told that it missed some.
const NEWS_KEPT: usize = 256;

/// The swap service of a wallet, and its proposals there.
pub(super) struct SwapProposals {
    pub(super) service: Option<SwapService>,
    /// In the order of registration.
    registered: Mutex<Vec<Registered>>,
    news: broadcast::Sender<SwapNews>,
}

struct Registered {
    id: String,
    password: SecretString,
    /// The wallet is told of changes as long as it is registered.
    _subscription: SwapSubscription,
}

/// Why a proposal at the swap service is not read or changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SwapProposalError {
    /// The wallet has none.
    #[error("this wallet has no swap service: `atomic_swap_service` must have its address")]
    NoService,
    /// The wallet is not registered for it.
    #[error("Proposal is not registered. Register it first.")]
    NotRegistered,
    /// It is registered with another password.
    #[error("Incorrect password")]
    OtherPassword,
    /// A password that is too easily guessed.
    #[error("Password must have at least {MIN_PASSWORD} characters")]
    ShortPassword,
    /// A change must say which version it is of.
    #[error("Missing mandatory parameters: version")]
    NoVersion,
    /// The service gave a new proposal the id of another.
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
    /// Keeps the password of a proposal for which it is not registered yet, and has changes told.
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
    /// Whether it has a swap service.
    pub fn has_swap_service(&self) -> bool {
        self.inner.swaps.service.is_some()
    }

    /// Follows what the service tells of the proposals that it is registered for.
    pub fn swap_news(&self) -> broadcast::Receiver<SwapNews> {
        self.inner.swaps.news.subscribe()
    }

    /// The ids of the proposals that it is registered for, in the order of registration.
    pub fn swap_proposals(&self) -> Vec<String> {
        lock(&self.inner.swaps.registered).iter().map(|known| known.id.clone()).collect()
    }

    /// Registers for a proposal, if that can be read with the password.
    ///
    /// # Errors
    /// [`SwapProposalError`] says why it can't be read.
    pub async fn register_swap(&self, id: &str, password: SecretString) -> Result<(), SwapProposalError> {
        let swaps = &self.inner.swaps;
        if let Ok(known) = swaps.password(id) {
            let is_same = known.expose_secret() == password.expose_secret();
            return if is_same { Ok(()) } else { Err(SwapProposalError::OtherPassword) };
        }
        swaps.check_room()?;
        swaps.service()?.proposal(id, &password).await?;
        // Another request may have registered for it meanwhile.
        swaps.keep(id, password)
    }

    /// Whether it is registered for a proposal.
    pub fn knows_swap(&self, id: &str) -> bool {
        self.inner.swaps.password(id).is_ok()
    }

    /// Is not registered for a proposal any more. The service keeps it.
    pub fn forget_swap(&self, id: &str) {
        lock(&self.inner.swaps.registered).retain(|known| known.id != id);
    }

    /// A proposal that it is registered for, as it is now.
    ///
    /// # Errors
    /// [`SwapProposalError`]; of one that the service has no more, it is not registered for any more.
    pub async fn swap_proposal(&self, id: &str) -> Result<SwapProposal, SwapProposalError> {
        let service = self.inner.swaps.service()?;
        let password = self.inner.swaps.password(id)?;
        let found = service.proposal(id, &password).await;
        if let Err(SwapServiceError::NotFound(_)) = found {
            self.forget_swap(id);
        }
        Ok(found?)
    }

    /// Has the service keep a proposal, registers for it, and gives its id.
    ///
    /// # Errors
    /// [`SwapProposalError`] says why it is not kept.
    pub async fn create_swap(
        &self,
        partial_tx: &str,
        password: SecretString,
    ) -> Result<String, SwapProposalError> {
        let swaps = &self.inner.swaps;
        check_password(&password)?;
        swaps.check_room()?;
        let id = swaps.service()?.create(partial_tx, &password).await?;
        // What is registered already is another proposal, whatever its password.
        if self.knows_swap(&id) {
            return Err(SwapProposalError::IdTaken(id));
        }
        swaps.keep(&id, password)?;
        Ok(id)
    }

    /// Changes a proposal that it is registered for.
    ///
    /// # Errors
    /// [`SwapProposalError`] says why it is not changed.
    pub async fn update_swap(&self, id: &str, update: SwapUpdate<'_>) -> Result<(), SwapProposalError> {
        let service = self.inner.swaps.service()?;
        let password = self.inner.swaps.password(id)?;
        Ok(service.update(id, &password, update).await?)
    }
}

/// Whether a password is long enough for a new proposal.
fn check_password(password: &SecretString) -> Result<(), SwapProposalError> {
    let is_long = password.expose_secret().encode_utf16().count() >= MIN_PASSWORD;
    if is_long { Ok(()) } else { Err(SwapProposalError::ShortPassword) }
}
