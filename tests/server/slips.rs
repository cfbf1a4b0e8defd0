//! A slip in a field's name is told, and nothing is done: with the field passed over, money would move
//! otherwise than was asked for. Names that are like no other are passed over, and in release 0.39 all are.

use super::nano::{BET, balance, bet};
use super::raw::STRANGER;
use super::support::{Answer, Server};
use serde_json::{Value, json};

const TX: &str = "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f";

/// Requests that are as they must be but for one name, where that stands, and what it is meant for.
fn slips(mine: &str) -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let output = |name: &str| json!({"outputs": [{"address": STRANGER, "value": 5, name: 1}]});
    let call = |data: Value| json!({"nc_id": TX, "method": "bet", "address": mine, "data": data});
    let action =
        |name: &str| json!({"actions": [{"type": "deposit", "token": "00", "amount": 5, name: mine}]});
    let pay = |name: &str| json!({"address": STRANGER, "value": 5, name: "00"});
    let token = |name: &str| json!({"name": "Tea", "symbol": "TEA", "amount": 5, name: true});
    let input = json!({"outputs": [{"address": STRANGER, "value": 5}], "inputs": [{"type": "query", "filterAddress": mine}]});
    let options = json!({"name": "Tea", "symbol": "TEA", "amount": 5, "contract_pays_deposit": false, "mintAddress": mine});
    let mut creation = json!({"blueprint_id": BET, "address": mine, "data": {}});
    creation["create_token_options"] = options;
    let swap = "atomic-swap/tx-proposal";
    vec![
        ("simple-send-tx", pay("tokn"), "tokn", "token"),
        ("simple-send-tx", pay("changeAddress"), "changeAddress", "change_address"),
        ("send-tx", output("timeLock"), "outputs[0].timeLock", "timelock"),
        ("send-tx", output("tokne"), "outputs[0].tokne", "token"),
        ("send-tx", output("locktime"), "outputs[0].locktime", "timelock"),
        ("send-tx", input, "inputs[0].filterAddress", "filter_address"),
        ("create-token", token("createMint"), "createMint", "create_mint"),
        ("utxo-consolidation", json!({"destination_address": mine, "maxUtxos": 2}), "maxUtxos", "max_utxos"),
        ("nano-contracts/execute", call(json!({"actons": []})), "data.actons", "actions"),
        ("nano-contracts/execute", call(action("addres")), "data.actions[0].addres", "address"),
        (
            "nano-contracts/execute",
            call(action("change_address")),
            "data.actions[0].change_address",
            "changeAddress",
        ),
        ("nano-contracts/create", creation, "create_token_options.mintAddress", "mint_address"),
        ("tx-proposal", output("time_lock"), "outputs[0].time_lock", "timelock"),
        (swap, json!({"send": {"tokens": [{"value": 5}]}, "recieve": {}}), "recieve", "receive"),
        (swap, json!({"send": {"tokens": [{"value": 5, "Token": TX}]}}), "send.tokens[0].Token", "token"),
    ]
}

/// Requests with a field in the wrong object, and the field that it must stand in.
fn misplaced(mine: &str) -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let pay = json!([{"address": STRANGER, "value": 5}]);
    let call = |name: &str, value: Value| json!({"nc_id": TX, "method": "bet", "address": mine, "data": {}, name: value});
    vec![
        ("send-tx", json!({"outputs": pay, "timelock": 4_000_000_000_u32}), "timelock", "outputs"),
        ("send-tx", json!({"outputs": pay, "filter_address": mine}), "filter_address", "inputs"),
        ("nano-contracts/execute", call("actions", json!([])), "actions", "data"),
        ("nano-contracts/execute", call("args", json!([])), "args", "data"),
    ]
}

/// Templates with a slip each.
fn template_slips() -> Vec<(Value, &'static str, &'static str)> {
    let pay = |name: &str| json!([{"type": "output/token", "amount": 5, "address": STRANGER, name: 1}]);
    let nano = |name: &str, value: Value| json!([{"type": "nano/execute", "id": TX, "method": "bet", "caller": STRANGER, name: value}]);
    let deposit = json!([{"action": "deposit", "amount": 5, "changeaddress": STRANGER}]);
    let call = json!({"method": "get_wallet_address", "idex": 5});
    let nothing = "must have a value, or call something.";
    vec![
        (pay("timeLock"), "0.timeLock", "must be written timelock. Nothing was done."),
        (pay("tokn"), "0.tokn", "must be written token. Nothing was done."),
        (nano("actons", json!([])), "0.actons", "must be written actions. Nothing was done."),
        (
            nano("actions", deposit),
            "0.actions.0.changeaddress",
            "must be written changeAddress. Nothing was done.",
        ),
        (
            json!([{"type": "action/setvar", "name": "a", "call": call}]),
            "0.call.idex",
            "must be written index. Nothing was done.",
        ),
        (
            json!([{"type": "action/setvar", "name": "a", "vale": 5}]),
            "0.vale",
            "must be written value. Nothing was done.",
        ),
        (json!([{"type": "action/setvar", "name": "a"}]), "0", nothing),
    ]
}

#[tokio::test]
async fn a_name_that_is_nearly_right_is_refused() {
    let server = Server::with_wallet().await;
    let mine = server.address(0).await;
    let before = balance(&server).await;
    for (path, body, param, meant) in slips(&mine) {
        let (status, answer) = server.call(path, body).await.parts();
        let told = json!(format!("{param} must be written {meant}. Nothing was done."));
        assert_eq!((status, &answer["message"]), (400, &told), "{path}: {answer}");
        assert_eq!(answer["error"][0]["param"], param, "{path}: {answer}");
    }
    for (path, body, param, place) in misplaced(&mine) {
        let (status, answer) = server.call(path, body).await.parts();
        let told = json!(format!("{param} must stand in {place}. Nothing was done."));
        assert_eq!((status, &answer["message"]), (400, &told), "{path}: {answer}");
    }
    for name in ["dry", "simulate", "dryRun"] {
        let body = json!({"address": STRANGER, "value": 5, name: true});
        let (status, answer) = server.call("simple-send-tx", body).await.parts();
        let told = json!(format!("{name} must be written dry_run. Nothing was sent."));
        assert_eq!((status, &answer["message"]), (400, &told), "{answer}");
    }
    for (template, param, must) in template_slips() {
        for path in ["tx-template/run", "tx-template/build"] {
            let (status, answer) = server.call(path, template.clone()).await.parts();
            assert_eq!(status, 400, "{path}: {answer}");
            assert!(answer.to_string().contains(&format!("{param} {must}")), "{path}: {answer}");
        }
    }
    let template = json!([{"type": "action/setvar", "name": "a", "vale": 5}]);
    let (_, answer) = server.call("tx-template/run", template).await.parts();
    let details = json!(["0.vale is not known, and must be written value", "0 is without a value or a call"]);
    assert_eq!(answer["details"], details);
    assert_eq!(balance(&server).await, before);
    server.shutdown().await;
}

/// Another wallet than was meant is not started. (Documents of release 0.39 have `historySyncMode`, which it
/// passes over.)
#[tokio::test]
async fn a_wallet_is_not_started_by_a_name_that_is_nearly_right() {
    let start = |name: &str| json!({"wallet-id": "other", "seedKey": "genesis", name: "x"});
    let server = Server::with_wallet().await;
    for (name, meant) in [
        ("passPhrase", "passphrase"),
        ("multiSig", "multisig"),
        ("scan_policy", "scanPolicy"),
        ("gap_limit", "gapLimit"),
        ("historySyncmod", "history_sync_mode"),
    ] {
        let (status, answer) = server.post("/start", None, &start(name)).await.parts();
        let told = format!("Parameter '{name}' must be written {meant}. Nothing was started.");
        assert_eq!((status, &answer["message"]), (400, &json!(told)), "{answer}");
    }
    let started = |answer: Answer| answer.parts() == (200, json!({"success": true}));
    assert!(started(server.post("/start", None, &start("historySyncMode")).await));
    server.shutdown().await;
    let server = Server::with_wallet_and("compat = '0.39'").await;
    assert!(started(server.post("/start", None, &start("passPhrase")).await));
    server.shutdown().await;
}

#[tokio::test]
async fn a_name_like_no_other_is_passed_over() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let who = server.address(2).await;
    // Other clients send what they like along.
    let body = json!({"address": STRANGER, "value": 5, "memo": "rent", "id": 7, "debug": true});
    server.done("simple-send-tx", body).await;
    // Fields with names of their own within arguments and texts.
    let action = json!({"type": "deposit", "token": "00", "amount": 5, "comment": "x"});
    let data = json!({"args": [who, "1x0"], "actions": [action]});
    let body = json!({"nc_id": contract, "method": "bet", "address": who, "data": data, "client": "x"});
    server.done("nano-contracts/execute", body).await;
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_passes_slips_over() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let body = json!({"outputs": [{"address": STRANGER, "value": 5, "timeLock": 4_000_000_000_u32}]});
    server.done("send-tx", body).await;
    let template = json!([{"type": "action/setvar", "name": "a"}, {"type": "output/data", "data": "x"}, {"type": "action/complete"}]);
    server.done("tx-template/run", template).await;
    server.shutdown().await;
}
