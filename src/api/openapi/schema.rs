//! JSON Schema of answers, as they are declared.

use crate::api::Compat;
use crate::api::shape::{AnswerMember, Form, Shape};
use serde_json::{Map, Value, json};

/// The schemas that have names: all that were asked for, and those that they name.
pub(super) struct Schemas {
    compat: Compat,
    named: Map<String, Value>,
}

impl Schemas {
    /// With these, which have names of their own.
    pub fn new(compat: Compat, named: Map<String, Value>) -> Self {
        Self { compat, named }
    }
    pub fn into_named(self) -> Value {
        self.named.into()
    }
    /// The schema of any of these shapes, each by its name if it has one.
    pub fn any_of(&mut self, shapes: &[Shape]) -> Value {
        one_of(shapes.iter().map(|shape| self.of(shape)))
    }

    fn of(&mut self, shape: &Shape) -> Value {
        let Some(name) = shape.schema else { return self.whole(shape) };
        if !self.named.contains_key(name) {
            let whole = self.whole(shape);
            self.named.insert(name.to_owned(), whole);
        }
        named(name)
    }

    fn whole(&mut self, shape: &Shape) -> Value {
        let schema = match shape.form {
            Form::Value(schema) | Form::BigInt(schema) => schema(),
            Form::List(of) => json!({"type": "array", "items": self.of(of)}),
            Form::OrNull(of) => json!({"anyOf": [self.of(of), {"type": "null"}]}),
            Form::ByName(names, of) => {
                let mut schema = json!({"type": "object", "additionalProperties": self.of(of)});
                if let Some(names) = names {
                    schema["propertyNames"] = self.of(names);
                }
                schema
            }
            Form::AnyOf(shapes) => self.any_of(shapes),
            Form::Object(members) => self.object(members),
            Form::ByCompat(shape) => self.whole(shape(self.compat)),
            Form::Maybe(of) | Form::Flatten(of) => self.of(of),
            Form::Others => json!(true),
        };
        about(schema, shape.about)
    }

    fn object(&mut self, members: &'static [AnswerMember]) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        self.members(members, &mut properties, &mut required);
        let has_others = members.iter().any(AnswerMember::is_others);
        json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": has_others,
        })
    }

    fn members(
        &mut self,
        members: &'static [AnswerMember],
        properties: &mut Map<String, Value>,
        required: &mut Vec<&'static str>,
    ) {
        for member in AnswerMember::all(members, self.compat) {
            if let Form::Flatten(Shape { form: Form::Object(members), .. }) = member.shape.form {
                self.members(members, properties, required);
                continue;
            }
            if !matches!(member.shape.form, Form::Maybe(_)) {
                required.push(member.name);
            }
            let schema = self.of(&member.shape);
            properties.insert(member.name.to_owned(), about(schema, member.meaning));
        }
    }
}

/// The schema of that name.
pub(super) fn named(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// A schema with an explanation added, if there is one.
pub(super) fn about(mut schema: Value, description: &str) -> Value {
    let description = description.trim();
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

/// Any of several schemas.
fn one_of(schemas: impl Iterator<Item = Value>) -> Value {
    let mut schemas: Vec<_> = schemas.collect();
    if schemas.len() == 1 { schemas.remove(0) } else { json!({"anyOf": schemas}) }
}
