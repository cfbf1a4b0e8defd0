//! `X-Request-Id`: one name for a request, on its answer and on every line logged because of it. The layer of
//! tower-http would take whatever a caller gives, of any length, into the log.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The header, in both directions.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id that is taken from a caller.
const MAX_LENGTH: usize = 128;

/// The id that the caller gave, if it is a plain one; else a new one.
pub(super) fn request_id(headers: &HeaderMap) -> HeaderValue {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    let given = headers.get(REQUEST_ID).filter(|id| {
        let bytes = id.as_bytes();
        (1..=MAX_LENGTH).contains(&bytes.len()) && bytes.iter().all(plain)
    });
    given.cloned().unwrap_or_else(|| {
        // Without randomness an id that isn't unique is better than no answer.
        let text = format!("{:016x}", getrandom::u64().unwrap_or_default());
        HeaderValue::from_str(&text).expect("hexadecimal digits are a header value")
    })
}
