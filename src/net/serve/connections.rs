//! The open connections, and the limits of their unread answers.

use super::UnreadLimits;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::collections::HashMap;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Instant;

#[derive(Default)]
pub(super) struct Connections {
    table: Mutex<Table>,
    /// Notified when there is room for one more.
    pub(super) ended: Notify,
}

#[derive(Default)]
struct Table {
    open: HashMap<u64, Entry>,
    next: u64,
    /// Bytes of unread answers in all of `open`.
    unread: usize,
}

struct Entry {
    connection: Arc<Connection>,
    /// Bytes of the unread answer, and since when it waits.
    unread: Option<(usize, Instant)>,
}

impl Connections {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(self: &Arc<Self>) -> Open {
        let mut table = self.table();
        let id = table.next;
        let connection = Arc::new(Connection {
            id,
            all: self.clone(),
            opened: Instant::now(),
            waits_since: AtomicU64::new(WORKED_ON),
            close: Notify::new(),
        });
        table.next += 1;
        table.open.insert(id, Entry { connection: connection.clone(), unread: None });
        Open(connection)
    }

    pub(super) fn count(&self) -> usize {
        self.table().open.len()
    }

    /// Closes the connection that has waited longest for a request, if for at least `patience`.
    pub(super) fn close_longest_waiting(&self, patience: Duration) -> bool {
        let mut table = self.table();
        loop {
            let waiting =
                table.open.iter().filter_map(|(id, entry)| Some((entry.connection.waits_since()?, *id)));
            let Some((since, id)) = waiting.min() else { return false };
            if since.elapsed() < patience {
                return false;
            }
            // Its request may have come meanwhile.
            if table.open[&id].connection.give_way() {
                table.close(id);
                return true;
            }
        }
    }

    pub(super) fn close_all_waiting(&self) {
        while self.close_longest_waiting(Duration::ZERO) {}
    }
}

impl Table {
    fn close(&mut self, id: u64) {
        if let Some(entry) = self.remove(id) {
            entry.connection.close.notify_one();
        }
    }

    fn remove(&mut self, id: u64) -> Option<Entry> {
        let entry = self.open.remove(&id)?;
        self.unread -= entry.unread.map_or(0, |(bytes, _)| bytes);
        Some(entry)
    }

    /// Whether there is room for an answer of `bytes`, after closing connections that have not read theirs
    /// for a while, oldest first. The only answer always has room, whatever its length.
    fn make_room(&mut self, bytes: usize, limits: UnreadLimits) -> bool {
        while self.unread > 0 && self.unread.saturating_add(bytes) > limits.bytes {
            let unread = self.open.iter().filter_map(|(id, entry)| Some((entry.unread?.1, *id)));
            match unread.min() {
                Some((since, id)) if since.elapsed() >= limits.patience => self.close(id),
                _ => return false,
            }
        }
        true
    }
}

pub(super) struct Open(pub(super) Arc<Connection>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.all.table().remove(self.0.id);
        self.0.all.ended.notify_one();
    }
}

pub(super) struct Connection {
    id: u64,
    all: Arc<Connections>,
    opened: Instant,
    /// When it began to wait for a request, in microseconds after it was opened; or [`WORKED_ON`], also until
    /// it is read for the first time, or [`GIVES_WAY`].
    waits_since: AtomicU64,
    pub(super) close: Notify,
}

const WORKED_ON: u64 = u64::MAX;
/// It is being closed and begins no more requests.
const GIVES_WAY: u64 = u64::MAX - 1;

impl Connection {
    fn waits_since(&self) -> Option<Instant> {
        match self.waits_since.load(Relaxed) {
            WORKED_ON | GIVES_WAY => None,
            micros => Some(self.opened + Duration::from_micros(micros)),
        }
    }
    /// Closes it if it waits for a request. A request being worked on is answered.
    fn give_way(&self) -> bool {
        self.change(|state| (state != WORKED_ON).then_some(GIVES_WAY))
    }
    /// Whether a request whose last byte has come may be begun.
    pub(super) fn work(&self) -> bool {
        self.change(|state| (state != GIVES_WAY).then_some(WORKED_ON))
    }
    pub(super) fn wait(&self) {
        let micros = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(GIVES_WAY - 1);
        self.change(|state| (state != GIVES_WAY).then_some(micros));
    }
    fn change(&self, to: impl Fn(u64) -> Option<u64>) -> bool {
        self.waits_since.fetch_update(Relaxed, Relaxed, to).is_ok()
    }

    /// Counts an answer as unread until the value is dropped. `None` if there is no room for it and it may be
    /// refused.
    pub(super) fn hold(
        self: &Arc<Self>,
        bytes: usize,
        limits: UnreadLimits,
        refusable: bool,
    ) -> Option<Unread> {
        let mut table = self.all.table();
        if !table.make_room(bytes, limits) && refusable {
            return None;
        }
        // The connection may have been closed meanwhile, and its answer with it.
        if let Some(entry) = table.open.get_mut(&self.id) {
            entry.unread.get_or_insert((0, Instant::now())).0 += bytes;
            table.unread += bytes;
        }
        Some(Unread(self.clone()))
    }
}

/// An answer that is not read completely, until this is dropped.
pub(super) struct Unread(Arc<Connection>);

impl Drop for Unread {
    fn drop(&mut self) {
        let mut table = self.0.all.table();
        let unread = table.open.get_mut(&self.0.id).and_then(|entry| entry.unread.take());
        table.unread -= unread.map_or(0, |(bytes, _)| bytes);
    }
}

// The bodies of requests and answers, which track the connection's progress.

/// A request being worked on, from the end of its body until this is dropped.
pub(super) struct Work(pub(super) Arc<Connection>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// The body of a request. It never ends if its connection is being closed: otherwise the request would be
/// carried out, and nobody would get the answer.
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

/// The body of an answer. At its end the connection waits for the next request.
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
        // A short answer is one frame, which lives until its last byte is written.
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

// Answers to heads that are too long. They come from below all routes and have no body; here they get the
// JSON of all other answers.

/// The beginnings of such answers, and their replacements. No route answers with these statuses.
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

/// A connection that explains why it doesn't read on.
pub(super) struct LongHeads<S> {
    stream: S,
    /// The replacement of an answer without a body, and how much of it was written.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S> LongHeads<S> {
    pub(super) const fn of(stream: S) -> Self {
        Self { stream, instead: None }
    }

    /// Whether these bytes are an answer without a body, or follow one.
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
