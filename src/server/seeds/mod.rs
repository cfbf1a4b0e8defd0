//! Seed phrases that are stored sealed, and opened while the server runs.
//!
//! They are in a document of the server's store, each sealed separately
//! ([`seal_vault`](crate::keys::seal_vault)) with one password for all of them. Opened ones are only in
//! memory, until the server ends.

mod opened;
#[cfg(unix)]
mod socket;
mod store;

pub use opened::{Opened, SealedSeeds};
#[cfg(unix)]
pub use socket::{Unlock, UnlockSocket, listen};
pub use store::{MIN_PASSWORD, SealedSeed, SeedError, SeedStore, add, change_password, read, remove, rename};
