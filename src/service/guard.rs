//! A wallet with a guard, for somebody whose requests are looked at.

use super::admission::{AnyGuard, Guarded, ToAdmit};
use super::inner::Inner;
use super::pushing::PushObserver;
use super::{SendError, SendKey, Wallet};
use crate::keys::Purpose;
use crate::ledger::{Transaction, VertexId};
use crate::limits::Effects;
use crate::node::CallError;
use crate::rt::BoxFuture;

impl Wallet {
    /// The same wallet, for somebody whose requests are looked at: whatever is signed by way of it.
    #[cfg(feature = "native")]
    #[must_use]
    pub fn guarded(&self, guard: AnyGuard) -> Self {
        Self { guard: Some(guard), ..self.clone() }
    }

    /// The same wallet, for the process itself, which keeps it longer than who asked for it is there.
    #[must_use]
    pub fn unguarded(&self) -> Self {
        Self { guard: None, ..self.clone() }
    }
}

impl Inner {
    /// Looks at what would be sent. Nothing is counted.
    pub(super) async fn look_by_guard(
        &self,
        guard: &Guarded,
        transaction: &Transaction,
    ) -> Result<(), SendError> {
        let Some(guard) = guard else { return Ok(()) };
        let (effects, id) = (&self.effects(transaction), transaction.sighash()?);
        let what = ToAdmit::Transaction { purpose: Purpose::Send, effects, id };
        guard.look(what).await.map_err(SendError::from)
    }

    /// What a transaction does to this wallet.
    pub(super) fn effects(&self, transaction: &Transaction) -> Effects {
        let state = self.read();
        let own = |spends| state.output(spends).filter(|output| state.paid_index(&output.script).is_some());
        Effects::of(transaction, self.backend.network, own, |script| state.paid_index(script).is_some())
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
