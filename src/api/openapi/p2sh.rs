//! The operations on transactions that several participants sign.

use super::operations::{ADDRESS, Answer, Operation, TX_HEX, UID, post};
use crate::api::{CreateToken, GivenTransaction, MeltTokens, MintTokens, Proposal, SendTx, SignProposal};
use serde_json::json;

const PROPOSAL: Answer = Answer::Json(&["Proposal", "Failure"]);
const SHARE: &str = "02fdcf3655f52e77ee45f33f2aef20539a1e3c6645d0b9242b238ed0455d4ead55|0:3006020101020101";

/// All of them.
pub(super) fn all() -> Vec<Operation> {
    let tag = "Multisig";
    vec![
        post(
            "/wallet/p2sh/tx-proposal",
            "propose",
            tag,
            "Build a transaction for the participants to sign. Its inputs are set aside only if asked for.",
            PROPOSAL,
        )
        .body(
            |body, compat| drop(Proposal::<SendTx>::from_json(body, compat)),
            json!({"outputs": [{"address": ADDRESS, "value": 100, "token": "00"}]}),
        )
        .or_body(
            "chosen inputs",
            json!({"outputs": [{"address": ADDRESS, "value": 100}], "inputs": [{"txId": UID, "index": 0}]}),
        ),
        post(
            "/wallet/p2sh/tx-proposal/create-token",
            "propose-create-token",
            tag,
            "Build a transaction that creates a token, for the participants to sign.",
            PROPOSAL,
        )
        .body(
            |body, compat| drop(Proposal::<CreateToken>::from_json(body, compat)),
            json!({"name": "Coffee", "symbol": "CFE", "amount": 1000}),
        ),
        post(
            "/wallet/p2sh/tx-proposal/mint-tokens",
            "propose-mint-tokens",
            tag,
            "Build a transaction that mints more of a token, for the participants to sign.",
            PROPOSAL,
        )
        .body(
            |body, compat| drop(Proposal::<MintTokens>::from_json(body, compat)),
            json!({"token": UID, "amount": 100}),
        ),
        post(
            "/wallet/p2sh/tx-proposal/melt-tokens",
            "propose-melt-tokens",
            tag,
            "Build a transaction that melts tokens, for the participants to sign.",
            PROPOSAL,
        )
        .body(
            |body, compat| drop(Proposal::<MeltTokens>::from_json(body, compat)),
            json!({"token": UID, "amount": 100}),
        ),
        post(
            "/wallet/p2sh/tx-proposal/get-my-signatures",
            "get-my-signatures",
            tag,
            "This participant's signatures of a transaction, for whoever puts them together.",
            Answer::Json(&["Signatures", "Failure"]),
        )
        .body(|body, _| drop(GivenTransaction::from_json(body)), json!({"txHex": TX_HEX})),
        post(
            "/wallet/p2sh/tx-proposal/sign",
            "sign",
            tag,
            "Put the signatures of as many participants as must sign into a transaction. Each is checked.",
            PROPOSAL,
        )
        .body(|body, _| drop(SignProposal::from_json(body)), json!({"txHex": TX_HEX, "signatures": [SHARE]})),
        post(
            "/wallet/p2sh/tx-proposal/sign-and-push",
            "sign-and-push",
            tag,
            "The same, and send the transaction.",
            Answer::Json(&["Transaction", "CreatedToken", "DryRun", "Failure"]),
        )
        .body(|body, _| drop(SignProposal::from_json(body)), json!({"txHex": TX_HEX, "signatures": [SHARE]})),
    ]
}
