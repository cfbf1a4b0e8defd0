//! Seed phrases that are stored sealed, and opened while the server runs.
//!
//! They are in a document of the server's store, each sealed separately
//! ([`seal_vault`](crate::keys::seal_vault)) with one password for all of them. Opened ones are only in
//! memory, until the server ends.

mod chest;
mod opened;
#[cfg(unix)]
mod socket;

pub use chest::{Chest, MIN_PASSWORD, SealedSeed, SeedError, add, change_password, read, remove, rename};
pub use opened::{Opened, SealedSeeds};
#[cfg(unix)]
pub use socket::{Unlock, UnlockSocket, listen};
