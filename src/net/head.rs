//! Invalid heads of requests.

use hyper::header::HOST;
use hyper::{HeaderMap, Request, Version};

/// Headers with a single value: of two different ones, a proxy in front may have read the other.
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

/// Why a request must be refused with status 400, if it must.
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
    // Mostly no name is repeated.
    if headers.len() == headers.keys_len() {
        return None;
    }
    SINGLE.into_iter().find(|name| headers.get_all(*name).iter().nth(1).is_some())
}
