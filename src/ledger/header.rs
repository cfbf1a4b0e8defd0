//! Headers: optional parts after the nonce.

use super::Amount;
use super::codec::{DecodeError, EncodeError, Reader, Sink, value_size};
use super::nano::{NANO_ID, NanoHeader};

/// Most headers of one transaction (full node: `get_maximum_number_of_headers`).
const MAX_HEADERS: usize = 3;
const FEE_ID: u8 = 0x11;

/// A part after the nonce. Others than these decode to [`DecodeError::NotSupported`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// Fees of fee-based tokens: 1 to 16 entries, each token once.
    Fee(Vec<FeeEntry>),
    /// A call of a contract.
    Nano(Box<NanoHeader>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeEntry {
    /// 0 is HTR, k the k-th token of the list.
    pub token_index: u8,
    /// In cents.
    pub amount: Amount,
}

impl Header {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Fee(entries) => 2 + entries.iter().map(|entry| 1 + value_size(entry.amount)).sum::<usize>(),
            Self::Nano(header) => header.size(),
        }
    }
    /// Its entries, if it is a fee header.
    pub fn fees(&self) -> &[FeeEntry] {
        if let Self::Fee(entries) = self { entries } else { &[] }
    }
    /// The call of a contract, if it is one.
    pub fn call(&self) -> Option<&NanoHeader> {
        if let Self::Nano(header) = self { Some(header) } else { None }
    }
    /// Writes it. What is signed of a nano header is all but its script; of a fee header, all.
    pub(super) fn write(&self, sink: &mut impl Sink, is_signed_part: bool) -> Result<(), EncodeError> {
        let entries = match self {
            Self::Fee(entries) => entries,
            Self::Nano(header) => return header.write(sink, is_signed_part),
        };
        sink.put(&[FEE_ID]);
        sink.put_len8("fee header", entries.len())?;
        entries.iter().try_for_each(|entry| {
            sink.put(&[entry.token_index]);
            sink.put_value(entry.amount)
        })
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let kind = match reader.u8("header")? {
            FEE_ID => {
                let count = reader.u8("fee header")?;
                let entries = reader.many(count, |reader| {
                    let token_index = reader.u8("fee header")?;
                    Ok(FeeEntry { token_index, amount: reader.value("fee")? })
                });
                return entries.map(Self::Fee);
            }
            NANO_ID => return NanoHeader::read(reader).map(|header| Self::Nano(Box::new(header))),
            0x12 => "shielded outputs",
            0x13 => "unshield balance",
            0x14 => "shielded mint",
            0x15 => "shielded melt",
            id => return Err(DecodeError::NotSupported(format!("unknown header {id:#04x}"))),
        };
        Err(DecodeError::NotSupported(format!("{kind} header")))
    }
    /// All headers, up to the end of the bytes.
    pub(super) fn read_all(reader: &mut Reader<'_>) -> Result<Vec<Self>, DecodeError> {
        let mut headers = Vec::new();
        while !reader.is_empty() {
            if headers.len() == MAX_HEADERS {
                return Err(DecodeError::malformed("headers", format!("more than {MAX_HEADERS}")));
            }
            headers.push(Self::read(reader)?);
        }
        Ok(headers)
    }
}
