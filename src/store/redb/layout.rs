//! Tables that several modules use.

use redb::TableDefinition;

pub(super) const VERTICES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("vertices");
/// The rest of the change sets, and the file's format and owner.
pub(super) const ABOUT: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("about");
