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

/// Most inputs and outputs on a page of a full node (its setting `MAX_INPUTS_OUTPUTS_ADDRESS_HISTORY`).
const ON_A_PAGE: usize = 900;

/// What has come of a stream, in inputs and outputs.
#[derive(Default)]
struct Come {
    new: usize,
    /// Of transactions that had come before.
    repeated: usize,
    addresses: usize,
}

impl Come {
    /// What is looked at before it is judged.
    const BEFORE_JUDGED: usize = 100;

    /// Whether pages would bring less. A page has each transaction once, but the next one has it again: so
    /// all must fit on one, or some addresses' own.
    fn is_less_by_pages(&self) -> bool {
        let of_an_address = (self.new + self.repeated) / self.addresses.max(1);
        self.repeated > self.new + Self::BEFORE_JUDGED
            && (self.new <= ON_A_PAGE || of_an_address <= ON_A_PAGE / 2)
    }
}

/// Loads the history of the wallet's addresses; if `may_leave`, only until pages would bring less. Gives the
/// vertices that it brought.
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
    let mut come = Come::default();
    while let Some(part) = stream.next(connection).await? {
        match part {
            Part::Vertex(vertex) => {
                let parts = vertex.inputs.len() + vertex.outputs.len();
                *if seen.insert(vertex.id) { &mut come.new } else { &mut come.repeated } += parts;
                if may_leave && come.is_less_by_pages() {
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
                come.addresses += 1;
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

#[cfg(test)]
mod tests {
    use super::Come;

    fn is_left(new: usize, repeated: usize, addresses: usize) -> bool {
        Come { new, repeated, addresses }.is_less_by_pages()
    }

    #[test]
    fn a_stream_is_left_where_a_page_has_once_what_it_repeats() {
        // Three transactions of 250 outputs, over all addresses: all on one page.
        assert!(!is_left(753, 753, 2) && is_left(753, 1_004, 3));
        // Six of 250 outputs, each to an address of its own among 750, two to each.
        assert!(is_left(502, 1_004, 3));
        // 600 transactions of three outputs: a page has the whole histories of some addresses.
        assert!(is_left(2_100, 2_204, 12));
        // Eight of 250 outputs, or 40 of 25: no page has even what one address has, so each repeats as much.
        assert!(!is_left(2_008, 20_000, 11) && !is_left(1_040, 10_400, 11));
        assert!(!is_left(50, 150, 2) && is_left(50, 151, 2));
    }
}
