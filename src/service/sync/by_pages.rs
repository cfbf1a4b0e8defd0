//! Loading histories page by page over HTTP, for several addresses at a time.

use super::SyncEnd;
use super::connection::Connection;
use crate::ledger::VertexId;
use std::collections::HashSet;

/// Subscribes to and loads every address of the wallet that isn't watched yet. Adds the vertices to `seen`.
pub(super) async fn load(
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
