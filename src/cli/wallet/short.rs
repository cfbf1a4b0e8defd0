//! How much of a long name people read.

/// Digits of an id, or of a uid beside a symbol, that tables show and that are enough to name it by.
pub const SHORT: usize = 8;
