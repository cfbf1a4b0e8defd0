//! The audit log of a server: who asked for what that is more than reading, from where, and what came of it.
//!
//! A request is written down before it is carried out, and refused where it can't be; what came of it is
//! written down before it is answered. One that has no answer in the log was cut off: the ledger says what
//! became of it. What was refused for want of a right is written down, too. Bodies are not, as there may be
//! words in them; their SHA-256 is, so that whoever kept one can show that it was this.

use super::App;
use super::answer::{failed, panicked};
use super::asked_for::in_path;
use super::auth::Caller;
use super::body::received;
use super::idempotency::RETRY_SECONDS;
use super::seeds::{Opened, SeedError};
use crate::limits::LIMIT;
use crate::net::serve::Peer;
use crate::operations::Operation;
use crate::store::{AuditHead, StoreError, write_audit};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Most characters of a name in it.
const MAX_NAME: usize = 200;

/// What is written of a request.
pub(super) struct Asked(Map<String, Value>);

impl Asked {
    /// What is written of all.
    fn by(caller: &Caller, operation: &Operation, wallet: Option<&[u8]>) -> Self {
        let who = match caller {
            Caller::Owner => "(owner)",
            Caller::Nobody => "(nobody)",
            Caller::Named(key) => &key.named.name,
            Caller::Gone(name) => name,
        };
        let mut asked = Self(Map::new());
        asked.add("who", who);
        asked.add("operation", operation.name);
        if let Some(wallet) = wallet.filter(|_| operation.needs_wallet()) {
            asked.add("wallet", name(&String::from_utf8_lossy(wallet)));
        }
        asked
    }
    fn add(&mut self, member: &str, text: impl Into<Value>) {
        self.0.insert(member.to_owned(), text.into());
    }
    /// A task that is carried out: the line of its request has what that was.
    pub fn of_task(caller: &Caller, operation: &Operation, wallet: &str, id: String) -> Self {
        let mut asked = Self::by(caller, operation, Some(wallet.as_bytes()));
        asked.add("name", id);
        asked
    }
    pub fn of(request: &Request, operation: &Operation) -> Self {
        let wallet = request.headers().get("x-wallet-id").map(HeaderValue::as_bytes);
        let mut asked = Self::by(Caller::of(request), operation, wallet);
        if let Some(Peer(address)) = request.extensions().get::<Peer>() {
            asked.add("from", address.to_canonical().to_string());
        }
        let body = received(request.extensions()).unwrap_or_default();
        for (member, text) in named(request, operation, &body) {
            asked.add(member, name(&text));
        }
        if !body.is_empty() {
            asked.add("body", hex::encode(Sha256::digest(&body)));
        }
        if let Some(query) = request.uri().query() {
            asked.add("query", hex::encode(Sha256::digest(query)));
        }
        asked
    }
}

/// As much of a name as is written down.
fn name(text: &str) -> String {
    text.chars().take(MAX_NAME).collect()
}

/// What a request is about by its path or its body, which is not written down itself: a key, a task, a swap,
/// a delivery, a wallet that is started.
fn named(request: &Request, operation: &Operation, body: &[u8]) -> Vec<(&'static str, String)> {
    let mut names: Vec<_> = in_path(request).map(|(_, text)| ("name", text)).into_iter().collect();
    if !operation.audited.is_empty()
        && let Ok(body) = serde_json::from_slice::<Value>(body)
    {
        let text =
            |(member, field): &(&'static str, &str)| Some((*member, body[*field].as_str()?.to_owned()));
        names.extend(operation.audited.iter().filter_map(text));
    }
    names
}

/// Whether an operation is written down.
fn is_written(operation: &Operation) -> bool {
    !operation.only_reads()
}

impl App {
    /// Has a request carried out, and writes down what was asked and what came of it.
    pub(super) async fn audited(
        &self,
        Asked(entry): Asked,
        carried_out: impl Future<Output = Response>,
    ) -> Response {
        let asked = match self.write_down("asked", entry).await {
            Ok(head) => head.count,
            Err(error) => {
                tracing::error!("the audit log can't be written, and a request is refused: {error}");
                return unwritten();
            }
        };
        let (response, mut entry) = read(carried_out.await).await;
        entry.insert("of".to_owned(), asked.into());
        if let Err(error) = self.write_down("answered", entry).await {
            tracing::error!("what came of line {asked} of the audit log can't be written: {error}");
        }
        response
    }

    /// Whether requests for an operation are written down.
    pub(super) fn audits(&self, operation: &Operation) -> bool {
        self.config().audit_log && is_written(operation)
    }

    /// Writes down that somebody lacked a right.
    pub(super) async fn audit_refusal(&self, operation: &Operation, asked: Asked, is_gone: bool) {
        let Asked(mut entry) = asked;
        if !self.audits(operation) {
            return;
        }
        let all = if operation.is_of_all { ", all wallets" } else { "" };
        let rule = match is_gone {
            true => "the key was revoked, or has ended".to_owned(),
            false => format!("rights: {}{all}", operation.rights()),
        };
        entry.insert("rule".to_owned(), rule.into());
        if let Err(error) = self.write_down("refused", entry).await {
            tracing::error!("the audit log can't be written: {error}");
        }
    }

    /// Writes down that somebody on this machine had sealed words opened, or tried to.
    pub(super) async fn audit_unlocking(&self, opened: &Result<Opened, SeedError>) {
        if !self.config().audit_log {
            return;
        }
        let mut entry = Map::new();
        entry.insert("who".to_owned(), "(this machine)".into());
        entry.insert("operation".to_owned(), "unlock".into());
        entry.insert("success".to_owned(), opened.is_ok().into());
        if let Ok(opened) = opened {
            entry.insert("open".to_owned(), opened.open.clone().into());
        }
        if let Err(error) = self.write_down("unlocked", entry).await {
            tracing::error!("the audit log can't be written: {error}");
        }
    }

    async fn write_down(&self, what: &str, entry: Map<String, Value>) -> Result<AuditHead, StoreError> {
        let stores = self.stores();
        let log = stores.as_ref().and_then(|stores| stores.audit_log());
        let log = log.ok_or_else(|| StoreError::Failed {
            place: "audit_log".to_owned(),
            what: "there is nowhere to keep it: set `data_dir` or `store`".to_owned(),
        })?;
        let head = write_audit(log, what, entry).await?;
        self.metrics().set_audit_head(head);
        Ok(head)
    }
}

/// What is written of an answer, which is put together again.
async fn read(response: Response) -> (Response, Map<String, Value>) {
    let (parts, body) = response.into_parts();
    let mut entry = Map::new();
    entry.insert("status".to_owned(), parts.status.as_u16().into());
    // It is our own: no longer than it has to be, and whole.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else { return (panicked(), entry) };
    let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    for (name, member) in
        [("success", "success"), ("transaction", "hash"), ("task", "taskId"), ("approval", "approvalId")]
    {
        if !said[member].is_null() {
            entry.insert(name.to_owned(), said[member].clone());
        }
    }
    // Other errors may repeat what was asked.
    if let Some(error) = said["error"].as_str().filter(|error| error.starts_with(LIMIT)) {
        entry.insert("rule".to_owned(), error.chars().take(2 * MAX_NAME).collect::<String>().into());
    }
    (Response::from_parts(parts, Body::from(bytes)), entry)
}

fn unwritten() -> Response {
    let error = "The audit log can't be written now, so nothing was done: try again.";
    let mut response = failed(StatusCode::SERVICE_UNAVAILABLE, error);
    response.headers_mut().insert(RETRY_AFTER, RETRY_SECONDS.into());
    response
}
