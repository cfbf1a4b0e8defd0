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
        let watched = connection.watched;
        if watched >= connection.wallet.address_count() {
            return Ok(());
        }
        let addresses: Vec<Address> =
            connection.wallet.state.read().addresses().skip(watched as usize).collect();
        let end = watched + addresses.len() as u32;
        connection.subscribe(&addresses).await?;
        let mut pages = connection.node.history(addresses);
        while let Some(page) = connection.beside_events(pages.next()).await?? {
            for vertex in page {
                seen.insert(vertex.id);
                connection.apply_loaded(vertex);
            }
            connection.tell_progress(watched + pages.addresses_done());
        }
        connection.watched = end;
        seen.extend(connection.apply_pending());
        connection.tell_progress(connection.watched);
    }
}
