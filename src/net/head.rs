//! What is wrong with the head of a request, whatever it asks for.

use hyper::header::HOST;
use hyper::{HeaderMap, Request, Version};

/// Headers that say one thing: of two that differ, a proxy in front may have looked at the other one.
const SINGLE: [&str; 13] = [
    "Host",
    "Origin",
    "Sec-Fetch-Site",
    "Sec-Fetch-Dest",
    "Content-Type",
    "Content-Length",
    "Authorization",
    "X-API-KEY",
    "X-Wallet-Id",
    "X-First-Address",
    "X-Request-Id",
    "Idempotency-Key",
    "Last-Event-ID",
];

/// Why a request has to be refused with status 400, if it has.
pub fn problem<B>(request: &Request<B>) -> Option<String> {
    let headers = request.headers();
    if let Some(name) = repeated(headers) {
        return Some(format!("The header {name} comes more than once: send it once."));
    }
    // RFC 9112, section 3.2.
    (request.version() == Version::HTTP_11 && !headers.contains_key(HOST))
        .then(|| "The header Host is missing, which HTTP/1.1 asks for.".to_owned())
}

fn repeated(headers: &HeaderMap) -> Option<&'static str> {
    // Each of another name, nearly always.
    if headers.len() == headers.keys_len() {
        return None;
    }
    SINGLE.into_iter().find(|name| headers.get_all(*name).iter().nth(1).is_some())
}
