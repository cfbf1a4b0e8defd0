//! A wallet for the Hathor Network, written once and used three ways: in a browser page and by `import` in
//! Node (WebAssembly), and as a native HTTP server (feature `native`).
//!
//! # The house
//!
//! A module uses only modules on floors below its own: `tests/house.rs` enforces this.
//!
//! ```text
//! floor 9   main.rs   cli/   keys_entry.rs       the binary: parse, build, run(listener, shutdown); the command line; the npm
//!                                                package's entry for keys alone
//! floor 8   server/   wasm/   devnet/            entry points: HTTP; JavaScript; a local network to run against
//! floor 7   operations/                          what each operation on a wallet does, for every entry point
//! floor 6   service/                             a running wallet: sync loop, send pipeline, idempotency
//! floor 5   store/                               keeping a wallet's changes; which server runs an account
//! floor 4   wallet/   api/    node/              state machine without I/O; the interface as types; clients of the full node and
//!           signer/                              the mining service; keys in a process of their own
//! floor 3   keys/     net/    template/          who may sign; HTTP and sockets; the language of templates;
//!           limits/   nano_args.rs               limits on spending; arguments of contracts' methods in JSON
//! floor 2   ledger/                              what the bytes mean
//! floor 1   rt.rs  json.rs  calendar.rs          time, sleep and tasks; untrusted JSON; dates; files that no other user
//!           trusted_file.rs                      can write
//! ```

// In pages there are no threads, and what JavaScript gives is for none.
#![cfg_attr(target_arch = "wasm32", allow(clippy::arc_with_non_send_sync))]

pub mod api;
pub mod calendar;
#[cfg(feature = "native")]
pub mod devnet;
pub mod json;
pub mod keys;
pub mod ledger;
pub mod limits;
pub mod nano_args;
pub mod net;
pub mod node;
pub mod operations;
pub mod rt;
#[cfg(feature = "native")]
pub mod server;
pub mod service;
#[cfg(feature = "native")]
pub mod signer;
pub mod store;
pub mod template;
#[cfg(feature = "native")]
pub mod trusted_file;
pub mod wallet;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
