//! A signer in a process of its own: the protocol on its socket ([`Asked`], `docs/signer.md`), its own
//! judgement of what it is to sign ([`judge`]), its limits ([`Limits`], [`Spent`]), and the wallet's side
//! ([`RemoteSigner`]).
//!
//! The process trusts nobody: a transaction comes with the previous transactions of its inputs, whose hashes
//! are their ids, and an output is change only if the process's own keys say so. Fireblocks and PKCS#11
//! tokens sign as well ([`FireblocksSigner`], [`TokenSigner`]), and see only hashes.

mod client;
mod fireblocks;
mod inspect;
mod limits;
mod listen;
mod policy;
mod serve;
mod token;
mod token_keys;
mod wire;

pub use client::{PATIENCE, RemoteSigner, SignerPlace};
pub use fireblocks::{Fireblocks, FireblocksSigner};
pub use inspect::{Inspected, inspect};
pub use limits::{Allowed, Limits, SettingsError, Spent, TokenLimit};
pub use listen::{Listener, Listening, listen};
pub use policy::{Breach, Does, Shown, To, judge};
pub use serve::{SeedKeys, SignerServer};
pub use token::{PinSource, TokenError, TokenName, TokenPlace};
pub use token_keys::{MOST_TOKEN_KEYS, TokenSigner, add_token_key, token_keys};
pub use wire::{
    Answer, Ask, Asked, Hex, MAX_ANSWER, MAX_QUESTION, Several, VERSION, What, read_frame, write_frame,
};
