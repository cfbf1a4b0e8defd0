//! Amounts of any token, in its smallest unit.

use std::fmt;
use std::str::FromStr;

/// A number of cents (the smallest unit of a token). Arithmetic is checked; there is no floating point.
///
/// A single output holds at most 2^63 ([`Amount::MAX_OUTPUT`]); sums may be larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u128);

impl Amount {
    pub const ZERO: Self = Self(0);
    /// The most that one output can hold (full node: output value is a negated `i64`).
    pub const MAX_OUTPUT: Self = Self(1 << 63);

    /// An amount of `cents`.
    pub const fn new(cents: u128) -> Self {
        Self(cents)
    }
    /// The number of cents.
    pub const fn cents(self) -> u128 {
        self.0
    }
    /// The number of cents, to be added and taken away; the greatest there is if it does not fit: more than
    /// any ledger holds.
    pub const fn to_signed(self) -> i128 {
        if self.0 > i128::MAX as u128 { i128::MAX } else { self.0 as i128 }
    }
    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
    /// The sum, or `None` if it does not fit.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(n) => Some(Self(n)),
            None => None,
        }
    }
    /// The difference, or `None` if `other` is more.
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(n) => Some(Self(n)),
            None => None,
        }
    }
    /// The sum, or the greatest amount if it does not fit: more than any ledger holds.
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
    /// The difference, or nothing if `other` is more.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Why a text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an amount in cents: {0:?}")]
pub struct ParseAmountError(pub String);

impl FromStr for Amount {
    type Err = ParseAmountError;
    /// Decimal digits alone: no sign, no spaces, no exponent.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The number parser of the standard library would let a plus sign pass.
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let cents = if is_digits { text.parse().ok() } else { None };
        cents.map(Self).ok_or_else(|| ParseAmountError(text.to_owned()))
    }
}

impl fmt::Display for Amount {
    /// The cents as a plain integer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<u64> for Amount {
    fn from(cents: u64) -> Self {
        Self(cents.into())
    }
}

impl std::iter::Sum for Amount {
    /// Stops at the greatest amount, as [`Amount::saturating_add`] does.
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Self::saturating_add)
    }
}
