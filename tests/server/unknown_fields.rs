//! A field that an operation does not have is refused, and nothing is done: with the field ignored, money
//! would move differently than requested.

use super::nano::balance;
use super::support::Server;
use headless_wallet::api::{Kind, Member, Method};
use headless_wallet::operations::{self, Operation};
use serde_json::{Value, json};
use std::collections::BTreeSet;

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
