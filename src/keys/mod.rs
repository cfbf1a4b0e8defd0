//! Keys: seed phrases, account keys, addresses, signatures. Secrets wipe themselves and never print.
//!
//! ```
//! use headless_wallet::keys::{AccountKeys, Mnemonic, MnemonicError};
//! use headless_wallet::ledger::{Address, Network};
//!
//! let words = Mnemonic::parse(&["abandon ".repeat(23), "art".into()].concat())?;
//! let account = AccountKeys::from_mnemonic(&words, "").public();
//! let addresses: Vec<String> = account
//!     .key_hashes(0..20)
//!     .into_iter()
//!     .map(|hash| Address::p2pkh(Network::Mainnet, hash).to_string())
//!     .collect();
//! assert_eq!(addresses[0], "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq");
//! # Ok::<(), MnemonicError>(())
//! ```

mod account;
mod address_keys;
mod batch_add;
mod bip32;
mod mnemonic;
mod multisig;
mod signature;
mod signer;
mod signing_file;
mod vault;

pub use account::{ACCOUNT_PATH, ADDRESS_INDEXES, AccountKeys, AccountPublic, KeyError, Seed};
pub use address_keys::{AddressKeys, KeyList};
pub use mnemonic::{Mnemonic, MnemonicError, WordsCheck};
pub use multisig::{
    MULTISIG_ACCOUNT_PATH, MultisigError, MultisigKeys, MultisigPublic, MultisigSignatures,
    ParseSignaturesError, account_key_of,
};
pub use signature::{
    InputError, MAX_MESSAGE_BYTES, SignatureError, check_input, is_signed, message_digest, message_fits,
    sign_digest, sign_message, signed_message, verify_digest, verify_message,
};
pub use signer::{
    Previous, Purpose, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign,
    TransactionFacts, TransactionToSign, Unasked,
};
pub use signing_file::{BadFile, FileInput, FileSignature, MAX_LABEL_CHARS, SigningFile};
pub use vault::{
    VaultError, open as open_vault, open_for as open_vault_for, seal as seal_vault,
    seal_for as seal_vault_for,
};
