//! The full node's WebSocket: a connection that makes itself again.

use super::event::{FrameReader, NodeEvent};
use super::{CallError, Fault, FullNode, Service};
use crate::ledger::Address;
use crate::net::{HttpClient, Url, WebSocket};
use crate::rt::{self, Instant};
use std::ops::Deref;
use std::time::Duration;

/// The name of a stream: there is one at a time on a connection.
const STREAM_ID: &str = "history";

/// Which part of a list of addresses is asked for: with both, it is all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPart {
    /// The stream begins with it.
    pub first: bool,
    /// No address comes after it.
    pub last: bool,
}

/// A connection to the node. It keeps itself alive, and says so when it is dead; connecting again is its
/// owner's job, as everything may have happened in between.
///
/// Whoever owns it must keep calling [`NodeSocket::recv`]: that is also what writes subscriptions and pings.
pub struct NodeSocket {
    socket: LiveSocket,
    frames: FrameReader,
}

impl NodeSocket {
    /// Connects to the socket of `node`.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be reached, does not take the WebSocket, or needs longer than its
    /// connect limit.
    pub async fn connect(node: &FullNode) -> Result<Self, CallError> {
        let (url, limit) = (node.socket_url(), node.connect_limit);
        let socket = LiveSocket::connect(Service::FullNode, node.client(), &url, limit, None).await?;
        Ok(Self { socket, frames: FrameReader::default() })
    }

    /// As a channel on a connection that nobody shares: see `Channel` of the feature `native`.
    #[cfg(not(feature = "native"))]
    pub(crate) fn open(
        node: &FullNode,
        _alone: bool,
        _expected: usize,
    ) -> impl Future<Output = Result<Self, CallError>> {
        Self::connect(node)
    }

    /// Sends a ping when none went out for `ping_every` (3 s without this), and takes the connection for dead
    /// when nothing comes for `pong_limit` (5 s) after one.
    pub fn with_keep_alive(self, ping_every: Duration, pong_limit: Duration) -> Self {
        Self { socket: self.socket.with_keep_alive(ping_every, pong_limit), ..self }
    }

    /// Asks to be told of `address`; the answer is an event.
    pub fn subscribe(&mut self, address: &Address) {
        self.socket.send(format!(r#"{{"type":"subscribe_address","address":"{address}"}}"#));
    }

    /// Asks to be told of `address` no more.
    pub fn unsubscribe(&mut self, address: &Address) {
        self.socket.send(format!(r#"{{"type":"unsubscribe_address","address":"{address}"}}"#));
    }

    /// Asks for the whole history of an account: of the children of `xpub`, from `first_index` on, until
    /// `gap_limit` of them in a row have none. The node subscribes to each. It takes one such request at
    /// a time.
    pub fn stream_history(&mut self, xpub: &str, first_index: u32, gap_limit: u32) {
        // No `window-size`: nodes drop the connection when it is another than theirs.
        self.socket.send(format!(
            r#"{{"type":"request:history:xpub","id":"{STREAM_ID}","xpub":"{xpub}","first-index":{first_index},"gap-limit":{gap_limit}}}"#
        ));
    }

    /// Asks for the whole history of addresses, those with the indexes from `first_index` on, until
    /// `gap_limit` of them in a row have none, or all are done and none comes after them. `part` says
    /// which of several calls it is: the later ones, while the stream goes on, give more addresses (at
    /// most 5,000 may wait for their turn). The node subscribes to each.
    pub fn stream_addresses(
        &mut self,
        first_index: u32,
        addresses: &[Address],
        gap_limit: u32,
        part: ListPart,
    ) {
        let items =
            (first_index..).zip(addresses).map(|(index, address)| format!(r#"[{index},"{address}"]"#));
        let (items, ListPart { first, last }) = (items.collect::<Vec<_>>().join(","), part);
        self.socket.send(format!(
            r#"{{"type":"request:history:manual","id":"{STREAM_ID}","first":{first},"last":{last},"addresses":[{items}],"gap-limit":{gap_limit}}}"#
        ));
    }

    /// Tells the node which frame of a stream was the last one read: it takes no other request until it knows
    /// that the end was. Sets how many more it may send, if a window is given.
    pub fn acknowledge(&mut self, seq: u64, window: Option<u64>) {
        let window = window.map_or(String::new(), |window| format!(r#","window":{window}"#));
        self.socket
            .send(format!(r#"{{"type":"request:history:ack","id":"{STREAM_ID}","ack":{seq}{window}}}"#));
    }

    /// Asks the node to stream no more. What it has sent already still comes.
    pub fn stop_stream(&mut self) {
        self.socket.send(format!(r#"{{"type":"request:history:stop","id":"{STREAM_ID}"}}"#));
    }

    /// The next event. After an error the connection is of no use any more. Nothing is lost when the future
    /// is dropped.
    ///
    /// # Errors
    /// [`CallError`]: [`Fault::Broken`] if the connection ends, [`Fault::TimedOut`] if a ping has no answer,
    /// [`Fault::InvalidAnswer`] for a frame that can't be read.
    pub async fn recv(&mut self) -> Result<NodeEvent, CallError> {
        loop {
            let text = self.socket.recv().await?;
            match self.frames.read(&text) {
                Ok(Some(event)) => return Ok(event),
                Ok(None) => {}
                Err(what) => return Err(self.socket.error(Fault::InvalidAnswer(what))),
            }
        }
    }

    /// Ends the connection politely.
    pub async fn close(self) {
        self.socket.close().await;
    }
}

// A WebSocket that keeps itself alive as wallet-lib's do, by pings in JSON: full nodes and swap services
// answer the same.

/// A ping goes out when none did for this long.
const PING_EVERY: Duration = Duration::from_secs(3);
/// The connection is dead if nothing came for this long after a ping.
const PONG_LIMIT: Duration = Duration::from_secs(5);
/// How long a connection is still listened to when its owner comes back to it late: what has come is read
/// before the clock is believed.
const GRACE: Duration = Duration::from_millis(250);

/// A connection that says when it is dead. Whoever owns it must keep calling [`LiveSocket::recv`]: that is
/// also what writes frames and pings.
pub(super) struct LiveSocket {
    socket: WebSocket,
    service: Service,
    url: String,
    ping_every: Duration,
    pong_limit: Duration,
    next_ping: Instant,
    /// When the connection counts as dead, while a ping is unanswered.
    dead_at: Option<Instant>,
    /// When its owner last came to listen.
    attended: Instant,
}

impl LiveSocket {
    /// Connects to a service. A frame of more than `max_frame` bytes ends the connection, where that is known
    /// before it is read.
    ///
    /// # Errors
    /// [`CallError`] if the service can't be reached, does not take the WebSocket, or needs longer than
    /// `limit`.
    pub(super) async fn connect(
        service: Service,
        client: &HttpClient,
        url: &Url,
        limit: Duration,
        max_frame: Option<usize>,
    ) -> Result<Self, CallError> {
        let printable = url.printable();
        match WebSocket::connect_within(client, url, limit, max_frame).await {
            Ok(socket) => Ok(Self {
                socket,
                service,
                url: printable,
                ping_every: PING_EVERY,
                pong_limit: PONG_LIMIT,
                next_ping: Instant::now() + PING_EVERY,
                dead_at: None,
                attended: Instant::now(),
            }),
            Err(failure) => Err(CallError::new(service, printable, failure)),
        }
    }

    pub(super) fn with_keep_alive(mut self, ping_every: Duration, pong_limit: Duration) -> Self {
        (self.ping_every, self.pong_limit) = (ping_every, pong_limit);
        self.next_ping = Instant::now() + ping_every;
        self
    }

    pub(super) fn send(&mut self, text: String) {
        self.socket.send(text);
    }

    /// The next frame. After an error the connection is of no use any more. Nothing is lost when the future
    /// is dropped.
    ///
    /// # Errors
    /// [`Fault::Broken`] if the connection ends, [`Fault::TimedOut`] if a ping has no answer.
    pub(super) async fn recv(&mut self) -> Result<impl Deref<Target = str> + use<>, CallError> {
        let now = Instant::now();
        if now.saturating_duration_since(self.attended) > GRACE {
            self.dead_at = self.dead_at.map(|dead_at| dead_at.max(now + GRACE));
        }
        self.attended = now;
        loop {
            let wake_at = self.dead_at.unwrap_or(self.next_ping);
            let wait = wake_at.saturating_duration_since(Instant::now());
            let text = match rt::timeout(wait, self.socket.recv()).await {
                Ok(Some(Ok(text))) => text,
                Ok(Some(Err(failure))) => return Err(self.error(failure)),
                Ok(None) => {
                    return Err(self.error(Fault::Broken(format!("closed by the {}", self.other_side()))));
                }
                Err(rt::Elapsed) if self.dead_at.is_some() => {
                    return Err(self.error(Fault::TimedOut(self.pong_limit)));
                }
                Err(rt::Elapsed) => {
                    self.socket.send(r#"{"type":"ping"}"#.to_owned());
                    self.dead_at = Some(Instant::now() + self.pong_limit);
                    continue;
                }
            };
            if self.dead_at.take().is_some() {
                self.next_ping = Instant::now() + self.ping_every;
            }
            return Ok(text);
        }
    }

    /// Ends the connection politely.
    pub(super) async fn close(self) {
        self.socket.close().await;
    }

    pub(super) fn error(&self, fault: impl Into<Fault>) -> CallError {
        CallError::new(self.service, self.url.clone(), fault)
    }

    const fn other_side(&self) -> &'static str {
        match self.service {
            Service::FullNode => "node",
            Service::MiningService | Service::SwapService => "service",
        }
    }
}
