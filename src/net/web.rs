//! HTTP by `fetch`, and WebSocket by the browser's or Node's, or by the caller's own functions.

use super::http::retry_after;
use super::{Method, NetError, Request, Response, Url};
use crate::rt;
use futures_util::{Sink, Stream, StreamExt};
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, State, WebSocketError};
use js_sys::{Array, Function, Promise, Uint8Array};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

pub(super) fn normal_url(text: &str) -> Result<String, String> {
    match web_sys::Url::new(text) {
        Ok(url) => Ok(url.href()),
        Err(_) => Err("it is not a URL".to_owned()),
    }
}

#[wasm_bindgen]
extern "C" {
    /// Status, `Retry-After` and body of the answer; no body if it has more than `most` bytes. See
    /// `pkg-template/globals.js`.
    #[wasm_bindgen(js_namespace = globals, js_name = fetch)]
    fn fetch(
        own: &JsValue,
        url: &str,
        method: &str,
        headers: &Array,
        body: Option<&str>,
        signal: &AbortSignal,
        most: f64,
    ) -> Promise;
    #[wasm_bindgen(js_namespace = globals, js_name = openSocket, catch)]
    fn open_socket(own: &JsValue, url: &str, headers: &Array) -> Result<web_sys::WebSocket, JsValue>;
    #[wasm_bindgen(js_namespace = globals, js_name = textOf)]
    fn text_of(thrown: &JsValue) -> String;
}

/// The caller's own transport for one service.
#[derive(Clone)]
pub struct Ways {
    /// In the place of the global `fetch`.
    pub fetch: Option<Function>,
    /// In the place of the global class `WebSocket`.
    pub socket: Option<Function>,
    /// More headers of each request: pairs of name and value.
    pub headers: Array,
}

impl Default for Ways {
    fn default() -> Self {
        Self { fetch: None, socket: None, headers: Array::new() }
    }
}

#[derive(Clone)]
pub(super) struct Http(pub(super) Ways);

struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Http {
    pub(super) fn shared() -> Self {
        Self(Ways::default())
    }

    pub(super) async fn request(&self, request: Request) -> Result<Response, NetError> {
        let timeout = request.timeout;
        match rt::timeout(timeout, self.exchange(request)).await {
            Ok(result) => result,
            Err(rt::Elapsed) => Err(NetError::Timeout(timeout)),
        }
    }

    async fn exchange(&self, request: Request) -> Result<Response, NetError> {
        let abort =
            AbortOnDrop(AbortController::new().map_err(|_| NetError::Connect("no fetch here".into()))?);
        let method = match request.method {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
        };
        // No User-Agent: browsers set their own, and ours would cost a preflight request each time.
        let json = request.json.as_ref().map(|_| ("content-type", "application/json".to_owned()));
        let headers: Array = self.0.headers.iter().collect();
        for (name, value) in request.headers.iter().chain(&json) {
            headers.push(&Array::of2(&(*name).into(), &value.into()).into());
        }
        let (own, signal) = (own(&self.0.fetch), abort.0.signal());
        let (url, body, most) = (request.url.as_str(), request.json.as_deref(), request.max_body as f64);
        let answer = fetch(&own, url, method, &headers, body, &signal, most);
        // `fetch` does not distinguish a refused connection, a broken one and a missing CORS header, so all
        // of them count as broken: the request may have had its effect.
        let answer = JsFuture::from(answer).await.map_err(|thrown| NetError::Broken(text_of(&thrown)))?;
        let answer: Array = answer.unchecked_into();
        let body = answer.get(2);
        if body.is_undefined() {
            return Err(NetError::TooLarge(request.max_body));
        }
        Ok(Response {
            status: answer.get(0).as_f64().unwrap_or_default() as u16,
            retry_after: answer.get(1).as_string().and_then(|value| retry_after(&value)),
            body: body.unchecked_into::<Uint8Array>().to_vec(),
        })
    }
}

fn own(way: &Option<Function>) -> JsValue {
    way.as_ref().map_or(JsValue::UNDEFINED, |function| function.into())
}

pub(super) type Text = String;

pub(super) struct Socket(WebSocket);

impl Socket {
    pub(super) async fn connect(
        Http(ways): &Http,
        url: &Url,
        _max_frame: Option<usize>,
    ) -> Result<Self, NetError> {
        let opened = open_socket(&own(&ways.socket), url.as_str(), &ways.headers);
        let opened = opened.map_err(|thrown| NetError::Connect(text_of(&thrown)))?;
        let mut socket = WebSocket::try_from(opened).map_err(|e| NetError::Connect(e.to_string()))?;
        // Ready means no longer connecting. A failure shows in the state or, in Node 22, only in the first
        // read.
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
