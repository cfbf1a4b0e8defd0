//! Loading a history in one stream of addresses that the node is told, which go on as the stream does.

use super::SyncEnd;
use super::connection::Connection;
use super::feed::AddressFeeder;
use super::stream::{HistoryStream, Part, come_to, tell_progress};
use crate::ledger::{Address, VertexId};
use crate::node::ListPart;
use crate::wallet::Scan;
use std::collections::{HashSet, VecDeque};

/// The addresses of the stream.
struct List {
    feed: AddressFeeder,
    /// Whether the node was given any.
    begun: bool,
    /// Those given to the node that it has not come to.
    pending: VecDeque<Address>,
}

/// What is looked at of a stream before it is judged, in inputs and outputs.
const BEFORE_JUDGED: usize = 100;

/// Loads the history of the wallet's addresses; if `may_leave`, only for as long as most of what comes is
/// new. Gives the vertices that it brought.
pub(super) async fn load(
    connection: &mut Connection<'_>,
    may_leave: bool,
) -> Result<HashSet<VertexId>, SyncEnd> {
    let feed = match connection.wallet.scan {
        Scan::GapLimit(gap_limit) => AddressFeeder::until_unused(gap_limit.max(1)),
        Scan::IndexLimit { .. } => AddressFeeder::of(connection.wallet.state.read().addresses_to_watch(0)),
    };
    connection.watched = feed.next_seen();
    let mut list = List { feed, begun: false, pending: VecDeque::new() };
    list.give(connection);
    let mut stream = HistoryStream::begin(connection).await?;
    let mut seen = HashSet::new();
    let (mut new, mut repeated) = (0, 0);
    while let Some(part) = stream.next(connection).await? {
        match part {
            Part::Vertex(vertex) => {
                let parts = vertex.inputs.len() + vertex.outputs.len();
                *if seen.insert(vertex.id) { &mut new } else { &mut repeated } += parts;
                if may_leave && repeated > new + BEFORE_JUDGED {
                    // What the stream was in the middle of is asked for again.
                    connection.watched = list.feed.next_seen().saturating_sub(1);
                    connection.leave_stream();
                    break;
                }
                connection.apply_loaded(vertex);
                list.feed.found();
                list.give(connection);
            }
            Part::Address { index, address } => {
                come_to(connection, index, address, list.pending.pop_front())?;
                list.feed.saw(index);
                list.give(connection);
                tell_progress(connection, index);
            }
        }
    }
    Ok(seen)
}

impl List {
    /// Gives the node more addresses, if it is time.
    fn give(&mut self, connection: &mut Connection<'_>) {
        while let Some(range) = self.feed.next() {
            let addresses = connection.wallet.state.write().addresses_ahead(range.clone());
            let part = ListPart { first: !self.begun, last: self.feed.is_complete() };
            connection.line.stream_addresses(range.start, &addresses, self.feed.gap_limit(), part);
            self.begun = true;
            self.pending.extend(addresses);
        }
    }
}
