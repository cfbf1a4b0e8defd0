//! The bytes that histories are kept in, in memory and in stores: fixed integers are big-endian, those that
//! are mostly small are of variable length, and reading trusts nothing.

use crate::ledger::{Amount, VertexId};

/// Appends to a buffer.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn id(&mut self, id: &VertexId) {
        self.0.extend(id.0);
    }
    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    pub(crate) fn int(&mut self, mut value: u128) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
    /// Its cents, and what it is more than those if that `has_parts`.
    pub(crate) fn amount(&mut self, amount: Amount, has_parts: bool) {
        self.int(amount.cents());
        if has_parts {
            self.int(amount.part().into());
        }
    }
    pub(crate) fn len(&mut self, len: usize) {
        self.int(len as u128);
    }
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.len(bytes.len());
        self.0.extend(bytes);
    }
    pub(crate) fn ids(&mut self, ids: &[VertexId]) {
        self.len(ids.len());
        ids.iter().for_each(|id| self.id(id));
    }
}

/// What is left to read. Everything gives `None` when a [`Writer`] did not write it.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }
    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }
    pub(crate) fn id(&mut self) -> Option<VertexId> {
        self.array().map(VertexId)
    }
    pub(crate) fn u32_if(&mut self, given: bool) -> Option<Option<u32>> {
        if given { self.u32().map(Some) } else { Some(None) }
    }
    pub(crate) fn id_if(&mut self, given: bool) -> Option<Option<VertexId>> {
        if given { self.id().map(Some) } else { Some(None) }
    }
    pub(crate) fn int(&mut self) -> Option<u128> {
        let (mut value, mut shift) = (0u128, 0);
        loop {
            let byte = self.byte()?;
            // Nearly all numbers are of one byte, and arithmetic of 128 bits takes its time.
            if shift == 0 && byte <= 0x7f {
                return Some(byte.into());
            }
            let bits = u128::from(byte & 0x7f);
            let placed = bits.checked_shl(shift)?;
            if placed >> shift != bits {
                return None;
            }
            value |= placed;
            if byte & 0x80 == 0 {
                // Each number has one spelling: no zeros lead it.
                return (byte != 0).then_some(value);
            }
            shift += 7;
        }
    }
    pub(crate) fn amount(&mut self, has_parts: bool) -> Option<Amount> {
        let amount = Amount::new(self.int()?);
        if !has_parts {
            return Some(amount);
        }
        let part = u64::try_from(self.int()?).ok()?;
        Some(amount.with_part(part)).filter(|amount| amount.part() == part)
    }
    pub(crate) fn len(&mut self) -> Option<usize> {
        self.int()?.try_into().ok()
    }
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.len()?;
        self.take(len)
    }
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
    /// Ids, read where they lie.
    pub(crate) fn ids(&mut self) -> Option<Ids<'a>> {
        let len = self.len()?.checked_mul(32)?;
        self.take(len).map(|bytes| Ids(bytes.as_chunks().0))
    }
}

/// A list of ids inside the bytes that were read.
pub(crate) struct Ids<'a>(&'a [[u8; 32]]);

impl Ids<'_> {
    pub(crate) fn get(&self, place: usize) -> Option<VertexId> {
        self.0.get(place).copied().map(VertexId)
    }
    pub(crate) fn to_vec(&self) -> Vec<VertexId> {
        self.0.iter().copied().map(VertexId).collect()
    }
}
