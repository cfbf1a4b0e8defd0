//! Headers: optional parts after the nonce.

use super::Amount;

/// A part after the nonce. Only fee headers are supported; others decode to `DecodeError::NotSupported`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /** Fees of fee-based tokens. */
    Fee(Vec<FeeEntry>),
}

/// One fee paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeEntry {
    /** 0 is HTR, k the k-th token of the list. */
    pub token_index: u8,
    /** In cents. */
    pub amount: Amount,
}
