//! Named API keys: what each may do with which wallets, from where, until when and how often. The `api_key`
//! of the settings may do everything.
//!
//! A key has 256 random bits, and is stored as its SHA-256. 256 bits can't be guessed, so a slow hash as for
//! passwords would cost each request time for nothing; and a key is found by its hash in one step, however
//! many there are.
//!
//! Keys are in a document of the server's store (`data_dir` or database), or in the settings. Once there is
//! any, revoked ones included, requests without a key are refused: revoking the last key must not open the
//! server.

mod grant;
mod key;
mod key_store;
mod known;
mod limit_names;
mod watch;

pub use grant::{Grant, GrantError, Texts};
pub use key::{NewKey, StoredKey, hash_of, parse_hash};
pub use key_store::{KeyError, KeyStore, Own, add, read, revoke, rotate};
pub(super) use known::Entry;
pub use limit_names::{Whose, check_approvers, lacking_approvers, misspelt_wallets};
pub(super) use watch::Access;
