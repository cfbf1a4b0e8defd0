//! What stands before a wallet's signer: limits on what may be spent, and whether who asked may still ask.

use super::inner::Inner;
use super::pushing::PushObserver;
use super::{SendError, SendKey, Wallet};
use crate::ledger::{Transaction, VertexId};
use crate::limits::{Effects, PaymentId};
use crate::node::CallError;
use crate::rt::{BoxFuture, SendOutsideWasm, SyncOutsideWasm};

/// Why it is not done, in words for who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Whatever anybody says.
    Outright(String),
    /// Without approval.
    Unapproved(String),
}

impl Refused {
    /// The words.
    pub fn why(self) -> String {
        match self {
            Self::Outright(why) | Self::Unapproved(why) => why,
        }
    }
}

/// A plan that is to wait for approval.
#[derive(Debug)]
pub struct Awaiting<'a> {
    /// Not signed: whatever is approved, is signed like this.
    pub transaction: &'a Transaction,
    #[allow(missing_docs)]
    pub effects: &'a Effects,
    /// What tells the request from others, if it had a key.
    pub key: Option<SendKey>,
    /// What its caller is told.
    pub why: &'a str,
    /// When it ends, in Unix seconds.
    pub until: u32,
}

/// Looks at each transaction that is to be signed for somebody.
pub trait Guard: SendOutsideWasm + SyncOutsideWasm + 'static {
    /// Whether a transaction may be signed. It counts as spent from then on, once, however often it is asked
    /// for: whoever has signatures can send it.
    fn admit<'a>(&'a self, effects: &'a Effects, id: PaymentId) -> BoxFuture<'a, Result<(), Refused>>;
    /// What [`Guard::admit`] would say. Nothing is counted.
    fn look<'a>(&'a self, effects: &'a Effects, id: PaymentId) -> BoxFuture<'a, Result<(), Refused>>;
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

/// Servers alone have guards: elsewhere there is none, and what would be asked of it is not compiled.
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

impl Wallet {
    /// The same wallet, for somebody whose requests are looked at: whatever is signed by way of it.
    #[cfg(feature = "native")]
    #[must_use]
    pub fn guarded(&self, guard: AnyGuard) -> Self {
        Self { inner: self.inner.clone(), guard: Some(guard) }
    }

    /// The same wallet, for the process itself, which keeps it longer than who asked for it is there.
    #[must_use]
    pub fn unguarded(&self) -> Self {
        Self { inner: self.inner.clone(), guard: None }
    }

    /// Looks at what would be sent.
    pub(super) async fn look_by_guard(&self, transaction: &Transaction) -> Result<(), SendError> {
        let Some(guard) = &self.guard else { return Ok(()) };
        let (effects, id) = (self.inner.effects(transaction), transaction.sighash()?);
        guard.look(&effects, id).await.map_err(SendError::from)
    }
}

impl Inner {
    /// What a transaction does to this wallet.
    pub(super) fn effects(&self, transaction: &Transaction) -> Effects {
        let state = self.state.read();
        let own = |spends| state.output(spends).filter(|output| state.paid_index(&output.script).is_some());
        Effects::of(transaction, self.backend.network, own, |script| state.paid_index(script).is_some())
    }
}

impl From<Refused> for SendError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Outright(why) => Self::Limit(why),
            Refused::Unapproved(why) => Self::Unapproved(why),
        }
    }
}

/// Has nothing recorded, and so nothing pushed, for somebody who may not ask for it any more.
pub(super) struct WhileHeld(Box<dyn PushObserver>, AnyGuard);

impl WhileHeld {
    pub(super) fn over(observer: Box<dyn PushObserver>, guard: &Guarded) -> Box<dyn PushObserver> {
        match guard.clone() {
            Some(guard) => Box::new(Self(observer, guard)),
            None => observer,
        }
    }
}

impl PushObserver for WhileHeld {
    fn salt(&self) -> &[u8] {
        self.0.salt()
    }
    fn key(&self) -> Option<SendKey> {
        self.0.key()
    }
    fn pushed_before(&self) -> bool {
        self.0.pushed_before()
    }
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        self.0.unknown(id, cause)
    }
    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            // What may have been pushed before is brought to its end all the same.
            if !self.0.pushed_before() {
                self.1.still_holds()?;
            }
            self.0.before_push(transaction).await
        })
    }
}
