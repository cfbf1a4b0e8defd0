//! Nano contracts.

mod blueprint;
mod call;
mod queries;

pub use blueprint::*;
pub use call::*;
pub use queries::*;
