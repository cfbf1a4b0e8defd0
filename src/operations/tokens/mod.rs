//! Tokens are created, minted and melted.

mod create_nft;
mod create_token;
mod melt;
mod mint;
mod supply;

pub use create_nft::*;
pub use create_token::*;
pub use melt::*;
pub use mint::*;
pub(crate) use supply::*;
