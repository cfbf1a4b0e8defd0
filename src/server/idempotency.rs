//! `Idempotency-Key`: a POST that is repeated with the key of an earlier one gets the earlier one's answer, and nothing is
//! sent twice.
//!
//! What is kept is the answer of a request that sent something, or that may have. One that was refused did nothing, so
//! a repetition is carried out anew. Keys hold for one wallet and one path, for a day.
//!
//! Answers are kept as long as the process runs. What a wallet sends is told to it with the key, and where the wallet is kept in a
//! store, that outlives the process: see [`SendKey`].

use super::App;
use super::answer::{Final, json_with};
use super::body::received;
use crate::api::Failure;
use crate::api::texts::KEY_OF_ANOTHER_REQUEST;
use crate::ledger::sha256d;
use crate::service::SendKey;
use crate::store::NOTE_LIFE;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Keys remembered at a time; the oldest make room.
const MAX_KEYS: usize = 10_000;
/// How long a key is remembered.
const MAX_AGE: Duration = Duration::from_secs(NOTE_LIFE as u64);
/// Longest key.
const MAX_KEY_LENGTH: usize = 255;

/// On an answer that was given before, or was found out for an earlier request.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Stands for a wallet, a path and a key.
type Key = [u8; 32];

/// The answers kept.
#[derive(Default)]
pub(super) struct Answers(Mutex<Known>);

#[derive(Default)]
struct Known {
    entries: HashMap<Key, Arc<Entry>>,
    oldest_first: VecDeque<(Instant, Key)>,
}

/// One key. The lock is held while its request is carried out, so that repetitions wait for the answer.
struct Entry {
    /// Of the request that came with the key first.
    fingerprint: [u8; 32],
    answer: tokio::sync::Mutex<Option<Kept>>,
}

struct Kept {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answers {
    fn entry(&self, key: Key, fingerprint: [u8; 32]) -> Arc<Entry> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((since, _)) = known.oldest_first.front()
            && (since.elapsed() > MAX_AGE || known.entries.len() >= MAX_KEYS)
        {
            if let Some((_, key)) = known.oldest_first.pop_front() {
                known.entries.remove(&key);
            }
        }
        if let Some(entry) = known.entries.get(&key) {
            return entry.clone();
        }
        let entry = Arc::new(Entry { fingerprint, answer: tokio::sync::Mutex::default() });
        known.oldest_first.push_back((Instant::now(), key));
        known.entries.insert(key, entry.clone());
        entry
    }
}

/// Lets a POST with an `Idempotency-Key` pass the first time, and answers its repetitions.
pub(super) async fn once(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST)
    else {
        return next.run(request).await;
    };
    let key = key.clone();
    if key.is_empty() || key.len() > MAX_KEY_LENGTH {
        return failed(
            StatusCode::BAD_REQUEST,
            format!("The Idempotency-Key must have 1 to {MAX_KEY_LENGTH} characters."),
        );
    }
    let body = match received(&request) {
        Ok(body) => body,
        Err(refusal) => return app.refuse(refusal).into_response(),
    };
    let wallet = request.headers().get("x-wallet-id").map(HeaderValue::as_bytes).unwrap_or_default();
    let mut asked = request.uri().query().unwrap_or_default().as_bytes().to_vec();
    asked.push(0);
    asked.extend_from_slice(&body);
    let fingerprint = sha256d(&asked);
    let name = name(wallet, request.uri().path(), key.as_bytes());
    let entry = app.answers().entry(name, fingerprint);
    if entry.fingerprint != fingerprint {
        return key_taken();
    }
    request.extensions_mut().insert(SendKey { name, request: fingerprint });
    // A task of its own: when the caller goes away, the answer must be there for its next try.
    let carried_out = tokio::spawn(answer(entry, request, next).in_current_span());
    match carried_out.await {
        Ok(response) => response,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

async fn answer(entry: Arc<Entry>, request: Request, next: Next) -> Response {
    let mut kept = entry.answer.lock().await;
    if let Some(Kept { status, headers, body }) = &*kept {
        let mut response = Response::new(Body::from(body.clone()));
        *response.status_mut() = *status;
        response.headers_mut().clone_from(headers);
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        return response;
    }
    let response = next.run(request).await;
    if response.extensions().get::<Final>().is_none() {
        return response;
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("answers are in memory");
    *kept = Some(Kept { status: parts.status, headers: parts.headers.clone(), body: body.clone() });
    Response::from_parts(parts, Body::from(body))
}

/// A name for a key that no key of another wallet or path has: each part with its length.
fn name(wallet: &[u8], path: &str, key: &[u8]) -> Key {
    let mut parts = Vec::new();
    for part in [wallet, path.as_bytes(), key] {
        parts.extend((part.len() as u64).to_be_bytes());
        parts.extend_from_slice(part);
    }
    sha256d(&parts)
}

/// The answer to a key that came with another request before.
pub(super) fn key_taken() -> Response {
    failed(StatusCode::UNPROCESSABLE_ENTITY, KEY_OF_ANOTHER_REQUEST.to_owned())
}

fn failed(status: StatusCode, error: String) -> Response {
    json_with(status, &Failure::new(error))
}
