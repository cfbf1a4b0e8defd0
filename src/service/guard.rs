//! Guards, which decide what may be signed for a caller, and a wallet's signer. Nothing is signed without a
//! decision: [`WalletSigner::signatures`] takes an [`Admitted`], which only [`Admitted::by`] makes.

use super::error::SendError;
use crate::keys::{Purpose, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign};
use crate::ledger::Transaction;
use crate::limits::{Effects, PaymentId};
use crate::rt::{BoxFuture, SendOutsideWasm, SyncOutsideWasm};
use std::sync::Arc;

/// The texts are for the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Outright(String),
    #[error("{0}")]
    Unapproved(String),
}

/// Identifies a request and its repetitions, and detects a key that is used for another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendKey {
    /// A hash of the key and the account: the same for all repetitions.
    pub name: [u8; 32],
    pub request: [u8; 32],
}

#[derive(Clone, Copy, Debug)]
pub enum ToAdmit<'a> {
    Transaction {
        purpose: Purpose,
        /// Its effects on the wallet.
        effects: &'a Effects,
        /// The id under which it is counted.
        id: PaymentId,
    },
    Statement(Purpose),
}

/// A guard's decision that something may be signed for a purpose.
#[derive(Debug)]
pub(super) struct Admitted(Purpose);

impl Admitted {
    /// Asks the guard, if there is one. What is admitted counts as spent from then on.
    pub(super) async fn by(guard: &Guarded, what: ToAdmit<'_>) -> Result<Self, Refused> {
        if let Some(guard) = guard {
            guard.admit(what).await?;
        }
        let (ToAdmit::Transaction { purpose, .. } | ToAdmit::Statement(purpose)) = what;
        Ok(Self(purpose))
    }
}

#[derive(Debug)]
pub struct Awaiting<'a> {
    /// Without signatures; an approved plan is signed unchanged.
    pub transaction: &'a Transaction,
    pub effects: &'a Effects,
    /// The key of the request, if it has one.
    pub key: Option<SendKey>,
    /// For the caller.
    pub why: &'a str,
    /// The end of the wait, in Unix seconds.
    pub until: u32,
}

/// Decides on everything that is to be signed for a caller.
pub trait Guard: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// Whether something may be signed. A transaction counts as spent from then on, once, however often it is
    /// asked for: whoever has signatures can send it.
    fn admit<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>>;
    /// The result [`Guard::admit`] would have. Nothing is counted.
    fn look<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>>;
    /// An admitted transaction was not sent: it no longer counts.
    fn take_back(&self, id: PaymentId) -> BoxFuture<'_, ()>;
    /// Adds a plan to those that wait for approval. Returns its id.
    fn ask<'a>(&'a self, plan: Awaiting<'a>) -> BoxFuture<'a, Result<String, Refused>>;
    /// Fails if a plan for this key waits for approval or was denied.
    fn asked_before(&self, key: SendKey) -> BoxFuture<'_, Result<(), SendError>>;
    /// Whether the caller may still have something recorded and pushed: its key may have been revoked.
    fn still_holds(&self) -> Result<(), Refused>;
}

pub(super) type Guarded = Option<AnyGuard>;

/// Only servers have guards: other builds compile nothing for them.
#[cfg(feature = "native")]
pub(super) type AnyGuard = std::sync::Arc<dyn Guard>;
#[cfg(not(feature = "native"))]
#[derive(Clone)]
pub(super) enum AnyGuard {}

#[cfg(not(feature = "native"))]
impl std::ops::Deref for AnyGuard {
    type Target = dyn Guard;
    fn deref(&self) -> &dyn Guard {
        match *self {}
    }
}

pub(super) struct WalletSigner(Arc<dyn Signer>);

impl WalletSigner {
    pub(super) const fn new(signer: Arc<dyn Signer>) -> Self {
        Self(signer)
    }

    pub(super) fn account(&self) -> SignerAccount {
        self.0.account()
    }

    pub(super) fn is_in_memory(&self) -> bool {
        self.0.is_in_memory()
    }

    pub(super) async fn signatures(
        &self,
        Admitted(purpose): Admitted,
        what: ToSign<'_>,
        (digest, salt): ([u8; 32], &[u8]),
    ) -> Result<Vec<Signature>, SignerError> {
        self.0.sign(SigningRequest { what, purpose, digest, salt }).await
    }
}

impl From<Refused> for SendError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Forbidden(why) => Self::Forbidden(why),
            Refused::Outright(why) => Self::Limit(why),
            Refused::Unapproved(why) => Self::Unapproved(why),
        }
    }
}
