//! What a wallet has, and what became of it.

mod address;
mod balance;
mod history;
#[cfg(feature = "native")]
mod token;
mod utxos;

pub use address::*;
pub use balance::*;
pub use history::*;
#[cfg(feature = "native")]
pub use token::*;
pub use utxos::*;
