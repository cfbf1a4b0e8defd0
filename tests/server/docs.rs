//! The OpenAPI document and the page to try it.

use super::conformance::problem;
use super::support::Server;
use headless_wallet::api::Group;
use headless_wallet::api::{Compat, openapi};
use headless_wallet::operations;
use serde_json::{Value, json};

#[test]
fn examples_of_contracts_name_no_transaction_that_is_none() {
    // The first transaction of the network, which examples of payments may name.
    let genesis = "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f";
    let of_contracts = operations::all().filter(|operation| operation.group == Group::Contracts);
    for (name, example) in of_contracts.flat_map(|operation| operation.examples) {
        assert!(!example.contains(genesis), "{name}: {example}");
    }
}

#[tokio::test]
async fn the_document_is_served_with_the_settings_of_the_server() {
    let server = Server::start().await;
    let answer = server.ask("GET", "/docs/", &[], b"").await;
    assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
    let document = answer.json();
    assert_eq!(document, openapi::document(operations::declared(), Compat::Documented, false));
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    server.shutdown().await;

    let server = Server::start_with("api_key = 'k'\ncompat = '0.39'").await;
    assert_eq!(server.ask("GET", "/docs", &[], b"").await.status, 401);
    let document = server.ask("GET", "/docs", &[("x-api-key", "k")], b"").await.json();
    assert_eq!(document, openapi::document(operations::declared(), Compat::V0_39, true));
    assert_eq!(
        document["components"]["securitySchemes"],
        json!({"ApiKeyAuth": {"type": "apiKey", "in": "header", "name": "X-API-KEY"}})
    );
    server.shutdown().await;
}

#[tokio::test]
async fn the_page_needs_no_key_and_nothing_from_elsewhere() {
    let server = Server::start_with("api_key = 'k'").await;
    let page = server.ask("GET", "/docs/ui", &[], b"").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .starts_with("default-src 'none'; connect-src 'self';")
    );
    assert!(!page.text.contains("://"), "the page refers to another place");
    server.shutdown().await;
}

/// Calls `see` with every object below `value`.
fn walk<'a>(value: &'a Value, see: &mut impl FnMut(&'a Value)) {
    see(value);
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| walk(element, see)),
        Value::Object(members) => members.values().for_each(|member| walk(member, see)),
        _ => {}
    }
}

#[test]
fn the_document_is_whole() {
    for compat in [Compat::Documented, Compat::V0_39] {
        let document = openapi::document(operations::declared(), compat, true);
        let mut named: Vec<&str> = Vec::new();
        walk(&document, &mut |value| named.extend(value["$ref"].as_str()));
        for reference in &named {
            assert!(document.pointer(&reference[1..]).is_some(), "nothing is called {reference}");
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            let reference = format!("#/components/schemas/{name}");
            assert!(named.contains(&&*reference), "nothing refers to {reference}");
        }
        for (path, methods) in document["paths"].as_object().unwrap() {
            for operation in methods.as_object().unwrap().values() {
                for parameter in operation["parameters"].as_array().unwrap() {
                    if parameter["$ref"].is_null() {
                        assert_ne!(parameter["description"], "", "{path} {}", parameter["name"]);
                    }
                }
                let Some(content) = operation["requestBody"]["content"].get("application/json") else {
                    continue;
                };
                // A body may be an array.
                for (name, field) in content["schema"]["properties"].as_object().into_iter().flatten() {
                    assert_ne!(field["description"], "", "{path} {name}");
                }
                for example in content["examples"].as_object().unwrap().values() {
                    assert_eq!(problem(&document, &content["schema"], &example["value"]), None, "{path}");
                }
            }
        }
    }
}

#[test]
fn the_first_example_of_a_start_names_words_and_does_not_hold_them() {
    for compat in [Compat::Documented, Compat::V0_39] {
        let document = openapi::document(operations::declared(), compat, true);
        let content = &document["paths"]["/start"]["post"]["requestBody"]["content"]["application/json"];
        let first = content["examples"].as_object().unwrap().values().next().unwrap();
        assert_eq!(first["value"], json!({"wallet-id": "mine", "seedKey": "genesis"}));
    }
}

#[test]
fn fields_are_as_the_checks_have_them() {
    let document = openapi::document(operations::declared(), Compat::Documented, false);
    let body = |path: &str| {
        document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"].clone()
    };
    let create = body("/wallet/create-token");
    assert_eq!(create["required"], json!(["name", "symbol", "amount"]));
    assert_eq!(
        create["properties"]["symbol"],
        json!({"type": "string", "maxLength": 5, "description": "The token's symbol."})
    );
    assert_eq!(create["properties"]["create_mint"]["type"], "boolean");
    assert_eq!(create["properties"]["address"]["type"], json!(["string", "null"]));
    assert_eq!(create["properties"]["create_mint"]["default"], true);
    assert_eq!(create["properties"]["data"]["items"], json!({"type": "string", "maxLength": 150}));
    assert_eq!(create["properties"]["data"]["maxItems"], 25);
    assert_eq!(body("/wallet/create-nft")["properties"]["create_mint"]["default"], false);

    let send = body("/wallet/send-tx");
    let output = &send["properties"]["outputs"]["items"];
    assert_eq!(output["anyOf"], json!([{"required": ["address", "value"]}, {"required": ["type", "data"]}]));
    assert_eq!(output["properties"]["value"]["$ref"], "#/components/schemas/PositiveInteger");
    assert_eq!(output["properties"]["timelock"]["maximum"], 4_294_967_295_u32);

    let filter = &document["paths"]["/wallet/utxo-filter"]["get"]["parameters"];
    let max_utxos =
        filter.as_array().unwrap().iter().find(|parameter| parameter["name"] == "max_utxos").unwrap();
    assert_eq!(max_utxos["schema"], json!({"type": "integer", "minimum": 0, "default": 255}));
    assert_eq!(max_utxos["required"], false);
}
