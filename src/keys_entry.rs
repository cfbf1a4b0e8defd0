//! The entry `headless-wallet/keys` of the npm package: words, addresses, signatures of messages, and checks
//! of texts, without a network. It is a WebAssembly file of its own, a seventh of the size of the other,
//! made of the very same modules.
#![allow(dead_code, unreachable_pub, unused_imports, reason = "of these modules, not everything is needed here")]

pub mod keys;
pub mod ledger;
pub mod rt;

mod wasm {
    mod account;
    mod address;
    mod answer;
    mod configuration;
    mod failure;
    mod js_arg;
    mod message;
    mod mnemonic;
    mod panics;
    mod secrets;
}
