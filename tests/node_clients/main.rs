//! The clients of full node and mining service, against recorded answers of the real ones and against a
//! server that misbehaves on command.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

#[cfg(feature = "native")]
mod amounts_v2;
mod connection_pool;
#[cfg(feature = "native")]
mod faults;
mod history;
mod mining;
mod nano;
mod parents;
mod push;
mod recorded;
mod rt;
mod server;
mod socket;
