//! The interface's types: what is accepted, what is refused in which words, and the exact bytes of answers.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used)]

mod answers;
mod creations;
mod fields;
mod generated;
mod histories;
mod nano_args;
mod proposals;
mod queries;
mod sends;
mod start;

use headless_wallet::api::{Compat, Refusal};
use serde_json::{Map, Value, json};

/// A JSON object as a request's fields.
pub fn fields(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

/// A refusal as callers of the documented interface get it.
pub fn answered(refusal: &Refusal) -> Value {
    answered_in(refusal, Compat::Documented)
}

/// A refusal as callers get it.
pub fn answered_in(refusal: &Refusal, compat: Compat) -> Value {
    serde_json::to_value(refusal.answer(compat)).unwrap()
}

/// The answer of validation shape A for one field.
pub fn one_field(value: Option<Value>, param: &str, location: &str, message: &str) -> Value {
    let mut entry = Map::new();
    if let Some(value) = value {
        entry.insert("value".into(), value);
    }
    entry.insert("msg".into(), json!("Invalid value"));
    entry.insert("param".into(), json!(param));
    entry.insert("location".into(), json!(location));
    json!({"success": false, "error": [entry], "message": message})
}
