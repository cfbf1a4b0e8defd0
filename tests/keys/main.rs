//! The keys: words, accounts, multisig and signatures against the reference wallet's vectors.
//!
//! Left out of `addresses.json`: `shielded_later` and `wallet_service_auth_*`, whose keys nothing here
//! derives yet. `address_validation` is the ledger's.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

mod accounts;
mod bip32;
mod multisig;
mod secrecy;
mod signatures;
mod vault;
mod vectors;
mod words;
