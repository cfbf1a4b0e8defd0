//! Keeping a wallet's changes, so that a later start need not ask for everything again. No secret ever gets here.

mod memory;

pub use memory::MemoryStore;

use crate::rt::SendOutsideWasm;
use crate::wallet::ChangeSet;

/// A place for one wallet's change sets: it only appends and loads.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait Store: SendOutsideWasm + SyncOutsideWasm {
    /// Everything appended so far, merged in order.
    async fn load(&self) -> Result<ChangeSet, StoreError>;
    /// Adds `changes`; kept once this returns.
    async fn append(&self, changes: ChangeSet) -> Result<(), StoreError>;
}

/// `Sync` where tasks move between threads, nothing on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub trait SyncOutsideWasm: Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Sync + ?Sized> SyncOutsideWasm for T {}
/// `Sync` where tasks move between threads, nothing on wasm32.
#[cfg(target_arch = "wasm32")]
pub trait SyncOutsideWasm {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> SyncOutsideWasm for T {}

/// The store can't be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("store: {0}")]
pub struct StoreError(pub String);
