//! Loading a wallet's history in one stream, of the addresses of one key or of a list that goes on as the stream does.
//!
//! A node streams as fast as it can; so that what it sends ahead stays within bounds, it is given a window of frames and told which
//! have been read. (The window is set by an acknowledgement: nodes break off when a request names one.)

use super::feed::Feed;
use super::progress::PROGRESS_EVERY;
use super::sync::{Broken, Session, SyncMode};
use crate::ledger::{Address, VertexId};
use crate::node::{ListPart, NodeEvent, StreamEvent, SubscribeRefusal, SubscribeRefusalKind};
use crate::rt;
use crate::wallet::Scan;
use std::collections::{HashSet, VecDeque};
use std::time::Duration;

/// How long the node may take to say what it can do, and to begin a stream that was asked for.
const BEGIN_LIMIT: Duration = Duration::from_secs(5);
/// How long it may take from one part of a stream to the next: a connection may be well, and the stream stand still.
const NEXT_LIMIT: Duration = Duration::from_secs(30);
/// Frames that the node may send without having been told that earlier ones were read.
const WINDOW: u64 = 4_000;

/// The addresses of a stream by list.
struct List {
    feed: Feed,
    /// Whether the node was given any.
    begun: bool,
    /// Those given to the node that it has not come to.
    pending: VecDeque<Address>,
}

impl Session<'_> {
    /// Loads the whole history in one stream, if the node can. Gives the vertices that it brought; what it left out is left to
    /// [`Session::load_pages`].
    pub(super) async fn load_stream(&mut self, mode: SyncMode) -> Result<HashSet<VertexId>, Broken> {
        let mut seen = HashSet::new();
        if !self.streaming_is_known().await? {
            tracing::info!("the full node does not stream histories: loading by pages");
            return Ok(seen);
        }
        #[cfg(feature = "native")]
        {
            // It may come to be on another connection, where nothing is told of what was told here.
            self.apply_told();
            self.line.wait_to_stream(self.node).await?;
        }
        let mut list = self.ask_for_stream(mode);
        // A stream that the node doesn't like may never be answered.
        match rt::timeout(BEGIN_LIMIT, self.next_of_stream()).await {
            Ok(Ok(StreamEvent::Begin)) => self.line.acknowledge(0, Some(WINDOW)),
            Ok(Ok(other)) => return Err(refused_stream(other)),
            Ok(Err(broken)) => return Err(broken),
            Err(rt::Elapsed) => {
                return Err(Broken::Stream("the full node did not begin to stream".to_owned()));
            }
        }
        let (mut read, mut acknowledged) = (0, 0);
        loop {
            let part = rt::timeout(NEXT_LIMIT, self.next_of_stream()).await;
            let part = part.unwrap_or_else(|rt::Elapsed| {
                Err(Broken::Stream("the full node did not go on with its stream".to_owned()))
            })?;
            let seq = match &part {
                StreamEvent::Vertex { seq, .. }
                | StreamEvent::Address { seq, .. }
                | StreamEvent::End { seq } => *seq,
                StreamEvent::Begin | StreamEvent::Failed(_) => return Err(refused_stream(part)),
            };
            read += 1;
            if seq != read {
                return Err(Broken::Stream(format!(
                    "the full node streams frame {seq} where {read} should come"
                )));
            }
            match part {
                StreamEvent::Vertex { vertex, .. } => {
                    seen.insert(vertex.id);
                    self.learn(*vertex);
                    if let Some(list) = &mut list {
                        list.feed.found();
                        self.give(list);
                    }
                }
                StreamEvent::Address { index, address, .. } => {
                    let expected = match &mut list {
                        Some(list) => list.pending.pop_front(),
                        None => self.wallet.state().address(index),
                    };
                    if index != self.watched || expected != Some(address) {
                        return Err(Broken::Stream(format!(
                            "the full node streams {address} as address {index}, and it is not"
                        )));
                    }
                    self.watched = index + 1;
                    if let Some(list) = &mut list {
                        list.feed.saw(index);
                        self.give(list);
                    }
                    if index.is_multiple_of(PROGRESS_EVERY) {
                        self.tell_progress_now_and_then(index);
                    }
                }
                _ => {
                    self.line.acknowledge(seq, None);
                    break;
                }
            }
            if seq - acknowledged > WINDOW / 2 {
                self.line.acknowledge(seq, None);
                acknowledged = seq;
            }
        }
        seen.extend(self.told.ids());
        self.apply_told();
        self.tell_progress(self.watched);
        Ok(seen)
    }

    /// Asks the node to begin. Gives the list of addresses that it is told: none if it derives them, which it can do from one key, until
    /// they are unused.
    fn ask_for_stream(&mut self, mode: SyncMode) -> Option<List> {
        let xpub = self.wallet.public.xpub().filter(|_| mode == SyncMode::XpubStream);
        let feed = match (self.wallet.scan, xpub) {
            (Scan::GapLimit(gap_limit), Some(xpub)) => {
                self.line.stream_history(&xpub, 0, gap_limit.max(1));
                return None;
            }
            (Scan::GapLimit(gap_limit), None) => Feed::until_unused(gap_limit.max(1)),
            (Scan::IndexLimit { .. }, _) => Feed::of(self.wallet.state().addresses_to_watch(0)),
        };
        self.watched = feed.next_seen();
        let mut list = List { feed, begun: false, pending: VecDeque::new() };
        self.give(&mut list);
        Some(list)
    }

    /// Gives the node more addresses, if it is time.
    fn give(&mut self, list: &mut List) {
        while let Some(range) = list.feed.next() {
            let addresses = self.wallet.state().addresses_ahead(range.clone());
            let part = ListPart { first: !list.begun, last: list.feed.is_complete() };
            self.line.stream_addresses(range.start, &addresses, list.feed.gap_limit(), part);
            list.begun = true;
            list.pending.extend(addresses);
        }
    }

    /// Whether the node streams; it says so in its first frame.
    async fn streaming_is_known(&mut self) -> Result<bool, Broken> {
        let said = async {
            while self.can_stream.is_none() {
                let next = self.line.recv().await;
                self.take_next(next)?;
            }
            Ok(())
        };
        match rt::timeout(BEGIN_LIMIT, said).await {
            Ok(said) => said.map(|()| self.can_stream.unwrap_or(false)),
            Err(rt::Elapsed) => Ok(false),
        }
    }

    /// The next part of the stream; other events are taken as they come.
    async fn next_of_stream(&mut self) -> Result<StreamEvent, Broken> {
        loop {
            let next = self.line.recv().await;
            match self.heard(next)? {
                NodeEvent::Stream(part) => return Ok(part),
                event => self.take(event)?,
            }
        }
    }
}

/// What a part of the stream that isn't in its place means.
fn refused_stream(part: StreamEvent) -> Broken {
    let out_of_order = |part| Broken::Stream(format!("the full node streams out of order: {part} came"));
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
            Broken::Stream(format!("the full node does not stream: {}", refusal.message))
        }
        _ => Broken::Refused(refusal),
    }
}
