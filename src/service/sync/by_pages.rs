//! Loading histories page by page over HTTP, for some addresses at a time.

use super::SyncEnd;
use super::connection::Connection;
use crate::ledger::{Address, VertexId};
use std::collections::HashSet;

/// Subscribes to and loads every address that is the wallet's and that isn't watched yet. Adds the vertices
/// it came across to `seen`.
pub(super) async fn load(
    connection: &mut Connection<'_>,
    seen: &mut HashSet<VertexId>,
) -> Result<(), SyncEnd> {
    loop {
        let range = connection.wallet.state.read().addresses_to_watch(connection.watched);
        if range.is_empty() {
            return Ok(());
        }
        let addresses: Vec<Address> = {
            let state = connection.wallet.state.read();
            range.clone().filter_map(|index| state.address(index)).collect()
        };
        connection.subscribe(&addresses).await?;
        let mut pages = connection.node.history(addresses);
        while let Some(page) = connection.beside_events(pages.next()).await?? {
            for vertex in page {
                seen.insert(vertex.id);
                connection.apply_loaded(vertex);
            }
            connection.tell_progress(range.start + pages.addresses_done());
        }
        connection.watched = range.end;
        seen.extend(connection.apply_pending());
        connection.tell_progress(connection.watched);
    }
}
