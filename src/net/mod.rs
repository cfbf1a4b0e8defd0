//! One small HTTP client and one WebSocket, natively and in the browser, and servers for both. The protocols
//! above them are in other modules.
//!
//! ```no_run
//! # async fn example() -> Result<(), headless_wallet::net::NetError> {
//! use headless_wallet::net::{HttpClient, Request};
//!
//! let url = "http://localhost:8080/v1a/version".parse().expect("a URL");
//! let response = HttpClient::shared().request(Request::get(url)).await?;
//! println!("{} {}", response.status, String::from_utf8_lossy(&response.body));
//! # Ok(()) }
//! ```

#[cfg(feature = "native")]
mod accept;
mod clean;
#[cfg(feature = "native")]
pub(crate) mod head;
#[cfg(feature = "native")]
mod hop;
#[cfg(feature = "native")]
pub(crate) mod host;
mod http;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(feature = "native")]
mod outward;
#[cfg(feature = "native")]
pub(crate) mod serve;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod tls;
mod url;
#[cfg(target_arch = "wasm32")]
mod web;
mod websocket;

#[cfg(not(target_arch = "wasm32"))]
use native as backend;
#[cfg(target_arch = "wasm32")]
use web as backend;

#[cfg(feature = "native")]
pub(crate) use accept::{Accepted, Message, accept};
#[cfg(not(target_arch = "wasm32"))]
pub use backend::OpenResponse;
#[cfg(target_arch = "wasm32")]
pub use backend::Ways;
pub use clean::{brief, clean, clean_json};
#[cfg(feature = "native")]
pub(crate) use hop::pass_on;
pub use http::{DEFAULT_MAX_BODY, DEFAULT_TIMEOUT, HttpClient, Method, Request, Response};
#[cfg(feature = "native")]
pub use outward::{Posted, Reach};
pub use url::Url;
pub use websocket::WebSocket;

use std::time::Duration;

/// Why there is no answer. No text contains a URL or a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// No connection was made, so nothing of the request was sent.
    #[error("no connection: {0}")]
    Connect(String),
    /// No whole answer within the time; the request may have had its effect.
    #[error("no answer within {} s", crate::rt::in_seconds(*.0))]
    Timeout(Duration),
    /// The connection ended or failed half-way; the request may have had its effect.
    #[error("connection broken: {0}")]
    Broken(String),
    #[error("answer of more than {0} bytes")]
    TooLarge(usize),
}
