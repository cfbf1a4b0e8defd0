//! Guards, which decide what may be signed for a caller, and the signer of a wallet. Nothing is signed
//! without a decision: [`WalletSigner::signatures`] takes an [`Admitted`], and only [`Admitted::by`] makes
//! one.

use super::{SendError, SendKey};
use crate::keys::{Purpose, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign};
use crate::ledger::Transaction;
use crate::limits::{Effects, PaymentId};
use crate::rt::{BoxFuture, SendOutsideWasm, SyncOutsideWasm};
use std::sync::Arc;

/// Why it is not done, in words for who asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Whoever asks lacks a right.
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Outright(String),
    #[error("{0}")]
    Unapproved(String),
}

/// What is to be signed, as a guard looks at it.
#[derive(Clone, Copy, Debug)]
pub enum ToAdmit<'a> {
    Transaction {
        purpose: Purpose,
        /// What it does to the wallet.
        effects: &'a Effects,
        /// What it is counted as.
        id: PaymentId,
    },
    /// Anything else: a message, what an oracle says.
    Statement(Purpose),
}

/// The decision of a guard that something may be signed for a purpose. [`Admitted::by`] alone makes one.
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

/// A plan that is to wait for approval.
#[derive(Debug)]
pub struct Awaiting<'a> {
    /// Not signed: whatever is approved, is signed like this.
    pub transaction: &'a Transaction,
    pub effects: &'a Effects,
    /// What tells the request from others, if it had a key.
    pub key: Option<SendKey>,
    /// What its caller is told.
    pub why: &'a str,
    /// When it ends, in Unix seconds.
    pub until: u32,
}

/// Looks at everything that is to be signed for somebody.
pub trait Guard: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// Whether something may be signed. A transaction counts as spent from then on, once, however often it is
    /// asked for: whoever has signatures can send it.
    fn admit<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>>;
    /// What [`Guard::admit`] would say. Nothing is counted.
    fn look<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>>;
    /// A transaction that was admitted here was not sent: it no longer counts.
    fn take_back(&self, id: PaymentId) -> BoxFuture<'_, ()>;
    /// Has a plan wait for approval, and gives what that is called.
    fn ask<'a>(&'a self, plan: Awaiting<'a>) -> BoxFuture<'a, Result<String, Refused>>;
    /// Whether a plan waits for approval that was made for this key, or was denied.
    fn asked_before(&self, key: SendKey) -> BoxFuture<'_, Result<(), SendError>>;
    /// Whether who asked may still have something recorded and pushed.
    ///
    /// # Errors
    /// Why not.
    fn still_holds(&self) -> Result<(), Refused>;
}

/// One, if there is any.
pub(super) type Guarded = Option<AnyGuard>;

/// Only servers have guards: other builds have none, and compile nothing that would ask it.
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

/// What signs for a wallet.
pub(super) struct WalletSigner(Arc<dyn Signer>);

impl WalletSigner {
    pub(super) const fn new(signer: Arc<dyn Signer>) -> Self {
        Self(signer)
    }

    /// Whose keys it has.
    pub(super) fn account(&self) -> SignerAccount {
        self.0.account()
    }

    /// Whether the keys are in this process's memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.0.is_in_memory()
    }

    /// The signatures of what was admitted.
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
