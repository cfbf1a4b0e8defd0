//! Wallets that run against a local network, and what they do when it misbehaves.
#![cfg(feature = "native")]

mod faults;
mod limits;
mod reorder;
mod restart;
mod rig;
mod sends;
