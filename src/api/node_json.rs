//! JSON of the node in answers.

use crate::json;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// JSON of the node, whose numbers are integers.
pub(in crate::api) struct AsItCame<'a>(pub &'a str);

impl Serialize for AsItCame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Node(&json::read(self.0.as_bytes()).unwrap_or_default()).serialize(serializer)
    }
}

/// A value of it. As it is, a number of any size is no number to serializers other than that of JSON.
pub(in crate::api) struct Node<'a>(pub &'a Value);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(list) => serializer.collect_seq(list.iter().map(Node)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, Node(value))))
            }
            Value::Number(number) => match (number.as_i64(), number.as_u128(), number.as_i128()) {
                (Some(small), ..) if small.unsigned_abs() <= MAX_SAFE => serializer.serialize_i64(small),
                (_, Some(large), _) => serializer.serialize_u128(large),
                (_, _, Some(negative)) => serializer.serialize_i128(negative),
                _ => serializer.collect_str(number),
            },
        }
    }
}

/// The greatest integer of which JavaScript's numbers are sure.
const MAX_SAFE: u64 = (1 << 53) - 1;
