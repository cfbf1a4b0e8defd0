//! A field that an operation does not have, or that has no effect beside the others, is refused, and nothing
//! is done: with the field ignored, money would move differently than requested. Release 0.39 ignores it.

use super::nano::{BET, balance};
use super::raw::STRANGER;
use super::support::Server;
use headless_wallet::api::Method;
use headless_wallet::api::{Kind, Member};
use headless_wallet::operations::{self, Operation};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const TX: &str = "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f";

/// One answer lists a hundred problems at most.
const AT_ONCE: usize = 90;

/// The objects in a request: each with its path, the names that it has, and a request that has it in it.
fn objects(members: &[Member]) -> Vec<(String, Vec<&'static str>, Value)> {
    let mut found = vec![(String::new(), names(members), json!({}))];
    for member in members {
        for (path, names, value) in within(&member.kind) {
            found.push((format!("{}{path}", member.name), names, json!({member.name: value})));
        }
    }
    found
}

fn within(kind: &Kind) -> Vec<(String, Vec<&'static str>, Value)> {
    match kind {
        Kind::Object { members, .. } => {
            let inner = objects(members).into_iter();
            inner.map(|(path, names, value)| (dotted(path), names, value)).collect()
        }
        Kind::Token | Kind::TokenObject => vec![(String::new(), vec!["uid", "name", "symbol"], json!({}))],
        Kind::Array { of, .. } => {
            let inner = within(of).into_iter();
            inner.map(|(path, names, value)| (format!("[0]{path}"), names, json!([value]))).collect()
        }
        _ => Vec::new(),
    }
}

fn dotted(path: String) -> String {
    if path.is_empty() { path } else { format!(".{path}") }
}

fn names(members: &[Member]) -> Vec<&'static str> {
    members.iter().map(|member| member.name).collect()
}

/// The names of all fields of all operations, and one that none has.
fn all_names() -> BTreeSet<String> {
    let mut all = BTreeSet::from(["nobody_has_it".to_owned()]);
    for operation in operations::all() {
        let members: Vec<_> = operation.takes.map_or(&[][..], |(_, members)| members).to_vec();
        all.extend(objects(&members).into_iter().flat_map(|(_, names, _)| names).map(str::to_owned));
    }
    all
}

/// Puts fields into the object at a path.
fn put(request: &Value, path: &str, fields: &[&String]) -> Value {
    let mut request = request.clone();
    let pointer = format!("/{}", path.replace("[0]", "/0").replace('.', "/"));
    let pointer = if path.is_empty() { "" } else { &pointer };
    let object = request.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
    object.extend(fields.iter().map(|name| ((*name).clone(), json!(1))));
    request
}

async fn ask(server: &Server, operation: &Operation, query: &str, body: Option<&Value>) -> (u16, Value) {
    let path =
        operation.path.split_once('{').map_or(operation.path.to_owned(), |(path, _)| format!("{path}x"));
    let headers = [("x-wallet-id", "genesis"), ("content-type", "application/json")];
    let path = if query.is_empty() { path } else { format!("{path}?{query}") };
    let body = body.map_or(String::new(), Value::to_string);
    let headers = &headers[..if body.is_empty() { 1 } else { 2 }];
    let method = operation.method.name().to_uppercase();
    let answer = server.ask(&method, &path, headers, body.as_bytes()).await;
    // Pages are no JSON.
    (answer.status, serde_json::from_str(&answer.text).unwrap_or_default())
}

/// The paths that a refusal names.
fn named(answer: &Value) -> BTreeSet<String> {
    let problems = answer["error"].as_array().into_iter().flatten();
    problems.map(|problem| problem["param"].as_str().unwrap().to_owned()).collect()
}

/// The operations whose answers depend on no parameter, and which load balancers and browsers ask for.
fn takes_any_query(operation: &Operation) -> bool {
    [&operations::WELCOME, &operations::DOCS, &operations::DOCS_UI, &operations::LIVE, &operations::READY]
        .contains(&operation)
}

#[tokio::test]
async fn every_object_of_every_operation_refuses_the_fields_that_it_does_not_have() {
    let server = Server::with_wallet().await;
    let before = balance(&server).await;
    let all = all_names();
    for operation in operations::all() {
        let (id, own) = (operation.name, operation.query().map(|member| member.name).collect::<Vec<_>>());
        let unknown: Vec<_> = all.iter().filter(|name| !own.contains(&name.as_str())).collect();
        for unknown in unknown.chunks(AT_ONCE) {
            let query: Vec<_> = unknown.iter().map(|name| format!("{name}=1")).collect();
            let (status, answer) = ask(&server, operation, &query.join("&"), None).await;
            if takes_any_query(operation) {
                assert_eq!(status, 200, "{id}");
                continue;
            }
            let expected: BTreeSet<_> = unknown.iter().map(|name| (*name).clone()).collect();
            assert_eq!((status, named(&answer)), (400, expected), "{id}: {answer}");
        }
        if operation.method == Method::Get || operation.bare.is_some() {
            continue;
        }
        let members: Vec<_> = operation.body().into_iter().flatten().copied().collect();
        for (path, own, request) in objects(&members) {
            let unknown: Vec<_> = all.iter().filter(|name| !own.contains(&name.as_str())).collect();
            for unknown in unknown.chunks(AT_ONCE) {
                let (status, answer) =
                    ask(&server, operation, "", Some(&put(&request, &path, unknown))).await;
                let of =
                    |name: &&String| if path.is_empty() { (*name).clone() } else { format!("{path}.{name}") };
                let expected: BTreeSet<_> = unknown.iter().map(of).collect();
                assert_eq!((status, named(&answer)), (400, expected), "{id} {path}: {answer}");
            }
        }
    }
    assert_eq!(balance(&server).await, before);
    assert_eq!(server.app.wallets().started().len(), 1);
    server.shutdown().await;
}

/// Requests with a field that is refused, and the sentence that says so.
fn refused(mine: &str) -> Vec<(&'static str, Value, &'static str)> {
    let with = |mut request: Value, name: &str, value: Value| {
        request[name] = value;
        request
    };
    let pay = |name: &str, value: Value| with(json!({"address": STRANGER, "value": 5}), name, value);
    let output = |name: &str, value: Value| json!({"outputs": [pay(name, value)]});
    let text = |name: &str, value: Value| json!({"outputs": [with(json!({"type": "data", "data": "c0"}), name, value)]});
    let spend = |inputs: Value| json!({"outputs": [{"address": STRANGER, "value": 5}], "inputs": inputs});
    let chosen =
        |name: &str, value: Value| spend(json!([with(json!({"hash": TX, "index": 0}), name, value)]));
    let query = |name: &str, value: Value| spend(json!([with(json!({"type": "query"}), name, value)]));
    let call = |name: &str, value: Value| {
        with(json!({"nc_id": TX, "method": "bet", "address": mine, "data": {}}), name, value)
    };
    let action = |kind: &str, name: &str| {
        let action = json!({"type": kind, "token": "00", "amount": 5, "address": mine, name: mine});
        call("data", json!({"actions": [action]}))
    };
    let token =
        |name: &str, value: Value| with(json!({"name": "Tea", "symbol": "TEA", "amount": 5}), name, value);
    let options = json!({"name": "Tea", "symbol": "TEA", "amount": 5, "contract_pays_deposit": false, "mintAddress": mine});
    let creation = json!({"blueprint_id": BET, "address": mine, "data": {}, "create_token_options": options});
    let supply = |name: &str, value: Value| with(json!({"token": TX, "amount": 5}), name, value);
    let swap = "atomic-swap/tx-proposal";
    let at_service = |service: Value| json!({"send": {"tokens": [{"value": 5}]}, "service": service});
    let nft = with(token("data", json!("x")), "mint_authority_address", json!(mine));
    let consolidate = json!({"destination_address": mine, "filter_address": mine, "address": STRANGER});
    vec![
        // Another field is meant.
        ("simple-send-tx", pay("tokn", json!("00")), "tokn must be written token. Nothing was done."),
        (
            "simple-send-tx",
            json!({"adress": STRANGER, "value": 5}),
            "adress must be written address. Nothing was done.",
        ),
        (
            "send-tx",
            output("timeLock", json!(1)),
            "outputs[0].timeLock must be written timelock. Nothing was done.",
        ),
        (
            "send-tx",
            output("locktime", json!(1)),
            "outputs[0].locktime must be written timelock. Nothing was done.",
        ),
        (
            "send-tx",
            query("filterAddress", json!(mine)),
            "inputs[0].filterAddress must be written filter_address. Nothing was done.",
        ),
        (
            "create-token",
            token("createMint", json!(true)),
            "createMint must be written create_mint. Nothing was done.",
        ),
        (
            "nano-contracts/execute",
            call("data", json!({"actons": []})),
            "data.actons must be written actions. Nothing was done.",
        ),
        (
            "nano-contracts/create",
            creation,
            "create_token_options.mintAddress must be written mint_address. Nothing was done.",
        ),
        (
            swap,
            json!({"send": {"tokens": [{"value": 5, "Token": TX}]}}),
            "send.tokens[0].Token must be written token. Nothing was done.",
        ),
        // It is in the wrong object.
        (
            "send-tx",
            with(output("token", json!("00")), "timelock", json!(1)),
            "timelock must stand in outputs. Nothing was done.",
        ),
        ("nano-contracts/execute", call("args", json!([])), "args must stand in data. Nothing was done."),
        (
            "send-tx",
            output("change_address", json!(mine)),
            "outputs[0].change_address must stand beside outputs. Nothing was done.",
        ),
        (
            "simple-send-tx?change_address=x",
            pay("token", json!("00")),
            "change_address must stand in the body. Nothing was done.",
        ),
        // A sibling has it.
        (
            "simple-send-tx",
            pay("timelock", json!(4_000_000_000_u32)),
            "timelock is not known: there are address, value, token, change_address, dry_run. Nothing was done.",
        ),
        (
            "simple-send-tx",
            pay("token", json!({"uid": TX, "name": "a", "symbol": "b", "version": 2})),
            "token.version is not known: there are uid, name, symbol. Nothing was done.",
        ),
        (
            "stop?force=1",
            json!({}),
            "force is not known: this operation has no query parameters. Nothing was done.",
        ),
        (
            "stop",
            json!({"force": true}),
            "force is not known: this operation has no fields in its body. Nothing was done.",
        ),
        (
            "tx-proposal",
            with(output("token", json!("00")), "dry_run", json!(true)),
            "dry_run must be left out: nothing is sent here, so there is nothing to try.",
        ),
        // It has no effect beside the others.
        (
            "send-tx",
            spend(json!([{"type": "query"}, {"hash": TX, "index": 0}])),
            "inputs[1] must be left out: a query stands alone.",
        ),
        (
            "send-tx",
            spend(json!([{"hash": TX, "index": 0}, {"type": "query"}])),
            "inputs[1] must be left out: a query stands alone.",
        ),
        (
            "tx-proposal",
            spend(json!([{"type": "query"}, {"type": "query"}])),
            "inputs[1] must be left out: a query stands alone.",
        ),
        ("send-tx", query("hash", json!(TX)), "inputs[0].hash must be left out: a query names no output."),
        (
            "tx-proposal",
            query("index", json!(0)),
            "inputs[0].index must be left out: a query names no output.",
        ),
        (
            "send-tx",
            chosen("max_utxos", json!(1)),
            "inputs[0].max_utxos must be left out: it is a field of {\"type\":\"query\"}.",
        ),
        ("tx-proposal", chosen("type", json!("utxo")), "inputs[0].type must be `query`, or be left out."),
        (
            "send-tx",
            text("timelock", json!(5)),
            "outputs[0].timelock must be left out: a data output has `type` and `data` alone.",
        ),
        (
            "send-tx",
            text("token", json!("00")),
            "outputs[0].token must be left out: a data output has `type` and `data` alone.",
        ),
        (
            "tx-proposal",
            text("value", json!(5)),
            "outputs[0].value must be left out: a data output has `type` and `data` alone.",
        ),
        (
            "send-tx",
            output("data", json!("x")),
            "outputs[0].data must be left out: a text is an output of its own, {\"type\":\"data\", \"data\"}.",
        ),
        ("tx-proposal", output("type", json!("p2sh")), "outputs[0].type must be `data`, or be left out."),
        (
            "utxo-consolidation",
            consolidate,
            "address must be the same as filter_address, whose other name it is.",
        ),
        ("create-nft", nft, "mint_authority_address must be left out: no such authority is created."),
        (
            "melt-tokens",
            with(supply("create_melt", json!(false)), "melt_authority_address", json!(mine)),
            "melt_authority_address must be left out: no such authority is created.",
        ),
        (
            "nano-contracts/execute",
            action("deposit", "authorityAddress"),
            "data.actions[0].authorityAddress must be left out: it has no effect in the action deposit.",
        ),
        (
            "nano-contracts/execute",
            action("withdrawal", "changeAddress"),
            "data.actions[0].changeAddress must be left out: it has no effect in the action withdrawal.",
        ),
        (
            "tx-proposal/input-data",
            json!({"index": 0, "signature": "abcd", "signatures": {}}),
            "signature must be left out where there are `signatures`.",
        ),
        (
            swap,
            at_service(json!({"is_new": true, "password": "abc", "proposal_id": "x"})),
            "service.proposal_id must be left out of a new proposal: the service gives it its id.",
        ),
        (
            swap,
            at_service(json!({"proposal_id": "x", "version": 1, "password": "abc"})),
            "service.password must be left out unless the proposal is new: a registered one has its password.",
        ),
    ]
}

#[tokio::test]
async fn a_refusal_says_where_a_field_should_stand_or_why_it_has_no_effect() {
    let server = Server::with_wallet().await;
    let mine = server.address(0).await;
    let before = balance(&server).await;
    for (path, body, message) in refused(&mine) {
        let (status, answer) = server.call(path, body).await.parts();
        assert_eq!((status, &answer["message"]), (400, &json!(message)), "{path}: {answer}");
    }
    for (query, message) in [
        (
            "address?index=1&mark_as_used=true",
            "mark_as_used must be left out: only the current address is marked, not that of an index.",
        ),
        ("utxo-filter?tokn=00", "tokn must be written token. Nothing was done."),
        (
            "addresses?count=5",
            "count is not known: this operation has no query parameters. Nothing was done.",
        ),
    ] {
        let (status, answer) = server.get(&format!("/wallet/{query}")).await.parts();
        assert_eq!((status, &answer["message"]), (400, &json!(message)), "{answer}");
    }
    let put = json!({"txHex": "00", "mark_as_used": false, "ttl": 5});
    let headers = [("x-wallet-id", "genesis"), ("content-type", "application/json")];
    let answer =
        server.ask("PUT", "/wallet/utxos-selected-as-input", &headers, put.to_string().as_bytes()).await;
    assert_eq!(answer.json()["message"], "ttl must be left out where outputs are released.");
    assert_eq!(balance(&server).await, before);
    server.shutdown().await;
}

/// Another wallet than was meant is not started. What stands in an unknown field may be a seed phrase.
#[tokio::test]
async fn a_wallet_is_not_started_with_a_field_that_would_be_ignored() {
    let server = Server::with_wallet().await;
    let start = |more: Value| {
        let mut body = json!({"wallet-id": "other", "seedKey": "genesis"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for (more, message) in [
        (json!({"passPhrase": "x"}), "passPhrase must be written passphrase. Nothing was done."),
        (
            json!({"historySyncMode": "auto"}),
            "historySyncMode must be written history_sync_mode. Nothing was done.",
        ),
    ] {
        let (status, answer) = server.post("/start", None, &start(more)).await.parts();
        assert_eq!((status, &answer["message"]), (400, &json!(message)), "{answer}");
        assert_eq!(answer["error"][0].get("value"), None);
    }
    for (more, message) in [
        (json!({"multisigKey": "main"}), "Parameter 'multisigKey' has no effect unless 'multisig' is true."),
        (
            json!({"multisig": true, "multisigKey": "main"}),
            "Parameter 'multisigKey' must be left out or be the same: 'seedKey' names the participants.",
        ),
        (
            json!({"policyEndIndex": 5}),
            "Parameter 'policyEndIndex' has no effect unless 'scanPolicy' is index-limit.",
        ),
        (
            json!({"scanPolicy": "index-limit", "gapLimit": 5}),
            "Parameter 'gapLimit' has no effect where 'scanPolicy' is index-limit.",
        ),
    ] {
        let expected = json!({"success": false, "message": format!("{message} Nothing was started.")});
        assert_eq!(server.post("/start", None, &start(more)).await.parts(), (400, expected));
    }
    assert_eq!(server.app.wallets().started().len(), 1);
    server.shutdown().await;
}

/// Templates with a field that is refused.
#[tokio::test]
async fn a_template_has_no_fields_that_would_be_ignored() {
    let server = Server::with_wallet().await;
    let before = balance(&server).await;
    let pay = |name: &str| json!([{"type": "output/token", "amount": 5, "address": STRANGER, name: 1}]);
    let nano = |name: &str, value: Value| json!([{"type": "nano/execute", "id": TX, "method": "bet", "caller": STRANGER, name: value}]);
    let deposit = json!([{"action": "deposit", "amount": 5, "changeaddress": STRANGER}]);
    let call = json!({"method": "get_wallet_address", "idex": 5});
    let change = json!([{"type": "input/utxo", "fill": 5, "autoChange": false, "changeAddress": STRANGER}]);
    let names = "type, position, amount, token, address, timelock, checkAddress, useCreatedToken";
    let memo = format!("0.memo is not known: there are {names}. Nothing was done.");
    for (template, message) in [
        (pay("timeLock"), "0.timeLock must be written timelock. Nothing was done."),
        (pay("memo"), memo.as_str()),
        (nano("actons", json!([])), "0.actons must be written actions. Nothing was done."),
        (
            nano("actions", deposit),
            "0.actions.0.changeaddress must be written changeAddress. Nothing was done.",
        ),
        (
            json!([{"type": "action/setvar", "name": "a", "call": call}]),
            "0.call.idex must be written index. Nothing was done.",
        ),
        (json!([{"type": "action/setvar", "name": "a"}]), "0 must have a value, or call something."),
        (change, "0.changeAddress must be left out: autoChange is false. Nothing was done."),
        (
            json!([{"type": "output/raw", "script": "51", "amount": 5, "timelock": 4_000_000_000_u32}]),
            "0.timelock must be left out: the script says what locks the output. Nothing was done.",
        ),
        (
            json!([{"type": "output/raw", "script": "51", "amount": 5, "authority": "mint"}]),
            "0.amount must be left out: an authority has no amount. Nothing was done.",
        ),
    ] {
        for path in ["tx-template/run", "tx-template/build"] {
            let (status, answer) = server.call(path, template.clone()).await.parts();
            assert_eq!((status, &answer["message"]), (400, &json!(message)), "{path}: {answer}");
        }
    }
    let template = json!([{"type": "action/setvar", "name": "a", "vale": 5}]);
    let (_, answer) = server.call("tx-template/run", template).await.parts();
    let details = json!(["0.vale is not known, and must be written value", "0 is without a value or a call"]);
    assert_eq!(answer["details"], details);
    assert_eq!(balance(&server).await, before);
    server.shutdown().await;
}

/// The authorities among the outputs of what would be sent.
fn authorities(answer: &Value) -> usize {
    let outputs = answer["outputs"].as_array().unwrap_or_else(|| panic!("{answer}"));
    outputs.iter().filter(|output| output["token_data"] == 129).count()
}

#[tokio::test]
async fn an_authority_is_given_up_where_it_is_not_created_again() {
    for (settings, kept) in [("", 0), ("compat = '0.39'", 1)] {
        let server = Server::with_wallet_and(settings).await;
        let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 100})).await;
        for (path, name) in [("mint-tokens", "create_mint"), ("melt-tokens", "create_melt")] {
            let mut body = json!({"token": token["hash"], "amount": 100, "dry_run": true});
            assert_eq!(authorities(&server.done(path, body.clone()).await), 1, "{path}");
            body[name] = json!(false);
            assert_eq!(authorities(&server.done(path, body).await), kept, "{path}");
        }
        server.shutdown().await;
    }
}

#[tokio::test]
async fn a_consolidation_takes_the_outputs_of_an_address_by_either_name() {
    let server = Server::with_wallet().await;
    let (to, other) = (server.address(2).await, server.address(3).await);
    let pay = json!({"outputs": [{"address": to, "value": 5}, {"address": other, "value": 6}]});
    server.done("send-tx", pay).await;
    let body = json!({"destination_address": to, "address": other});
    let consolidated = server.done("utxo-consolidation", body).await;
    assert_eq!(
        (&consolidated["total_utxos_consolidated"], &consolidated["total_amount"]),
        (&json!(1), &json!(6))
    );
    server.shutdown().await;
}

#[tokio::test]
async fn an_input_that_is_given_twice_is_refused_as_that() {
    let server = Server::with_wallet().await;
    let utxo = server.read("/wallet/utxo-filter?max_utxos=1").await["utxos"][0].clone();
    let (hash, index) = (&utxo["tx_id"], &utxo["index"]);
    let refused = json!({"success": false, "error": format!("Token: 00. Output [{}, {index}] is given twice", hash.as_str().unwrap())});
    let input = json!({"hash": hash, "index": index});
    let body = json!({"outputs": [{"address": STRANGER, "value": 5}], "inputs": [input, input]});
    for path in ["send-tx", "tx-proposal"] {
        assert_eq!(server.call(path, body.clone()).await.parts(), (200, refused.clone()), "{path}");
    }
    let input = json!({"type": "input/raw", "txId": hash, "index": index});
    for path in ["tx-template/run", "tx-template/build"] {
        assert_eq!(server.call(path, json!([input, input])).await.parts(), (200, refused.clone()), "{path}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn an_amount_with_an_exponent_is_told_to_be_written_in_digits() {
    let server = Server::with_wallet().await;
    let must = "must be written in digits alone above 9007199254740991: without a fraction or an exponent.";
    for value in ["1e16", "9007199254740993.0", "1E400"] {
        let body = format!(r#"{{"address": "{STRANGER}", "value": {value}}}"#);
        let headers = [("x-wallet-id", "genesis"), ("content-type", "application/json")];
        let answer = server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await;
        let refused = (answer.status, answer.json()["message"].clone());
        assert_eq!(refused, (400, json!(format!("value {must}"))), "{value}");
    }
    let half = json!({"address": STRANGER, "value": 1.5});
    let (_, answer) = server.call("simple-send-tx", half).await.parts();
    assert_eq!(answer["message"], "value must be an integer of at least 1, in cents.");
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_ignores_them() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let utxo = server.read("/wallet/utxo-filter").await["utxos"][0].clone();
    let (mut pay, at) =
        (json!({"address": STRANGER, "value": 5}), json!({"hash": utxo["tx_id"], "index": utxo["index"]}));
    pay["timeLock"] = json!(4_000_000_000_u32);
    for inputs in
        [json!([{"type": "query", "address": STRANGER}, at]), json!([{"type": "query", "hash": TX}])]
    {
        server.done("send-tx?more=1", json!({"outputs": [pay], "inputs": inputs, "timelock": 5})).await;
    }
    let sent = server
        .done("simple-send-tx", json!({"address": STRANGER, "value": 5, "timelock": 4_000_000_000_u32}))
        .await;
    let id = sent["hash"].as_str().unwrap();
    let entry = server.read(&format!("/wallet/transaction?id={id}")).await;
    for output in entry["outputs"].as_array().unwrap() {
        assert_eq!(output["decoded"]["timelock"], json!(null));
    }
    let template = json!([{"type": "action/setvar", "name": "a"}, {"type": "output/data", "data": "x", "memo": 1}, {"type": "action/complete"}]);
    server.done("tx-template/run", template).await;
    let start = json!({"wallet-id": "other", "seedKey": "genesis", "passPhrase": "x", "multisigKey": "main"});
    assert_eq!(server.post("/start", None, &start).await.parts(), (200, json!({"success": true})));
    // There are no keys in release 0.39: of them nothing is ignored.
    let key = json!({"name": "a", "wallets": ["*"], "rights": ["read"], "limit": ["spend 1 HTR per day"]});
    let refused = server.post("/keys", None, &key).await;
    assert_eq!((refused.status, &refused.json()["error"][0]["param"]), (400, &json!("limit")));
    server.shutdown().await;
}
