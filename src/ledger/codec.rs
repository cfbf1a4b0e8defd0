//! Reading and writing the wire format: errors and the byte cursor.

/// Why bytes are not a transaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DecodeError {
    #[error("not supported: {0}")]
    NotSupported(String),
    #[error("malformed {what}: {reason}")]
    Malformed { what: &'static str, reason: String },
}

/// Why a transaction can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum EncodeError {
    #[error("Transaction has {0} inputs and can have at most 255.")]
    TooManyInputs(usize),
    #[error("Transaction has {0} outputs and can have at most 255.")]
    TooManyOutputs(usize),
    #[error("{what} has {len} and can have at most {max}")]
    TooLong { what: &'static str, len: usize, max: usize },
    #[error("Value must be a positive number.")]
    ZeroValue,
    #[error("Maximum value is 92,233,720,368,547,758.08")]
    ValueTooLarge,
}
