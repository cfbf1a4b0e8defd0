//! Serving HTTP to strangers: slow, silent and too many connections harm nobody but themselves.
//!
//! A connection either waits for a request (none was begun, or its head or body has not come whole), or its request is worked on, from
//! the body's last byte to the answer's. Where there are too many, the one that has waited longest makes room for the next: those who
//! ask are served, however many others only hold connections.

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};

/// Most bytes of a request's head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// How long the last answers may take to be read by their callers, once everything ends.
const LAST_ANSWERS_LIMIT: Duration = Duration::from_secs(5);
/// How long to wait where nothing can be done but look again.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// What connections may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Most at a time.
    pub connections: usize,
    /// How long a request's head may take from the end of the one before. Idle connections last as long.
    pub head: Duration,
}

impl Limits {
    /// So many connections, with time for heads that is longer than the 60 s for which proxies keep idle connections: it is the
    /// proxies who close them.
    pub const fn of(connections: usize) -> Self {
        Self { connections, head: Duration::from_secs(75) }
    }
}

/// Serves each connection's requests by `answer` until `shutdown`; then lets the requests that are worked on come to their end.
pub async fn serve<A, F, B>(
    listener: TcpListener,
    limits: Limits,
    answer: A,
    shutdown: impl Future<Output = ()>,
) where
    A: Fn(Request<Received>) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
{
    let connections = Arc::new(Connections::default());
    let (ending, end) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let stream = tokio::select! {
            stream = accept(&listener, &connections, limits.connections) => stream,
            () = &mut shutdown => break,
        };
        let line = connections.open();
        tokio::spawn(converse(stream, line, limits.head, answer.clone(), end.clone()));
    }
    drop((listener, end));
    ending.send_replace(true);
    if timeout(LAST_ANSWERS_LIMIT, ending.closed()).await.is_err() {
        connections.close_all_waiting();
        ending.closed().await;
    }
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, connections: &Connections, max: usize) -> TcpStream {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                if !is_of_one_connection(&error) {
                    // Too many files are open, most likely.
                    tracing::error!("no connection can be taken: {error}");
                    connections.close_longest_waiting();
                    sleep(LOOK_AGAIN).await;
                }
                continue;
            }
        };
        while connections.count() >= max && !connections.close_longest_waiting() {
            // All of them are worked on.
            sleep(LOOK_AGAIN).await;
        }
        return stream;
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection to its end.
async fn converse<A, F, B>(
    stream: TcpStream,
    open: Open,
    head_limit: Duration,
    answer: A,
    mut end: watch::Receiver<bool>,
) where
    A: Fn(Request<Received>) -> F + Send + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
{
    // Answers are written in one go: nothing is gained by waiting for more to send along.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY can't be set: {error}");
    }
    let line = open.line.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let work = Work(line.clone());
        let answering = answer(request.map(|body| Received::new(body, line.clone())));
        async move { answering.await.map(|response| response.map(|body| Answered { body, _work: work })) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_limit)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut closed = pin!(open.line.close.notified());
    let mut ending = pin!(end.wait_for(|ending| *ending));
    let mut is_ending = false;
    loop {
        tokio::select! {
            biased;
            result = &mut connection => {
                if let Err(error) = result {
                    tracing::debug!("a connection ended: {error}");
                }
                return;
            }
            () = &mut closed => return,
            _ = &mut ending, if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The connections that are open.
#[derive(Default)]
struct Connections(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    open: HashMap<u64, Arc<Line>>,
    next: u64,
}

impl Connections {
    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(self: &Arc<Self>) -> Open {
        let mut lines = self.lines();
        let (id, line) = (lines.next, Arc::new(Line::new()));
        lines.next += 1;
        lines.open.insert(id, line.clone());
        Open { line, id, connections: self.clone() }
    }

    fn count(&self) -> usize {
        self.lines().open.len()
    }

    /// Closes the connection that has waited longest for a request, if one waits.
    fn close_longest_waiting(&self) -> bool {
        let mut lines = self.lines();
        let waiting = lines.open.iter().filter_map(|(id, line)| Some((line.waits_since()?, *id)));
        let Some((_, id)) = waiting.min() else { return false };
        if let Some(line) = lines.open.remove(&id) {
            line.close.notify_one();
        }
        true
    }

    fn close_all_waiting(&self) {
        while self.close_longest_waiting() {}
    }
}

/// A connection, which counts as open until this is dropped.
struct Open {
    line: Arc<Line>,
    id: u64,
    connections: Arc<Connections>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connections.lines().open.remove(&self.id);
    }
}

/// What is known of a connection.
struct Line {
    opened: Instant,
    /// The time at which it began to wait for a request, in microseconds after it was opened; or [`WORKED_ON`].
    waits_since: AtomicU64,
    /// Told to make room.
    close: Notify,
}

const WORKED_ON: u64 = u64::MAX;

impl Line {
    fn new() -> Self {
        Self { opened: Instant::now(), waits_since: AtomicU64::new(0), close: Notify::new() }
    }
    fn waits_since(&self) -> Option<Instant> {
        match self.waits_since.load(Relaxed) {
            WORKED_ON => None,
            micros => Some(self.opened + Duration::from_micros(micros)),
        }
    }
    fn work(&self) {
        self.waits_since.store(WORKED_ON, Relaxed);
    }
    fn wait(&self) {
        let micros = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(WORKED_ON - 1);
        self.waits_since.store(micros, Relaxed);
    }
}

/// A request that is worked on from its body's end until this is dropped.
struct Work(Arc<Line>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// The body of a request.
pub struct Received {
    body: Incoming,
    line: Arc<Line>,
}

impl Received {
    fn new(body: Incoming, line: Arc<Line>) -> Self {
        if body.is_end_stream() {
            line.work();
        }
        Self { body, line }
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
        if frame.is_none() || self.body.is_end_stream() {
            self.line.work();
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
struct Answered<B> {
    body: B,
    _work: Work,
}

impl<B: Body + Unpin> Body for Answered<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn heads_that_do_not_come_and_idle_connections_have_their_time() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let limits = Limits { head: Duration::from_millis(300), ..Limits::of(9) };
        let answer = |_| std::future::ready(Ok(Response::new("well".to_owned())));
        let server = serve(listener, limits, answer, std::future::pending());
        let server = tokio::spawn(server);
        let answered = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
        for (text, length) in [("", 0), ("GET / HT", 0), (answered, 4)] {
            let begin = Instant::now();
            let mut connection = TcpStream::connect(address).await.expect("a connection");
            connection.write_all(text.as_bytes()).await.expect("room");
            let mut told = String::new();
            connection.read_to_string(&mut told).await.expect("an end in good order");
            let times = limits.head..limits.head + Duration::from_secs(3);
            assert!(times.contains(&begin.elapsed()), "{text}: {:?}", begin.elapsed());
            assert_eq!(told.split("\r\n\r\n").nth(1).unwrap_or_default().len(), length, "{told}");
        }
        server.abort();
    }
}
