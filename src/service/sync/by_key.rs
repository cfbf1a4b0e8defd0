//! Loading a history in one stream by xpub: the node derives the addresses.

use super::SyncEnd;
use super::connection::Connection;
use super::stream::{HistoryStream, Part, come_to, report_progress};
use crate::ledger::VertexId;
use std::collections::HashSet;

/// Loads all addresses up to a gap. Returns the vertices.
pub(super) async fn load(
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
