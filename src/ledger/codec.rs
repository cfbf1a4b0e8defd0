//! Reading and writing the wire format: errors, the byte cursor, and the pieces that transactions and blocks
//! share. Every integer is big-endian.

use super::{Address, Amount, AmountVersion, Output, TokenData, VertexId};
use sha2::{Digest, Sha256};

/// Why bytes are not a transaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Well-known or new to the ledger, but nothing that this wallet reads.
    #[error("not supported: {0}")]
    NotSupported(String),
    /// Bytes that no full node would read.
    #[error("malformed {what}: {reason}")]
    Malformed {
        /// The part that was being read.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl DecodeError {
    pub(super) fn malformed(what: &'static str, reason: impl Into<String>) -> Self {
        Self::Malformed { what, reason: reason.into() }
    }
}

/// Why a transaction can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    #[error("{0} inputs, and a transaction has at most 255")]
    TooManyInputs(usize),
    #[error("{0} outputs, and a transaction has at most 255")]
    TooManyOutputs(usize),
    #[error("{what} has a length of {len} and can have one of at most {max}")]
    TooLong { what: &'static str, len: usize, max: usize },
    #[error("an output of nothing")]
    ZeroValue,
    #[error("an output of more than 2^63 cents")]
    ValueTooLarge,
    #[error("an amount of {0} cents in a transaction whose amounts are in whole cents")]
    PartOfCent(Amount),
    #[error("a token creation has no list of tokens and this one lists {0}")]
    TokensInCreation(usize),
    #[error("a transaction creates a token or is a blueprint, and this one both")]
    CreationAndBlueprint,
    #[error("{what} is {number} and can be at most {max}")]
    TooLarge { what: &'static str, number: u64, max: u64 },
    #[error("nano method has other letters than ASCII has")]
    MethodNotAscii,
    #[error("a nano argument is not of its type")]
    NotOfType,
}

/// Where bytes are written to: a buffer, or a hash that needs no buffer.
pub(super) trait Sink {
    fn put(&mut self, bytes: &[u8]);

    /// A length in one byte.
    fn put_len8(&mut self, what: &'static str, len: usize) -> Result<(), EncodeError> {
        let byte = u8::try_from(len).map_err(|_| EncodeError::TooLong { what, len, max: u8::MAX.into() })?;
        self.put(&[byte]);
        Ok(())
    }
    /// Bytes after their length in one byte.
    fn put_bytes8(&mut self, what: &'static str, bytes: &[u8]) -> Result<(), EncodeError> {
        self.put_len8(what, bytes.len())?;
        self.put(bytes);
        Ok(())
    }
    /// Bytes after their length in two bytes.
    fn put_bytes16(&mut self, what: &'static str, bytes: &[u8]) -> Result<(), EncodeError> {
        let len = u16::try_from(bytes.len()).map_err(|_| EncodeError::TooLong {
            what,
            len: bytes.len(),
            max: u16::MAX.into(),
        })?;
        self.put(&len.to_be_bytes());
        self.put(bytes);
        Ok(())
    }
    /// An amount, or the bit mask of an authority. In cents: 4 bytes below 2^31, else 8 bytes that hold it
    /// negated, so that the top bit tells the size. In units: the bytes that it takes, after their number.
    fn put_value(&mut self, value: Amount, is_mask: bool, version: AmountVersion) -> Result<(), EncodeError> {
        if value.is_zero() {
            return Err(EncodeError::ZeroValue);
        }
        if value > Amount::MAX_OUTPUT {
            return Err(EncodeError::ValueTooLarge);
        }
        let number = version.number(value, is_mask).ok_or(EncodeError::PartOfCent(value))?;
        match (version, u32::try_from(number)) {
            (AmountVersion::V2, _) => {
                let len = bytes_of(number);
                self.put(&[len as u8]);
                self.put(&number.to_be_bytes()[16 - len..]);
            }
            (AmountVersion::V1, Ok(small)) if small < SHORT_VALUE_LIMIT => self.put(&small.to_be_bytes()),
            (AmountVersion::V1, _) => {
                let value = u64::try_from(number).expect("at most 2^63");
                self.put(&value.wrapping_neg().to_be_bytes());
            }
        }
        Ok(())
    }
    /// An integer in groups of seven bits, the lowest first (LEB128 without a sign).
    fn put_leb128(&mut self, mut number: u64) {
        while number > 0x7f {
            self.put(&[(number & 0x7f) as u8 | 0x80]);
            number >>= 7;
        }
        self.put(&[number as u8]);
    }
    fn put_output(&mut self, output: &Output, version: AmountVersion) -> Result<(), EncodeError> {
        self.put_value(output.value, output.token_data.is_authority(), version)?;
        self.put(&[output.token_data.0]);
        self.put_bytes16("output script", &output.script)
    }
    fn put_outputs(&mut self, outputs: &[Output], version: AmountVersion) -> Result<(), EncodeError> {
        outputs.iter().try_for_each(|output| self.put_output(output, version))
    }
    /// Weight, timestamp and parents.
    fn put_graph(&mut self, weight: f64, timestamp: u32, parents: &[VertexId]) -> Result<(), EncodeError> {
        self.put(&weight.to_be_bytes());
        self.put(&timestamp.to_be_bytes());
        self.put_len8("list of parents", parents.len())?;
        parents.iter().for_each(|parent| self.put(&parent.0));
        Ok(())
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Sink for Sha256 {
    fn put(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// Values from here on take 8 bytes.
const SHORT_VALUE_LIMIT: u32 = 1 << 31;

/// How many bytes [`Sink::put_value`] writes.
pub(super) fn value_size(value: Amount, is_mask: bool, version: AmountVersion) -> usize {
    match version {
        AmountVersion::V1 if value.cents() < SHORT_VALUE_LIMIT.into() => 4,
        AmountVersion::V1 => 8,
        AmountVersion::V2 => 1 + version.number(value, is_mask).map_or(0, bytes_of),
    }
}

/// How many bytes a number takes; none for 0.
const fn bytes_of(number: u128) -> usize {
    (u128::BITS - number.leading_zeros()).div_ceil(8) as usize
}

/// The most bytes of a number of units: 2^63 cents take these.
const MAX_UNITS_BYTES: u8 = 15;

/// How many bytes [`Sink::put_leb128`] writes.
pub(super) const fn leb128_size(number: u64) -> usize {
    (64 - (number | 1).leading_zeros()).div_ceil(7) as usize
}

/// How many bytes [`Sink::put_outputs`] writes.
pub(super) fn outputs_size(outputs: &[Output], version: AmountVersion) -> usize {
    let value = |output: &Output| value_size(output.value, output.token_data.is_authority(), version);
    outputs.iter().map(|output| value(output) + 3 + output.script.len()).sum()
}

/// How many bytes [`Sink::put_graph`] writes.
pub(super) fn graph_size(parents: &[VertexId]) -> usize {
    13 + 32 * parents.len()
}

/// Hash of the two halves of a vertex, over which its nonce is sought.
pub(super) fn mining_bytes(funds: Sha256, graph: Sha256) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&funds.finalize());
    bytes[32..].copy_from_slice(&graph.finalize());
    bytes
}

/// The hash of a vertex: reversed double SHA-256 of its mining bytes and its nonce in 16 bytes.
pub(super) fn vertex_id(mining_bytes: &[u8; 64], nonce: u128) -> VertexId {
    let inner = Sha256::new().chain_update(mining_bytes).chain_update(nonce.to_be_bytes()).finalize();
    let mut id: [u8; 32] = Sha256::digest(inner).into();
    id.reverse();
    VertexId(id)
}

/// A cursor over bytes that somebody sent.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
    pub(super) fn take(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            let reason = format!("cut short, {} of {len} bytes", self.rest.len());
            return Err(DecodeError::malformed(what, reason));
        };
        self.rest = rest;
        Ok(taken)
    }
    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], DecodeError> {
        self.take(what, N).map(|bytes| bytes.try_into().expect("as many bytes as were asked for"))
    }
    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, DecodeError> {
        self.array(what).map(u8::from_be_bytes)
    }
    pub(super) fn bytes8(&mut self, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let len = self.u8(what)?;
        self.take(what, len.into())
    }
    pub(super) fn bytes16(&mut self, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let len = self.array(what).map(u16::from_be_bytes)?;
        self.take(what, len.into())
    }
    pub(super) fn text8(&mut self, what: &'static str) -> Result<String, DecodeError> {
        let bytes = self.bytes8(what)?;
        let text = std::str::from_utf8(bytes).map_err(|_| DecodeError::malformed(what, "not UTF-8"))?;
        Ok(text.to_owned())
    }
    pub(super) fn id(&mut self, what: &'static str) -> Result<VertexId, DecodeError> {
        self.array(what).map(VertexId)
    }
    /// An integer as [`Sink::put_leb128`] writes it, of up to nine bytes.
    pub(super) fn leb128(&mut self, what: &'static str, max_bytes: usize) -> Result<u64, DecodeError> {
        let mut number = 0;
        for place in 0..max_bytes {
            let byte = self.u8(what)?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                if byte == 0 && place > 0 {
                    return Err(DecodeError::malformed(what, format!("{} bytes for {number}", place + 1)));
                }
                return Ok(number);
            }
        }
        Err(DecodeError::malformed(what, format!("number of more than {max_bytes} bytes")))
    }
    /// An address in 25 bytes. A node reads any bytes, and refuses then what is no address.
    pub(super) fn address(&mut self, what: &'static str) -> Result<Address, DecodeError> {
        let address = Address::from_bytes(self.array(what)?);
        address.ok_or_else(|| DecodeError::NotSupported(format!("{what} that is no address")))
    }
    /// `count` things, one after the other. Counts are single bytes, so the memory taken up front stays
    /// small.
    pub(super) fn many<T>(
        &mut self,
        count: u8,
        mut one: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let mut all = Vec::with_capacity(count.into());
        for _ in 0..count {
            all.push(one(self)?);
        }
        Ok(all)
    }
    /// The number of an amount; only the form that [`Sink::put_value`] writes is accepted.
    pub(super) fn number(&mut self, what: &'static str, version: AmountVersion) -> Result<u128, DecodeError> {
        if version == AmountVersion::V2 {
            let len = self.u8(what)?;
            if len > MAX_UNITS_BYTES {
                return Err(DecodeError::malformed(what, format!("{len} bytes")));
            }
            let bytes = self.take(what, len.into())?;
            return match bytes.first() {
                None => Err(DecodeError::malformed(what, "zero")),
                Some(0) => Err(DecodeError::malformed(what, "leading zeros")),
                Some(_) => Ok(bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))),
            };
        }
        let is_short = self.rest.first().is_none_or(|byte| byte & 0x80 == 0);
        if is_short {
            let value = self.array(what).map(u32::from_be_bytes)?;
            if value == 0 {
                return Err(DecodeError::malformed(what, "zero"));
            }
            return Ok(value.into());
        }
        let value = self.array(what).map(u64::from_be_bytes)?.wrapping_neg();
        if value < SHORT_VALUE_LIMIT.into() {
            return Err(DecodeError::malformed(what, format!("8 bytes for {value}, which takes 4")));
        }
        Ok(value.into())
    }
    /// The amount that a number stands for, or the bit mask that it is.
    pub(super) fn value(
        what: &'static str,
        number: u128,
        is_mask: bool,
        version: AmountVersion,
    ) -> Result<Amount, DecodeError> {
        let value = version.amount(number, is_mask);
        match value > Amount::MAX_OUTPUT {
            true => Err(DecodeError::malformed(what, "more than 2^63 cents")),
            false => Ok(value),
        }
    }
    pub(super) fn output(&mut self, version: AmountVersion) -> Result<Output, DecodeError> {
        const VALUE: &str = "output value";
        let number = self.number(VALUE, version)?;
        let token_data = TokenData(self.u8("output token")?);
        Ok(Output {
            value: Self::value(VALUE, number, token_data.is_authority(), version)?,
            token_data,
            script: self.bytes16("output script")?.to_vec(),
        })
    }
    /// Weight, timestamp and parents.
    pub(super) fn graph(&mut self) -> Result<(f64, u32, Vec<VertexId>), DecodeError> {
        let weight = self.array("weight").map(f64::from_be_bytes)?;
        let timestamp = self.array("timestamp").map(u32::from_be_bytes)?;
        let count = self.u8("number of parents")?;
        Ok((weight, timestamp, self.many(count, |reader| reader.id("parent"))?))
    }
}
