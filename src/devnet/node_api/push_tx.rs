//! `push_tx`: how transactions come in from wallets.

use super::pages::processing_failed;
use super::query::Query;
use super::tx_json::PushedJson;
use super::{failure, json};
use crate::devnet::Shared;
use crate::devnet::chain::PushError;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Serialize)]
struct Accepted {
    success: bool,
    message: &'static str,
    tx: PushedJson,
}

/// The refusals that say whether the transaction could be forced in (it never can).
#[derive(Serialize)]
struct Refused {
    success: bool,
    message: String,
    can_force: bool,
}

fn refused(message: impl Into<String>) -> Response {
    json(&Refused { success: false, message: message.into(), can_force: false })
}

pub(super) async fn get(State(shared): State<Arc<Shared>>, query: Query) -> Response {
    push(&shared, query.get("hex_tx"))
}

pub(super) async fn post(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    if body.is_empty() {
        return push(&shared, None);
    }
    match crate::json::read(&body) {
        Ok(body) => match body.get("hex_tx") {
            None => push(&shared, None),
            Some(Value::String(hex_tx)) => push(&shared, Some(hex_tx)),
            Some(_) => processing_failed(),
        },
        Err(error) => failure(json_error(&body, &error)),
    }
}

pub(super) async fn options() -> Response {
    let content_type = HeaderValue::from_static("application/json; charset=utf-8");
    [(header::CONTENT_TYPE, content_type)].into_response()
}

fn push(shared: &Shared, hex_tx: Option<&str>) -> Response {
    let Some(hex_tx) = hex_tx else {
        return refused("Missing hexadecimal data");
    };
    let Ok(bytes) = hex::decode(hex_tx) else {
        return refused("Invalid hexadecimal data");
    };
    let pushed = shared.change(|chain, now| {
        let id = chain.push(&bytes, now)?;
        Ok(chain.get(&id).and_then(|vertex| Some(PushedJson::of(id, vertex.transaction()?))))
    });
    match pushed {
        Ok(Some(tx)) => json(&Accepted { success: true, message: "", tx }),
        Ok(None) | Err(PushError::Unanswered) => processing_failed(),
        Err(error) if error.shows_can_force() => refused(error.to_string()),
        Err(error) => failure(error.to_string()),
    }
}

/// What the node's JSON reader says of a text that is no JSON, for the two mistakes that are made most.
fn json_error(body: &[u8], error: &serde_json::Error) -> String {
    let text = String::from_utf8_lossy(body);
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    let (complaint, place) = match inside {
        Some(inside) if !inside.starts_with(['"', '}']) => {
            ("Expecting property name enclosed in double quotes", text.len() - inside.len())
        }
        _ if error.is_eof() => ("Expecting value", text.len()),
        _ => {
            // The other reader notices a wrong word in its middle; this one points at its beginning.
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let noticed = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            let word =
                text.as_bytes().iter().take(noticed).rev().take_while(|byte| byte.is_ascii_alphabetic());
            ("Expecting value", noticed.min(text.len()) - word.count())
        }
    };
    let before = String::from_utf8_lossy(&text.as_bytes()[..place]);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{complaint}: line {line} column {column} (char {})", before.chars().count())
}
