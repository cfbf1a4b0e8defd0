//! The OpenAPI 3.1 document of the HTTP interface.
//!
//! What there is and what requests and answers hold is not written here: it is declared in
//! `crate::operations`.
//!
//! ```
//! use headless_wallet::api::{Compat, openapi};
//! use headless_wallet::operations;
//!
//! let document = openapi::document(operations::declared(), Compat::Documented, false);
//! let create = &document["paths"]["/wallet/create-token"]["post"]["requestBody"]["content"]["application/json"];
//! assert_eq!(create["schema"]["properties"]["name"]["maxLength"], 30);
//! ```

mod fields;
mod schema;

use super::Compat;
use super::errors::STATUSES;
use super::operation::{Answers, Declared, Method};
use super::shape::{Shape, Shaped};
use super::{AwaitsApprovalAnswer, Failure, InvalidFields, RefusalOfWallet, TaskAnswer, Unauthorized};
use super::{Group, Right};
use schema::Schemas;
use serde_json::{Map, Value, json};

/// The document, as the server with these settings keeps it: whose word it follows where the documented
/// interface and release 0.39 differ, and whether requests need an API key.
pub fn document(
    operations: impl Iterator<Item = &'static Declared>,
    compat: Compat,
    needs_key: bool,
) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut schemas = Schemas::new(compat, fields::named_schemas(compat));
    for operation in operations {
        let described = describe(operation, compat, needs_key, &mut schemas);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.name()] = described;
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Headless Hathor Wallet API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A wallet server for the Hathor Network. Amounts are integers in cents (123 is 1.23), of any size. \
                A request that fails is mostly answered with status 200 and `\"success\": false`: look at `success`.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": Group::ALL.map(Group::described).map(|(name, description)| json!({"name": name, "description": description})),
        "paths": paths,
        "components": {
            "schemas": schemas.into_named(),
            "headers": {
                "X-Request-Id": {
                    "description": "The request's name: the one that it came with, or a new one.",
                    "schema": {"type": "string"},
                },
                "Idempotency-Replayed": {
                    "description": "That this is the answer to an earlier request with the same Idempotency-Key.",
                    "schema": {"type": "string", "enum": ["true"]},
                },
            },
            "parameters": parameters(),
        },
    });
    if needs_key {
        document["components"]["securitySchemes"] =
            json!({"ApiKeyAuth": {"type": "apiKey", "in": "header", "name": "X-API-KEY"}});
        document["security"] = json!([{"ApiKeyAuth": []}]);
    }
    document
}

/// Adds what errors are answered with where `http_status` is `real`.
pub fn add_real_statuses(document: &mut Value) {
    let codes: Vec<&str> = STATUSES.iter().flat_map(|(_, codes)| *codes).copied().collect();
    let text = json!({"type": "string"});
    document["components"]["schemas"]["Error"] = json!({
        "type": "object",
        "description": "An error. Programs go by its code; the other members are those of the documented answers.",
        "properties": {"code": {"type": "string", "enum": codes}, "error": {}, "message": text},
        "required": ["code"],
    });
    document["info"]["description"] = json!(
        "A wallet server for the Hathor Network. Amounts are integers in cents (123 is 1.23), of any size. An error has a `code`, and its HTTP status."
    );
    let error = json!({
        "description": "An error, with the HTTP status of its code.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    });
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let Some(responses) = operation["responses"].as_object_mut() else { continue };
        let plain = json!({"$ref": "#/components/schemas/Failure"});
        responses.retain(|status, response| match status.as_bytes() {
            [b'4', ..] => false,
            // Health has answers of its own.
            [b'5', ..] => response["content"]["application/json"]["schema"] != plain,
            _ => true,
        });
        responses.insert("default".to_owned(), error.clone());
    }
}

/// Headers that many operations take.
fn parameters() -> Value {
    let header = |name: &str, required: bool, schema: Value, description: &str| json!({"name": name, "in": "header", "required": required, "schema": schema, "description": description});
    json!({
        "X-Wallet-Id": header(
            "X-Wallet-Id", true, json!({"type": "string"}),
            "Which wallet is meant: the `wallet-id` that it was started with."
        ),
        "X-First-Address": header(
            "X-First-Address", false, json!({"type": "string"}),
            "The wallet's address at index 0, where the server is set to ask for it (`confirm_first_address`)."
        ),
        "X-Request-Id": header(
            "X-Request-Id", false, json!({"type": "string", "pattern": "^[A-Za-z0-9_.:/+=-]{1,128}$"}),
            "A name for the request, which its answer and its lines in the log bear."
        ),
        "Idempotency-Key": header(
            "Idempotency-Key", false, json!({"type": "string", "minLength": 1, "maxLength": 255}),
            "A name that is new for each request: repeated with the same key within a day, what was sent or proposed is not sent or \
             proposed again, and gets the first answer. A request that was refused before anything was pushed is carried out anew. Keys hold for one wallet \
             (its words and its id) and one path; they outlive the server where it keeps its wallets (`data_dir`). Without that \
             100,000 are remembered at most; more are refused with status 503 and `Retry-After`."
        ),
        "Prefer": header(
            "Prefer", false, json!({"type": "string"}),
            "`respond-async` (RFC 7240): the answer comes at once, with status 202 and the id of a task; with `wait=10` after it, only if \
             the request has not ended in 10 seconds (60 at most)."
        ),
        "Priority": header(
            "Priority", false, json!({"type": "string"}),
            "The urgency of a task (RFC 9218): `u=0` goes first, `u=7` last; 3 if not given."
        ),
    })
}

fn describe(operation: &Declared, compat: Compat, needs_key: bool, schemas: &mut Schemas) -> Value {
    let parameter = |name: &str| json!({"$ref": format!("#/components/parameters/{name}")});
    let mut parameters = Vec::new();
    if operation.needs_wallet() {
        parameters.extend([parameter("X-Wallet-Id"), parameter("X-First-Address")]);
    }
    if operation.is_post() {
        parameters.push(parameter("Idempotency-Key"));
    }
    if operation.can_be_a_task() {
        parameters.extend([parameter("Prefer"), parameter("Priority")]);
    }
    parameters.push(parameter("X-Request-Id"));

    let mut described = json!({
        "operationId": operation.name,
        "tags": [operation.group.described().0],
        "summary": operation.summary,
        "description": rights(operation),
        "x-rights": operation.rights().iter().map(Right::name).collect::<Vec<_>>(),
        "responses": responses(operation, compat, needs_key, schemas),
    });
    let examples: Vec<(&str, Value)> =
        operation.examples.iter().map(|(name, text)| (*name, operation.example(text))).collect();
    let first = examples.first().map_or(&Value::Null, |(_, example)| example);
    parameters.extend(fields::parameters("path", operation.in_path(), first, compat));
    parameters.extend(fields::parameters("query", operation.query(), first, compat));
    let schema = operation.body().map(|members| {
        let mut schema = fields::body_schema(members, compat);
        if operation.refuses_unknown_fields(compat) {
            schema["additionalProperties"] = false.into();
        }
        schema
    });
    if let Some(schema) =
        schema.or_else(|| operation.bare_body().map(|body| fields::bare_schema(body, compat)))
    {
        let mut content = json!({"schema": schema});
        content["examples"] = examples
            .iter()
            .map(|(name, example)| ((*name).to_owned(), json!({"value": operation.without_path(example)})))
            .collect();
        described["requestBody"] = json!({"required": true, "content": {"application/json": content}});
    }
    described["parameters"] = parameters.into();
    described
}

/// What a key with a name must allow.
fn rights(operation: &Declared) -> String {
    let needed = operation.rights();
    if needed.is_empty() {
        return "Needs no right.".to_owned();
    }
    let rights = if needed.iter().count() == 1 { "the right" } else { "the rights" };
    let all = if operation.is_of_all { ", and a key for all wallets" } else { "" };
    let needed: Vec<_> = needed.iter().map(|right| format!("`{right}`")).collect();
    format!("Needs {rights} {}{all}.", needed.join(", "))
}

/// All statuses, with the shapes of their answers.
fn responses(operation: &Declared, compat: Compat, needs_key: bool, schemas: &mut Schemas) -> Value {
    let mut responses = Map::new();
    let mut add = |status: u16, description: &str, content: Value| {
        let mut headers = json!({"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}});
        if operation.is_post() {
            headers["Idempotency-Replayed"] = json!({"$ref": "#/components/headers/Idempotency-Replayed"});
        }
        let response = json!({"description": description, "headers": headers, "content": content});
        responses.insert(status.to_string(), response);
    };
    let mut json_of = |shapes: &[Shape]| json!({"application/json": {"schema": schemas.any_of(shapes)}});
    match operation.answers {
        Answers::Text(media_type) => {
            let mut content = json!({media_type: {"schema": {"type": "string"}}});
            if operation.needs_wallet() {
                content["application/json"] = json_of(&[RefusalOfWallet::SHAPE])["application/json"].take();
            }
            add(200, "What was asked for.", content);
        }
        Answers::Json(shapes) => {
            let mut shapes = shapes.to_vec();
            if operation.needs_wallet() {
                shapes.push(RefusalOfWallet::SHAPE);
            }
            add(200, operation.answered(), json_of(&shapes));
        }
    }
    if operation.can_be_a_task() {
        add(
            202,
            "The request is carried out later: it is a task. Or nothing was sent yet, as a limit wants approval.",
            json_of(&[TaskAnswer::SHAPE, AwaitsApprovalAnswer::SHAPE]),
        );
    }
    add(
        400,
        "Something in the request is not as it must be, or it can't be read.",
        json_of(&operation.all_refusals(compat)),
    );
    if needs_key {
        add(
            401,
            "The header X-API-KEY is missing or wrong, or the key has ended.",
            json_of(&[Unauthorized::SHAPE]),
        );
    }
    add(
        403,
        "The request comes from a web page of another origin, or for a host that the server is not known as; or its key may not do this, \
         or not from there.",
        json_of(&[Failure::SHAPE]),
    );
    if matches!(operation.method, Method::Post | Method::Put) {
        add(
            415,
            "The body's `Content-Encoding` is not one of those in `Accept-Encoding`.",
            json_of(&[Failure::SHAPE]),
        );
    }
    if operation.is_post() {
        add(422, "The Idempotency-Key was used with another request.", json_of(&[Failure::SHAPE]));
    }
    if needs_key {
        add(
            429,
            "The key may make no more requests in this second (see `Retry-After`).",
            json_of(&[Failure::SHAPE]),
        );
    }
    let (when, shapes) = operation.unavailable.unwrap_or((
        "Nothing was done, and the request can be repeated (see `Retry-After`): a new configuration is taken up, the service ends, as many \
         requests wait as may at a time, or the server that runs the wallet does not answer.",
        &[Failure::SHAPE],
    ));
    add(503, when, json_of(shapes));
    for (status, when) in operation.statuses {
        add(*status, when, json_of(&[Failure::SHAPE]));
    }
    add(500, "A fault of the service; its log has the details.", json_of(operation.faults));
    Value::Object(responses)
}

impl Declared {
    /// An example's fields, but for those of the path.
    fn without_path(&self, example: &Value) -> Value {
        let mut example = example.clone();
        if let Some(members) = example.as_object_mut() {
            self.in_path().for_each(|member| drop(members.remove(member.name)));
        }
        example
    }
    fn is_post(&self) -> bool {
        self.method == Method::Post
    }
    /// An example as its body is.
    fn example(&self, text: &str) -> Value {
        let mut example: Value = serde_json::from_str(text).expect("examples are JSON");
        match self.bare_body() {
            Some(body) => example[body.name].take(),
            None => example,
        }
    }
    fn answered(&self) -> &'static str {
        match self.answers {
            Answers::Json(shapes) if self.needs_wallet() || shapes.len() > 1 => {
                "What was asked for; or, with `\"success\": false`, why not."
            }
            _ => "What was asked for.",
        }
    }
    /// What a 400 comes with, by name.
    fn all_refusals(&self, compat: Compat) -> Vec<Shape> {
        let mut shapes = self.refusals.to_vec();
        if self.sends() || self.refuses_unknown_fields(compat) {
            shapes.push(InvalidFields::SHAPE);
        }
        // A header that comes twice, for one.
        shapes.push(Failure::SHAPE);
        shapes.sort_unstable_by_key(|shape| shape.schema);
        shapes.dedup_by_key(|shape| shape.schema);
        shapes
    }
}
