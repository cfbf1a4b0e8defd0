//! JSON objects as structs.
//!
//! What serde derives takes a struct from an array, too, by the order of its fields, and compares each name
//! in code of the struct's own. Nodes write objects, and the names are in a list: without all that the code
//! is much shorter, which the WebAssembly file has to carry for each struct.

use crate::json;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use std::marker::PhantomData;

/// Reads one JSON object, and nothing after it.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = object(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads a field that is an object: for `deserialize_with`.
pub(super) fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(FromObject { of: deserializer, others: None })
}

/// A struct, and the members of its object that are none of its fields.
pub(super) struct WithOthers<T> {
    pub(super) value: T,
    pub(super) others: Map<String, Value>,
}

/// Which members of an object are not passed on, although they are no fields of the struct.
pub(super) trait Drops {
    const DROPPED: &'static [&'static str];
}

impl<'de, T: Deserialize<'de> + Drops> Deserialize<'de> for WithOthers<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut others = Map::new();
        let collected = Others { members: &mut others, dropped: T::DROPPED };
        let value = T::deserialize(FromObject { of: deserializer, others: Some(collected) })?;
        Ok(Self { value, others })
    }
}

/// Where members are collected that are no fields.
struct Others<'a> {
    members: &'a mut Map<String, Value>,
    dropped: &'static [&'static str],
}

impl Others<'_> {
    /// Takes the member whose name has just been read.
    fn take<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        let text = map.next_value::<&RawValue>()?.get();
        if let Some(value) = passable(text) {
            self.members.insert(name, value);
        }
        Ok(())
    }
}

/// The longest JSON that is passed on of a member or part that is not known, in bytes; and how deep it may
/// be.
const MAX_OTHER_BYTES: usize = 16 * 1024;
const MAX_OTHER_DEPTH: usize = 16;

/// JSON of the node that can be passed on: short and shallow enough, with numbers that are no integers of 128
/// bits as texts, so that every reader of the wallet's answers can read them all.
pub(super) fn passable(text: &str) -> Option<Value> {
    let short = Some(text).filter(|text| text.len() <= MAX_OTHER_BYTES)?;
    json::read(short.as_bytes()).ok().filter(|value| is_shallow(value, MAX_OTHER_DEPTH)).map(plain)
}

fn is_shallow(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(list) => depth > 0 && list.iter().all(|value| is_shallow(value, depth - 1)),
        Value::Object(members) => depth > 0 && members.values().all(|value| is_shallow(value, depth - 1)),
        _ => true,
    }
}

fn plain(value: Value) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.into_iter().map(plain).collect()),
        Value::Object(mut members) => {
            members.values_mut().for_each(|value| *value = plain(value.take()));
            Value::Object(members)
        }
        Value::Number(number) if number.as_u128().is_none() && number.as_i128().is_none() => {
            Value::String(number.to_string())
        }
        other => other,
    }
}

/// A struct among others in a list or map.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Reads a field that is an object with any names: for `deserialize_with`.
pub(super) fn entries<'de, D, K, V>(deserializer: D) -> Result<Vec<(K, V)>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de>,
    V: Deserialize<'de>,
{
    deserializer.deserialize_map(Entries(PhantomData))
}

struct Entries<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

struct FromObject<'a, D> {
    of: D,
    others: Option<Others<'a>>,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for FromObject<'_, D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.of.deserialize_map(ByPlace { fields, of: visitor, others: self.others })
    }
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.of.deserialize_any(visitor)
    }
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Has each name found in the list of the struct's fields; what serde derives knows them by their places
/// there, too.
struct ByPlace<'a, T> {
    fields: &'static [&'static str],
    of: T,
    others: Option<Others<'a>>,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for ByPlace<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of.expecting(f)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.of.visit_map(ByPlace { fields: self.fields, of: map, others: self.others })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ByPlace<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let place = next_place(&mut self.of, self.fields, self.others.as_mut())?;
        place.map(|place| seed.deserialize(place.into_deserializer())).transpose()
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.of.next_value_seed(seed)
    }
}

/// The place of the next name among the fields; past all of them for one that is not there, unless those are
/// collected.
#[inline(never)]
fn next_place<'de, A: MapAccess<'de>>(
    map: &mut A,
    fields: &[&str],
    mut others: Option<&mut Others<'_>>,
) -> Result<Option<u64>, A::Error> {
    loop {
        let dropped = others.as_ref().map(|others| others.dropped);
        match (map.next_key_seed(Place { fields, dropped })?, &mut others) {
            (Some(Name::Other(name)), Some(others)) => others.take(name, map)?,
            (Some(Name::Other(_)), None) => return Ok(Some(fields.len() as u64)),
            (Some(Name::Field(place)), _) => return Ok(Some(place)),
            (None, _) => return Ok(None),
        }
    }
}

enum Name {
    Field(u64),
    Other(String),
}

struct Place<'a> {
    fields: &'a [&'a str],
    /// Where others are collected, which of them are not.
    dropped: Option<&'static [&'static str]>,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Name, D::Error> {
        name.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Place<'_> {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
        let place = self.fields.iter().position(|field| *field == name);
        Ok(match (place, self.dropped) {
            (None, Some(dropped)) if !dropped.contains(&name) => Name::Other(name.to_owned()),
            _ => Name::Field(place.unwrap_or(self.fields.len()) as u64),
        })
    }
}
