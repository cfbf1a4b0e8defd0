//! Arguments of contracts' methods: their types, integers of any size, and their bytes.

use crate::ledger::codec::{DecodeError, EncodeError, Reader, Sink};
use crate::ledger::{Address, TokenUid, VertexId};
use std::fmt;
use std::str::FromStr;

/// Most bytes of all arguments of a call: a contract fails that gets more (full node:
/// `MAX_BYTES_SERIALIZED_ARG`).
pub const MAX_ARGS_BYTES: usize = 1_000;
/// Most bytes of a text or of bytes, with their length (full node: `DEFAULT_BYTES_MAX_LENGTH`).
const MAX_BYTES: usize = 1 << 16;
/// Bytes of a length that says as much.
const LEN_BYTES: usize = 3;

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArgValue {
    Text(String),
    /// An `int`, or an `Amount`, which is not below zero.
    Int(Integer),
    Bool(bool),
    Address(Address),
    /// The contract that a `CallerId` names.
    Contract(VertexId),
    Timestamp(u32),
    Token(TokenUid),
    Bytes(Vec<u8>),
    Id(VertexId),
    Nothing,
    /// A tuple or a list.
    Many(Vec<Self>),
    /// Keys and values, in any order.
    Dict(Vec<(Self, Self)>),
    /// A value and an oracle's signature.
    Signed(Box<Self>, Vec<u8>),
}

/// The bytes of all arguments, in their order: how many there are, and each one.
///
/// # Errors
/// [`EncodeError::TooLong`] for more than 1,000 bytes, and [`EncodeError::NotOfType`] where there are more or
/// fewer arguments than types, or one is not of its type.
pub fn write_args(types: &[ArgType], values: &[ArgValue]) -> Result<Vec<u8>, EncodeError> {
    if types.len() != values.len() {
        return Err(EncodeError::NotOfType);
    }
    let mut bytes = Vec::new();
    bytes.put_leb128(values.len() as u64);
    types.iter().zip(values).try_for_each(|(of, value)| put(&mut bytes, of, value))?;
    if bytes.len() > MAX_ARGS_BYTES {
        return Err(EncodeError::TooLong {
            what: "list of nano arguments",
            len: bytes.len(),
            max: MAX_ARGS_BYTES,
        });
    }
    Ok(bytes)
}

/// The bytes of one value: what an oracle signs, after the contract's id.
///
/// # Errors
/// [`EncodeError::TooLong`] for a text or bytes of more than 64 KiB, and [`EncodeError::NotOfType`].
pub fn write_value(of: &ArgType, value: &ArgValue) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    put(&mut bytes, of, value)?;
    Ok(bytes)
}

/// Reads arguments of these types, and demands that nothing is left.
///
/// # Errors
/// [`DecodeError::Malformed`] for bytes that are no such arguments or not in their shortest form, and
/// [`DecodeError::NotSupported`] for an address of no known network.
pub fn read_args(types: &[ArgType], bytes: &[u8]) -> Result<Vec<ArgValue>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let count = reader.leb128("number of arguments", LEN_BYTES)?;
    if count != types.len() as u64 {
        let reason = format!("{count}, and the method has {}", types.len());
        return Err(DecodeError::malformed("number of arguments", reason));
    }
    let values = types.iter().map(|of| take(&mut reader, of)).collect::<Result<_, _>>()?;
    if !reader.is_empty() {
        return Err(DecodeError::malformed("arguments", "bytes are left over"));
    }
    Ok(values)
}

fn put(sink: &mut Vec<u8>, of: &ArgType, value: &ArgValue) -> Result<(), EncodeError> {
    match (of, value) {
        (ArgType::Text, ArgValue::Text(text)) => put_bytes(sink, "text of arguments", text.as_bytes())?,
        (ArgType::Bytes, ArgValue::Bytes(bytes)) => put_bytes(sink, "bytes of arguments", bytes)?,
        (ArgType::Int, ArgValue::Int(integer)) if integer.fits_signed() => integer.write(sink, true),
        (ArgType::Amount, ArgValue::Int(integer)) if !integer.is_negative() => integer.write(sink, false),
        (ArgType::Bool, ArgValue::Bool(is_true)) => sink.put(&[(*is_true).into()]),
        (ArgType::Timestamp, ArgValue::Timestamp(seconds)) => sink.put(&seconds.to_be_bytes()),
        (ArgType::Address, ArgValue::Address(address)) => sink.put(&address.to_bytes()),
        (ArgType::Id, ArgValue::Id(id)) => sink.put(&id.0),
        (ArgType::Caller, ArgValue::Address(address)) => {
            sink.put(&[0]);
            sink.put(&address.to_bytes());
        }
        (ArgType::Caller, ArgValue::Contract(id)) => {
            sink.put(&[1]);
            sink.put(&id.0);
        }
        (ArgType::Token, ArgValue::Token(TokenUid::Native)) | (ArgType::Optional(_), ArgValue::Nothing) => {
            sink.put(&[0]);
        }
        (ArgType::Token, ArgValue::Token(TokenUid::Custom(id))) => {
            sink.put(&[1]);
            sink.put(&id.0);
        }
        (ArgType::Optional(of), value) => {
            sink.put(&[1]);
            put(sink, of, value)?;
        }
        (ArgType::Tuple(types), ArgValue::Many(values)) if types.len() == values.len() => {
            types.iter().zip(values).try_for_each(|(of, value)| put(sink, of, value))?;
        }
        (ArgType::List(of), ArgValue::Many(values)) => {
            sink.put_leb128(values.len() as u64);
            values.iter().try_for_each(|value| put(sink, of, value))?;
        }
        (ArgType::Dict(key_type, value_type), ArgValue::Dict(pairs)) => {
            sink.put_leb128(pairs.len() as u64);
            for (key, value) in pairs {
                put(sink, key_type, key)?;
                put(sink, value_type, value)?;
            }
        }
        (ArgType::Signed(of, _), ArgValue::Signed(value, signature)) => {
            put(sink, of, value)?;
            put_bytes(sink, "signature of arguments", signature)?;
        }
        _ => return Err(EncodeError::NotOfType),
    }
    Ok(())
}

fn put_bytes(sink: &mut Vec<u8>, what: &'static str, bytes: &[u8]) -> Result<(), EncodeError> {
    let max = MAX_BYTES - LEN_BYTES;
    if bytes.len() > max {
        return Err(EncodeError::TooLong { what, len: bytes.len(), max });
    }
    sink.put_leb128(bytes.len() as u64);
    sink.put(bytes);
    Ok(())
}

fn take(reader: &mut Reader<'_>, of: &ArgType) -> Result<ArgValue, DecodeError> {
    Ok(match of {
        ArgType::Text => {
            let bytes = take_bytes(reader, "text of arguments")?;
            let text = String::from_utf8(bytes);
            ArgValue::Text(text.map_err(|_| DecodeError::malformed("text of arguments", "not UTF-8"))?)
        }
        ArgType::Bytes => ArgValue::Bytes(take_bytes(reader, "bytes of arguments")?),
        ArgType::Int => ArgValue::Int(Integer::read(reader, true)?),
        ArgType::Amount => ArgValue::Int(Integer::read(reader, false)?),
        ArgType::Bool => ArgValue::Bool(take_bool(reader, "truth of arguments")?),
        ArgType::Timestamp => ArgValue::Timestamp(reader.array("time of arguments").map(u32::from_be_bytes)?),
        ArgType::Address => ArgValue::Address(reader.address("address of arguments")?),
        ArgType::Id => ArgValue::Id(reader.id("id of arguments")?),
        ArgType::Caller if take_bool(reader, "caller of arguments")? => {
            ArgValue::Contract(reader.id("caller of arguments")?)
        }
        ArgType::Caller => ArgValue::Address(reader.address("caller of arguments")?),
        ArgType::Token if take_bool(reader, "token of arguments")? => {
            ArgValue::Token(TokenUid::Custom(reader.id("token of arguments")?))
        }
        ArgType::Token => ArgValue::Token(TokenUid::Native),
        ArgType::Optional(of) if take_bool(reader, "optional argument")? => take(reader, of)?,
        ArgType::Optional(_) => ArgValue::Nothing,
        ArgType::Tuple(types) => {
            ArgValue::Many(types.iter().map(|of| take(reader, of)).collect::<Result<_, _>>()?)
        }
        ArgType::List(of) => ArgValue::Many(take_list(reader, |reader| take(reader, of))?),
        ArgType::Dict(key, value) => ArgValue::Dict(take_list(reader, |reader| {
            let key = take(reader, key)?;
            Ok((key, take(reader, value)?))
        })?),
        ArgType::Signed(of, _) => {
            let value = Box::new(take(reader, of)?);
            ArgValue::Signed(value, take_bytes(reader, "signature of arguments")?)
        }
    })
}

fn take_bool(reader: &mut Reader<'_>, what: &'static str) -> Result<bool, DecodeError> {
    match reader.u8(what)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(DecodeError::malformed(what, format!("{other} is neither 0 nor 1"))),
    }
}

fn take_bytes(reader: &mut Reader<'_>, what: &'static str) -> Result<Vec<u8>, DecodeError> {
    let len = reader.leb128(what, LEN_BYTES)?;
    Ok(reader.take(what, usize::try_from(len).expect("three bytes"))?.to_vec())
}

/// As many as their number says. No value is empty, so the bytes that are left bound them.
fn take_list<T>(
    reader: &mut Reader<'_>,
    mut one: impl FnMut(&mut Reader<'_>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let count = reader.leb128("number of elements", LEN_BYTES)?;
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(one(reader)?);
    }
    Ok(all)
}

// Types of arguments, as a node's account of a blueprint names them.

/// How deep types may be in each other.
const MAX_DEPTH: usize = 16;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgType {
    /// `str`
    Text,
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `Address`
    Address,
    /// `CallerId`: an address or a contract.
    Caller,
    /// `Timestamp`: Unix seconds.
    Timestamp,
    /// `Amount`
    Amount,
    /// `TokenUid`
    Token,
    /// `bytes`, `TxOutputScript`
    Bytes,
    /// `VertexId`, `ContractId`, `BlueprintId`
    Id,
    /// `T?`
    Optional(Box<Self>),
    /// `tuple[A, B]`
    Tuple(Vec<Self>),
    /// `list[T]`, `set[T]`, `deque[T]`, `frozenset[T]`: of one type, any number.
    List(Box<Self>),
    /// `dict[K, V]`
    Dict(Box<Self>, Box<Self>),
    /// `SignedData[T]`: a value of the type that is named, and an oracle's signature.
    Signed(Box<Self>, String),
}

/// The name of a type that this wallet does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Unsupported type: {0}")]
pub struct UnknownType(pub String);

impl ArgType {
    /// Longest name of a type that is read.
    pub const MAX_NAME_BYTES: usize = 1_000;

    /// Reads a type's name.
    ///
    /// # Errors
    /// [`UnknownType`] for any other name, and for one that is very long or deep.
    pub fn parse(name: &str) -> Result<Self, UnknownType> {
        if name.len() > Self::MAX_NAME_BYTES {
            return Err(UnknownType(format!("{} bytes long", name.len())));
        }
        Self::parse_at(name.trim(), 0)
    }

    fn parse_at(name: &str, depth: usize) -> Result<Self, UnknownType> {
        let unknown = || UnknownType(name.to_owned());
        if depth > MAX_DEPTH {
            return Err(unknown());
        }
        let simple = match name {
            "str" => Self::Text,
            "int" => Self::Int,
            "bool" => Self::Bool,
            "Address" => Self::Address,
            "CallerId" | "union[Address, ContractId]" => Self::Caller,
            "Timestamp" => Self::Timestamp,
            "Amount" => Self::Amount,
            "TokenUid" => Self::Token,
            "bytes" | "TxOutputScript" => Self::Bytes,
            "VertexId" | "ContractId" | "BlueprintId" => Self::Id,
            _ => return Self::parse_compound(name, depth).ok_or_else(unknown)?,
        };
        Ok(simple)
    }

    /// `None` for what has not the form of a compound type.
    fn parse_compound(name: &str, depth: usize) -> Option<Result<Self, UnknownType>> {
        let inner = |name: &str| Self::parse_at(name.trim(), depth + 1);
        if let Some(name) = name.strip_suffix('?') {
            // One in another would be written like one alone.
            return Some(inner(name))
                .filter(|inner| !matches!(inner, Ok(Self::Optional(_))))
                .map(|inner| inner.map(|inner| Self::Optional(Box::new(inner))));
        }
        let (container, elements) = name.strip_suffix(']')?.split_once('[')?;
        match container.trim() {
            "SignedData" | "RawSignedData" => {
                Some(inner(elements).map(|inner| Self::Signed(Box::new(inner), elements.trim().to_owned())))
            }
            "tuple" | "Tuple" => {
                let elements: Result<_, _> = split(elements).into_iter().map(inner).collect();
                Some(elements.map(Self::Tuple))
            }
            "list" | "List" | "set" | "Set" | "deque" | "Deque" | "frozenset" | "FrozenSet" => {
                Some(inner(elements).map(|inner| Self::List(Box::new(inner))))
            }
            "dict" | "Dict" => {
                let [key, value] = split(elements)[..] else { return None };
                let pair = inner(key).and_then(|key| Ok((Box::new(key), Box::new(inner(value)?))));
                Some(pair.map(|(key, value)| Self::Dict(key, value)))
            }
            _ => None,
        }
    }
}

/// Splits at commas that stand in no brackets.
fn split(names: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_separator = |letter: char| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    };
    names.split(is_separator).collect()
}

// Integers of a contract's arguments, which have up to 224 bits.

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
