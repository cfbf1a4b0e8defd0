//! Documents: a few small texts of a server's own, beside its wallets, such as the list of its API keys. Each
//! is read and written as a whole, by several servers and by the command line at the same time.

use super::StoreError;

/// What a document is called, and how it is told from what it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Another one at each change, never one that was there before.
    pub version: DocumentVersion,
    pub text: String,
}

/// Tells a document from what it was before.
pub type DocumentVersion = [u8; 16];

/// The list of API keys.
pub const KEYS_DOCUMENT: &str = "keys";
/// What waits for approval.
pub const APPROVALS_DOCUMENT: &str = "approvals";
/// The sealed words.
pub const SEEDS_DOCUMENT: &str = "seeds";

pub const MAX_DOCUMENT_BYTES: usize = 16 << 20;

/// A place for documents.
#[async_trait::async_trait]
pub trait Documents: Send + Sync {
    /// A document; `None` if there is none of that name.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be read.
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError>;
    /// Its version alone.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be read.
    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError>;
    /// Puts a text in the place of the document whose version is `before` (`None`: of no document), durably.
    /// `false` if it is another one by now.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be written: then it is as before, or, where the answer of a database is
    /// lost, as it was to be.
    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError>;
}

/// A version that there was not before.
pub(super) fn new_version() -> Result<DocumentVersion, getrandom::Error> {
    let mut version = [0; 16];
    getrandom::fill(&mut version).map(|()| version)
}
