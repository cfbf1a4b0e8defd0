//! Keeping a wallet's changes: every backend, the encoding, the command line, and processes that are killed.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

mod accounts;
mod backends;
mod breaker;
#[path = "../common/postgres.rs"]
mod cluster;
mod cluster_kill;
mod cluster_soak;
mod commands;
mod encoding;
mod event_log;
mod fence;
mod files;
mod given;
mod kill;
mod moving;
mod postgres;
mod process;
mod rolling;
mod spending;
mod spending_model;
mod takeover;
