//! Untrusted JSON, read as a [`Value`] with a bound on its depth.
//!
//! `serde_json` stops at 128 levels. With its feature `raw_value`, though, its reader of [`Value`] takes an
//! object whose key is `EMBEDDED` for JSON in a text, and reads that text from level 0 again: a few kilobytes
//! of nested texts overflow the stack, which ends the process. This reader refuses that key, so that later
//! readers of the value are safe, too.

mod typos;

pub use typos::typo_of;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use std::fmt;

/// The key for JSON in a text (`raw_value`).
const EMBEDDED: &str = "$serde_json::private::RawValue";
/// The key for the digits of a number (`arbitrary_precision`).
const NUMBER: &str = "$serde_json::private::Number";

/// Files from Windows begin with it (RFC 8259, 8.1: parsers may ignore it).
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

const MAX_SHOWN: usize = 100;

/// Reads one JSON value and nothing after it. The last value of a repeated key counts. A byte order mark
/// before the value is ignored.
///
/// # Errors
/// [`serde_json::Error`], with line and column, also for a value nested 128 levels deep, or with
/// `serde_json`'s private key.
pub fn read(text: &[u8]) -> Result<Value, serde_json::Error> {
    read_as(text, AnyValue { unique_keys: false })
}

/// As [`read`], but refuses an object with a repeated key: an earlier reader may have used the other value.
pub fn read_unique(text: &[u8]) -> Result<Value, serde_json::Error> {
    read_as(text, AnyValue { unique_keys: true })
}

fn read_as(text: &[u8], how: AnyValue) -> Result<Value, serde_json::Error> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = how.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// One unparsed JSON value that [`read`] would accept, to be passed on. Parsed it would take up to forty
/// times as many bytes.
///
/// # Errors
/// [`serde_json::Error`] as for [`read`], and for text that is not UTF-8.
pub fn raw(text: Vec<u8>) -> Result<Box<RawValue>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(&text);
    Checked.deserialize(&mut reader)?;
    reader.end()?;
    let text = String::from_utf8(text).map_err(serde_json::Error::custom)?;
    RawValue::from_string(text)
}

/// Verifies that the rest of a value can be read.
#[derive(Clone, Copy)]
struct Checked;

impl<'de> DeserializeSeed<'de> for Checked {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ANY)
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _value: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _number: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _number: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _text: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element_seed(self)?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                NUMBER if is_empty => return number(&mut members).map(drop),
                EMBEDDED => return Err(embedded()),
                _ => members.next_value_seed(self)?,
            }
            is_empty = false;
        }
        Ok(())
    }
}

/// The number after its key.
fn number<'de, A: MapAccess<'de>>(members: &mut A) -> Result<Number, A::Error> {
    members.next_value::<String>()?.parse().map_err(A::Error::custom)
}

fn embedded<E: Error>() -> E {
    E::custom(format_args!("the key {EMBEDDED} is not allowed"))
}

/// What is expected if there is no value at all.
const ANY: &str = "any valid JSON value";

#[derive(Clone, Copy)]
struct AnyValue {
    unique_keys: bool,
}

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ANY)
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }
    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }
    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            array.push(element);
        }
        Ok(Value::Array(array))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                NUMBER if object.is_empty() => return number(&mut members).map(Value::Number),
                EMBEDDED => return Err(embedded()),
                _ if self.unique_keys && object.contains_key(&key) => {
                    let key: String = key.chars().take(MAX_SHOWN).collect();
                    return Err(A::Error::custom(format_args!("the key {key:?} comes more than once")));
                }
                _ => {
                    let value = members.next_value_seed(self)?;
                    object.insert(key, value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

pub const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `serde_json` itself, wherever that is safe.
    #[test]
    fn reads_and_refuses_what_serde_json_does() {
        for text in [
            "null",
            " true ",
            r#""a\u00e9\n""#,
            "[]",
            r#"{"b":[1,-2,3.50,1e400,123456789012345678901234567890],"a":{"c":null},"b":2}"#,
            "",
            "{",
            "[1,]",
            r#"{"a":1,}"#,
            r#"{"a" 1}"#,
            "[-0, 0, 0.1, -1.5e-3, 18446744073709551616, -9223372036854775809]",
            "01",
            "nul",
            "1 2",
            "{'a':1}",
            r#"{"$serde_json::private::Number":"12"}"#,
            r#"{"$serde_json::private::Number":"a"}"#,
            "\"\u{1}\"",
        ] {
            let (ours, theirs) = (read(text.as_bytes()), serde_json::from_slice::<Value>(text.as_bytes()));
            let ours = ours.map_err(|e| e.to_string());
            assert_eq!(ours, theirs.map_err(|e| e.to_string()), "{text}");
            let as_it_came = raw(text.into()).map(|json| json.get().to_owned());
            let as_it_came = as_it_came.map_err(|e| e.to_string());
            assert_eq!(as_it_came, ours.map(|_| text.trim().to_owned()), "{text}");
        }
    }

    #[test]
    fn one_byte_order_mark_is_ignored_at_the_beginning() {
        assert_eq!(read("\u{feff}{\"a\":1}".as_bytes()).unwrap(), serde_json::json!({"a": 1}));
        for text in ["\u{feff}\u{feff}{}", " \u{feff}{}", "{}\u{feff}", "\u{feff}"] {
            assert!(read(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn keys_come_once_where_that_is_asked_for() {
        let read = |text: &str| read_unique(text.as_bytes()).map_err(|error| error.to_string());
        for (text, key, column) in [
            (r#"{"a":1,"a":2}"#, r#""a""#, 10),
            (r#"[{"b":{"a":1,"\u0061":[]}}]"#, r#""a""#, 21),
            (r#"{"\u001b[1m":1,"\u001b[1m":2}"#, r#""\u{1b}[1m""#, 26),
        ] {
            let error = format!("the key {key} comes more than once at line 1 column {column}");
            assert_eq!(read(text), Err(error), "{text}");
        }
        let long = format!(r#"{{"{0}":1,"{0}":2}}"#, "k".repeat(5_000));
        assert!(read(&long).expect_err("twice").len() < 200);
        assert!(read(r#"{"a":{"a":[{"a":1},{"a":1.5}]},"b":1}"#).is_ok());
    }

    #[test]
    fn depth_is_bounded_in_each_way_to_nest() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let nested = |depth| format!("{}1{}", open.repeat(depth), close.repeat(depth));
            assert!(read(nested(127).as_bytes()).is_ok());
            assert!(raw(nested(127).into()).is_ok());
            let error = read(nested(128).as_bytes()).expect_err("too deep").to_string();
            assert!(error.starts_with("recursion limit exceeded at line 1 column "), "{error}");
            assert_eq!(raw(nested(128).into()).expect_err("too deep").to_string(), error);
        }
        for key in [EMBEDDED.to_owned(), EMBEDDED.replace('$', "\\u0024")] {
            let text = format!(r#"{{"a":[{{"{key}":"[1]"}}]}}"#);
            let error = read(text.as_bytes()).expect_err("embedded JSON").to_string();
            assert_eq!(raw(text.as_str().into()).expect_err("embedded JSON").to_string(), error);
            let column = text.len() - 4 - r#":"[1]""#.len() + 1;
            assert_eq!(
                error,
                format!("the key $serde_json::private::RawValue is not allowed at line 1 column {column}")
            );
        }
    }
}
