//! Serving HTTP to strangers: slow, silent and too many connections harm nobody but themselves.
//!
//! A connection either waits for a request (none was begun, or its head or body has not come whole), or its
//! request is worked on, from the body's last byte to the answer's. Where there are too many, the one that
//! has waited longest makes room for the next: those who ask are served, however many others only hold
//! connections.
//!
//! A connection takes no request before its last answer is read, so it holds one at most. Answers that nobody
//! reads give way to others as well: beyond so many bytes of them the oldest ones are dropped with their
//! connections.

mod connections;

pub use connections::Received;

use axum::body::Body;
use connections::{Answered, Connections, LongHeads, Open, Work};
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// Most bytes of a request's head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// How long the last answers may take to be read by their callers, once everything ends.
const LAST_ANSWERS_LIMIT: Duration = Duration::from_secs(5);
/// How long a connection has for its request, at least, before it may have to make room for others: in a herd
/// of them it is there, and only has to be read.
const REQUEST_PATIENCE: Duration = Duration::from_millis(50);
/// How long to wait where nothing can be done but look again.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Answers of fewer bytes are not counted as unread: the limit on connections bounds them.
const LONG_ANSWER: u64 = 16 * 1024;
const TOO_MANY_UNREAD: &str = r#"{"success":false,"message":"too many long answers wait to be read by those who asked: try again in a second"}"#;

/// On a request: the address that its connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// What connections may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Most at a time.
    pub connections: usize,
    /// How long a request's head may take from the end of the one before. Idle connections last as long.
    pub head: Duration,
    /// How long a connection may take nothing of an answer.
    pub write: Duration,
    pub unread: UnreadLimits,
}

/// What answers that wait to be read may take. Short ones are not counted.
#[derive(Clone, Copy)]
pub struct UnreadLimits {
    /// Most of them, in all connections together.
    pub bytes: usize,
    /// How long one may wait although others need its room.
    pub patience: Duration,
}

impl Limits {
    /// So many connections, with time for heads that is longer than the 60 s for which proxies keep idle
    /// connections: it is the proxies who close them.
    pub const fn of(connections: usize) -> Self {
        Self {
            connections,
            head: Duration::from_secs(75),
            write: Duration::from_secs(30),
            unread: UnreadLimits { bytes: 256 * 1024 * 1024, patience: Duration::from_secs(1) },
        }
    }
}

/// Serves each connection's requests by `answer` until `shutdown`; then lets the requests that are worked on
/// come to their end.
pub async fn serve<A, F>(listener: TcpListener, limits: Limits, answer: A, shutdown: impl Future<Output = ()>)
where
    A: Fn(Request<Received>) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
{
    let connections = Arc::new(Connections::default());
    let (ending, end) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener, &connections, limits.connections) => accepted,
            () = &mut shutdown => break,
        };
        tokio::spawn(converse((stream, peer), connections.open(), limits, answer.clone(), end.clone()));
    }
    drop((listener, end));
    ending.send_replace(true);
    if timeout(LAST_ANSWERS_LIMIT, ending.closed()).await.is_err() {
        connections.close_all_waiting();
        ending.closed().await;
    }
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, connections: &Connections, max: usize) -> (TcpStream, Peer) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, address)) => (stream, Peer(address.ip())),
            Err(error) => {
                if !is_of_one_connection(&error) {
                    // Too many files are open, most likely.
                    tracing::error!("no connection can be taken: {error}");
                    connections.close_longest_waiting(Duration::ZERO);
                    sleep(LOOK_AGAIN).await;
                }
                continue;
            }
        };
        while connections.count() >= max && !connections.close_longest_waiting(REQUEST_PATIENCE) {
            // All of them are worked on, or have only just come.
            let _ = timeout(LOOK_AGAIN, connections.ended.notified()).await;
        }
        return stream;
    }
}

/// Whether only this connection could not be taken.
pub(crate) fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection to its end.
async fn converse<A, F>(
    (stream, peer): (TcpStream, Peer),
    open: Open,
    limits: Limits,
    answer: A,
    mut end: watch::Receiver<bool>,
) where
    A: Fn(Request<Received>) -> F + Send + 'static,
    F: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
{
    // Answers are written in one go: nothing is gained by waiting for more to send along.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY can't be set: {error}");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write));
    let connection = open.0.clone();
    // From now on, and not from when it was taken: a busy server may only now be about to read what has come.
    connection.wait();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        let work = Work(connection.clone());
        // Whoever changes something has to hear of it.
        let refusable = request.method() == Method::GET;
        let has_come = request.body().is_end_stream();
        let answering = answer(request.map(|body| Received::new(body, connection.clone())));
        async move {
            if has_come && !work.0.work() {
                return pending().await;
            }
            answering.await.map(|response| count(response, work, limits.unread, refusable))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(LongHeads::of(Box::pin(stream))), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut closed = pin!(open.0.close.notified());
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

/// The answer, counted as unread where it is long; or another one where there is no room for it.
fn count(response: Response<Body>, work: Work, limits: UnreadLimits, refusable: bool) -> Response<Answered> {
    let length = response.body().size_hint().exact().filter(|length| *length >= LONG_ANSWER);
    let Some(length) = length else {
        return response.map(|body| Answered { body, unread: None, _work: work });
    };
    let unread = work.0.hold(usize::try_from(length).unwrap_or(usize::MAX), limits, refusable);
    if unread.is_some() {
        return response.map(|body| Answered { body, unread, _work: work });
    }
    tracing::warn!("a request is refused: answers of {} bytes wait to be read", limits.bytes);
    let mut refusal =
        Response::new(Answered { body: Body::from(TOO_MANY_UNREAD), unread: None, _work: work });
    *refusal.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    refusal.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    refusal.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    refusal
}

#[cfg(test)]
mod tests;
