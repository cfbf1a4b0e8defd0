//! HTTP by `fetch`, WebSocket by the browser's or Node's own.

use super::http::retry_after;
use super::{Method, NetError, Request, Response, Url};
use crate::rt;
use futures_util::{Sink, Stream, StreamExt};
use gloo_net::http::RequestBuilder;
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, State, WebSocketError};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use web_sys::{AbortController, RequestRedirect};

/// A URL in its normal form, or why it is none.
pub(super) fn normal_url(text: &str) -> Result<String, String> {
    match web_sys::Url::new(text) {
        Ok(url) => Ok(url.href()),
        Err(_) => Err("it is not a URL".to_owned()),
    }
}

#[derive(Clone)]
pub(super) struct Http;

/// Ends the exchange when the waiting for it ends.
struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Http {
    pub(super) fn shared() -> Self {
        Self
    }

    pub(super) async fn request(&self, request: Request) -> Result<Response, NetError> {
        let timeout = request.timeout;
        match rt::timeout(timeout, exchange(request)).await {
            Ok(result) => result,
            Err(rt::Elapsed) => Err(NetError::Timeout(timeout)),
        }
    }
}

async fn exchange(request: Request) -> Result<Response, NetError> {
    let broken = |e: gloo_net::Error| NetError::Broken(e.to_string());
    let abort = AbortOnDrop(AbortController::new().map_err(|_| NetError::Connect("no fetch here".into()))?);
    // No User-Agent: browsers set their own, and a header of ours would cost a preflight request each time.
    let mut builder = RequestBuilder::new(request.url.as_str())
        .method(match request.method {
            Method::Get => gloo_net::http::Method::GET,
            Method::Post => gloo_net::http::Method::POST,
            Method::Put => gloo_net::http::Method::PUT,
        })
        .redirect(RequestRedirect::Error)
        .abort_signal(Some(&abort.0.signal()));
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let built = match request.json {
        Some(json) => builder.header("content-type", "application/json").body(json),
        None => builder.build(),
    };
    // `fetch` does not tell a refused connection from one that broke, nor either from a missing CORS header, so all
    // of them count as broken: the request may have had its effect.
    let response = built.map_err(broken)?.send().await.map_err(broken)?;
    let length = response.headers().get("content-length").and_then(|n| n.parse::<usize>().ok());
    if length.is_some_and(|n| n > request.max_body) {
        return Err(NetError::TooLarge(request.max_body));
    }
    let body = response.binary().await.map_err(broken)?;
    if body.len() > request.max_body {
        return Err(NetError::TooLarge(request.max_body));
    }
    let wait = response.headers().get("retry-after");
    Ok(Response { status: response.status(), retry_after: wait.and_then(|v| retry_after(&v)), body })
}

/// The text of a frame.
pub(super) type Text = String;

pub(super) struct Socket(WebSocket);

impl Socket {
    pub(super) async fn connect(url: &Url) -> Result<Self, NetError> {
        let mut socket = WebSocket::open(url.as_str()).map_err(|e| NetError::Connect(e.to_string()))?;
        // Ready means no longer connecting; a failure shows in the state or, in Node 22, in nothing but the first thing to be read.
        let first = poll_fn(|cx| match Pin::new(&mut socket).poll_ready(cx) {
            Poll::Ready(ready) => Poll::Ready(ready.map(|()| None)),
            Poll::Pending => Pin::new(&mut socket).poll_next(cx).map(|first| Ok(Some(first))),
        });
        let first = match first.await.map_err(broken)? {
            None if matches!(socket.state(), State::Open) => return Ok(Self(socket)),
            None => socket.next().await,
            Some(first) => first,
        };
        let reason = match first {
            Some(Err(failure)) => failure.to_string(),
            _ => "refused".to_owned(),
        };
        Err(NetError::Connect(reason))
    }
}

fn broken(failure: WebSocketError) -> NetError {
    NetError::Broken(failure.to_string())
}

impl Sink<String> for Socket {
    type Error = NetError;
    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Pin::new(&mut self.0).poll_ready(cx).map_err(broken)
    }
    fn start_send(mut self: Pin<&mut Self>, text: String) -> Result<(), NetError> {
        Pin::new(&mut self.0).start_send(Message::Text(text)).map_err(broken)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Pin::new(&mut self.0).poll_flush(cx).map_err(broken)
    }
    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        // The socket closes when it is dropped.
        Pin::new(&mut self.0).poll_close(cx).map_err(broken)
    }
}

impl Stream for Socket {
    type Item = Result<Text, NetError>;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.0).poll_next(cx)) {
                None | Some(Err(WebSocketError::ConnectionClose(_))) => return Poll::Ready(None),
                Some(Err(failure)) => return Poll::Ready(Some(Err(broken(failure)))),
                Some(Ok(Message::Text(text))) => return Poll::Ready(Some(Ok(text))),
                Some(Ok(Message::Bytes(_))) => {}
            }
        }
    }
}
