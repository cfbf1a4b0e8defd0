//! Amounts of any token.
//!
//! Amounts were numbers of cents (0.01 of a token) alone; a transaction of the second version of amounts has
//! them in units of 10^-18. One type holds both, exactly: cents, and what is less than a cent. Cents stay the
//! number that they were, so that nothing is divided where there are cents alone; and sums of any number of
//! outputs fit. (A `u128` of units would hold those of 3,689 outputs of the greatest amount: enough for one
//! transaction, not for a wallet that somebody floods.)

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// How many units of 10^-18 a cent has.
const UNITS: u64 = 10_000_000_000_000_000;

/// How a transaction or block writes its amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountVersion {
    /// In cents: blocks, and transactions without the signal bit.
    V1,
    /// In units of 10^-18.
    V2,
}

impl AmountVersion {
    /// The amount that `number` stands for. Bit masks of authorities are numbers in both versions, and kept
    /// as so many cents.
    pub const fn amount(self, number: u128, is_mask: bool) -> Amount {
        match (self, is_mask) {
            (Self::V2, false) => Amount::of_units(number),
            _ => Amount::new(number),
        }
    }
    /// The number that stands for `amount`; `None` if this version has none.
    pub const fn number(self, amount: Amount, is_mask: bool) -> Option<u128> {
        match (self, is_mask) {
            (Self::V2, false) => amount.units(),
            _ => amount.whole_cents(),
        }
    }
}

/// An amount of a token, in cents and parts of a cent. Arithmetic is checked; there is no floating point.
///
/// A single output holds at most 2^63 cents ([`Amount::MAX_OUTPUT`]); sums may be larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    cents: u128,
    /// What is less than a cent, in units of 10^-18.
    part: u64,
}

impl Amount {
    pub const ZERO: Self = Self::new(0);
    /// The most that one output can hold (full node: output value is a negated `i64`; in the second version
    /// the same in units).
    pub const MAX_OUTPUT: Self = Self::new(1 << 63);
    const MAX: Self = Self::new(u128::MAX);

    /// An amount of `cents`.
    pub const fn new(cents: u128) -> Self {
        Self { cents, part: 0 }
    }
    /// An amount of so many units of 10^-18.
    pub const fn of_units(units: u128) -> Self {
        Self { cents: units / UNITS as u128, part: (units % UNITS as u128) as u64 }
    }
    /// The cents of it, and so many units of 10^-18 beside them; without those, if they are a cent or more.
    pub const fn with_part(self, part: u64) -> Self {
        Self { cents: self.cents, part: if part < UNITS { part } else { 0 } }
    }
    /// The number of whole cents: all of it in an authority's bit mask, and where [`Amount::part`] is 0.
    pub const fn cents(self) -> u128 {
        self.cents
    }
    /// What it is more than whole cents, in units of 10^-18.
    pub const fn part(self) -> u64 {
        self.part
    }
    /// The number of cents; `None` if there are parts of one.
    pub const fn whole_cents(self) -> Option<u128> {
        if self.part == 0 { Some(self.cents) } else { None }
    }
    /// The number of units of 10^-18; `None` if it does not fit.
    pub const fn units(self) -> Option<u128> {
        match self.cents.checked_mul(UNITS as u128) {
            Some(units) => units.checked_add(self.part as u128),
            None => None,
        }
    }
    /// The same, to be added and taken away.
    pub const fn to_signed(self) -> SignedAmount {
        match self.units() {
            Some(units) if units <= i128::MAX as u128 => SignedAmount(units as i128),
            _ => SignedAmount(i128::MAX),
        }
    }
    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.cents == 0 && self.part == 0
    }
    /// The sum, or `None` if it does not fit.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        let part = self.part + other.part;
        let (carry, part) = if part < UNITS { (0, part) } else { (1, part - UNITS) };
        let (cents, is_over) = self.cents.overflowing_add(other.cents);
        let (cents, is_over_by_carry) = cents.overflowing_add(carry);
        if is_over || is_over_by_carry { None } else { Some(Self { cents, part }) }
    }
    /// The difference, or `None` if `other` is more.
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        let (borrow, part) = match self.part.checked_sub(other.part) {
            Some(part) => (0, part),
            None => (1, self.part + UNITS - other.part),
        };
        match self.cents.checked_sub(other.cents) {
            Some(cents) => match cents.checked_sub(borrow) {
                Some(cents) => Some(Self { cents, part }),
                None => None,
            },
            None => None,
        }
    }
    /// The sum, or the greatest amount if it does not fit: more than any ledger holds.
    pub const fn saturating_add(self, other: Self) -> Self {
        match self.checked_add(other) {
            Some(sum) => sum,
            None => Self::MAX,
        }
    }
    /// The difference, or nothing if `other` is more.
    pub const fn saturating_sub(self, other: Self) -> Self {
        match self.checked_sub(other) {
            Some(difference) => difference,
            None => Self::ZERO,
        }
    }
    /// `numerator`/`denominator` of it, in whole cents, rounded down, and whether that is less than it is.
    pub(super) fn share(self, numerator: u64, denominator: u64) -> (u128, bool) {
        let (numerator, denominator) = (u128::from(numerator), u128::from(denominator));
        // The share of what divides evenly, and the rest's times the denominator: no product overflows for a
        // share below the whole. Both terms of the rest are below 2^64 · 10^16.
        let (even, rest) = (self.cents / denominator, self.cents % denominator);
        let whole = even.saturating_mul(numerator);
        if self.part == 0 {
            let rest = rest * numerator;
            return (whole.saturating_add(rest / denominator), rest % denominator != 0);
        }
        let unit = denominator * u128::from(UNITS);
        let (cents, below) = (rest * numerator / denominator, rest * numerator % denominator);
        let rest = below * u128::from(UNITS) + numerator * u128::from(self.part);
        (whole.saturating_add(cents).saturating_add(rest / unit), rest % unit != 0)
    }

    /// As nodes write amounts in words, of the token and not of its cents: `1.005`, and `1.0` if it is whole.
    pub fn decimal(self) -> String {
        let digits = format!("{:02}{:016}", self.cents % 100, self.part);
        let digits = digits.trim_end_matches('0');
        format!("{}.{}", self.cents / 100, if digits.is_empty() { "0" } else { digits })
    }
    /// Reads such words: digits, a point, and up to 18 digits more.
    pub fn of_decimal(words: &str) -> Option<Self> {
        let (whole, digits) = words.split_once('.')?;
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !is_digits(digits) || digits.len() > 18 {
            return None;
        }
        let below = digits.parse::<u64>().ok()? * 10u64.pow(18 - digits.len() as u32);
        let cents = whole.parse::<u128>().ok()?.checked_mul(100)?.checked_add((below / UNITS).into())?;
        Some(Self { cents, part: below % UNITS })
    }
    /// Reads what [`Amount`] is displayed as: cents, and perhaps a point and digits of parts of one.
    pub fn of_cents(words: &str) -> Option<Self> {
        let (whole, digits) = words.split_once('.').unwrap_or((words, "0"));
        let cents = whole.parse::<Self>().ok()?;
        let part = Self::of_decimal(&format!("0.00{digits}"))?;
        cents.checked_add(part)
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
        cents.map(Self::new).ok_or_else(|| ParseAmountError(text.to_owned()))
    }
}

impl fmt::Display for Amount {
    /// The cents as a plain integer, and a decimal fraction after it where there are parts of a cent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part == 0 {
            return self.cents.fmt(f);
        }
        write!(f, "{}.{}", self.cents, format!("{:016}", self.part).trim_end_matches('0'))
    }
}

impl From<u64> for Amount {
    fn from(cents: u64) -> Self {
        Self::new(cents.into())
    }
}

impl std::iter::Sum for Amount {
    /// Stops at the greatest amount, as [`Amount::saturating_add`] does.
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Self::saturating_add)
    }
}

/// What comes in, or goes out below zero, in units of 10^-18. Sums stop at the greatest there is: they are
/// exact for 1,844 outputs of the greatest amount, and a transaction has 510 inputs and outputs at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignedAmount(i128);

impl SignedAmount {
    pub const ZERO: Self = Self(0);

    /// An amount of `cents`.
    pub const fn new(cents: i128) -> Self {
        Self(cents.saturating_mul(UNITS as i128))
    }
    /// The number of cents; `None` if there are parts of one.
    pub const fn whole_cents(self) -> Option<i128> {
        if self.0 % UNITS as i128 == 0 { Some(self.0 / UNITS as i128) } else { None }
    }
    /// The number of whole cents; parts of one are left out on both sides of zero.
    pub const fn cents(self) -> i128 {
        self.0 / UNITS as i128
    }
    /// Without its sign.
    pub const fn abs(self) -> Amount {
        Amount::of_units(self.0.unsigned_abs())
    }
    /// 1, 0 or -1.
    pub const fn signum(self) -> i8 {
        self.0.signum() as i8
    }
    /// Whether it is below zero.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
    /// The amount, if it is not below zero.
    pub const fn to_amount(self) -> Option<Amount> {
        if self.0 < 0 { None } else { Some(self.abs()) }
    }
    /// As [`Amount::decimal`], with a sign below zero.
    pub fn decimal(self) -> String {
        format!("{}{}", self.minus(), self.abs().decimal())
    }
    const fn minus(self) -> &'static str {
        if self.is_negative() { "-" } else { "" }
    }
}

impl Add for SignedAmount {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for SignedAmount {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for SignedAmount {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for SignedAmount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for SignedAmount {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for SignedAmount {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Self::add)
    }
}

impl fmt::Display for SignedAmount {
    /// In cents, as [`Amount`] has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.minus(), self.abs())
    }
}
