//! Wallets that run against a local network, and what they do when it misbehaves.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

mod ahead;
#[path = "../common/alone.rs"]
mod alone;
mod amounts_v2;
mod calls;
mod clock;
mod damage;
mod deposits;
mod faults;
mod features;
mod ledgers;
mod liar;
mod limits;
mod many;
mod mining;
mod names;
mod once;
mod pool;
mod proxy;
mod remote_signer;
mod remote_signer_several;
mod reorder;
mod restart;
mod resume;
mod rig;
mod same_account;
mod sends;
mod shared;
mod signer;
mod signer_rules;
mod signer_strangers;
mod signing_file;
mod steps;
mod store;
mod survival;
mod sync;
mod tap;
mod whole;
mod wrong_miner;
