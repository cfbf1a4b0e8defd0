//! Who may sign: words, account keys, addresses, signatures. Secrets wipe themselves and never print.

mod account;
mod bip32;
mod mnemonic;
mod multisig;
mod signature;

pub use account::{AccountKeys, AccountPublic, KeyError};
pub use mnemonic::{Mnemonic, MnemonicError};
pub use multisig::{MultisigError, MultisigPublic};
pub use signature::{SignatureError, sign_digest, sign_message, verify_digest, verify_message};
