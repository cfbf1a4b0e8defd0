//! The fields of requests, as their own checks look at them.

use super::schema::{about, named};
use super::words::meaning;
use crate::api::Compat;
use crate::api::record::{Kind, Need, Noted, recorded};
use serde_json::{Map, Value, json};

/// Runs a request's checks.
pub(super) type Read = fn(&Map<String, Value>, Compat);
/// A request that is as it must be, and its name.
pub(super) type Example = (&'static str, Value);

/// The fields that a request's checks look at: in an empty request, and in the examples, which show the members of
/// what nests.
pub(super) fn of(read: Read, examples: &[Example], compat: Compat) -> Vec<Noted> {
    let empty = Map::new();
    let requests = std::iter::once(&empty).chain(examples.iter().filter_map(|(_, value)| value.as_object()));
    recorded(|| requests.for_each(|request| read(request, compat)))
}

/// Fields of a query, as parameters. The first example's values are theirs.
pub(super) fn query_parameters<'a>(
    operation: &'a str,
    fields: &'a [Noted],
    examples: &'a [Example],
) -> impl Iterator<Item = Value> + 'a {
    fields.iter().map(move |field| {
        let mut schema = match field.kind {
            // In a query all is text, and there is one way to write what isn't.
            Kind::Amount => json!({"type": "integer", "minimum": 1}),
            Kind::Integer(least, most) => integer(least, most),
            Kind::Flag | Kind::StrictFlag => json!({"type": "boolean"}),
            kind => schema_of(kind),
        };
        if let Some(default) = &field.default {
            schema["default"] = default.clone();
        }
        let mut parameter = json!({
            "name": field.path,
            "in": "query",
            "required": field.need == Need::Required,
            "schema": schema,
            "description": meaning(operation, &field.path),
        });
        if let Some(example) = examples.first().and_then(|(_, example)| example.get(&field.path)) {
            parameter["example"] = example.clone();
        }
        parameter
    })
}

/// Fields of a body, as the schema of an object. What is not a field is not looked at.
pub(super) fn body_schema(operation: &str, fields: &[Noted]) -> Value {
    let mut schema = members(operation, fields, "");
    schema["required"] = required(fields).collect();
    schema
}

fn required(fields: &[Noted]) -> impl Iterator<Item = &str> {
    let outer = fields.iter().filter(|field| !field.path.contains(['[', '.']));
    outer.filter(|field| field.need == Need::Required).map(|field| field.path.as_str())
}

/// An object with the fields right below a path.
fn members(operation: &str, fields: &[Noted], below: &str) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let Some(name) = field.path.strip_prefix(below).filter(|name| !name.contains(['[', '.'])) else {
            continue;
        };
        properties
            .insert(name.to_owned(), about(whole(operation, fields, field), meaning(operation, &field.path)));
    }
    json!({"type": "object", "properties": properties})
}

/// The schema of a field with all that is below it.
fn whole(operation: &str, fields: &[Noted], field: &Noted) -> Value {
    let mut schema = match field.kind {
        Kind::Array(least, most) => {
            let element = format!("{}[]", field.path);
            let items = fields.iter().find(|field| field.path == element);
            let items = items.map_or_else(|| json!({}), |items| whole(operation, fields, items));
            let mut schema = json!({"type": "array", "items": items});
            if least > 0 {
                schema["minItems"] = least.into();
            }
            if let Some(most) = most {
                schema["maxItems"] = most.into();
            }
            schema
        }
        Kind::Object(together) => {
            let mut schema = members(operation, fields, &format!("{}.", field.path));
            schema["anyOf"] = together.iter().map(|names| json!({"required": names})).collect();
            schema
        }
        kind => schema_of(kind),
    };
    if field.need == Need::Nullable {
        schema = match schema.get("type") {
            Some(Value::String(kind)) if schema.get("enum").is_none() => {
                schema["type"] = json!([kind, "null"]);
                schema
            }
            _ => json!({"anyOf": [schema, {"type": "null"}]}),
        };
    }
    if let Some(default) = &field.default {
        schema["default"] = default.clone();
    }
    schema
}

/// The schema of what a field holds, but for arrays and objects.
fn schema_of(kind: Kind) -> Value {
    match kind {
        Kind::Text => json!({"type": "string"}),
        Kind::ShortText(most) => json!({"type": "string", "maxLength": most}),
        Kind::NonEmptyText => json!({"type": "string", "minLength": 1}),
        Kind::Hex => json!({"type": "string", "pattern": "^[0-9A-Fa-f]+$"}),
        Kind::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
        Kind::HexByName => {
            json!({"type": "object", "additionalProperties": schema_of(Kind::Hex)})
        }
        Kind::OneOf(texts) => json!({"type": "string", "enum": texts}),
        Kind::Amount => named("PositiveInteger"),
        Kind::Integer(Some(0), None) => named("Count"),
        Kind::Integer(Some(1), None) => named("PositiveInteger"),
        Kind::Integer(None, None) => named("Integer"),
        Kind::Integer(least, most) => {
            let mut schema = integer(least, most);
            schema["type"] = json!(["integer", "string"]);
            schema["pattern"] = "^[+-]?[0-9]+$".into();
            schema
        }
        Kind::Flag => named("Flag"),
        Kind::StrictFlag => json!({"type": "boolean"}),
        Kind::Numbers(numbers) => json!({"type": "integer", "enum": numbers}),
        Kind::Token => json!({"anyOf": [{"type": "string"}, named("TokenObject")]}),
        Kind::TokenObject => named("TokenObject"),
        Kind::Array(..) => json!({"type": "array"}),
        Kind::Object(_) => json!({"type": "object"}),
    }
}

fn integer(least: Option<i128>, most: Option<i128>) -> Value {
    let mut schema = json!({"type": "integer"});
    let limits = [("minimum", least), ("maximum", most)];
    for (name, limit) in limits {
        if let Some(limit) = limit.and_then(|limit| i64::try_from(limit).ok()) {
            schema[name] = limit.into();
        }
    }
    schema
}
