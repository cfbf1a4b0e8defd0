//! Transactions that are signed elsewhere.

use super::{Named, success};
use crate::api::openapi::schema::{Object, about, count, list, named, text};

/// Transactions that are signed elsewhere.
pub(super) fn proposals() -> Named {
    let hex = |description| about(named("Hex"), description);
    let proposal = || success().with("txHex", hex("The transaction."));
    let input = Object::new()
        .with("inputIndex", about(count(), "The input's place in the transaction."))
        .with("addressIndex", about(count(), "Of the address whose output it spends."))
        .with("addressPath", about(text(), "Where the address's key is, below the seed."));
    vec![
        ("Hex", serde_json::json!({"type": "string", "pattern": "^([0-9a-f]{2})+$"})),
        ("Proposal", proposal().into()),
        (
            "Unsigned",
            proposal()
                .with(
                    "dataToSignHash",
                    about(named("Hash"), "What every input's signature is of: a double SHA-256."),
                )
                .into(),
        ),
        ("WalletInputs", success().with("inputs", list(input.into())).into()),
        (
            "Signatures",
            success()
                .with(
                    "signatures",
                    about(text(), "`<account key>|<input>:<signature>|…`, in hexadecimal digits."),
                )
                .into(),
        ),
        ("InputData", success().with("inputData", hex("What add-signatures puts into an input.")).into()),
    ]
}
