//! API keys with names: what each of them may do with which wallets, from where, until when and how often.
//! Beside them the `api_key` of the settings may do everything.
//!
//! A key is 256 random bits, and what is kept of it is its SHA-256. Nobody finds 256 bits by trying, so a
//! slow hash as for passwords would cost each request its time and make nothing harder; and a key is found by
//! its hash in one step, however many there are.
//!
//! Keys stand in a document of the server's store (`data_dir` or database), or in the settings. Once there is
//! any, revoked ones included, requests without a key are refused: revoking the last one must not let
//! everybody in.

mod book;
mod grant;
mod key;
mod known;
mod limit_names;
mod watch;

pub use book::{Book, KeyError, Own, add, read, revoke, rotate};
pub use grant::{Grant, GrantError, Texts};
pub use key::{NewKey, StoredKey, hash_of, parse_hash};
pub(super) use known::Entry;
pub use limit_names::{Whose, check_approvers, lacking_approvers, misspelt_wallets};
pub(super) use watch::Access;
