//! Wallets, their addresses and unspent outputs, and the health of the service.

use super::{Named, failure, success, yes};
use crate::api::Compat;
use crate::api::openapi::schema::{Object, about, count, list, named, text};
use serde_json::{Value, json};

/// A wallet, its addresses and unspent outputs, and the service's health.
pub(super) fn wallets(compat: Compat) -> Named {
    let causes = compat.failures_have_causes();
    let cents = || named("Cents");
    let check = Object::new()
        .with("componentName", text())
        .with("componentType", json!({"enum": ["internal", "http"]}))
        .with("status", named("HealthStatus"))
        .with("output", about(text(), "In words."))
        .with("time", json!({"type": "string", "format": "date-time"}))
        .with("componentId", about(text(), "A wallet's id or a service's URL."))
        .with("affectsServiceHealth", yes());
    vec![
        ("Success", success().into()),
        (
            "Status",
            Object::new()
                .with("statusCode", json!({"const": 3}))
                .with("statusMessage", json!({"const": "Ready"}))
                .with("network", text())
                .with("serverUrl", about(text(), "The full node's URL."))
                .with(
                    "serverInfo",
                    about(json!({"type": "object"}), "The full node's `version` answer, unchanged."),
                )
                .may_have(
                    "multisig",
                    about(
                        Object::new()
                            .with("numSignatures", count())
                            .with("totalParticipants", count())
                            .into(),
                        "Of a multisig wallet: how many must sign, and how many can.",
                    ),
                )
                .may_have_if(
                    causes,
                    "error",
                    about(text(), "What was wrong with the last send, if it was a service's fault."),
                )
                .into(),
        ),
        ("Balance", Object::new().with("available", cents()).with("locked", cents()).into()),
        ("Address", Object::new().with("address", text()).into()),
        ("Addresses", Object::new().with("addresses", list(text())).into()),
        (
            "AddressIndex",
            json!({"anyOf": [
                Value::from(success().with("index", count())),
                Value::from(failure()),
            ]}),
        ),
        (
            "AddressInfo",
            success()
                .with("total_amount_received", cents())
                .with("total_amount_sent", cents())
                .with("total_amount_available", cents())
                .with("total_amount_locked", cents())
                .with("token", text())
                .with("index", count())
                .into(),
        ),
        ("Confirmations", success().with("confirmationNumber", count()).into()),
        ("ConfigurationString", success().with("configurationString", text()).into()),
        ("Xpub", success().with("xpubkey", text()).into()),
        (
            "Utxo",
            Object::new()
                .with("address", text())
                .with("amount", cents())
                .with("tx_id", named("Hash"))
                .with("locked", about(json!({"type": "boolean"}), "Whether it can't be spent yet."))
                .with("index", count())
                .into(),
        ),
        (
            "UtxoList",
            Object::new()
                .with("total_amount_available", cents())
                .with("total_utxos_available", count())
                .with("total_amount_locked", cents())
                .with("total_utxos_locked", count())
                .with("utxos", list(named("Utxo")))
                .into(),
        ),
        (
            "Consolidation",
            success()
                .with("txId", named("Hash"))
                .with("total_utxos_consolidated", count())
                .with("total_amount", cents())
                .with("utxos", list(named("Utxo")))
                .into(),
        ),
        ("HealthStatus", json!({"enum": ["pass", "warn", "fail"]})),
        ("HealthCheck", check.into()),
        (
            "Health",
            Object::new()
                .with("status", named("HealthStatus"))
                .with("description", text())
                .with("checks", json!({"type": "object", "additionalProperties": list(named("HealthCheck"))}))
                .with("httpStatusCode", json!({"enum": [200, 503]}))
                .into(),
        ),
        ("OpenApi", json!({"type": "object", "description": "This document."})),
    ]
}
