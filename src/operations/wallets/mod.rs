//! Starting and stopping wallets.

mod addresses;
#[cfg(feature = "native")]
mod multisig_pubkey;
#[cfg(feature = "native")]
mod running;
#[cfg(feature = "native")]
mod start;

pub use addresses::*;
#[cfg(feature = "native")]
pub use multisig_pubkey::*;
#[cfg(feature = "native")]
pub use running::*;
#[cfg(feature = "native")]
pub use start::*;
