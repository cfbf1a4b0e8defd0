//! Transactions of the history, and transactions in words.

use super::{Named, success, token_data};
use crate::api::Compat;
use crate::api::openapi::schema::{Object, about, count, list, named, nullable, text};
use serde_json::{Value, json};

/// The wallet's history.
pub(super) fn history(compat: Compat) -> Named {
    let more = compat.history_has_more_fields();
    let output = || {
        Object::new()
            .with("value", named("Cents"))
            .with("token_data", token_data())
            .with("script", about(text(), "In base64."))
            .with("decoded", named("Script"))
            .with("token", named("TokenUid"))
    };
    let entry = Object::new()
        .with("tx_id", named("Hash"))
        .with("version", count())
        .with("weight", json!({"type": "number"}))
        .with("timestamp", about(count(), "Unix seconds."))
        .with("is_voided", json!({"type": "boolean"}))
        .with("inputs", list(named("HistoryInput")))
        .with("outputs", list(named("HistoryOutput")))
        .with("parents", list(named("Hash")))
        .may_have("token_name", text())
        .may_have("token_symbol", text())
        .may_have("tokens", list(named("TokenUid")))
        .may_have_if(more, "height", count())
        .with_if(more, "first_block", nullable(named("Hash")))
        .with_if(more, "processingStatus", json!({"const": "finished"}));
    let entries = list(named("HistoryEntry"));
    let keyed = json!({"type": "object", "additionalProperties": named("HistoryEntry"), "propertyNames": named("Hash")});
    vec![
        ("HistoryEntry", entry.into()),
        (
            "History",
            if compat.history_is_keyed() {
                // A refusal is an object too; the key of a refusal is no hash.
                json!({
                    "anyOf": [entries, keyed],
                    "description": "Newest first where `limit` is given; else an object keyed by transaction id.",
                })
            } else {
                about(entries, "Newest first.")
            },
        ),
        ("HistoryInput", output().with("tx_id", named("Hash")).with("index", count()).into()),
        ("HistoryOutput", output().with("spent_by", nullable(named("Hash"))).into()),
        (
            "Script",
            json!({"anyOf": [
                Value::from(
                    Object::new()
                        .with("type", json!({"enum": ["P2PKH", "MultiSig"]}))
                        .with("address", text())
                        .with("timelock", nullable(count()))
                ),
                Value::from(Object::new().with("type", json!({"const": "DATA"})).with("data", text())),
                Value::from(Object::new()),
            ]}),
        ),
    ]
}

/// A transaction in words.
pub(super) fn decoded() -> Named {
    let boolean = || json!({"type": "boolean"});
    let sums = || {
        let sum = || json!({"type": "integer", "description": "Below zero for what goes out."});
        Object::new().with("available", sum()).with("locked", sum())
    };
    let effect = Object::new()
        .with("tokens", sums().into())
        .with("authorities", Object::new().with("melt", sums().into()).with("mint", sums().into()).into());
    vec![
        (
            "Decoded",
            success()
                .with("tx", named("DecodedTransaction"))
                .with(
                    "balance",
                    json!({
                        "type": "object", "additionalProperties": named("Effect"),
                        "description": "What it does to the wallet, by token; a token that it creates is called `undefined`.",
                    }),
                )
                .into(),
        ),
        ("Effect", effect.into()),
        (
            "DecodedTransaction",
            Object::new()
                .with("version", count())
                .with("type", json!({"enum": ["Transaction", "Create Token Transaction"]}))
                .with("tokens", list(named("TokenUid")))
                .with("inputs", list(named("DecodedInput")))
                .with("outputs", list(named("DecodedOutput")))
                .with("completeSignatures", boolean())
                .into(),
        ),
        (
            "DecodedInput",
            Object::new()
                .with("txId", named("Hash"))
                .with("index", count())
                .with("decoded", named("Script"))
                .with("token", named("TokenUid"))
                .with("value", named("Cents"))
                .with("token_data", token_data())
                .with("tokenData", token_data())
                .with("script", about(text(), "In base64."))
                .with("signed", boolean())
                .with("mine", boolean())
                .into(),
        ),
        (
            "DecodedOutput",
            Object::new()
                .with("value", named("Cents"))
                .with("token_data", token_data())
                .with("tokenData", token_data())
                .with("script", about(text(), "In base64."))
                .with("type", json!({"enum": ["p2pkh", "p2sh", "data", "unknown"]}))
                .with(
                    "decoded",
                    json!({"anyOf": [
                        Value::from(Object::new().with("address", text()).with("timelock", nullable(count()))),
                        Value::from(Object::new().with("data", text())),
                        Value::from(Object::new()),
                    ]}),
                )
                .with("mine", boolean())
                .may_have("token", named("TokenUid"))
                .into(),
        ),
    ]
}
