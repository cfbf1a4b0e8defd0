//! What sends a transaction of the wallet.

mod consolidate;
mod send_tx;
mod simple_send;

pub use consolidate::*;
pub use send_tx::*;
pub use simple_send::*;
