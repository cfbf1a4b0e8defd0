//! Nano contracts: calls of their methods (a header of a transaction), their arguments, and blueprints that
//! are put on the ledger (transactions of version 6).

mod args;
mod blueprint;
mod header;
mod integer;
mod types;
mod vertex;

pub use args::{ArgValue, MAX_ARGS_BYTES, read_args, write_args, write_value};
pub use blueprint::{Blueprint, MAX_CODE_BYTES, MAX_CODE_TEXT_BYTES};
pub(super) use header::NANO_ID;
pub use header::{ActionKind, MAX_METHOD_BYTES, MAX_SEQNUM, NanoAction, NanoHeader};
pub use integer::{Integer, ParseIntegerError};
pub use types::{ArgType, UnknownType};
pub use vertex::{NanoCall, TokenAction, VertexNano};

/// The method that creates a contract.
pub const INITIALIZE: &str = "initialize";
