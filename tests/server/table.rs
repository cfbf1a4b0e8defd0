//! The table of docs/compatibility.md: it names tests that there are, and every endpoint and field.

use headless_wallet::api::{Compat, openapi};
use headless_wallet::operations;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const TABLE: &str = include_str!("../../docs/compatibility.md");

/// The cells of the rows of a section.
fn rows(section: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = TABLE.split_once(&format!("\n## {section}\n")).expect(section);
    let text = rest.split("\n## ").next().unwrap();
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What a cell has between backticks.
fn quoted(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_test_of_the_table_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for section in [
        "Wallets",
        "Sending",
        "Signing elsewhere",
        "Reading",
        "Everywhere",
        "Multisig wallets",
        "Atomic swaps",
        "Templates",
        "Contracts",
        "Not in hathor-wallet-headless",
    ] {
        for row in rows(section) {
            let tests: Vec<_> = quoted(row[row.len() - 1]).collect();
            assert_ne!(tests, Vec::<&str>::new(), "no test is named beside {row:?}");
            for test in tests {
                let (file, name) = test.split_once("::").unwrap_or_else(|| panic!("{test} is no file::test"));
                let file = match file.strip_prefix("tests/") {
                    Some(elsewhere) => root.join(format!("{elsewhere}.rs")),
                    None => root.join(format!("server/{file}.rs")),
                };
                let source = fs::read_to_string(&file).unwrap_or_else(|_| panic!("{test}: no such file"));
                let function = format!("fn {name}() {{");
                let (before, _) =
                    source.split_once(&function).unwrap_or_else(|| panic!("there is no {test}"));
                let before = before.trim_end_matches("async ").trim_end();
                let attribute = before.lines().last().unwrap_or_default();
                assert!(["#[test]", "#[tokio::test"].iter().any(|a| attribute.starts_with(a)), "{test}");
            }
        }
    }
}

/// What is said of each endpoint. A row without one goes on with the one before.
fn endpoints() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut endpoints: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for section in [
        "Wallets",
        "Sending",
        "Signing elsewhere",
        "Reading",
        "Multisig wallets",
        "Atomic swaps",
        "Templates",
        "Contracts",
        "Not in hathor-wallet-headless",
    ] {
        let mut named = Vec::new();
        for row in rows(section) {
            if !row[0].is_empty() {
                named = quoted(row[0]).collect();
            }
            for endpoint in &named {
                endpoints.entry(*endpoint).or_default().extend(quoted(row[1]));
            }
        }
    }
    endpoints
}

/// The fields of an endpoint: of its query, or of its body.
fn fields(operation: &Value) -> Vec<&str> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let query = parameters.filter(|p| p["in"] == "query").filter_map(|p| p["name"].as_str());
    let body = &operation["requestBody"]["content"]["application/json"]["schema"]["properties"];
    query.chain(body.as_object().into_iter().flatten().map(|(name, _)| name.as_str())).collect()
}

#[test]
fn every_endpoint_and_field_is_in_the_table() {
    let document = openapi::document(operations::declared(), Compat::Documented, false);
    let endpoints = endpoints();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            // `dry_run` has a row of its own, for all that send.
            let endpoint = format!("{} {path}", method.to_uppercase());
            let listed = endpoints.get(&*endpoint).unwrap_or_else(|| panic!("{endpoint} is not listed"));
            for field in fields(operation).into_iter().filter(|field| *field != "dry_run") {
                assert!(listed.contains(&field), "{endpoint}: `{field}` is not listed");
            }
        }
    }
}
