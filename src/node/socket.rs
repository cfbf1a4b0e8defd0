//! The node's WebSocket: what happens to the addresses subscribed to, and how high the chain is.

use super::wire::{Text, WireVertex};
use super::{CallError, Fault, FullNode, Service};
use crate::ledger::{Address, Vertex, VertexId};
use crate::net::WebSocket;
use crate::rt::{self, Instant};
use serde::Deserialize;
use std::time::Duration;

/// How long connecting may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// A ping goes out when none did for this long.
const PING_EVERY: Duration = Duration::from_secs(3);
/// The connection is dead if nothing came for this long after a ping.
const PONG_LIMIT: Duration = Duration::from_secs(5);

/// How long a connection is still listened to when its owner comes back to it late: what has come is read before the
/// clock is believed.
const GRACE: Duration = Duration::from_millis(250);

/// What the node tells.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeEvent {
    /// The first frame: what the node can do.
    Capabilities {
        /// Whether it sends whole histories over the socket.
        history_streaming: bool,
    },
    /// A subscription stands. From now on nothing of the address is missed.
    #[allow(missing_docs)]
    Subscribed { address: Address },
    /// A subscription does not stand.
    #[allow(missing_docs)]
    SubscribeRefused { address: Option<Address>, refusal: SubscribeRefusal },
    /// A transaction or block of a subscribed address is new or changed (voided, or an output of it spent). The same
    /// comes several times; the last counts.
    #[allow(missing_docs)]
    Vertex { address: Address, vertex: Box<Vertex> },
    /// The height of the best block, each second.
    BestHeight(u32),
    /// Any transaction or block was accepted by the node; some of them are left out when there are many.
    #[allow(missing_docs)]
    NewTransaction { id: VertexId, is_block: bool },
}

/// Why the node does not watch an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SubscribeRefusal {
    #[allow(missing_docs)]
    pub kind: SubscribeRefusalKind,
    /// The node's words.
    pub message: String,
}

/// Which of the node's rules stood against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscribeRefusalKind {
    /// Too many addresses without a transaction (`WS_MAX_SUBS_ADDRS_EMPTY`): a smaller gap limit helps.
    EmptyAddresses,
    /// Too many addresses on this connection (`WS_MAX_SUBS_ADDRS_CONN`).
    Addresses,
    /// Another reason, such as an invalid address.
    Other,
}

impl SubscribeRefusal {
    /// Sorts the node's words, in the wording of any version.
    pub fn of_message(message: String) -> Self {
        let kind = if !message.contains("Reached maximum number of subscribed") {
            SubscribeRefusalKind::Other
        } else if message.contains("empty") || message.contains("without output") {
            SubscribeRefusalKind::EmptyAddresses
        } else {
            SubscribeRefusalKind::Addresses
        };
        Self { kind, message }
    }
}

/// A connection to the node. It keeps itself alive, and says so when it is dead; connecting again is its owner's job,
/// as everything may have happened in between.
///
/// Whoever owns it must keep calling [`NodeSocket::recv`]: that is also what writes subscriptions and pings.
pub struct NodeSocket {
    socket: WebSocket,
    /// For error texts.
    url: String,
    ping_every: Duration,
    pong_limit: Duration,
    next_ping: Instant,
    /// When the connection counts as dead, while a ping is unanswered.
    dead_at: Option<Instant>,
    /// When its owner last came to listen.
    attended: Instant,
}

impl NodeSocket {
    /// Connects to the socket of `node`.
    pub async fn connect(node: &FullNode) -> Result<Self, CallError> {
        let url = node.socket_url();
        let printable = super::endpoint::printable(url.clone());
        match WebSocket::connect(&url, CONNECT_LIMIT).await {
            Ok(socket) => Ok(Self {
                socket,
                url: printable,
                ping_every: PING_EVERY,
                pong_limit: PONG_LIMIT,
                next_ping: Instant::now() + PING_EVERY,
                dead_at: None,
                attended: Instant::now(),
            }),
            Err(failure) => Err(error(printable, failure)),
        }
    }

    /// Sends a ping when none went out for `ping_every` (3 s without this), and takes the connection for dead when
    /// nothing comes for `pong_limit` (5 s) after one.
    pub fn with_keep_alive(mut self, ping_every: Duration, pong_limit: Duration) -> Self {
        (self.ping_every, self.pong_limit) = (ping_every, pong_limit);
        self.next_ping = Instant::now() + ping_every;
        self
    }

    /// Asks to be told of `address`; the answer is an event.
    pub fn subscribe(&mut self, address: &Address) {
        self.socket.send(format!(r#"{{"type":"subscribe_address","address":"{address}"}}"#));
    }

    /// Asks to be told of `address` no more.
    pub fn unsubscribe(&mut self, address: &Address) {
        self.socket.send(format!(r#"{{"type":"unsubscribe_address","address":"{address}"}}"#));
    }

    /// The next event. After an error the connection is of no use any more. Nothing is lost when the future is dropped.
    pub async fn recv(&mut self) -> Result<NodeEvent, CallError> {
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
                Ok(None) => return Err(self.error(Fault::Broken("closed by the node".to_owned()))),
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
            match event(&text) {
                Ok(Some(event)) => return Ok(event),
                Ok(None) => {}
                Err(what) => return Err(self.error(Fault::Nonsense(what))),
            }
        }
    }

    /// Ends the connection politely.
    pub async fn close(self) {
        self.socket.close().await;
    }

    fn error(&self, fault: impl Into<Fault>) -> CallError {
        error(self.url.clone(), fault)
    }
}

fn error(url: String, fault: impl Into<Fault>) -> CallError {
    CallError { service: Service::FullNode, url, fault: fault.into() }
}

/// What a frame says; `None` for what a wallet has no use for. The error says what is wrong with the frame.
fn event(text: &str) -> Result<Option<NodeEvent>, String> {
    #[derive(Deserialize)]
    struct Head {
        r#type: Text<Kind>,
    }
    #[derive(Deserialize)]
    struct Capabilities {
        capabilities: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Subscription {
        #[serde(default)]
        address: Option<String>,
        success: bool,
        #[serde(default)]
        message: Option<String>,
    }
    #[derive(Deserialize)]
    struct AddressHistory {
        address: String,
        history: WireVertex,
    }
    #[derive(Deserialize)]
    struct Metrics {
        best_block_height: u32,
    }
    #[derive(Deserialize)]
    struct NewTx {
        tx_id: Text<VertexId>,
        #[serde(default)]
        is_block: bool,
    }

    fn read<'a, T: Deserialize<'a>>(kind: &str, text: &'a str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|e| format!("{kind} frame: {e}"))
    }
    // What is no address can't be one that was subscribed to.
    let address = |text: &str| Address::parse_any(text).ok();

    let head: Head = read("WebSocket", text)?;
    let kind = head.r#type.0.0;
    Ok(match kind.as_str() {
        "capabilities" => {
            let frame: Capabilities = read(&kind, text)?;
            let history_streaming = frame.capabilities.iter().any(|c| c == "history-streaming");
            Some(NodeEvent::Capabilities { history_streaming })
        }
        "subscribe_address" => {
            let frame: Subscription = read(&kind, text)?;
            if frame.success {
                let text = frame.address.ok_or("subscribe_address frame: no address")?;
                address(&text).map(|address| NodeEvent::Subscribed { address })
            } else {
                let refusal = SubscribeRefusal::of_message(frame.message.unwrap_or_default());
                let address = frame.address.as_deref().and_then(address);
                Some(NodeEvent::SubscribeRefused { address, refusal })
            }
        }
        "wallet:address_history" => {
            let frame: AddressHistory = read(&kind, text)?;
            let vertex = Box::new(frame.history.0);
            address(&frame.address).map(|address| NodeEvent::Vertex { address, vertex })
        }
        "dashboard:metrics" => Some(NodeEvent::BestHeight(read::<Metrics>(&kind, text)?.best_block_height)),
        "network:new_tx_accepted" => {
            let frame: NewTx = read(&kind, text)?;
            Some(NodeEvent::NewTransaction { id: frame.tx_id.0, is_block: frame.is_block })
        }
        _ => None,
    })
}

/// The `type` of a frame.
struct Kind(String);

impl std::str::FromStr for Kind {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}
