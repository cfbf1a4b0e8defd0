//! A history streamed by the node: frames in order, each read before too many more are sent.
//!
//! A node streams as fast as it can. To bound what it sends ahead, it has a window of frames, and the wallet
//! acknowledges frames read. (The window is set by an acknowledgement, because nodes fail on a request with a
//! window.)

use super::SyncEnd;
use super::connection::Connection;
use crate::ledger::{Address, Vertex};
use crate::node::{NodeEvent, StreamEvent, SubscribeRefusal, SubscribeRefusalKind};
use crate::rt;
use crate::service::status::PROGRESS_EVERY;
use std::time::Duration;

/// How long the node may take to begin a stream.
const BEGIN_LIMIT: Duration = Duration::from_secs(5);
/// How long the node may take between frames: a stream may stall over a working connection.
const NEXT_LIMIT: Duration = Duration::from_secs(30);
/// Frames that the node may send without an acknowledgement.
const WINDOW: u64 = 4_000;

pub(super) struct HistoryStream {
    read: u64,
    acknowledged: u64,
}

pub(super) enum Part {
    Vertex(Box<Vertex>),
    /// All earlier parts are of earlier addresses.
    Address {
        index: u32,
        address: Address,
    },
}

impl HistoryStream {
    /// Waits until a requested stream begins. A node may never answer a request that it refuses.
    pub(super) async fn begin(connection: &mut Connection<'_>) -> Result<Self, SyncEnd> {
        match rt::timeout(BEGIN_LIMIT, next_frame(connection)).await {
            Ok(Ok(StreamEvent::Begin)) => connection.line.acknowledge(0, Some(WINDOW)),
            Ok(Ok(other)) => return Err(refused(other)),
            Ok(Err(end)) => return Err(end),
            Err(rt::Elapsed) => {
                return Err(SyncEnd::Stream("the full node did not begin to stream".to_owned()));
            }
        }
        Ok(Self { read: 0, acknowledged: 0 })
    }

    /// The next part; `None` at the end. Acknowledges earlier parts.
    pub(super) async fn next(&mut self, connection: &mut Connection<'_>) -> Result<Option<Part>, SyncEnd> {
        if self.read - self.acknowledged > WINDOW / 2 {
            connection.line.acknowledge(self.read, None);
            self.acknowledged = self.read;
        }
        let frame = rt::timeout(NEXT_LIMIT, next_frame(connection)).await;
        let frame = frame.unwrap_or_else(|rt::Elapsed| {
            Err(SyncEnd::Stream("the full node did not go on with its stream".to_owned()))
        })?;
        let (seq, part) = match frame {
            StreamEvent::Vertex { seq, vertex } => (seq, Some(Part::Vertex(vertex))),
            StreamEvent::Address { seq, index, address } => (seq, Some(Part::Address { index, address })),
            StreamEvent::End { seq } => (seq, None),
            StreamEvent::Begin | StreamEvent::Failed(_) => return Err(refused(frame)),
        };
        self.read += 1;
        if seq != self.read {
            return Err(SyncEnd::Stream(format!(
                "the full node streams frame {seq} where {} should come",
                self.read
            )));
        }
        if part.is_none() {
            connection.line.acknowledge(seq, None);
        }
        Ok(part)
    }
}

/// The next frame of the stream; other events are processed.
async fn next_frame(connection: &mut Connection<'_>) -> Result<StreamEvent, SyncEnd> {
    loop {
        match connection.recv().await? {
            NodeEvent::Stream(frame) => return Ok(frame),
            event => connection.take(event)?,
        }
    }
}

/// The stream of the addresses from index `first` on has reached an address, which must be the next one.
/// Earlier addresses are loaded.
pub(super) fn come_to(
    connection: &mut Connection<'_>,
    (first, index): (u32, u32),
    address: Address,
    expected: Option<Address>,
) -> Result<(), SyncEnd> {
    if index != first.saturating_add(connection.watched) || expected != Some(address) {
        return Err(SyncEnd::Stream(format!(
            "the full node streams {address} as address {index}, and it is not"
        )));
    }
    connection.watched += 1;
    Ok(())
}

pub(super) fn report_progress(connection: &mut Connection<'_>) {
    let loaded = connection.watched - 1;
    if loaded.is_multiple_of(PROGRESS_EVERY) {
        connection.report_progress_if_due(loaded);
    }
}

/// The meaning of an unexpected frame.
fn refused(part: StreamEvent) -> SyncEnd {
    let out_of_order = |part| SyncEnd::Stream(format!("the full node streams out of order: {part} came"));
    let message = match part {
        StreamEvent::Begin => return out_of_order("a beginning"),
        StreamEvent::Address { .. } => return out_of_order("an address"),
        StreamEvent::Vertex { .. } => return out_of_order("a transaction"),
        StreamEvent::End { .. } => return out_of_order("an end"),
        StreamEvent::Failed(message) => message,
    };
    let reason = message.strip_prefix("Address subscription failed: ").unwrap_or(&message);
    let refusal = SubscribeRefusal::of_message(reason);
    match refusal.kind {
        SubscribeRefusalKind::Other => {
            SyncEnd::Stream(format!("the full node does not stream: {}", refusal.message))
        }
        _ => SyncEnd::Refused(None, refusal),
    }
}
