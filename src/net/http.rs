//! The HTTP client: requests and responses, whole and in memory.

use super::{NetError, Url, backend};
use std::time::Duration;

/// How long a request may take, if the caller does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// How many bytes an answer may have, if the caller does not say.
pub const DEFAULT_MAX_BODY: usize = 32 * 1024 * 1024;

/// What to do at the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

/// A request. Not `Debug`: headers and URLs may hold secrets.
#[derive(Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    /// JSON; sets the content type.
    pub json: Option<String>,
    /// From the first step to the last byte of the answer.
    pub timeout: Duration,
    /// Most bytes of the answer.
    pub max_body: usize,
}

impl Request {
    /// A GET of `url` with the usual limits.
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
    /// A POST of `json` to `url` with the usual limits.
    pub fn post(url: Url, json: String) -> Self {
        Self { method: Method::Post, json: Some(json), ..Self::get(url) }
    }
}

/// An answer of any status.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// What the header `Retry-After` says in seconds; a date there is not read.
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

/// Seconds of a `Retry-After` header.
pub(super) fn retry_after(header: &str) -> Option<Duration> {
    header.trim().parse().ok().map(Duration::from_secs)
}

/// What answers in a simulation.
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) type Simulated = std::sync::Arc<
    dyn Fn(Request) -> crate::rt::BoxFuture<'static, Result<Response, NetError>> + Send + Sync,
>;

/// A handle to the process's one HTTP client and its pool of kept connections.
///
/// Redirects are not followed: a secret header must not travel to where the configuration does not say.
#[derive(Clone)]
pub struct HttpClient(pub(super) backend::Http);

impl HttpClient {
    /// The client of this process.
    pub fn shared() -> Self {
        Self(backend::Http::shared())
    }
    /// A client whose requests are answered by a simulation.
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub(crate) fn simulated(answer: Simulated) -> Self {
        Self(backend::Http::Simulated(answer))
    }
    /// A client that goes the ways of its caller.
    #[cfg(target_arch = "wasm32")]
    pub fn by(ways: super::Ways) -> Self {
        Self(backend::Http(ways))
    }
    /// Sends `request` and reads the whole answer.
    ///
    /// # Errors
    /// [`NetError`] if no whole answer comes within the request's time, or one that is longer than it allows.
    /// Any status is an answer.
    pub async fn request(&self, request: Request) -> Result<Response, NetError> {
        self.0.request(request).await
    }
    /// Sends `request` and reads the head of the answer within its time: the body comes piece by piece.
    ///
    /// # Errors
    /// [`NetError`] if no head comes within the request's time. Any status is an answer.
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn open(&self, request: Request) -> Result<backend::OpenResponse, NetError> {
        self.0.open(request).await
    }
}
