//! Query strings as the node reads them: keys may repeat, and a list's key ends in `[]`.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;

/// The decoded pairs of a query string, in order.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn parse(query: &str) -> Self {
        Self(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// The first value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Every value of `key`.
    pub(super) fn all(&self, key: &str) -> Vec<String> {
        self.0.iter().filter(|(k, _)| k == key).map(|(_, value)| value.clone()).collect()
    }

    /// The values of these keys; the error is the message for what is missing.
    pub(super) fn required<const N: usize>(&self, keys: [&str; N]) -> Result<[&str; N], String> {
        let missing: Vec<&str> = keys.into_iter().filter(|key| self.get(key).is_none()).collect();
        if !missing.is_empty() {
            return Err(format!("Missing parameter: {}", missing.join(", ")));
        }
        Ok(keys.map(|key| self.get(key).unwrap_or_default()))
    }
}

/// The number of things asked for in the parameter `key`; the error is the message for what is no number.
pub(super) fn count(key: &str, text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("Failed to parse '{key}': invalid literal for int() with base 10: '{text}'"))
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}
