//! How many bytes a request's body may have: enough for the largest transaction that there can be, and no
//! more. Whatever a stranger announces is bounded by this.

use crate::api::MAX_FILE_BYTES;
use crate::ledger::nano::MAX_CODE_TEXT_BYTES;
use crate::ledger::{MAX_INPUTS, MAX_TRANSACTION_BYTES};

/// Of nearly all operations: the digits of any transaction, and more fields.
#[cfg(feature = "native")]
pub const USUAL: usize = 100 * 1024;

/// Around the fields that are long: names, punctuation, shorter fields.
const REST: usize = 1_024;

/// What is said of each input besides its digits: in a proposal its address, token and value (up to 128), and
/// with signatures its place, for each of sixteen participants (96), and the name of a text that has those of
/// this input alone (96).
const SAID_OF_INPUT: usize = 128 + 96 + 96;

/// Of a transaction in parts, which together have the digits of the largest one: a proposal, signatures,
/// instructions, arguments.
pub(super) const IN_PARTS: usize = 2 * MAX_TRANSACTION_BYTES + MAX_INPUTS * SAID_OF_INPUT + REST;

/// Of signing files, which have all previous transactions with them.
pub(super) const SIGNING_FILES: usize = MAX_FILE_BYTES + REST;

/// Of a blueprint: no letter takes more than three times as much room in JSON, as `\\u00e9` for two bytes.
pub(super) const CODE: usize = 3 * MAX_CODE_TEXT_BYTES + REST;
