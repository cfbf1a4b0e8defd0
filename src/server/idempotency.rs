//! `Idempotency-Key`: a POST that is repeated with the key of an earlier one gets the earlier one's answer,
//! and nothing is sent twice.
//!
//! Here the key is only read. Requests of one key are made to come one after the other, and to go on when
//! their caller hangs up, by the service, which records what is sent before it is pushed, for a day: see
//! [`SendKey`]. A repetition finds that, and is answered with the transaction that is recorded. A request
//! that was refused before anything was pushed leaves nothing, and is carried out anew.
//!
//! A key belongs to the wallet that was started, to the id that it was given, and to the path; of what is for
//! no wallet, to the API key. Those who may touch a wallet share its keys: one who repeats a request with a
//! new API key must not pay twice.

use super::App;
use super::answer::failed;
use super::auth::Caller;
use super::body::received;
use crate::api::texts::KEY_OF_ANOTHER_REQUEST;
use crate::ledger::sha256d;
use crate::operations::Operation;
use crate::service::SendKey;
use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

const MAX_KEY_LENGTH: usize = 255;

/// On an answer that was given before, or was found out for an earlier request.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Gives a POST with an `Idempotency-Key` its [`SendKey`]. An `Err` is the answer where it can't have one.
pub(super) fn read_key(app: &App, request: &mut Request, operation: &Operation) -> Result<(), Box<Response>> {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST)
    else {
        return Ok(());
    };
    if key.is_empty() || key.len() > MAX_KEY_LENGTH {
        let error = format!("The Idempotency-Key must have 1 to {MAX_KEY_LENGTH} characters.");
        return Err(Box::new(failed(StatusCode::BAD_REQUEST, error)));
    }
    let body =
        received(request.extensions()).map_err(|refusal| Box::new(app.refuse(refusal).into_response()))?;
    let wallet = request.headers().get("x-wallet-id").map(HeaderValue::as_bytes).unwrap_or_default();
    let caller = Caller::of(request);
    let own = caller.name().filter(|_| !operation.needs_wallet()).map(str::as_bytes);
    let name = name([wallet, request.uri().path().as_bytes(), key.as_bytes()].into_iter().chain(own));
    // Neither copied to be hashed, nor is the hasher moved, which is wiped in its place: there may be words
    // in it.
    let mut asked = Sha256::new();
    asked.update(request.uri().query().unwrap_or_default());
    asked.update([0]);
    asked.update(&body);
    let fingerprint = Sha256::digest(asked.finalize_reset());
    drop(body);
    request.extensions_mut().insert(SendKey { name, request: fingerprint.into() });
    Ok(())
}

/// Marks an answer that is another one's.
pub(super) fn replayed(mut response: Response) -> Response {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// A name for a key that no key of other parts has: each with its length.
fn name<'a>(all: impl Iterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut parts = Vec::new();
    for part in all {
        parts.extend((part.len() as u64).to_be_bytes());
        parts.extend_from_slice(part);
    }
    sha256d(&parts)
}

/// The answer to a key that came with another request before.
pub(super) fn key_taken() -> Response {
    failed(StatusCode::UNPROCESSABLE_ENTITY, KEY_OF_ANOTHER_REQUEST)
}

/// When to repeat a request that other servers were in the way of, or their database.
pub(super) const RETRY_SECONDS: u32 = 1;

/// The answer to a new key when there is no room for it, and to what is best asked for again.
pub(super) fn no_room(error: String, retry_after: u32) -> Response {
    let mut response = failed(StatusCode::SERVICE_UNAVAILABLE, error);
    response.headers_mut().insert(RETRY_AFTER, retry_after.into());
    response
}
