//! Single values.

use super::Named;
use crate::api::openapi::schema::{Object, about, count, list};
use serde_json::json;

/// Single values.
pub(super) fn values() -> Named {
    vec![
        ("Cents", about(count(), "An amount in cents, of any size: 123 is 1.23.")),
        (
            "Hash",
            json!({"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "A transaction's id."}),
        ),
        (
            "TokenUid",
            json!({
                "type": "string", "pattern": "^(00|[0-9a-f]{64})$",
                "description": "`00` is HTR; other tokens are named by the transaction that created them.",
            }),
        ),
        (
            "Integer",
            json!({
                "type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$",
                "description": "An integer of any size, also as text.",
            }),
        ),
        (
            "Count",
            json!({
                "type": ["integer", "string"], "minimum": 0, "pattern": "^[+]?[0-9]+$",
                "description": "An integer of at least 0, also as text.",
            }),
        ),
        (
            "PositiveInteger",
            json!({
                "type": ["integer", "string"], "minimum": 1, "pattern": "^[+]?0*[1-9][0-9]*$",
                "description": "An integer of at least 1 and of any size, also as text.",
            }),
        ),
        (
            "Flag",
            json!({
                "enum": [true, false, "true", "false", 1, 0, "1", "0"],
                "description": "A yes or no: a boolean, also as 1 or 0 or as text.",
            }),
        ),
        (
            "TokenObject",
            json!({
                "type": "object", "deprecated": true, "required": ["uid", "name", "symbol"],
                "properties": {
                    "uid": {"type": "string", "minLength": 1},
                    "name": {"type": "string", "minLength": 1},
                    "symbol": {"type": "string", "minLength": 1},
                },
                "description": "A token. Give its uid alone instead.",
            }),
        ),
        (
            "Buffer",
            Object::new()
                .with("type", json!({"const": "Buffer"}))
                .with("data", list(json!({"type": "integer", "minimum": 0, "maximum": 255})))
                .into(),
        ),
    ]
}
