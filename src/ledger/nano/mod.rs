//! Nano contracts: calls of their methods (a header of a transaction), their arguments, and blueprints that
//! are put on the ledger (transactions of version 6).

mod args;
mod header;

pub use args::{
    ArgType, ArgValue, Integer, MAX_ARGS_BYTES, ParseIntegerError, UnknownType, read_args, write_args,
    write_value,
};
pub(super) use header::NANO_ID;
pub use header::{
    ActionKind, Blueprint, MAX_CODE_BYTES, MAX_CODE_TEXT_BYTES, MAX_SEQNUM, NanoAction, NanoCall, NanoHeader,
    TokenAction, VertexNano,
};

/// The method that creates a contract.
pub const INITIALIZE: &str = "initialize";
