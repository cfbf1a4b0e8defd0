//! The shapes of answers. `tests/server` holds every answer that it gets to them.

mod history;
mod proposals;
mod refusals;
mod transactions;
mod values;
mod wallets;

use super::schema::Object;
use crate::api::Compat;
use serde_json::{Value, json};

/// Schemas with their names.
type Named = Vec<(&'static str, Value)>;

/// The schemas that operations name.
pub(super) fn schemas(compat: Compat) -> Value {
    let all = values::values()
        .into_iter()
        .chain(refusals::refusals(compat))
        .chain(wallets::wallets(compat))
        .chain(transactions::transactions(compat))
        .chain(history::history(compat))
        .chain(history::decoded())
        .chain(proposals::proposals());
    all.map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn yes() -> Value {
    json!({"const": true})
}

fn no() -> Value {
    json!({"const": false})
}

/// The first member of most answers.
fn success() -> Object {
    Object::new().with("success", yes())
}

/// The first member of refusals.
fn failure() -> Object {
    Object::new().with("success", no())
}

/// How an output names its token.
fn token_data() -> Value {
    json!({
        "type": "integer", "minimum": 0, "maximum": 255,
        "description": "0 for HTR, n for the n-th of `tokens`; 128 more for authorities.",
    })
}
