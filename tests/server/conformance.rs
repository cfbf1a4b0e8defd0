//! Holds every answer that the tests get to the OpenAPI document: path, method, status, type and shape must
//! be in it. The crate jsonschema does the last of these, and brings thirty others.

use super::support::Answer;
use headless_wallet::api::errors::{self, Row};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Fails unless the document has such an answer.
pub fn conform(document: &Value, method: &str, target: &str, answer: &Answer) {
    let path = target.split('?').next().unwrap_or_default().to_lowercase();
    let path = if path == "/" { &path } else { path.strip_suffix('/').unwrap_or(&path) };
    let key = method.to_lowercase();
    if ["head", "options"].contains(&&*key) {
        return;
    }
    let place = format!("{method} {target} {}: {}", answer.status, answer.text);
    let is_of = |template: &str| match template.split_once('{') {
        Some((before, _)) => path.strip_prefix(before).is_some_and(|last| !last.contains('/')),
        None => template == path,
    };
    let paths = document["paths"].as_object().unwrap();
    let template = paths.keys().find(|template| is_of(template)).map_or(path, String::as_str);
    let operation = &document["paths"][template][&key];
    if operation.is_null() {
        let refusal = &document["components"]["schemas"]["WalletRefusal"];
        let no_wallet = answer.status == 200
            && path.starts_with("/wallet/")
            && problem(document, refusal, &answer.json()).is_none();
        assert!(
            no_wallet || [401, 403, 404].contains(&answer.status),
            "not in the OpenAPI document (src/operations): {place}"
        );
        return;
    }
    let responses = &operation["responses"];
    let response = responses.get(answer.status.to_string()).unwrap_or(&responses["default"]);
    assert!(!response.is_null(), "the OpenAPI document lacks this status: {place}");
    let media_type = answer.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let schema = &response["content"][media_type]["schema"];
    assert!(!schema.is_null(), "the OpenAPI document lacks the type {media_type}: {place}");
    // The document describes numbers of cents.
    let is_described = !place.contains("amounts=decimal") || answer.status != 200;
    if media_type == "application/json"
        && is_described
        && let Some(problem) = problem(document, schema, &answer.json())
    {
        panic!("the OpenAPI document has another shape: {problem}\n{place}");
    }
}

/// What in `value` is not as the schema says, if anything.
pub fn problem(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let named = document.pointer(reference.trim_start_matches('#'));
        return problem(document, named.unwrap_or_else(|| panic!("no schema {reference}")), value);
    }
    let not = |what: &str| Some(format!("{value} is not {what}"));
    if let Some(options) = schema["anyOf"].as_array() {
        let problems: Vec<_> = options.iter().map(|option| problem(document, option, value)).collect();
        if !problems.contains(&None) {
            return Some(problems.into_iter().flatten().collect::<Vec<_>>().join("; or "));
        }
    }
    if schema.get("const").is_some_and(|only| only != value)
        || schema["enum"].as_array().is_some_and(|all| !all.contains(value))
    {
        return not(&schema.to_string());
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        Value::String(one) => vec![one.as_str()],
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_a(name, value)) {
        return not(&types.join(" or "));
    }
    match value {
        Value::Number(number) => {
            // Past this no limit of the document is.
            let number = number.as_i64().unwrap_or(i64::MAX);
            let out = schema["minimum"].as_i64().is_some_and(|least| number < least)
                || schema["maximum"].as_i64().is_some_and(|most| number > most);
            out.then(|| format!("{number} is out of range")).filter(|_| value.is_i64())
        }
        Value::String(text) => {
            let fits =
                schema["pattern"].as_str().is_none_or(|pattern| Regex::new(pattern).unwrap().is_match(text));
            if fits { None } else { not(&schema["pattern"].to_string()) }
        }
        Value::Array(elements) if schema.get("items").is_some() => {
            elements.iter().find_map(|element| problem(document, &schema["items"], element))
        }
        Value::Object(members) => {
            let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(name) = names.into_iter().find(|name| !members.contains_key(*name)) {
                return Some(format!("{name} is missing"));
            }
            members.iter().find_map(|(name, member)| {
                let named = &schema["propertyNames"];
                if let Some(problem) = problem(document, named, &Value::String(name.clone())) {
                    return Some(problem);
                }
                let known = &schema["properties"][name];
                let other = schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
                match if known.is_null() { other } else { known } {
                    Value::Bool(true) => None,
                    Value::Bool(false) => Some(format!("{name} is not in the schema")),
                    schema => problem(document, schema, member).map(|problem| format!("{name}: {problem}")),
                }
            })
        }
        _ => None,
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_number().is_some_and(|number| !number.as_str().contains(['.', 'e', 'E'])),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("no such type: {name}"),
    }
}

/// A text that the list of errors has comes with a status that it says there.
pub fn come_with_its_status(answer: &Answer) {
    static DECLARED: LazyLock<Vec<Row>> =
        LazyLock::new(|| errors::server().into_iter().flat_map(|messages| messages.rows).collect());
    let Ok(json) = serde_json::from_str::<Value>(&answer.text) else { return };
    // The status is that of the code: tests/server/real_statuses.rs.
    if json["code"].is_string() {
        return;
    }
    for text in ["error", "message"].iter().filter_map(|name| json[name].as_str()) {
        let rows = || DECLARED.iter().filter(|row| row.messages.iter().any(|message| message == text));
        let statuses: Vec<_> = rows().map(|row| row.status).collect();
        assert!(statuses.is_empty() || statuses.contains(&answer.status), "{} with {text:?}", answer.status);
    }
}
