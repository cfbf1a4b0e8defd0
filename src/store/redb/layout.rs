//! The tables that several parts of a store know.

use redb::TableDefinition;

/// Vertices by their ids.
pub(super) const VERTICES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("vertices");
/// The rest of the change sets, and what the file is.
pub(super) const ABOUT: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("about");
