//! The wallet for JavaScript: `#[wasm_bindgen]` wrappers of [`crate::service`] and of the helpers that need
//! no network.
//!
//! Methods take whatever they are given ([`given`], [`shape`]), hold `&self` only, and borrow nothing across
//! an await; answers are those of the HTTP interface ([`answer`]), errors are real `Error`s ([`failure`]).
//! What TypeScript is told stands in `types.d.ts`, in `methods.d.ts`, `requests.d.ts`, `answers.d.ts`,
//! `options.d.ts` and `errors.d.ts`, which are made of the declarations in [`crate::api`], and in the
//! attributes of the methods. How the file gets into Node, a page or a bundler is in `pkg-template/`.
//!
//! ```js
//! import { Wallet } from "headless-wallet";
//!
//! const wallet = await Wallet.start({ network: "testnet", nodeUrl, miningUrl, seed });
//! wallet.on("tx", ({ tx }) => console.log(tx.tx_id));
//! console.log((await wallet.balance()).available); // 1500n: cents
//! ```

mod account;
mod address;
mod answer;
mod calls;
mod configuration;
mod events;
mod failure;
mod js_arg;
mod message;
mod mnemonic;
mod panics;
mod push_records;
mod secrets;
mod shape;
mod signer;
mod start;
mod store;
mod tokens;
mod transaction;
mod vault;
mod wallet;
mod wallet_failure;

pub use account::{Account, derive_addresses};
pub use address::check_address;
pub use configuration::{configuration_string, parse_configuration_string};
pub use message::verify_message;
pub use mnemonic::{check_mnemonic, generate_mnemonic, validate_mnemonic, word_list};
pub use transaction::decode_transaction;
pub use vault::{open_secret, seal_secret};
pub use wallet::Wallet;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const METHODS: &str = include_str!("methods.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const REQUESTS: &str = include_str!("requests.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const ANSWERS: &str = include_str!("answers.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = include_str!("options.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const ERRORS: &str = include_str!("errors.d.ts");
