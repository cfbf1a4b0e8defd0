//! The fields of requests, as they are declared.

use super::schema::{about, named};
use crate::api::Compat;
use crate::api::declare::{Kind, Literal, Member, Need};
use serde_json::{Map, Value, json};

/// Fields of a query or of a path, as parameters. The example's values are theirs.
pub(super) fn parameters<'a>(
    place: &'static str,
    members: impl Iterator<Item = &'static Member> + 'a,
    example: &'a Value,
    compat: Compat,
) -> impl Iterator<Item = Value> + 'a {
    members.filter_map(move |member| member.under(compat)).map(move |member| {
        let mut schema = match member.kind {
            // In a query all is text, and there is one way to write what isn't.
            Kind::Amount => json!({"type": "integer", "minimum": 1}),
            Kind::Integer(least, most) => integer(least, most),
            Kind::Flag | Kind::StrictFlag => json!({"type": "boolean"}),
            kind => schema_of(kind, compat),
        };
        if let Some(default) = member.default {
            schema["default"] = value_of(default);
        }
        let mut parameter = json!({
            "name": member.name,
            "in": place,
            "required": member.need == Need::Required,
            "schema": schema,
            "description": member.meaning.trim(),
        });
        if member.deprecated {
            parameter["deprecated"] = true.into();
        }
        if let Some(example) = example.get(member.name) {
            parameter["example"] = example.clone();
        }
        parameter
    })
}

/// Fields of a body, as the schema of an object. What is not a field is not looked at.
pub(super) fn body_schema(members: impl Iterator<Item = &'static Member> + Clone, compat: Compat) -> Value {
    let mut schema = object(members.clone(), compat);
    let required = members.filter(|member| member.need == Need::Required);
    schema["required"] = required.map(|member| member.name).collect();
    schema
}

/// A body that is one field alone.
pub(super) fn bare_schema(member: &Member, compat: Compat) -> Value {
    about(whole(member, compat), member.meaning.trim())
}

/// An object with these members.
fn object(members: impl Iterator<Item = &'static Member>, compat: Compat) -> Value {
    let members = members.filter_map(|member| member.under(compat));
    let properties: Map<_, _> = members
        .map(|member| (member.name.to_owned(), about(whole(&member, compat), member.meaning.trim())))
        .collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if compat.refuses_unused_fields() {
        schema["additionalProperties"] = false.into();
    }
    schema
}

/// The schema of a member, with all that is below it.
fn whole(member: &Member, compat: Compat) -> Value {
    let mut schema = schema_of(member.kind, compat);
    if member.need == Need::Nullable {
        schema = match schema.get("type") {
            Some(Value::String(kind)) if schema.get("enum").is_none() => {
                schema["type"] = json!([kind, "null"]);
                schema
            }
            _ => json!({"anyOf": [schema, {"type": "null"}]}),
        };
    }
    if let Some(default) = member.default {
        schema["default"] = value_of(default);
    }
    if member.deprecated {
        schema["deprecated"] = true.into();
    }
    schema
}

fn value_of(literal: Literal) -> Value {
    match literal {
        Literal::Flag(yes) => yes.into(),
        Literal::Number(number) => i64::try_from(number).expect("defaults are small numbers").into(),
        Literal::Text(text) => text.into(),
    }
}

/// The schema of what a field holds.
fn schema_of(kind: Kind, compat: Compat) -> Value {
    match kind {
        Kind::Text | Kind::Address | Kind::TransactionId => json!({"type": "string"}),
        Kind::TokenUid => json!({"type": "string", "pattern": "^(00|[0-9A-Fa-f]{64})?$"}),
        Kind::ShortText(most) => json!({"type": "string", "maxLength": most}),
        Kind::NonEmptyText => json!({"type": "string", "minLength": 1}),
        Kind::Hex => json!({"type": "string", "pattern": "^[0-9A-Fa-f]+$"}),
        Kind::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
        Kind::HexByName => {
            json!({"type": "object", "additionalProperties": schema_of(Kind::Hex, compat)})
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
        Kind::Any => json!({}),
        Kind::Numbers(numbers) => json!({"type": "integer", "enum": numbers}),
        Kind::Token => json!({"anyOf": [{"type": "string"}, named("TokenObject")]}),
        Kind::TokenObject => named("TokenObject"),
        Kind::Array { of, least, most } => {
            let mut schema = json!({"type": "array", "items": schema_of(*of, compat)});
            if least > 0 {
                schema["minItems"] = least.into();
            }
            if let Some(most) = most {
                schema["maxItems"] = most.into();
            }
            schema
        }
        Kind::Object { members, any_of } => {
            let mut schema = object(members.iter(), compat);
            schema["anyOf"] = any_of.iter().map(|names| json!({"required": names})).collect();
            schema
        }
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

/// What several fields hold, by name.
pub(super) fn named_schemas(compat: Compat) -> Map<String, Value> {
    let mut schemas = json!({
        "Integer": {
            "type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$",
            "description": "An integer of any size, also as text.",
        },
        "Count": {
            "type": ["integer", "string"], "minimum": 0, "pattern": "^[+]?[0-9]+$",
            "description": "An integer of at least 0, also as text.",
        },
        "PositiveInteger": {
            "type": ["integer", "string"], "minimum": 1, "pattern": "^[+]?0*[1-9][0-9]*$",
            "description": "An integer of at least 1 and of any size, also as text.",
        },
        "Flag": {
            "enum": [true, false, "true", "false", 1, 0, "1", "0"],
            "description": "A yes or no: a boolean, also as 1 or 0 or as text.",
        },
        "TokenObject": {
            "type": "object", "deprecated": true, "required": ["uid", "name", "symbol"],
            "properties": {
                "uid": {"type": "string", "minLength": 1},
                "name": {"type": "string", "minLength": 1},
                "symbol": {"type": "string", "minLength": 1},
            },
            "description": "A token. Give its uid alone instead.",
        },
    });
    if compat.refuses_unused_fields() {
        schemas["TokenObject"]["additionalProperties"] = false.into();
    }
    let Value::Object(schemas) = schemas else { unreachable!("an object, as it stands there") };
    schemas
}
