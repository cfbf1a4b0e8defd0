//! The bodies of requests and answers, which tell how far a connection is with them.

use super::connections::{Connection, Unread};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A request that is worked on from its body's end until this is dropped.
pub(super) struct Work(pub(super) Arc<Connection>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// The body of a request. Its end never comes where its connection is about to be closed: what is begun then
/// would be done, and nobody would hear of it.
pub struct Received {
    body: Incoming,
    connection: Arc<Connection>,
}

impl Received {
    pub(super) fn new(body: Incoming, connection: Arc<Connection>) -> Self {
        Self { body, connection }
    }
}

impl Body for Received {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if (frame.is_none() || self.body.is_end_stream()) && !self.connection.work() {
            return Poll::Pending;
        }
        Poll::Ready(frame)
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer; its connection waits for the next request once it is given over.
pub(super) struct Answered {
    pub(super) body: axum::body::Body,
    pub(super) unread: Option<Unread>,
    pub(super) _work: Work,
}

impl Body for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let Some(unread) = self.unread.take() else { return Poll::Ready(frame) };
        // An answer whose length is known comes in one piece, which lives until its last byte is written.
        Poll::Ready(
            frame.map(|frame| {
                Ok(frame?.map_data(|bytes| Bytes::from_owner(Piece { bytes, _unread: unread })))
            }),
        )
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

struct Piece {
    bytes: Bytes,
    _unread: Unread,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
