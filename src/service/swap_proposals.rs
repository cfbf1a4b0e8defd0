//! A wallet's proposals at the swap service, with their passwords, and the service's notifications. They are
//! forgotten when the wallet is stopped.

use super::account::live_state::lock;
use crate::node::{SwapNews, SwapService, SwapServiceError, SwapSubscription};
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
    pub(super) registered: Mutex<Vec<Registered>>,
    pub(super) news: broadcast::Sender<SwapNews>,
}

pub(super) struct Registered {
    pub(super) id: String,
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
    pub(super) fn service(&self) -> Result<&SwapService, SwapProposalError> {
        self.service.as_ref().ok_or(SwapProposalError::NoService)
    }
    pub(super) fn password(&self, id: &str) -> Result<SecretString, SwapProposalError> {
        let registered = lock(&self.registered);
        let known = registered.iter().find(|known| known.id == id);
        known.map(|known| known.password.clone()).ok_or(SwapProposalError::NotRegistered)
    }
    /// Keeps the password of a new proposal and subscribes to its changes.
    pub(super) fn keep(&self, id: &str, password: SecretString) -> Result<(), SwapProposalError> {
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
    pub(super) fn check_room(&self) -> Result<(), SwapProposalError> {
        let is_full = lock(&self.registered).len() >= MAX_PROPOSALS;
        if is_full { Err(SwapProposalError::TooMany) } else { Ok(()) }
    }
}

pub(super) fn check_password(password: &SecretString) -> Result<(), SwapProposalError> {
    let is_long = password.expose_secret().encode_utf16().count() >= MIN_PASSWORD;
    if is_long { Ok(()) } else { Err(SwapProposalError::ShortPassword) }
}
