//! Answers to heads that are too long to be read. They come from below all routes, and have no body there:
//! here they get the JSON that callers read of every other answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How such answers begin, and what is said instead. No route answers with these statuses.
const ANSWERS: [(&[u8], &str, &str); 2] = [
    (
        b"HTTP/1.1 414 ",
        "414 URI Too Long",
        "The request's address is too long: at most 65534 bytes are read.",
    ),
    (
        b"HTTP/1.1 431 ",
        "431 Request Header Fields Too Large",
        "The request's head is too long: its address and headers may have 65536 bytes together, and 100 headers.",
    ),
];

/// A connection that says why it doesn't read on.
pub(super) struct LongHeads<S> {
    stream: S,
    /// What is said instead of an answer without a body, and how much of it has been.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S> LongHeads<S> {
    pub(super) const fn of(stream: S) -> Self {
        Self { stream, instead: None }
    }

    /// Whether these bytes are an answer without a body, or come after one.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        if self.instead.is_none()
            && let Some((_, status, why)) = ANSWERS.iter().find(|(start, ..)| bytes.starts_with(start))
        {
            let body = serde_json::json!({"success": false, "error": why}).to_string();
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\
                 connection: close\r\n\r\n{body}",
                body.len()
            );
            self.instead = Some((answer.into_bytes(), 0));
        }
        self.instead.is_some()
    }
}

impl<S: AsyncWrite + Unpin> LongHeads<S> {
    fn poll_say(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some((answer, said)) = &mut self.instead {
            while *said < answer.len() {
                match ready!(Pin::new(&mut self.stream).poll_write(cx, &answer[*said..]))? {
                    0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                    count => *said += count,
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LongHeads<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LongHeads<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if slices.first().is_some_and(|first| self.replaces(first)) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_say(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_say(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
