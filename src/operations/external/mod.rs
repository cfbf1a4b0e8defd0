//! Transactions that are built here and signed outside of the wallet.

mod build_tx;
mod signatures;
mod signing_file;

pub use build_tx::*;
pub use signatures::*;
pub use signing_file::*;
