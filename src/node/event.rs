//! What the node's WebSocket tells, frame by frame.

use super::object;
use super::wire::{WireVertex, parse_vertex};
use crate::ledger::{Address, Vertex, VertexId};
use crate::net::brief;
use crate::rt;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The longest JSON that is kept to be compared with the next: more than 255 inputs and 255 outputs take.
const MAX_TOLD_BYTES: usize = 512 * 1024;

/// What the node tells.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeEvent {
    /// The first frame: what the node can do.
    Capabilities {
        /// Whether it sends whole histories over the socket.
        history_streaming: bool,
    },
    /// A subscription stands. From now on nothing of the address is missed.
    Subscribed { address: Address },
    /// A subscription does not stand.
    SubscribeRefused { address: Option<Address>, refusal: SubscribeRefusal },
    /// A transaction or block of a subscribed address is new or changed (voided, or an output of it spent).
    /// One vertex comes several times, once for each of its addresses at least; the last counts. Those that
    /// come one after the other and are the same in all share their memory.
    Vertex { address: Address, vertex: Arc<Vertex> },
    /// The height of the best block, each second.
    BestHeight(u32),
    /// Any transaction or block was accepted by the node; some of them are left out when there are many.
    NewTransaction { id: VertexId, is_block: bool },
    /// A part of the history that was asked for with [`stream_history`](super::NodeSocket::stream_history) or
    /// [`stream_addresses`](super::NodeSocket::stream_addresses).
    Stream(StreamEvent),
}

/// Why the node does not watch an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SubscribeRefusal {
    pub kind: SubscribeRefusalKind,
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
    pub fn of_message(message: &str) -> Self {
        let message = brief(message);
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

/// A part of a history stream, with the number of its frame, which goes up by one each time from 0 for the
/// beginning. Each address comes with its transactions after it, so a transaction of two addresses comes
/// twice.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamEvent {
    /// The node has begun.
    Begin,
    /// An address, which is subscribed to from now on.
    Address { seq: u64, index: u32, address: Address },
    /// A transaction or block of the address before.
    Vertex { seq: u64, vertex: Box<Vertex> },
    /// As many addresses in a row as the gap limit have no transactions.
    /// [`NodeSocket::acknowledge`](super::NodeSocket::acknowledge) must answer.
    End { seq: u64 },
    /// The stream broke off, in the node's words.
    Failed(String),
}

/// What a frame says that is read alone; `None` for what a wallet has no use for.
///
/// # Errors
/// What is wrong with the frame: it is no JSON object with a `type`, or a field that its type has is missing
/// or wrong.
pub fn parse(text: &str) -> Result<Option<NodeEvent>, String> {
    FrameReader::default().read(text)
}

/// Reads the frames of a connection.
#[derive(Default)]
pub struct FrameReader {
    /// The vertex that was told of last, and its JSON: a node tells of it once for each of its addresses, of
    /// which there may be hundreds.
    told: Option<(Box<str>, Arc<Vertex>)>,
}

impl FrameReader {
    /// What a frame says: see [`parse`].
    pub fn read(&mut self, text: &str) -> Result<Option<NodeEvent>, String> {
        match event_in(text)? {
            Some(Told::Event(event)) => Ok(Some(event)),
            Some(Told::Vertex { address, history }) => {
                let vertex = self.vertex(history)?;
                Ok(address.map(|address| NodeEvent::Vertex { address, vertex }))
            }
            None => Ok(None),
        }
    }

    fn vertex(&mut self, json: &str) -> Result<Arc<Vertex>, String> {
        if let Some((told, vertex)) = &self.told
            && **told == *json
        {
            return Ok(vertex.clone());
        }
        let vertex = Arc::new(vertex_in("wallet:address_history", "history", json)?);
        self.told = (json.len() <= MAX_TOLD_BYTES).then(|| (json.into(), vertex.clone()));
        Ok(vertex)
    }
}

/// A frame, of which only the vertex is not read yet.
enum Told<'a> {
    Event(NodeEvent),
    Vertex { address: Option<Address>, history: &'a str },
}

fn event_in(text: &str) -> Result<Option<Told<'_>>, String> {
    // A second way, and a faster one.
    if !rt::MUST_BE_SMALL
        && let Some(event) = streamed(text)
    {
        return Ok(Some(Told::Event(NodeEvent::Stream(event))));
    }
    let frame: Frame = object::read(text.as_bytes()).map_err(|e| format!("WebSocket frame: {e}"))?;
    // What is no address can't be one that was subscribed to.
    let address = |frame: &Frame| {
        Ok::<_, String>(Address::parse_any(&frame.read::<String>("address", frame.address)?).ok())
    };
    let event = match frame.r#type.as_str() {
        "capabilities" => {
            let capabilities: Vec<String> = frame.read("capabilities", frame.capabilities)?;
            let history_streaming = capabilities.iter().any(|c| c == "history-streaming");
            Some(NodeEvent::Capabilities { history_streaming })
        }
        "subscribe_address" => {
            if frame.read("success", frame.success)? {
                address(&frame)?.map(|address| NodeEvent::Subscribed { address })
            } else {
                let message: Option<String> = frame.optional("message", frame.message)?;
                let refusal = SubscribeRefusal::of_message(message.as_deref().unwrap_or_default());
                let address: Option<String> = frame.optional("address", frame.address)?;
                let address = address.and_then(|address| Address::parse_any(&address).ok());
                Some(NodeEvent::SubscribeRefused { address, refusal })
            }
        }
        "wallet:address_history" => {
            let history: &RawValue = frame.read("history", frame.history)?;
            return Ok(Some(Told::Vertex { address: address(&frame)?, history: history.get() }));
        }
        "dashboard:metrics" => {
            Some(NodeEvent::BestHeight(frame.read("best_block_height", frame.best_block_height)?))
        }
        "network:new_tx_accepted" => {
            let id = frame.read("tx_id", frame.tx_id)?;
            let is_block = frame.optional("is_block", frame.is_block)?.unwrap_or_default();
            Some(NodeEvent::NewTransaction { id, is_block })
        }
        "stream:history:begin" => Some(NodeEvent::Stream(StreamEvent::Begin)),
        "stream:history:address" => {
            let (seq, index) = (frame.read("seq", frame.seq)?, frame.read("index", frame.index)?);
            address(&frame)?.map(|address| NodeEvent::Stream(StreamEvent::Address { seq, index, address }))
        }
        "stream:history:vertex" => {
            let seq = frame.read("seq", frame.seq)?;
            let vertex = Box::new(frame.vertex("data", frame.data)?);
            Some(NodeEvent::Stream(StreamEvent::Vertex { seq, vertex }))
        }
        "stream:history:end" => {
            Some(NodeEvent::Stream(StreamEvent::End { seq: frame.read("seq", frame.seq)? }))
        }
        "stream:history:error" => {
            let message: String = frame.read("errmsg", frame.errmsg)?;
            Some(NodeEvent::Stream(StreamEvent::Failed(brief(&message))))
        }
        _ => None,
    };
    Ok(event.map(Told::Event))
}

fn vertex_in(kind: &str, name: &str, json: &str) -> Result<Vertex, String> {
    parse_vertex(json).map_err(|e| format!("{kind} frame: `{name}`: {e}"))
}

/// The frames that a history comes in, by the thousand, read in one pass, where they say first what they are,
/// as nodes do. `None` for others, and for what must be read as the others are, to say what is wrong with it.
fn streamed(text: &str) -> Option<StreamEvent> {
    #[derive(Deserialize)]
    struct VertexFrame {
        #[serde(rename = "type")]
        _type: IgnoredAny,
        seq: u64,
        data: WireVertex,
    }
    #[derive(Deserialize)]
    struct AddressFrame<'a> {
        #[serde(rename = "type")]
        _type: IgnoredAny,
        seq: u64,
        index: u32,
        address: &'a str,
    }
    let (kind, _) = text.strip_prefix(r#"{"type":"#)?.trim_start().strip_prefix('"')?.split_once('"')?;
    match kind {
        "stream:history:vertex" => {
            let VertexFrame { seq, data, .. } = serde_json::from_str(text).ok()?;
            Some(StreamEvent::Vertex { seq, vertex: Box::new(data.0) })
        }
        "stream:history:address" => {
            let AddressFrame { seq, index, address, .. } = serde_json::from_str(text).ok()?;
            Some(StreamEvent::Address { seq, index, address: Address::parse_any(address).ok()? })
        }
        _ => None,
    }
}

/// All that frames of any kind may hold, unread: what a name stands for depends on the kind.
#[derive(Deserialize)]
struct Frame<'a> {
    r#type: String,
    #[serde(borrow)]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow)]
    address: Option<&'a RawValue>,
    #[serde(borrow)]
    success: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    history: Option<&'a RawValue>,
    #[serde(borrow)]
    best_block_height: Option<&'a RawValue>,
    #[serde(borrow)]
    tx_id: Option<&'a RawValue>,
    #[serde(borrow)]
    is_block: Option<&'a RawValue>,
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    seq: Option<&'a RawValue>,
    #[serde(borrow)]
    errmsg: Option<&'a RawValue>,
}

impl<'a> Frame<'a> {
    /// A member that frames of this kind have.
    fn read<T: Deserialize<'a>>(&self, name: &str, member: Option<&'a RawValue>) -> Result<T, String> {
        self.optional(name, member)?.ok_or_else(|| format!("{} frame: no `{name}`", self.r#type))
    }
    /// A vertex, whatever its inputs and outputs are.
    fn vertex(&self, name: &str, member: Option<&'a RawValue>) -> Result<Vertex, String> {
        let json: &RawValue = self.read(name, member)?;
        vertex_in(&self.r#type, name, json.get())
    }
    /// A member that frames of this kind may have.
    fn optional<T: Deserialize<'a>>(
        &self,
        name: &str,
        member: Option<&'a RawValue>,
    ) -> Result<Option<T>, String> {
        let Some(member) = member else { return Ok(None) };
        serde_json::from_slice(member.get().as_bytes())
            .map_err(|e| format!("{} frame: `{name}`: {e}", self.r#type))
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameReader, NodeEvent};
    use std::sync::Arc;

    #[test]
    fn what_is_told_again_for_another_address_is_read_once() {
        let frame = |address: &str, timestamp: u32| {
            let id = "01".repeat(32);
            format!(
                r#"{{"type":"wallet:address_history","address":"{address}","history":{{"tx_id":"{id}","version":1,"weight":8.0,"timestamp":{timestamp},"is_voided":false,"inputs":[],"outputs":[],"parents":[]}}}}"#
            )
        };
        let mut frames = FrameReader::default();
        let mut read = |address: &str, timestamp: u32| {
            let Ok(Some(NodeEvent::Vertex { address: of, vertex })) = frames.read(&frame(address, timestamp))
            else {
                panic!("a vertex is told of")
            };
            assert_eq!((of.to_string().as_str(), vertex.timestamp), (address, timestamp));
            vertex
        };
        let (one, other) = ("WTjhJXzQJETVx7BVXdyZmvk396DRRsubdw", "WeBBm1LfKBH3V5rEL5DAHtjjDiAws3Z83m");
        let first = read(one, 7);
        assert!(Arc::ptr_eq(&first, &read(other, 7)));
        let changed = read(other, 8);
        assert!(!Arc::ptr_eq(&changed, &read(one, 7)));
    }
}
