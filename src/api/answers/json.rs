//! How single values look in JSON.

use crate::ledger::Amount;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt::Display;

/// A bare integer of any size.
pub(super) struct Cents(pub Amount);

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(self.0.cents())
    }
}

/// Anything that prints, as a string.
pub(super) struct Text<T>(pub T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A weight, as JavaScript writes numbers: without `.0` where it is whole.
pub(super) struct Weight(pub f64);

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Weights are logarithms, far below the range of a u32.
        if self.0.fract() == 0.0 && (0.0..1e9).contains(&self.0) {
            serializer.serialize_u32(self.0 as u32)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Bytes as Node's `Buffer` writes them: `{"type":"Buffer","data":[…]}`.
pub(super) struct Buffer<'a>(pub &'a [u8]);

impl Serialize for Buffer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("type", "Buffer")?;
        map.serialize_entry("data", self.0)?;
        map.end()
    }
}

/// A JSON array written while walking over its elements.
pub(super) struct List<F>(pub F);

impl<I, F> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for element in self.0() {
            list.serialize_element(&element)?;
        }
        list.end()
    }
}
