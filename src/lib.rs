//! A wallet for the Hathor Network, written once and used three ways: in a browser page and by `import` in Node
//! (WebAssembly), and as a native HTTP server (feature `native`).
//!
//! # The house
//!
//! A room knows only rooms on floors below its own.
//!
//! ```text
//! floor 6   main.rs                              the binary: parse, build, run(listener, shutdown)
//! floor 5   server/   wasm/   devnet/            ways in: HTTP; JavaScript; a local network to run against
//! floor 4   service/                             a running wallet: sync loop, send pipeline, registry of wallets
//! floor 3   node/            store/              clients of full node and mining service; keeping a wallet's changes
//! floor 2   wallet/    net/    api/              state machine without I/O; HTTP and sockets; the interface as types
//! floor 1   ledger/  keys/  json.rs              what the bytes mean; who may sign; what strangers write
//!           rt.rs  calendar.rs                   time, sleep and tasks; dates
//! ```

pub mod api;
#[cfg(feature = "native")]
pub mod calendar;
#[cfg(feature = "native")]
pub mod devnet;
pub mod json;
pub mod keys;
pub mod ledger;
pub mod net;
pub mod node;
pub mod rt;
#[cfg(feature = "native")]
pub mod server;
pub mod service;
pub mod store;
pub mod wallet;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
