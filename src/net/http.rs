//! The HTTP client: requests and responses, whole and in memory.

use super::{NetError, Url, backend};
use std::time::Duration;

pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// In bytes.
pub const DEFAULT_MAX_BODY: usize = 32 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

/// Not `Debug`: headers and URLs may contain secrets.
#[derive(Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    /// JSON; sets the content type.
    pub json: Option<String>,
    /// From the first step to the last byte of the answer.
    pub timeout: Duration,
    pub max_body: usize,
}

impl Request {
    /// With default limits.
    pub fn get(url: Url) -> Self {
        Self {
            method: Method::Get,
            url,
            headers: Vec::new(),
            json: None,
            timeout: DEFAULT_TIMEOUT,
            max_body: DEFAULT_MAX_BODY,
        }
    }
    pub fn post(url: Url, json: String) -> Self {
        Self { method: Method::Post, json: Some(json), ..Self::get(url) }
    }
}

/// An answer of any status.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// The header `Retry-After` in seconds; dates are not read.
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

pub(super) fn retry_after(header: &str) -> Option<Duration> {
    header.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) type Simulated = std::sync::Arc<
    dyn Fn(Request) -> crate::rt::BoxFuture<'static, Result<Response, NetError>> + Send + Sync,
>;

/// A handle of the process's one HTTP client and its connection pool.
///
/// Redirects are not followed: a secret header must only go to the configured server.
#[derive(Clone)]
pub struct HttpClient(pub(super) backend::Http);

impl HttpClient {
    pub fn shared() -> Self {
        Self(backend::Http::shared())
    }
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub(crate) fn simulated(answer: Simulated) -> Self {
        Self(backend::Http::Simulated(answer))
    }
    #[cfg(target_arch = "wasm32")]
    pub fn by(ways: super::Ways) -> Self {
        Self(backend::Http(ways))
    }
    /// Sends `request` and reads the whole answer.
    ///
    /// # Errors
    /// [`NetError`] if there is no whole answer within the request's limits. Any status is an answer.
    pub async fn request(&self, request: Request) -> Result<Response, NetError> {
        self.0.request(request).await
    }
    /// Sends `request` and reads the head of the answer within its time; the body comes in chunks.
    ///
    /// # Errors
    /// [`NetError`] if there is no head within the request's time. Any status is an answer.
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn open(&self, request: Request) -> Result<backend::OpenResponse, NetError> {
        self.0.open(request).await
    }
}
