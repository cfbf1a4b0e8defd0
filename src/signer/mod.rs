//! A signer in a process of its own: what it is asked over a socket ([`Asked`], `docs/signer.md`), what it
//! finds out by itself of what it is to sign ([`judge`]), what it may sign ([`Limits`], [`Spent`]), and the
//! side of it that a wallet asks ([`RemoteSigner`]).
//!
//! The process of its own takes nobody's word: a transaction comes with the previous transactions of its
//! inputs, whose hashes are their ids, and an output is change only if its own keys say so. Fireblocks and
//! tokens of PKCS#11 sign as well ([`FireblocksSigner`], [`TokenSigner`]), and see hashes alone.

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
