//! Transactions given as hexadecimal text.

mod decode;
mod push;
mod select_utxos;

pub use decode::*;
pub use push::*;
pub use select_utxos::*;
