//! What the ledger tells those who listen, in the order in which a full node's frames go out.

use crate::ledger::Vertex;

/// Something that a full node would tell its WebSocket connections. Each carries the vertex as it stood at
/// that moment.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainEvent {
    /// The vertex arrived, or its state or its outputs' spenders changed: a `wallet:address_history` frame to
    /// the subscribers of each of its addresses ([`super::addresses_of`]).
    Touched(Box<Vertex>),
    /// The vertex joined the ledger: a `network:new_tx_accepted` frame to everyone.
    Accepted(Box<Vertex>),
}
