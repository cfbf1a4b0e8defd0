//! Transactions that were sent, or would be.

use super::{Named, success, token_data, yes};
use crate::api::Compat;
use crate::api::openapi::schema::{Object, about, count, list, named, text};
use serde_json::{Value, json};

/// Transactions that were sent, or would be.
pub(super) fn transactions(compat: Compat) -> Named {
    let more = compat.transaction_has_more_fields();
    let members = |object: Object, hash: Value, created: bool, creates: bool| {
        let object = object
            .with("inputs", list(named("Input")))
            .with("outputs", list(named("Output")))
            .with_if(more, "signalBits", count())
            .with("version", about(count(), "The transaction's version: 1, or 2 where it creates a token."))
            .with("weight", json!({"type": "number", "description": "Of the proof of work."}))
            .with("nonce", count())
            .with("timestamp", about(count(), "Unix seconds."))
            .with("parents", list(named("Hash")));
        let tokens = list(named("TokenUid"));
        let object = match (created && !compat.creation_has_tokens(), creates && !created) {
            (true, _) => object,
            (_, true) => object.may_have("tokens", tokens),
            _ => object.with("tokens", tokens),
        };
        let object = object
            .with("hash", hash)
            .with_if(more, "headers", list(named("FeeHeader")))
            .with("_dataToSignCache", json!({"type": "null"}));
        let version = || json!({"enum": [1, 2], "description": "1: paid by a deposit, 2: by fees."});
        if created {
            object.with("name", text()).with("symbol", text()).with_if(more, "tokenVersion", version())
        } else if creates {
            object.may_have("name", text()).may_have("symbol", text()).may_have_if(
                more,
                "tokenVersion",
                version(),
            )
        } else {
            object
        }
    };
    let configuration =
        || success().with("configurationString", about(text(), "`[name:symbol:uid:checksum]`."));
    let cost = Object::new()
        .with(
            "deposit",
            about(
                json!({"type": "integer"}),
                "HTR that goes into a deposit; below zero where melting gives some back.",
            ),
        )
        .with("fee", about(named("Cents"), "HTR paid for moving fee tokens."))
        .with("data", about(named("Cents"), "HTR left behind in data outputs."))
        .with("total", json!({"type": "integer"}));
    let mut all = vec![
        ("Transaction", members(success(), named("Hash"), false, false).into()),
        ("CreatedToken", members(configuration(), named("Hash"), true, true).into()),
        ("PlainTransaction", members(Object::new(), named("Hash"), false, true).into()),
        ("Pushed", success().with("tx", named("PlainTransaction")).into()),
        (
            "DryRun",
            members(
                success().with("dry_run", yes()).with("cost", named("Cost")),
                json!({"type": "null"}),
                false,
                true,
            )
            .into(),
        ),
        ("Cost", cost.into()),
        (
            "Input",
            Object::new()
                .with("hash", named("Hash"))
                .with("index", count())
                .with("data", named("Buffer"))
                .with("tx_id", named("Hash"))
                .into(),
        ),
        (
            "Output",
            Object::new()
                .with("value", named("Cents"))
                .with("tokenData", token_data())
                .with("script", named("Buffer"))
                .with("decodedScript", json!({"type": "null"}))
                .with("token_data", token_data())
                .into(),
        ),
    ];
    if more {
        let entry = Object::new().with("tokenIndex", count()).with("amount", named("Cents"));
        all.push(("FeeHeader", Object::new().with("entries", list(entry.into())).into()));
    }
    all
}
