//! The local network's ledger: what it takes, what it refuses and with which words, and how it settles
//! conflicts.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod blocks;
mod conflicts;
mod events;
mod genesis;
mod properties;
mod refusals;
mod scripts;
mod support;
mod tokens;
mod vectors;
