//! The shape of a JSON text: keys in their order, and what kind of value each has.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Null,
    Bool,
    Integer,
    Float,
    Text,
    List(Vec<Shape>),
    Object(Vec<(String, Shape)>),
}

impl Shape {
    pub fn of(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    fn number(text: &str) -> Self {
        if text.contains(['.', 'e', 'E']) { Self::Float } else { Self::Integer }
    }
}

/// Lists show the shapes that occur in them, each once, so that two histories of different length have the
/// same shape.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Integer => f.write_str("integer"),
            Self::Float => f.write_str("float"),
            Self::Text => f.write_str("text"),
            Self::List(items) => {
                let mut kinds: Vec<String> = items.iter().map(ToString::to_string).collect();
                kinds.sort();
                kinds.dedup();
                write!(f, "[{}]", kinds.join(" or "))
            }
            Self::Object(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
        }
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Shape;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Null)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Bool)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Integer)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Integer)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Float)
    }
    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::Text)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        let mut shapes = Vec::new();
        while let Some(item) = items.next_element()? {
            shapes.push(item);
        }
        Ok(Shape::List(shapes))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Shape, A::Error> {
        let mut shapes = Vec::new();
        while let Some(name) = fields.next_key::<String>()? {
            // How serde_json hands out numbers of any size.
            if name == "$serde_json::private::Number" {
                return Ok(Shape::number(&fields.next_value::<String>()?));
            }
            shapes.push((name, fields.next_value()?));
        }
        Ok(Shape::Object(shapes))
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}
