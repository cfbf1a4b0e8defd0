//! Every field of every operation, one at a time: of a wrong type, missing, too long, negative, zero and
//! overflowing. The fields are those of the OpenAPI document; the answers are in `bad_fields.txt`, a line
//! each, in which `accepted` stands for an answer that is no refusal, `<long>` for 300 letters, `<uid>` for
//! the token of the test, `<node>` for the full node's address.
//!
//! With `WRITE_BAD_FIELDS=1` in the environment the file is written anew: read what changed before you keep
//! it.

use super::support::{Answer, GENESIS_WORDS, Server};
use serde_json::{Map, Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/bad_fields.txt");

/// What is given for a field; `None` leaves it out.
fn cases() -> [(&'static str, Option<Value>); 6] {
    let overflowing = serde_json::from_str("340282366920938463463374607431768211456").unwrap();
    [
        ("wrong type", Some(json!({"x": [1]}))),
        ("missing", None),
        ("too long", Some(json!("x".repeat(300)))),
        ("negative", Some(json!(-1))),
        ("zero", Some(json!(0))),
        ("overflowing", Some(overflowing)),
    ]
}

/// A request that is fine, for every operation that takes fields.
fn fine(operation: &str, address: &str, uid: &str) -> Option<Value> {
    Some(match operation {
        "start" => json!({"wallet-id": "other", "seed": GENESIS_WORDS, "scanPolicy": "gap-limit"}),
        "hsm-start" => json!({"wallet-id": "other", "hsm-key": "main"}),
        "fireblocks-start" => {
            json!({"wallet-id": "other", "xpub": "xpub6DCyPHg4AwXsdiMh7QSTHR7afmNVwZKHBBMFUiy5aCYQNaWp68ceQXYXCGQr5fZyLAe5hiJDdXrq6w3AXzvVmjFX9F7EdM87repxJEhsmjL"})
        }
        "load-more-addresses" => json!({"count": 1}),
        "last-index" => json!({"index": 1}),
        "multisig-pubkey" => json!({"seedKey": "genesis"}),
        "address-index" | "address-info" => json!({"address": address}),
        "transaction" | "tx-confirmation-blocks" => json!({"id": uid}),
        "configuration-string" => json!({"token": uid}),
        "list-tasks" | "task" | "cancel-task" | "list-deliveries" | "approval" | "approve" | "deny" => {
            json!({})
        }
        "redeliver" => json!({"deliveryId": "x"}),
        "balance" | "address" | "utxo-filter" | "tx-history" => json!({}),
        "health" => json!({"wallet_ids": "genesis"}),
        "simple-send-tx" => json!({"address": address, "value": 1}),
        "send-tx" => json!({"outputs": [{"address": address, "value": 1}]}),
        "create-token" => json!({"name": "Tea", "symbol": "TEA", "amount": 100}),
        "create-nft" => json!({"name": "Tea", "symbol": "TEA", "amount": 1, "data": "ipfs://Qmf"}),
        "mint-tokens" | "melt-tokens" => json!({"token": uid, "amount": 100}),
        "propose" => json!({"outputs": [{"address": address, "value": 1}]}),
        "propose-create-token" => json!({"name": "Tea", "symbol": "TEA", "amount": 100}),
        "propose-mint-tokens" | "propose-melt-tokens" => json!({"token": uid, "amount": 100}),
        "get-my-signatures" => json!({"txHex": "00"}),
        "propose-swap" => json!({"receive": {"tokens": [{"value": 1}]}, "lock": false}),
        "swap-signatures" | "sign-swap" | "sign-and-push-swap" | "unlock-swap" => json!({"partial_tx": "x"}),
        "fetch-swap" | "delete-swap" => json!({}),
        "register-swap" => json!({"password": "abc"}),
        "swap-input-data" => json!({"txHex": "00"}),
        "sign" | "sign-and-push" => json!({"txHex": "00", "signatures": ["x"]}),
        "utxo-consolidation" => json!({"destination_address": address}),
        "build-tx" => json!({"outputs": [{"address": address, "value": 1}]}),
        "get-wallet-inputs" => json!({"txHex": "00"}),
        "input-data" => json!({"index": 0, "signature": "abcd"}),
        "add-signatures" => json!({"txHex": "00", "signatures": [{"index": 0, "data": "abcd"}]}),
        "signing-file" => json!({"txHex": "00"}),
        "push-signing-file" => json!({"files": [{}]}),
        "add-key" => {
            json!({"name": "shop", "wallets": ["a"], "rights": ["read"], "networks": ["10.0.0.1"], "limits": ["spend 0.01 HTR per day"]})
        }
        "rotate-key" | "revoke-key" => json!({}),
        "sign-message" => json!({"message": "hello", "address": address}),
        "verify-message" => json!({"message": "hello", "address": address, "signature": "x"}),
        "nano-state" | "nano-history" => json!({"id": uid}),
        "nano-oracle-data" => json!({"oracle": address}),
        "nano-oracle-signed-result" => {
            json!({"oracle_data": "00", "contract_id": uid, "result": "x", "type": "str"})
        }
        "nano-create" => json!({"blueprint_id": uid, "address": address, "data": {}}),
        "nano-execute" => json!({"nc_id": uid, "method": "noop", "address": address, "data": {}}),
        "nano-create-on-chain-blueprint" => json!({"code": "", "address": "x"}),
        "push-tx" | "decode" | "utxos-selected-as-input" => json!({"txHex": "00"}),
        _ => return None,
    })
}

/// The same with what a nested field of send-tx needs around it.
fn around(operation: &str, path: &str, fine: &Value, uid: &str) -> Value {
    let mut request = fine.clone();
    match (operation, path) {
        ("start", "policyStartIndex" | "policyEndIndex") => request["scanPolicy"] = json!("index-limit"),
        ("send-tx" | "build-tx", "outputs[].data" | "outputs[].type") => {
            request["outputs"] = json!([{"type": "data", "data": "c0"}])
        }
        ("send-tx" | "build-tx", "inputs[].hash" | "inputs[].index") => {
            request["inputs"] = json!([{"hash": uid, "index": 0}])
        }
        ("send-tx" | "build-tx", path) if path.starts_with("inputs[].") => {
            request["inputs"] = json!([{"type": "query"}])
        }
        ("input-data", "signatures") => request = json!({"index": 0, "signatures": {}}),
        (
            "mint-tokens"
            | "melt-tokens"
            | "create-token"
            | "propose-create-token"
            | "propose-mint-tokens"
            | "propose-melt-tokens",
            "data[]",
        ) => request["data"] = json!(["x"]),
        ("send-tx" | "build-tx", "inputs[]") => request["inputs"] = json!([{"type": "query"}]),
        ("propose", path) if path.starts_with("inputs[]") => {
            request["inputs"] = json!([{"txId": uid, "index": 0}])
        }
        ("propose-swap", path) if path.starts_with("send") => {
            request["send"] = json!({"tokens": [{"value": 1}]});
            if path.starts_with("send.utxos[]") {
                request["send"]["utxos"] = json!([{"txId": uid, "index": 0}]);
            }
        }
        ("propose-swap" | "sign-swap", path) if path.starts_with("service.") => {
            request["service"] = json!({});
        }
        ("nano-create" | "nano-execute", path) if path.starts_with("data.actions[]") => {
            request["data"]["actions"] = json!([{"type": "deposit", "token": "00", "amount": 1}])
        }
        ("nano-create" | "nano-execute", "data.arg_types[]") => request["data"]["arg_types"] = json!(["str"]),
        ("nano-create" | "nano-execute", "data.args[]") => request["data"]["args"] = json!(["x"]),
        ("nano-create" | "nano-execute", path) if path.starts_with("create_token_options.") => {
            request["create_token_options"] =
                json!({"name": "Tea", "symbol": "TEA", "amount": 100, "contract_pays_deposit": false});
            if path.ends_with("data[]") {
                request["create_token_options"]["data"] = json!(["x"]);
            }
        }
        ("sign-swap" | "sign-and-push-swap", "signatures[]") => request["signatures"] = json!(["x"]),
        _ => {}
    }
    request
}

/// Puts a value at a path, or takes away what is there.
fn put(request: &mut Value, path: &str, value: Option<Value>) {
    if let Some((object, rest)) = path.split_once('.').filter(|(object, _)| !object.ends_with("[]")) {
        return put(&mut request[object], rest, value);
    }
    if let Some((list, rest)) = path.split_once("[]") {
        let element = &mut request[list][0];
        return match (rest.strip_prefix('.'), value) {
            (Some(member), value) => put(element, member, value),
            (None, Some(value)) => *element = value,
            (None, None) => request[list] = json!([]),
        };
    }
    let members = request.as_object_mut().unwrap();
    match value {
        Some(value) => drop(members.insert(path.to_owned(), value)),
        None => drop(members.remove(path)),
    }
}

/// The fields of a body's schema, nested ones included.
fn fields(schema: &Value, prefix: &str, all: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{prefix}{name}");
        all.push(path.clone());
        fields(field, &format!("{path}."), all);
        if field["items"].is_object() {
            all.push(format!("{path}[]"));
            fields(&field["items"], &format!("{path}[]."), all);
        }
    }
}

/// A query; what is of a wrong type is given twice, because all else is a text there.
fn query(request: &Map<String, Value>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in request {
        match value {
            Value::Object(_) => drop(query.append_pair(name, "x").append_pair(name, "x")),
            Value::String(text) => drop(query.append_pair(name, text)),
            value => drop(query.append_pair(name, &value.to_string())),
        }
    }
    query.finish()
}

async fn ask(server: &Server, method: &str, path: &str, sends: bool, request: &Value) -> Answer {
    let headers = [("x-wallet-id", "genesis"), ("content-type", "application/json")];
    if method == "get" {
        let path = format!("{path}?{}", query(request.as_object().unwrap()));
        return server.ask("GET", &path, &headers[..1], b"").await;
    }
    let path = if sends { format!("{path}?dry_run=true") } else { path.to_owned() };
    let answer = server.ask(&method.to_uppercase(), &path, &headers, request.to_string().as_bytes()).await;
    if path == "/start" && answer.json()["success"] == true {
        let id = &request["wallet-id"];
        server.app.wallets().stop(id.as_str().map_or(id.to_string(), str::to_owned).as_str()).await;
    }
    answer
}

/// All lines of the file, as the server answers now.
async fn answers() -> String {
    let server = Server::with_wallet().await;
    let address = server.address(1).await;
    let token =
        server.done("create-token", json!({"name": "Coffee", "symbol": "CFE", "amount": 100_000})).await;
    let uid = token["hash"].as_str().unwrap();
    let document = server.ask("GET", "/docs", &[], b"").await.json();
    let mut lines = String::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let (mut body, mut in_query) = (Vec::new(), Vec::new());
            fields(&operation["requestBody"]["content"]["application/json"]["schema"], "", &mut body);
            for parameter in operation["parameters"].as_array().unwrap().iter().filter(|p| p["in"] == "query")
            {
                in_query.push(parameter["name"].as_str().unwrap().to_owned());
            }
            let sends = in_query.iter().any(|name| name == "dry_run");
            let names = if method == "get" { in_query } else { body };
            if names.is_empty() {
                continue;
            }
            let id = operation["operationId"].as_str().unwrap();
            let fine = fine(id, &address, uid).unwrap_or_else(|| panic!("no fine request for {id}"));
            for name in names {
                for (case, value) in cases() {
                    let mut request = around(id, &name, &fine, uid);
                    put(&mut request, &name, value);
                    let answer = ask(&server, method, path, sends, &request).await;
                    let told = match answer.status {
                        200 if answer.json()["success"] != false => "accepted".to_owned(),
                        status => format!("{status} {}", answer.text),
                    };
                    let told = told.replace(&"x".repeat(300), "<long>").replace(uid, "<uid>");
                    let told = told.replace(&server.devnet.node_url(), "<node>");
                    lines += &format!("{} {path} | {name} | {case} | {told}\n", method.to_uppercase());
                }
            }
        }
    }
    server.shutdown().await;
    lines
}

#[tokio::test]
async fn every_field_of_every_operation() {
    let lines = answers().await;
    if std::env::var_os("WRITE_BAD_FIELDS").is_some() {
        std::fs::write(FILE, &lines).unwrap();
    }
    let expected = std::fs::read_to_string(FILE).unwrap();
    for (line, expected) in lines.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(lines.lines().count(), expected.lines().count());
}
