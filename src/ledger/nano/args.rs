//! Arguments of a contract's method: values and their bytes.

use super::{ArgType, Integer};
use crate::ledger::codec::{DecodeError, EncodeError, Reader, Sink};
use crate::ledger::{Address, TokenUid, VertexId};

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
