//! JSON objects as structs.
//!
//! What serde derives takes a struct from an array, too, by the order of its fields, and compares each name
//! in code of the struct's own. Nodes write objects, and the names are in a list: without all that the code
//! is much shorter, which the WebAssembly file has to carry for each struct.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
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
    T::deserialize(FromObject(deserializer))
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

struct FromObject<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for FromObject<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(ByPlace { fields, of: visitor })
    }
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Has each name found in the list of the struct's fields; what serde derives knows them by their places
/// there, too.
struct ByPlace<T> {
    fields: &'static [&'static str],
    of: T,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for ByPlace<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of.expecting(f)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.of.visit_map(ByPlace { fields: self.fields, of: map })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ByPlace<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let place = next_place(&mut self.of, self.fields)?;
        place.map(|place| seed.deserialize(place.into_deserializer())).transpose()
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.of.next_value_seed(seed)
    }
}

/// The place of the next name among the fields; past all of them for one that is not there.
#[inline(never)]
fn next_place<'de, A: MapAccess<'de>>(map: &mut A, fields: &[&str]) -> Result<Option<u64>, A::Error> {
    map.next_key_seed(Place(fields))
}

struct Place<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<u64, D::Error> {
        name.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Place<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<u64, E> {
        Ok(self.0.iter().position(|field| *field == name).unwrap_or(self.0.len()) as u64)
    }
}
