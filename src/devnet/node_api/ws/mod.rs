//! The WebSocket `/v1a/ws/`: subscriptions, metrics and history streams.
//!
//! Two things of the real node are kept on purpose, as clients must live with them: a frame that breaks the
//! node's own assumptions ends the connection without a close frame, and a stream request with a positive
//! `window-size` is such a frame.

mod stream;
mod stream_requests;

use crate::devnet::Shared;
use crate::devnet::faults::NodeMode;
use crate::devnet::shared::Notice;
use crate::json;
use crate::net::{Accepted, Message, accept};
use axum::extract::{Request, State};
use axum::response::{Html, IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;
use stream::Stream;

/// Opens the connection; a request that is no WebSocket handshake gets a page.
pub(super) async fn open(State(shared): State<Arc<Shared>>, mut request: Request) -> Response {
    let page = |_| Html("<!DOCTYPE html><html><body>This is a WebSocket.</body></html>").into_response();
    accept(&mut request, None, move |socket| Connection::new(shared, socket).run()).unwrap_or_else(page)
}

/// Why the connection ends without a word.
#[derive(Debug)]
struct Dropped;

/// What a client says; other fields are read where they are needed.
type Command = Map<String, Value>;

#[derive(Serialize)]
#[serde(tag = "type")]
enum Answer<'a> {
    #[serde(rename = "capabilities")]
    Capabilities { capabilities: &'static [&'static str] },
    #[serde(rename = "pong")]
    Pong,
    #[serde(rename = "error")]
    Error { success: bool, errmsg: &'static str },
    #[serde(rename = "subscribe_address")]
    Subscribed {
        address: &'a str,
        success: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    #[serde(rename = "unsubscribe_address")]
    Unsubscribed { success: bool },
}

#[derive(Serialize)]
struct AddressHistory<'a> {
    address: &'a str,
    history: &'a RawValue,
    #[serde(rename = "type")]
    kind: &'static str,
}

struct Connection {
    shared: Arc<Shared>,
    socket: Accepted,
    watched: HashSet<String>,
    stream: Option<Stream>,
}

impl Connection {
    fn new(shared: Arc<Shared>, socket: Accepted) -> Self {
        Self { shared, socket, watched: HashSet::new(), stream: None }
    }

    async fn run(mut self) {
        // Joined before the first frame: whoever has seen that frame misses nothing.
        let Some(mut notices) = self.shared.hub.join() else { return };
        let mut stopped = pin!(self.shared.stopped());
        let capabilities: &[_] = if self.shared.history_streaming { &["history-streaming"] } else { &[] };
        if self.send(&Answer::Capabilities { capabilities }).await.is_err() {
            return;
        }
        loop {
            let streams = self.stream.as_ref().filter(|stream| stream.ready()).map(Stream::next_seq);
            let step = tokio::select! {
                message = self.socket.next() => match message {
                    Some(Ok(message)) => self.hear(message).await,
                    _ => return,
                },
                notice = notices.recv() => match notice {
                    Some(notice) => self.tell(notice).await,
                    None => return,
                },
                may = self.shared.faults.may_stream(streams.unwrap_or_default()), if streams.is_some() => {
                    if may { self.advance_stream().await } else { Err(Dropped) }
                }
                () = &mut stopped => {
                    let _ = self.socket.send(Message::Close(None)).await;
                    return;
                }
            };
            if step.is_err() {
                return;
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Dropped> {
        let command = match &message {
            Message::Text(text) => json::read(text.as_bytes()),
            Message::Binary(bytes) => json::read(bytes),
            // Control frames are answered by the library. A client that does not read its pongs is not read
            // either: they would pile up.
            Message::Ping(_) => return self.socket.flush().await.map_err(|_| Dropped),
            Message::Pong(_) | Message::Close(_) | Message::Frame(_) => return Ok(()),
        };
        let Ok(command) = command else {
            return self.send(&Answer::Error { success: false, errmsg: "Malformed command" }).await;
        };
        let Value::Object(command) = command else {
            return Err(Dropped);
        };
        match command.get("type").and_then(Value::as_str).unwrap_or_default() {
            "ping" => self.send(&Answer::Pong).await,
            "subscribe_address" => {
                let address = address_in(&command)?;
                let message = self.watch(address).err();
                self.send(&Answer::Subscribed { address, success: message.is_none(), message }).await
            }
            "unsubscribe_address" => {
                // What was never subscribed is passed over, whatever it is.
                let address = command.get("address").ok_or(Dropped)?;
                let removed = address.as_str().is_some_and(|address| self.watched.remove(address));
                if removed { self.send(&Answer::Unsubscribed { success: true }).await } else { Ok(()) }
            }
            "request:history:xpub" | "request:history:manual" if !self.shared.history_streaming => {
                self.stream_error("", "Streaming history is disabled.").await
            }
            "request:history:xpub" => self.request_by_key(&command).await,
            "request:history:manual" => self.request_by_list(&command).await,
            "request:history:ack" => self.acknowledge(&command).await,
            "request:history:stop" => self.stop_stream(&command).await,
            _ => Ok(()),
        }
    }

    /// Subscribes an address, within the limits that the node has.
    fn watch(&mut self, address: &str) -> Result<(), String> {
        let limits = self.shared.limits();
        if let Some(max) = limits.max_subscribed_addresses
            && self.watched.len() >= max
        {
            return Err(format!("Reached maximum number of subscribed addresses ({max})."));
        }
        if let Some(max) = limits.max_subscribed_empty_addresses {
            let empty =
                self.watched.iter().filter(|address| self.shared.history_of(address).is_empty()).count();
            if empty >= max {
                return Err(format!("Reached maximum number of subscribed empty addresses ({max})."));
            }
        }
        self.watched.insert(address.to_owned());
        Ok(())
    }

    async fn tell(&mut self, notice: Notice) -> Result<(), Dropped> {
        match notice {
            Notice::Everyone(frame) => self.send_text(frame.as_ref().into()).await,
            Notice::Watchers { addresses, vertex } => {
                let history =
                    serde_json::from_str::<&RawValue>(&vertex).expect("vertices are written as JSON");
                for address in addresses.iter() {
                    if self.watched.contains(address) {
                        self.send(&AddressHistory { address, history, kind: "wallet:address_history" })
                            .await?;
                    }
                }
                Ok(())
            }
        }
    }

    async fn send<T: Serialize>(&mut self, frame: &T) -> Result<(), Dropped> {
        self.send_text(serde_json::to_string(frame).expect("frames have text keys")).await
    }

    async fn send_text(&mut self, frame: String) -> Result<(), Dropped> {
        let frame = match self.shared.node_mode(super::WEBSOCKET_PATH).await {
            NodeMode::Garbage => "<html>garbage".to_owned(),
            NodeMode::Down => return Err(Dropped),
            _ => frame,
        };
        self.socket.send(Message::Text(frame.into())).await.map_err(|_| Dropped)
    }
}

/// The `address` of a command: the node breaks off at anything that has not the length of an address, and
/// takes what has, whatever its checksum and network.
fn address_in(command: &Command) -> Result<&str, Dropped> {
    let address = command.get("address").and_then(Value::as_str).ok_or(Dropped)?;
    if super::has_address_length(address) { Ok(address) } else { Err(Dropped) }
}
