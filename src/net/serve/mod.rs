//! Serving HTTP to untrusted clients: slow, silent and too many connections harm only themselves.
//!
//! A connection either waits for a request (none was begun, or its head or body is incomplete), or its
//! request is worked on, from the last byte of the body to that of the answer. If there are too many, the
//! connection that has waited longest is closed: clients that ask are served, however many others only keep
//! connections open.
//!
//! A connection accepts no request before its last answer is read, so it has one answer at most. Answers that
//! nobody reads are limited, too: beyond a number of bytes the oldest ones are dropped with their
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

const MAX_HEAD_BYTES: usize = 64 * 1024;
/// How long clients may take to read the last answers at a shutdown.
const LAST_ANSWERS_LIMIT: Duration = Duration::from_secs(5);
/// How long a connection has for its request, at least, before it may be closed for others: among many at
/// once, the request is mostly there and only has to be read.
const REQUEST_PATIENCE: Duration = Duration::from_millis(50);
/// The pause where there is nothing to wait for.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Shorter answers don't count as unread: the limit on connections bounds them.
const LONG_ANSWER: u64 = 16 * 1024;
const TOO_MANY_UNREAD: &str = r#"{"success":false,"message":"too many long answers wait to be read by those who asked: try again in a second"}"#;

/// The client's address, as an extension of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

#[derive(Clone, Copy)]
pub struct Limits {
    pub connections: usize,
    /// How long a request's head may take after the end of the one before. Also the limit of idle
    /// connections.
    pub head: Duration,
    /// How long a connection may read nothing of an answer.
    pub write: Duration,
    pub unread: UnreadLimits,
}

/// Limits of answers that wait to be read. Short answers are not counted.
#[derive(Clone, Copy)]
pub struct UnreadLimits {
    /// In all connections together.
    pub bytes: usize,
    /// How long an answer may wait although others need its room.
    pub patience: Duration,
}

impl Limits {
    /// The limit of heads exceeds the 60 s for which proxies keep idle connections, so that proxies close
    /// them.
    pub const fn of(connections: usize) -> Self {
        Self {
            connections,
            head: Duration::from_secs(75),
            write: Duration::from_secs(30),
            unread: UnreadLimits { bytes: 256 * 1024 * 1024, patience: Duration::from_secs(1) },
        }
    }
}

/// Serves connections until `shutdown`, then finishes the requests being worked on.
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
                    // Mostly because too many files are open.
                    tracing::error!("no connection can be taken: {error}");
                    connections.close_longest_waiting(Duration::ZERO);
                    sleep(LOOK_AGAIN).await;
                }
                continue;
            }
        };
        while connections.count() >= max && !connections.close_longest_waiting(REQUEST_PATIENCE) {
            // All connections are working, or have only just come.
            let _ = timeout(LOOK_AGAIN, connections.ended.notified()).await;
        }
        return stream;
    }
}

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
    // Answers are written at once, so there is nothing to wait for.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY can't be set: {error}");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write));
    let connection = open.0.clone();
    // From now on: a busy server may only now read a request that came long ago.
    connection.wait();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        let work = Work(connection.clone());
        // The client of a change must get its outcome.
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

/// The answer, counted as unread if it is long; or an error if there is no room for it.
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
