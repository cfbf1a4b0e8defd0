//! Pieces of JSON Schema.

use serde_json::{Map, Value, json};

/// An object with exactly the members that are listed.
#[derive(Default)]
pub(super) struct Object {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }
    /// A member that is always there.
    pub fn with(mut self, name: &'static str, schema: Value) -> Self {
        self.required.push(name);
        self.properties.insert(name.to_owned(), schema);
        self
    }
    /// A member that is there at times.
    pub fn may_have(mut self, name: &'static str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }
    /// A member that is always there where `there`, and never elsewhere.
    pub fn with_if(self, there: bool, name: &'static str, schema: Value) -> Self {
        if there { self.with(name, schema) } else { self }
    }
    /// A member that is there at times where `there`, and never elsewhere.
    pub fn may_have_if(self, there: bool, name: &'static str, schema: Value) -> Self {
        if there { self.may_have(name, schema) } else { self }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        json!({
            "type": "object",
            "properties": object.properties,
            "required": object.required,
            "additionalProperties": false,
        })
    }
}

/// The schema of that name.
pub(super) fn named(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The same schema with an explanation.
pub(super) fn about(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

/// Any of several schemas.
pub(super) fn one_of(schemas: impl Iterator<Item = Value>) -> Value {
    let mut schemas: Vec<_> = schemas.collect();
    if schemas.len() == 1 { schemas.remove(0) } else { json!({"anyOf": schemas}) }
}

/// An array.
pub(super) fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// The schema, or `null`.
pub(super) fn nullable(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

/// Any text.
pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// An integer of at least 0.
pub(super) fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}
