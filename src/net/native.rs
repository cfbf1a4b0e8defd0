//! HTTP by reqwest, WebSocket by tungstenite, both over rustls with the `ring` provider.

use super::http::retry_after;
use super::{Method, NetError, Request, Response, Url, tls};
use futures_util::{Sink, Stream};
use reqwest::redirect::Policy;
use rustls::RootCertStore;
use std::error::Error;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config};
use url::Host;

/// Less than servers keep idle connections (full node 60 s, mining service 75 s), so that the client closes
/// them first.
const POOL_IDLE: Duration = Duration::from_secs(30);
/// Separate from the request's timeout, to distinguish an unreachable server from one that does not answer.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// Most bytes of frames waiting for the other side of a WebSocket to read: several times the longest frame
/// sent. A server that pings and never reads is owed pongs without end; pongs that don't fit are dropped.
const MAX_UNREAD_BYTES: usize = 1 << 20;

pub(super) fn normal_url(text: &str) -> Result<String, String> {
    reqwest::Url::parse(text).map(String::from).map_err(|e| e.to_string())
}

impl From<reqwest::Url> for Url {
    fn from(url: reqwest::Url) -> Self {
        Self::normal(url.into())
    }
}

#[derive(Clone)]
pub(super) enum Http {
    Shared,
    #[cfg(test)]
    Simulated(super::http::Simulated),
}

impl Http {
    pub(super) fn shared() -> Self {
        Self::Shared
    }

    pub(super) async fn request(&self, request: Request) -> Result<Response, NetError> {
        #[cfg(test)]
        if let Self::Simulated(answer) = self {
            return answer(request).await;
        }
        let (timeout, max_body) = (request.timeout, request.max_body);
        let builder = prepared(request)?.timeout(timeout);
        let mut response = builder.send().await.map_err(|e| net_error(e, timeout))?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| net_error(e, timeout))? {
            if body.len() + chunk.len() > max_body {
                return Err(NetError::TooLarge(max_body));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response {
            status: response.status().as_u16(),
            retry_after: response
                .headers()
                .get("retry-after")
                .and_then(|v| v.to_str().ok())
                .and_then(retry_after),
            body,
        })
    }
}

impl Http {
    pub(super) async fn open(&self, request: Request) -> Result<OpenResponse, NetError> {
        let timeout = request.timeout;
        let sent = tokio::time::timeout(timeout, prepared(request)?.send());
        let response = sent.await.map_err(|_| NetError::Timeout(timeout))?;
        Ok(OpenResponse(response.map_err(|e| net_error(e, timeout))?))
    }
}

/// An answer whose body has no time limit.
pub struct OpenResponse(reqwest::Response);

impl OpenResponse {
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }
    pub fn is_event_stream(&self) -> bool {
        let media_type = self.0.headers().get("content-type").and_then(|value| value.to_str().ok());
        media_type.is_some_and(|media_type| media_type.starts_with("text/event-stream"))
    }
    /// The next chunk of the body, `None` at its end.
    ///
    /// # Errors
    /// [`NetError::Timeout`] if nothing comes for `silence`.
    pub async fn chunk(&mut self, silence: Duration) -> Result<Option<Vec<u8>>, NetError> {
        let chunk = tokio::time::timeout(silence, self.0.chunk()).await;
        let chunk = chunk.map_err(|_| NetError::Timeout(silence))?.map_err(|e| net_error(e, silence))?;
        Ok(chunk.map(Vec::from))
    }
}

fn prepared(request: Request) -> Result<reqwest::RequestBuilder, NetError> {
    let url = reqwest::Url::parse(request.url.as_str()).map_err(|e| NetError::Connect(e.to_string()))?;
    let client = client_for(&url);
    let mut builder = match request.method {
        Method::Get => client.get(url),
        Method::Post => client.post(url),
        Method::Put => client.put(url),
        Method::Delete => client.delete(url),
    };
    for (name, value) in request.headers {
        builder = builder.header(name, value);
    }
    if let Some(json) = request.json {
        builder = builder.header("content-type", "application/json").body(json);
    }
    Ok(builder)
}

/// One client for loopback, where proxies can't reach and certificates don't matter, and one for all else.
fn client_for(url: &reqwest::Url) -> &'static reqwest::Client {
    static LOCAL: OnceLock<reqwest::Client> = OnceLock::new();
    static WORLD: OnceLock<reqwest::Client> = OnceLock::new();
    let builder = || {
        reqwest::Client::builder()
            .user_agent(concat!("headless-wallet/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            // HTTP header names have no case, but the swap service requires that of `X-Auth-Password`.
            .http1_title_case_headers()
            .tcp_nodelay(true)
            .connect_timeout(CONNECT_LIMIT)
            .pool_idle_timeout(POOL_IDLE)
    };
    let build = |builder: reqwest::ClientBuilder| {
        builder.build().expect("a client with its own TLS configuration needs nothing of the system")
    };
    if url.scheme() == "http" && is_loopback(url) {
        LOCAL.get_or_init(|| {
            build(builder().no_proxy().tls_backend_preconfigured(tls::by_roots(RootCertStore::empty())))
        })
    } else {
        WORLD.get_or_init(|| build(builder().tls_backend_preconfigured(tls::of_the_world().as_ref().clone())))
    }
}

fn is_loopback(url: &reqwest::Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

pub(super) fn net_error(failure: reqwest::Error, timeout: Duration) -> NetError {
    let failure = failure.without_url();
    if failure.is_connect() || failure.is_builder() {
        NetError::Connect(root_cause(&failure))
    } else if failure.is_timeout() {
        NetError::Timeout(timeout)
    } else {
        NetError::Broken(root_cause(&failure))
    }
}

/// The innermost cause, without the operating system's error number.
fn root_cause(failure: &dyn Error) -> String {
    let mut cause = failure;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let text = cause.to_string();
    match text.split_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}

/// A slice of the bytes read, without a copy.
pub(super) type Text = tungstenite::Utf8Bytes;

pub(super) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(super) async fn connect(_: &Http, url: &Url, max_frame: Option<usize>) -> Result<Self, NetError> {
        let connector = match url.scheme() {
            "wss" => Connector::Rustls(tls::of_the_world()),
            _ => Connector::Plain,
        };
        let mut config = WebSocketConfig::default().max_write_buffer_size(MAX_UNREAD_BYTES);
        if max_frame.is_some() {
            config = config.max_frame_size(max_frame).max_message_size(max_frame);
        }
        match connect_async_tls_with_config(url.as_str(), Some(config), true, Some(connector)).await {
            Ok((stream, _)) => Ok(Self(stream)),
            Err(failure) => Err(NetError::Connect(root_cause(&failure))),
        }
    }
}

fn broken(failure: tungstenite::Error) -> NetError {
    NetError::Broken(root_cause(&failure))
}

impl Sink<String> for Socket {
    type Error = NetError;
    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Pin::new(&mut self.0).poll_ready(cx).map_err(broken)
    }
    fn start_send(mut self: Pin<&mut Self>, text: String) -> Result<(), NetError> {
        Pin::new(&mut self.0).start_send(Message::text(text)).map_err(broken)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Pin::new(&mut self.0).poll_flush(cx).map_err(broken)
    }
    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Pin::new(&mut self.0).poll_close(cx).map_err(broken)
    }
}

impl Stream for Socket {
    type Item = Result<Text, NetError>;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.0).poll_next(cx)) {
                None | Some(Ok(Message::Close(_))) => return Poll::Ready(None),
                Some(Err(failure)) => return Poll::Ready(Some(Err(broken(failure)))),
                Some(Ok(Message::Text(text))) => return Poll::Ready(Some(Ok(text))),
                Some(Ok(_)) => {}
            }
        }
    }
}
