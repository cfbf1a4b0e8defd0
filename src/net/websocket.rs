use super::{HttpClient, NetError, Url, backend};
use crate::rt;
use futures_util::{Sink, Stream};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// How long [`WebSocket::close`] waits until the close frame is written.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// An open WebSocket.
///
/// Sent frames wait in a queue, and [`WebSocket::recv`] writes them while it reads. So neither a caller that
/// sends much nor a server that answers each frame before it reads the next can cause a deadlock.
pub struct WebSocket {
    socket: backend::Socket,
    outbox: VecDeque<String>,
    unflushed: bool,
}

impl WebSocket {
    /// Connects to a `ws` or `wss` URL.
    ///
    /// # Errors
    /// [`NetError::Timeout`] if the outcome is not known after `timeout`.
    pub async fn connect(client: &HttpClient, url: &Url, timeout: Duration) -> Result<Self, NetError> {
        Self::connect_within(client, url, timeout, None).await
    }

    /// [`WebSocket::connect`]; a frame longer than `max_frame` bytes breaks the connection. JavaScript reads
    /// frames of any length.
    pub async fn connect_within(
        client: &HttpClient,
        url: &Url,
        timeout: Duration,
        max_frame: Option<usize>,
    ) -> Result<Self, NetError> {
        let socket = match rt::timeout(timeout, backend::Socket::connect(&client.0, url, max_frame)).await {
            Ok(connected) => connected?,
            Err(rt::Elapsed) => return Err(NetError::Timeout(timeout)),
        };
        Ok(Self { socket, outbox: VecDeque::new(), unflushed: false })
    }

    /// Queues a text frame; [`WebSocket::recv`] and [`WebSocket::close`] write it.
    pub fn send(&mut self, text: String) {
        self.outbox.push_back(text);
    }

    /// The next text frame, or `None` once the other side has closed. Cancel safe.
    pub async fn recv(&mut self) -> Option<Result<impl Deref<Target = str> + use<>, NetError>> {
        poll_fn(|cx| self.poll_recv(cx)).await
    }

    fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<backend::Text, NetError>>> {
        if let Poll::Ready(Err(failure)) = self.poll_write(cx) {
            return Poll::Ready(Some(Err(failure)));
        }
        Pin::new(&mut self.socket).poll_next(cx)
    }

    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        while !self.outbox.is_empty() {
            ready!(Pin::new(&mut self.socket).poll_ready(cx))?;
            if let Some(text) = self.outbox.pop_front() {
                Pin::new(&mut self.socket).start_send(text)?;
                self.unflushed = true;
            }
        }
        if self.unflushed {
            ready!(Pin::new(&mut self.socket).poll_flush(cx))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    /// Writes what is queued and closes, within a second; failures don't matter.
    pub async fn close(mut self) {
        let goodbye = poll_fn(|cx| {
            ready!(self.poll_write(cx))?;
            Pin::new(&mut self.socket).poll_close(cx)
        });
        let _ = rt::timeout(CLOSE_LIMIT, goodbye).await;
    }
}
