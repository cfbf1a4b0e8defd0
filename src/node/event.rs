//! What the node's WebSocket tells, frame by frame.

use super::wire::{Text, WireVertex};
use crate::ledger::{Address, Vertex, VertexId};
use serde::Deserialize;

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
    /// A part of the history that was asked for with [`NodeSocket::stream_history`] or [`NodeSocket::stream_addresses`].
    Stream(StreamEvent),
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

/// A part of a history stream, with the number of its frame, which goes up by one each time from 0 for the beginning. Each address comes with its transactions after it, so a transaction of two addresses comes twice.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamEvent {
    /// The node has begun.
    Begin,
    /// An address, which is subscribed to from now on.
    #[allow(missing_docs)]
    Address { seq: u64, index: u32, address: Address },
    /// A transaction or block of the address before.
    #[allow(missing_docs)]
    Vertex { seq: u64, vertex: Box<Vertex> },
    /// As many addresses in a row as the gap limit have no transactions. [`NodeSocket::acknowledge`] must answer.
    #[allow(missing_docs)]
    End { seq: u64 },
    /// The stream broke off, in the node's words.
    Failed(String),
}

/// What a frame says; `None` for what a wallet has no use for. The error says what is wrong with the frame.
pub(super) fn parse(text: &str) -> Result<Option<NodeEvent>, String> {
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

    #[derive(Deserialize)]
    struct StreamAddress {
        seq: u64,
        index: u32,
        address: String,
    }
    #[derive(Deserialize)]
    struct StreamVertex {
        seq: u64,
        data: WireVertex,
    }
    #[derive(Deserialize)]
    struct StreamEnd {
        seq: u64,
    }
    #[derive(Deserialize)]
    struct StreamError {
        errmsg: String,
    }

    fn read<'a, T: Deserialize<'a>>(kind: &str, text: &'a str) -> Result<T, String> {
        serde_json::from_slice(text.as_bytes()).map_err(|e| format!("{kind} frame: {e}"))
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
        "stream:history:begin" => Some(NodeEvent::Stream(StreamEvent::Begin)),
        "stream:history:address" => {
            let frame: StreamAddress = read(&kind, text)?;
            let (seq, index) = (frame.seq, frame.index);
            address(&frame.address)
                .map(|address| NodeEvent::Stream(StreamEvent::Address { seq, index, address }))
        }
        "stream:history:vertex" => {
            let frame: StreamVertex = read(&kind, text)?;
            let (seq, vertex) = (frame.seq, Box::new(frame.data.0));
            Some(NodeEvent::Stream(StreamEvent::Vertex { seq, vertex }))
        }
        "stream:history:end" => {
            let frame: StreamEnd = read(&kind, text)?;
            Some(NodeEvent::Stream(StreamEvent::End { seq: frame.seq }))
        }
        "stream:history:error" => {
            let frame: StreamError = read(&kind, text)?;
            Some(NodeEvent::Stream(StreamEvent::Failed(frame.errmsg)))
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
