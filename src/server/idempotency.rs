//! `Idempotency-Key`: a POST that is repeated with the key of an earlier one gets the earlier one's answer, and nothing is
//! sent twice.
//!
//! What is kept is the answer of a request that sent something, or that may have. One that was refused did nothing, so
//! a repetition is carried out anew. Keys hold for one wallet and one path, for a day, as long as the process runs.

use super::App;
use super::answer::{Final, json_with};
use super::body::{MAX_BODY_BYTES, too_large};
use crate::api::{Failure, Refusal};
use crate::ledger::sha256d;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Keys remembered at a time; the oldest make room.
const MAX_KEYS: usize = 10_000;
/// How long a key is remembered.
const MAX_AGE: Duration = Duration::from_secs(24 * 3_600);
/// Longest key.
const MAX_KEY_LENGTH: usize = 255;

/// Whose key it is, for which path, and the key.
type Key = (Vec<u8>, String, Vec<u8>);

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
        known.oldest_first.push_back((Instant::now(), key.clone()));
        known.entries.insert(key, entry.clone());
        entry
    }
}

/// Lets a POST with an `Idempotency-Key` pass the first time, and answers its repetitions.
pub(super) async fn once(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST)
    else {
        return next.run(request).await;
    };
    let key = key.as_bytes().to_vec();
    if key.is_empty() || key.len() > MAX_KEY_LENGTH {
        return failed(
            StatusCode::BAD_REQUEST,
            format!("The Idempotency-Key must have 1 to {MAX_KEY_LENGTH} characters."),
        );
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        return app.refuse(Refusal::Body(too_large())).into_response();
    };
    let wallet = parts.headers.get("x-wallet-id").map(|id| id.as_bytes().to_vec()).unwrap_or_default();
    let mut asked = parts.uri.query().unwrap_or_default().as_bytes().to_vec();
    asked.push(0);
    asked.extend_from_slice(&body);
    let fingerprint = sha256d(&asked);
    let entry = app.answers().entry((wallet, parts.uri.path().to_owned(), key), fingerprint);
    if entry.fingerprint != fingerprint {
        return failed(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This Idempotency-Key was used with another request: use a new key for each request.".to_owned(),
        );
    }
    let request = Request::from_parts(parts, Body::from(body));
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
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
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

fn failed(status: StatusCode, error: String) -> Response {
    json_with(status, &Failure::new(error))
}
