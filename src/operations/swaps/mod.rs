//! Atomic swaps.

mod at_service;
mod propose;
mod sign;

pub use at_service::*;
pub use propose::*;
pub use sign::*;
