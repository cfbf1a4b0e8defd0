//! Transactions that are signed elsewhere: their fields are refused as release 0.39 refuses them. What it
//! answered is recorded in `tests/vectors/tx_proposal_refusals.json` and, for those of several participants,
//! `p2sh_refusals.json`.

use super::{answered, answered_in, fields};
use headless_wallet::api::{Compat, Refusal, Request};
use headless_wallet::operations::{
    AddSignatures, BuildTx, GivenTransaction, MakeInputData, ProposeCreateToken, ProposeMeltTokens,
    ProposeMintTokens, ProposeTx, SignProposal, WalletInputsQuery,
};
use serde_json::{Value, json};

/// Reads a request, as the server does.
fn read(request: &str, body: &Value, compat: Compat) -> Result<(), Refusal> {
    let (path, query) = request.split_once('?').unwrap_or((request, ""));
    match path {
        "POST /wallet/tx-proposal" => BuildTx::read(&fields(body.clone()), compat).map(drop),
        "POST /wallet/tx-proposal/add-signatures" => {
            AddSignatures::read(&fields(body.clone()), compat).map(drop)
        }
        "POST /wallet/tx-proposal/input-data" => MakeInputData::read(&fields(body.clone()), compat).map(drop),
        "GET /wallet/tx-proposal/get-wallet-inputs" => {
            let given: Vec<_> = query.split('&').filter_map(|pair| pair.strip_prefix("txHex=")).collect();
            let query = match *given {
                [] => json!({}),
                [one] => json!({"txHex": one}),
                _ => json!({"txHex": given}),
            };
            WalletInputsQuery::read(&fields(query), compat).map(drop)
        }
        other => read_p2sh(other.strip_prefix("POST /wallet/p2sh/tx-proposal").unwrap(), body),
    }
}

/// Reads a request of several participants.
fn read_p2sh(path: &str, body: &Value) -> Result<(), Refusal> {
    let body = &fields(body.clone());
    match path {
        "" => ProposeTx::read(body, Compat::V0_39).map(drop),
        "/create-token" => ProposeCreateToken::read(body, Compat::V0_39).map(drop),
        "/mint-tokens" => ProposeMintTokens::read(body, Compat::V0_39).map(drop),
        "/melt-tokens" => ProposeMeltTokens::read(body, Compat::V0_39).map(drop),
        "/get-my-signatures" => GivenTransaction::read(body, Compat::Documented).map(drop),
        "/sign" | "/sign-and-push" => SignProposal::read(body, Compat::Documented).map(drop),
        other => panic!("{other} is not known"),
    }
}

#[test]
fn wrong_fields_are_refused_as_release_0_39_refuses_them() {
    let read_all = |text: &str| serde_json::from_str::<Vec<Value>>(text).unwrap();
    let external = read_all(include_str!("../vectors/tx_proposal_refusals.json"));
    let p2sh = read_all(include_str!("../vectors/p2sh_refusals.json"));
    assert_eq!((external.len(), p2sh.len()), (29, 38));
    for row in external.into_iter().chain(p2sh) {
        let (request, body) = (row["request"].as_str().unwrap(), &row["body"]);
        let refusal = read(request, body, Compat::V0_39).unwrap_err();
        assert_eq!(refusal.status(), 400);
        assert_eq!(answered_in(&refusal, Compat::V0_39)["error"], row["error"], "{request} {body}");
    }
}

#[test]
fn refusals_say_what_would_do() {
    let address = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
    let outputs = json!([{"address": address, "value": 1}]);
    let table = [
        (
            "POST /wallet/tx-proposal",
            json!({}),
            "outputs is required. outputs must be an array of at least one output.",
        ),
        (
            "POST /wallet/tx-proposal",
            json!({"outputs": [5, {"type": "data", "data": "xy"}]}),
            "outputs[0] must have `address` and `value`, or be {\"type\":\"data\", \"data\"}. outputs[1] is a data output: it \
             must have hexadecimal `data` and no `token`.",
        ),
        (
            "POST /wallet/tx-proposal",
            json!({"outputs": outputs, "inputs": [{"hash": "ab", "index": 0}]}),
            "inputs[0].type is required. inputs[0].type must be `query`. inputs[0].hash must be a transaction id of 64 \
             hexadecimal digits.",
        ),
        (
            "POST /wallet/tx-proposal/add-signatures",
            json!({"txHex": "00", "signatures": [{"index": "x", "data": "abc"}]}),
            "signatures[0].index must be the place of an input. signatures[0].data must be bytes as hexadecimal digits.",
        ),
        (
            "POST /wallet/tx-proposal/input-data",
            json!({"index": 2_147_483_648_u32, "signature": "ab"}),
            "index must be an integer from 0 to 2147483647. index must be an integer from 0 to 2147483647. signatures must be \
             an object of xpubs, each with a signature in hexadecimal digits.",
        ),
        (
            "GET /wallet/tx-proposal/get-wallet-inputs",
            json!({}),
            "txHex is required. txHex must be a transaction as hexadecimal digits.",
        ),
    ];
    for (request, body, message) in table {
        let refusal = read(request, &body, Compat::Documented).unwrap_err();
        assert_eq!(answered(&refusal)["message"], message, "{request} {body}");
    }
}

#[test]
fn a_proposal_is_a_send() {
    use headless_wallet::ledger::Amount;
    use headless_wallet::operations::{SendInputs, SendOutput, UtxoQuery};
    let uid = "AB".repeat(32);
    let body = json!({
        "outputs": [
            {"address": "W1", "value": "7", "token": uid, "timelock": 9},
            {"type": "data", "data": "c0ffee"},
            {"address": "W3", "value": 1, "type": "p2pkh"},
        ],
        "inputs": [{"type": "query", "max_utxos": 2, "amount_bigger_than": 3}],
        "change_address": "",
    });
    let send = BuildTx::read(&fields(body), Compat::Documented).unwrap();
    let pay = |address: &str, value: u64, token: &str, timelock| SendOutput::Pay {
        address: address.into(),
        value: Amount::from(value),
        token: token.into(),
        timelock,
    };
    assert_eq!(
        send,
        BuildTx {
            outputs: vec![
                pay("W1", 7, &uid, Some(9)),
                SendOutput::Data("c0ffee".into()),
                pay("W3", 1, "00", None)
            ],
            inputs: SendInputs::Query(UtxoQuery {
                max_utxos: Some(2),
                amount_bigger_than: Some(Amount::from(3_u64)),
                ..UtxoQuery::default()
            }),
            change_address: None,
        }
    );
}
