//! A signer in a process of its own: what it is asked over a socket ([`Asked`], `docs/signer.md`), what it
//! finds out by itself of what it is to sign ([`judge`]), what it may sign ([`Limits`], [`Spent`]), and the
//! side of it that a wallet asks ([`RemoteSigner`]).
//!
//! The process of its own takes nobody's word: a transaction comes with the previous transactions of its
//! inputs, whose hashes are their ids, and an output is change only if its own keys say so. Fireblocks and
//! tokens of PKCS#11 sign as well ([`FireblocksSigner`], [`TokenSigner`]), and see hashes alone.

mod breach;
mod client;
mod few;
mod fireblocks;
mod inspect;
mod judge;
mod limits;
mod listen;
mod place;
mod rarely;
mod serve;
mod spent;
mod token;
mod token_keys;
mod token_module;
mod unnamed;
mod wire;

pub use breach::{Breach, To};
pub use client::{PATIENCE, RemoteSigner};
pub use fireblocks::{Fireblocks, FireblocksSigner};
pub use inspect::{Inspected, inspect};
pub use judge::{Does, Shown, judge};
pub use limits::{Allowed, Limits, SettingsError, TokenLimit};
pub use listen::{Listener, Listening, listen};
pub use place::SignerPlace;
pub use serve::{SeedKeys, SignerServer};
pub use spent::Spent;
pub use token::{PinSource, TokenError, TokenName, TokenPlace};
pub use token_keys::{MOST_TOKEN_KEYS, TokenSigner, add_token_key, token_keys};
pub use wire::{
    Answer, Ask, Asked, Hex, MAX_ANSWER, MAX_QUESTION, Several, VERSION, What, read_frame, write_frame,
};
