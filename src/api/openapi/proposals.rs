//! The operations on transactions that are signed elsewhere.

use super::operations::{ADDRESS, Answer, Operation, TX_HEX, UID, get, post};
use crate::api::{AddSignatures, MakeInputData, SendTx, WalletInputsQuery};
use serde_json::json;

/// All of them.
pub(super) fn all() -> Vec<Operation> {
    let tag = "Signing elsewhere";
    vec![
        post(
            "/wallet/tx-proposal", "build-tx", tag,
            "Build a transaction that is to be signed elsewhere. Nothing is reserved, and the wallet need not be able to sign.",
            Answer::Json(&["Unsigned", "Failure"]),
        )
        .body(
            |body, _| drop(SendTx::from_proposal(body)),
            json!({"outputs": [{"address": ADDRESS, "value": 100, "token": "00"}, {"type": "data", "data": "c0ffee"}]}),
        )
        .or_body(
            "chosen inputs",
            json!({"outputs": [{"address": ADDRESS, "value": 100}], "inputs": [{"hash": UID, "index": 0}]}),
        )
        .or_body(
            "inputs that match",
            json!({"outputs": [{"address": ADDRESS, "value": 100}], "inputs": [{"type": "query", "filter_address": ADDRESS}]}),
        )
        .refusing(&["InvalidFields", "InvalidChoice"]),
        get(
            "/wallet/tx-proposal/get-wallet-inputs", "get-wallet-inputs", tag,
            "Which inputs of a transaction spend what pays the wallet, and where their keys are.",
            Answer::Json(&["WalletInputs", "Failure"]),
        )
        .query(|query, _| drop(WalletInputsQuery::from_query(query)), json!({"txHex": TX_HEX}))
        .refusing(&["InvalidFields"]),
        post(
            "/wallet/tx-proposal/input-data", "input-data", tag,
            "An input's data of its signature: of one key's, or of those that participants of a multisig wallet made.",
            Answer::Json(&["InputData", "Failure"]),
        )
        .body(|body, _| drop(MakeInputData::from_json(body)), json!({"index": 0, "signature": "3006020101020101"}))
        .refusing(&["InvalidChoice"]),
        post(
            "/wallet/tx-proposal/add-signatures", "add-signatures", tag,
            "Put input data into a transaction. Each is checked.",
            Answer::Json(&["Proposal", "Failure"]),
        )
        .body(
            |body, _| drop(AddSignatures::from_json(body)),
            json!({"txHex": TX_HEX, "signatures": [{"index": 0, "data": "c0ffee"}]}),
        ),
    ]
}
