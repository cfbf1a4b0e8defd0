//! Transactions of wallets of several participants.

mod propose;
mod sign;

pub use propose::*;
pub use sign::*;
