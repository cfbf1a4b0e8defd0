//! Arguments of a contract's method as JSON has them, and back.

use crate::ledger::nano::{ArgType, ArgValue, Integer, MAX_ARGS_BYTES, write_args};
use crate::ledger::{Address, EncodeError, Network, TokenUid, VertexId};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Why a method's arguments can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    #[error("Method needs {needed} parameters but data has {given}.")]
    Count { needed: usize, given: usize },
    /// One is not of its type.
    #[error("args[{place}]{must}")]
    Value {
        /// Its place, counted from 0.
        place: usize,
        /// Where in it the problem is, and what must stand there.
        must: String,
    },
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The bytes of all arguments that a method of these types takes.
///
/// # Errors
/// [`ArgsError`] for too many, too few or too long ones, and for the first that is not of its type.
pub fn args_from_json(types: &[ArgType], given: &[Value], network: Network) -> Result<Vec<u8>, ArgsError> {
    if types.len() != given.len() {
        return Err(ArgsError::Count { needed: types.len(), given: given.len() });
    }
    let mut reader = Reader::new(network);
    let values =
        types.iter().zip(given).enumerate().map(|(place, (of, json))| {
            reader.whole(of, json).map_err(|must| ArgsError::Value { place, must })
        });
    Ok(write_args(types, &values.collect::<Result<Vec<_>, _>>()?)?)
}

/// The argument that a JSON value stands for.
///
/// # Errors
/// What it must be, and where in the value.
pub fn arg_from_json(of: &ArgType, json: &Value, network: Network) -> Result<ArgValue, String> {
    Reader::new(network).whole(of, json)
}

/// The place within the value, and what stands there must be.
type Problem = (String, String);

/// Reads the arguments of one call, or one value.
struct Reader {
    network: Network,
    /// How many more values may come: each takes a byte at least, and what is read to be refused for its
    /// length is work for nothing.
    left: usize,
}

impl Reader {
    fn new(network: Network) -> Self {
        Self { network, left: MAX_ARGS_BYTES }
    }

    fn whole(&mut self, of: &ArgType, json: &Value) -> Result<ArgValue, String> {
        self.read(of, json).map_err(|(place, must)| format!("{place}{must}"))
    }

    fn read(&mut self, of: &ArgType, json: &Value) -> Result<ArgValue, Problem> {
        let network = self.network;
        let takes_no_byte = match of {
            ArgType::Tuple(_) | ArgType::Signed(..) => true,
            ArgType::Optional(_) => !json.is_null(),
            _ => false,
        };
        if !takes_no_byte {
            self.left = self.left.checked_sub(1).ok_or_else(too_much)?;
        }
        let must = |must: &str| (String::new(), format!(" must be {must}"));
        let text = |is: &str| json.as_str().ok_or_else(|| must(is));
        let address = |text: &str| {
            Address::parse(text, network)
                .map_err(|error| (String::new(), format!(" {}", error.must_be(Some(network)))))
        };
        Ok(match of {
            ArgType::Text => ArgValue::Text(text("a text")?.to_owned()),
            ArgType::Bytes => {
                let digits = text("hexadecimal digits")?;
                ArgValue::Bytes(hex::decode(digits).map_err(|_| must("hexadecimal digits"))?)
            }
            ArgType::Int => {
                ArgValue::Int(integer(json).filter(Integer::fits_signed).ok_or_else(|| must(INTEGER))?)
            }
            ArgType::Amount => {
                let number = integer(json).filter(|number| !number.is_negative());
                ArgValue::Int(number.ok_or_else(|| must(AMOUNT))?)
            }
            ArgType::Bool => ArgValue::Bool(match (json.as_bool(), json.as_str()) {
                (Some(flag), _) => flag,
                (None, Some("true")) => true,
                (None, Some("false")) => false,
                _ => return Err(must("true or false")),
            }),
            ArgType::Timestamp => {
                let seconds = integer(json).and_then(|seconds| seconds.to_string().parse().ok());
                ArgValue::Timestamp(seconds.ok_or_else(|| must("a time in Unix seconds"))?)
            }
            ArgType::Address => ArgValue::Address(address(text("an address")?)?),
            ArgType::Id => ArgValue::Id(id(json).ok_or_else(|| must(ID))?),
            ArgType::Caller => match id(json) {
                Some(id) => ArgValue::Contract(id),
                None => ArgValue::Address(address(text("an address or a contract's id")?)?),
            },
            ArgType::Token => {
                let uid = json.as_str().and_then(|text| text.parse::<TokenUid>().ok());
                ArgValue::Token(
                    uid.ok_or_else(|| must("a token's uid: 00 for HTR, or 64 hexadecimal digits"))?,
                )
            }
            ArgType::Optional(_) if json.is_null() => ArgValue::Nothing,
            ArgType::Optional(of) => self.read(of, json)?,
            ArgType::Tuple(types) => {
                let values = json.as_array().filter(|values| values.len() == types.len());
                let values = values.ok_or_else(|| must(&format!("an array of {} values", types.len())))?;
                self.many(types.iter().zip(values))?
            }
            ArgType::List(of) => {
                let values = json.as_array().ok_or_else(|| must("an array"))?;
                self.many(values.iter().map(|value| (&**of, value)))?
            }
            // Objects of JSON have no order, and on the ledger the entries have one.
            ArgType::Dict(key_type, value_type) if json.is_array() => {
                let (mut pairs, mut keys) = (Vec::new(), HashSet::new());
                for (place, pair) in json.as_array().into_iter().flatten().enumerate() {
                    let at = |(rest, must): Problem| (format!("[{place}]{rest}"), must);
                    let Some([key, value]) = pair.as_array().map(Vec::as_slice) else {
                        return Err(at(must("an array of a key and its value")));
                    };
                    let key = self.read(key_type, key).map_err(at)?;
                    if !keys.insert(key.clone()) {
                        return Err(at(must("of another key than those before it")));
                    }
                    pairs.push((key, self.read(value_type, value).map_err(at)?));
                }
                ArgValue::Dict(pairs)
            }
            ArgType::Dict(key_type, value_type) => {
                let pairs = json.as_object().ok_or_else(|| must("an object"))?;
                let pair = |(key, value): (&String, &Value)| {
                    let at = |(place, must): Problem| (format!(".{key}{place}"), must);
                    let read_key = self.read(key_type, &Value::from(key.as_str())).map_err(at)?;
                    Ok::<_, Problem>((read_key, self.read(value_type, value).map_err(at)?))
                };
                ArgValue::Dict(pairs.iter().map(pair).collect::<Result<_, _>>()?)
            }
            ArgType::Signed(of, name) => {
                let is_of_type = json.get("type").is_some_and(|given| given == name.as_str());
                let signature =
                    json.get("signature").and_then(Value::as_str).and_then(|hex| hex::decode(hex).ok());
                let (true, Some(signature)) = (is_of_type, signature) else {
                    return Err(must(&format!(
                        "{{\"type\": \"{name}\", \"signature\": hexadecimal digits, \"value\": the value}}"
                    )));
                };
                let value = json.get("value").unwrap_or(&Value::Null);
                let value = self.read(of, value).map_err(|(place, must)| (format!(".value{place}"), must))?;
                ArgValue::Signed(Box::new(value), signature)
            }
        })
    }

    fn many<'a>(
        &mut self,
        values: impl Iterator<Item = (&'a ArgType, &'a Value)>,
    ) -> Result<ArgValue, Problem> {
        let one = |(place, (of, value)): (usize, (&ArgType, &Value))| {
            self.read(of, value).map_err(|(inner, must)| (format!("[{place}]{inner}"), must))
        };
        values.enumerate().map(one).collect::<Result<_, _>>().map(ArgValue::Many)
    }
}

const INTEGER: &str = "an integer of at most 223 bits and a sign";
const AMOUNT: &str = "an integer of at most 224 bits, not below 0";
const ID: &str = "64 hexadecimal digits";

/// An integer, as a number or a text.
fn integer(json: &Value) -> Option<Integer> {
    match json {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn too_much() -> Problem {
    let what = format!(" is one value too many: the arguments of a call have at most {MAX_ARGS_BYTES} bytes");
    (String::new(), what)
}

fn id(json: &Value) -> Option<VertexId> {
    json.as_str()?.parse().ok()
}

/// An argument as hathor-wallet-headless writes it: what [`arg_from_json`] reads, with integers as texts.
pub fn arg_to_json(of: &ArgType, value: &ArgValue) -> Value {
    match (of, value) {
        (ArgType::Optional(_), ArgValue::Nothing) => Value::Null,
        (ArgType::Optional(of), value) => arg_to_json(of, value),
        (ArgType::Tuple(types), ArgValue::Many(values)) => {
            types.iter().zip(values).map(|(of, value)| arg_to_json(of, value)).collect()
        }
        (ArgType::List(of), ArgValue::Many(values)) => {
            values.iter().map(|value| arg_to_json(of, value)).collect()
        }
        (ArgType::Dict(key_type, value_type), ArgValue::Dict(pairs)) => {
            let key = |key| match arg_to_json(key_type, key) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            let mut object = Map::new();
            for (name, value) in pairs {
                object.insert(key(name), arg_to_json(value_type, value));
            }
            Value::Object(object)
        }
        (ArgType::Signed(of, name), ArgValue::Signed(value, signature)) => {
            let mut object = Map::new();
            object.insert("type".to_owned(), name.as_str().into());
            object.insert("signature".to_owned(), hex::encode(signature).into());
            object.insert("value".to_owned(), arg_to_json(of, value));
            Value::Object(object)
        }
        (_, ArgValue::Timestamp(seconds)) => (*seconds).into(),
        (_, ArgValue::Text(text)) => text.as_str().into(),
        (_, ArgValue::Bytes(bytes)) => hex::encode(bytes).into(),
        (_, ArgValue::Int(integer)) => integer.to_string().into(),
        (_, ArgValue::Bool(flag)) => flag.to_string().into(),
        (_, ArgValue::Address(address)) => address.to_string().into(),
        (_, ArgValue::Contract(id) | ArgValue::Id(id)) => id.to_string().into(),
        (_, ArgValue::Token(uid)) => uid.to_string().into(),
        // Of another type than its own, which nobody reads or writes.
        _ => Value::Null,
    }
}
