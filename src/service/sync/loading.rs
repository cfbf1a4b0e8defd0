//! Loading histories: in one stream by xpub, in one stream by a list of addresses, or by pages.

use super::SyncEnd;
use super::connection::Connection;
use super::costs::Costs;
use super::feed::AddressFeeder;
use super::stream::{HistoryStream, Part, come_to, report_progress};
use crate::ledger::{Address, VertexId};
use crate::node::ListPart;
use crate::wallet::Scan;
use std::collections::{HashSet, VecDeque};

/// Loads all addresses up to a gap, in one stream by xpub: the node derives them. Returns the vertices.
pub(super) async fn by_key(
    connection: &mut Connection<'_>,
    xpub: &str,
    gap_limit: u32,
) -> Result<HashSet<VertexId>, SyncEnd> {
    connection.line.stream_history(xpub, 0, gap_limit);
    let mut stream = HistoryStream::begin(connection).await?;
    let mut seen = HashSet::new();
    while let Some(part) = stream.next(connection).await? {
        match part {
            Part::Vertex(vertex) => {
                seen.insert(vertex.id);
                connection.apply_loaded(*vertex);
            }
            Part::Address { index, address } => {
                let expected = connection.wallet.state.read().address(index);
                come_to(connection, (0, index), address, expected)?;
                report_progress(connection);
            }
        }
    }
    Ok(seen)
}

/// Subscribes to every address of the wallet that isn't watched yet, and loads it page by page over HTTP, for
/// several addresses at a time. Adds the vertices to `seen`.
pub(super) async fn by_pages(
    connection: &mut Connection<'_>,
    seen: &mut HashSet<VertexId>,
) -> Result<(), SyncEnd> {
    loop {
        let (wallet, watched) = (connection.wallet, connection.watched);
        let ids = wallet.ids.views();
        let (addresses, end) = wallet.to_watch(&mut connection.left_out, watched);
        if addresses.is_empty() {
            connection.watched = end;
            wallet.ids.settle(&ids);
            return Ok(());
        }
        connection.subscribe(&addresses).await?;
        let mut pages = connection.node.history(addresses);
        while let Some(page) = connection.beside_events(pages.next()).await?? {
            for vertex in page {
                seen.insert(vertex.id);
                connection.apply_loaded(vertex);
            }
            connection.report_progress(watched + pages.addresses_done());
        }
        connection.watched = end;
        seen.extend(connection.apply_pending());
        connection.report_progress(connection.watched);
    }
}

struct List {
    feed: AddressFeeder,
    begun: bool,
    /// Addresses given to the node that it has not reached.
    pending: VecDeque<Address>,
}

/// Loads the history of the wallet's addresses in one stream by a list, which is extended while the stream
/// runs; with `may_leave`, only until pages would bring less. Returns the vertices.
pub(super) async fn by_list(
    connection: &mut Connection<'_>,
    may_leave: bool,
) -> Result<HashSet<VertexId>, SyncEnd> {
    let scan = connection.wallet.state.read().as_one();
    let (first, mut feed) = match scan {
        Some(Scan::GapLimit(gap_limit)) => (0, AddressFeeder::until_unused(gap_limit)),
        Some(Scan::IndexLimit { first, last }) => (first, AddressFeeder::of(first..last.saturating_add(1))),
        // A view has just joined, with addresses apart from the others.
        None => return Ok(HashSet::new()),
    };
    let mut judge = may_leave.then(|| Judge::begin(&mut feed));
    let mut list = List { feed, begun: false, pending: VecDeque::new() };
    list.give(connection);
    let mut stream = HistoryStream::begin(connection).await?;
    let mut seen = HashSet::new();
    while let Some(part) = stream.next(connection).await? {
        match part {
            Part::Vertex(vertex) => {
                if let Some(judge) = &mut judge {
                    let at = list.feed.next_seen().saturating_sub(1);
                    judge.costs.add(&vertex, at, &connection.wallet.state.read());
                }
                seen.insert(vertex.id);
                connection.apply_loaded(*vertex);
                list.feed.found();
                list.give(connection);
            }
            Part::Address { index, address } => {
                come_to(connection, (first, index), address, list.pending.pop_front())?;
                list.feed.saw(index);
                if judge.as_mut().is_some_and(|judge| judge.pages_are_less(&mut list.feed)) {
                    // The address being streamed is loaded again.
                    connection.watched -= 1;
                    connection.leave_stream();
                    break;
                }
                list.give(connection);
                report_progress(connection);
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

struct Judge {
    costs: Costs,
    /// The number of addresses given last; `None` once the stream is no longer limited. To end a stream, a
    /// node first finishes all that it was given.
    given: Option<u32>,
}

impl Judge {
    const FIRST_GIVEN: u32 = 2;
    /// By how much pages must cost less than the stream ([`Costs`]), while the node is given few addresses
    /// and later.
    const LESS_EARLY: f64 = 100.0;
    const LESS_LATE: f64 = 500.0;

    fn begin(feed: &mut AddressFeeder) -> Self {
        feed.hold_after(Self::FIRST_GIVEN);
        Self { costs: Costs::default(), given: Some(Self::FIRST_GIVEN) }
    }

    /// Called when the stream reaches an address. Returns whether pages would bring the rest for less; if
    /// not, gives the node more.
    fn pages_are_less(&mut self, feed: &mut AddressFeeder) -> bool {
        self.costs.next_address();
        let excess = self.costs.excess();
        let Some(given) = self.given else { return excess > Self::LESS_LATE };
        if feed.is_held() {
            self.given = (excess > 0.0).then_some(given * 2);
            match self.given {
                Some(given) => feed.hold_after(given),
                None => feed.release(),
            }
        }
        excess > Self::LESS_EARLY
    }
}
