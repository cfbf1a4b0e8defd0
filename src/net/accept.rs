//! Accepting WebSockets.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::upgrade::{self, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

pub use tokio_tungstenite::tungstenite::Message;

pub type Accepted = WebSocketStream<TokioIo<Upgraded>>;

/// The answer to an upgrade request, and the use of the WebSocket once it is sent. A message longer than
/// `max_message` bytes breaks the connection.
///
/// # Errors
/// What the request lacks of a handshake.
pub fn accept<F: Future<Output = ()> + Send + 'static>(
    request: &mut Request,
    max_message: Option<usize>,
    used: impl FnOnce(Accepted) -> F + Send + 'static,
) -> Result<Response, Error> {
    let response = create_response_with_body(request, Body::empty)?;
    let mut config = WebSocketConfig::default();
    if max_message.is_some() {
        config = config.max_message_size(max_message).max_frame_size(max_message);
    }
    let upgrade = upgrade::on(request);
    tokio::spawn(async move {
        // The client may have gone before the answer.
        let Ok(upgraded) = upgrade.await else { return };
        used(WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(config)).await)
            .await;
    });
    Ok(response)
}
