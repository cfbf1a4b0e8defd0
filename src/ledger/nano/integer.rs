//! Integers of a contract's arguments, which have up to 224 bits.

use crate::ledger::codec::{DecodeError, Reader, Sink};
use std::fmt;
use std::str::FromStr;

/// Most bytes of one, with seven bits each.
const GROUPS: usize = 32;
const WHAT: &str = "integer of arguments";

/// An integer of up to 224 bits, or 223 and its sign: what 32 bytes of LEB128 hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Integer {
    is_negative: bool,
    /// Seven bits each, the lowest first.
    magnitude: [u8; GROUPS],
}

/// Why a text is not an integer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseIntegerError {
    /// Something else than digits after a minus.
    #[error("expected an integer in decimal digits")]
    Digits,
    /// No contract has such integers.
    #[error("expected an integer of at most 224 bits")]
    TooLarge,
}

impl FromStr for Integer {
    type Err = ParseIntegerError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(ParseIntegerError::Digits);
        }
        let mut magnitude = [0; GROUPS];
        for digit in digits.bytes() {
            let mut carry = u16::from(digit - b'0');
            for group in &mut magnitude {
                let number = u16::from(*group) * 10 + carry;
                *group = (number & 0x7f) as u8;
                carry = number >> 7;
            }
            if carry != 0 {
                return Err(ParseIntegerError::TooLarge);
            }
        }
        Ok(Self { is_negative: digits.len() < text.len() && magnitude != [0; GROUPS], magnitude })
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.magnitude;
        let mut digits = Vec::new();
        while rest != [0; GROUPS] || digits.is_empty() {
            let mut remainder = 0;
            for group in rest.iter_mut().rev() {
                let number = remainder << 7 | u16::from(*group);
                *group = (number / 10) as u8;
                remainder = number % 10;
            }
            digits.push(b'0' + remainder as u8);
        }
        digits.reverse();
        f.pad_integral(!self.is_negative, "", std::str::from_utf8(&digits).expect("digits are ASCII"))
    }
}

impl From<u64> for Integer {
    fn from(mut number: u64) -> Self {
        let mut magnitude = [0; GROUPS];
        for group in &mut magnitude {
            *group = (number & 0x7f) as u8;
            number >>= 7;
        }
        Self { is_negative: false, magnitude }
    }
}

impl Integer {
    /// Whether it is below zero.
    pub const fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Whether `int` of a blueprint can hold it: one bit is for the sign.
    pub fn fits_signed(&self) -> bool {
        let half = self.magnitude[GROUPS - 1] & 0x40 != 0;
        // The lowest of all is its own complement.
        !half || self.is_negative && negated(self.magnitude) == self.magnitude
    }

    /// As LEB128, with a sign or, if it is not below zero, without.
    pub(in crate::ledger) fn write(&self, sink: &mut impl Sink, is_signed: bool) {
        let mut groups = if self.is_negative { negated(self.magnitude) } else { self.magnitude };
        let filler = if self.is_negative { 0x7f } else { 0 };
        let mut len = GROUPS;
        while len > 1
            && groups[len - 1] == filler
            && (!is_signed || (groups[len - 2] & 0x40 != 0) == self.is_negative)
        {
            len -= 1;
        }
        groups[..len - 1].iter_mut().for_each(|group| *group |= 0x80);
        sink.put(&groups[..len]);
    }

    pub(in crate::ledger) fn read(reader: &mut Reader<'_>, is_signed: bool) -> Result<Self, DecodeError> {
        let mut groups = [0; GROUPS];
        let mut len = 0;
        loop {
            let byte = reader.u8(WHAT)?;
            groups[len] = byte & 0x7f;
            len += 1;
            if byte & 0x80 == 0 {
                break;
            }
            if len == GROUPS {
                return Err(DecodeError::malformed(WHAT, format!("more than {GROUPS} bytes")));
            }
        }
        let is_negative = is_signed && groups[len - 1] & 0x40 != 0;
        if is_negative {
            groups[len..].fill(0x7f);
        }
        let magnitude = if is_negative { negated(groups) } else { groups };
        let found = Self { is_negative, magnitude };
        let mut shortest = Vec::with_capacity(GROUPS);
        found.write(&mut shortest, is_signed);
        if shortest.len() < len {
            return Err(DecodeError::malformed(WHAT, format!("{len} bytes for {found}")));
        }
        Ok(found)
    }
}

/// The two's complement.
fn negated(mut groups: [u8; GROUPS]) -> [u8; GROUPS] {
    let mut carry = 1;
    for group in &mut groups {
        let number = (!*group & 0x7f) + carry;
        *group = number & 0x7f;
        carry = number >> 7;
    }
    groups
}
