//! Documents: small texts of the server, such as the list of its API keys. Each is read and replaced as a
//! whole, by several servers and the command line at the same time.

use super::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Changes with each replacement and never repeats.
    pub version: DocumentVersion,
    pub text: String,
}

pub type DocumentVersion = [u8; 16];

pub const KEYS_DOCUMENT: &str = "keys";
/// Pending approvals.
pub const APPROVALS_DOCUMENT: &str = "approvals";
/// The sealed seed phrases.
pub const SEEDS_DOCUMENT: &str = "seeds";

pub const MAX_DOCUMENT_BYTES: usize = 16 << 20;

#[async_trait::async_trait]
pub trait Documents: Send + Sync {
    /// `None` if there is no document of that name.
    async fn read_document(&self, name: &'static str) -> Result<Option<Document>, StoreError>;
    async fn document_version(&self, name: &'static str) -> Result<Option<DocumentVersion>, StoreError>;
    /// Replaces the document whose version is `before` (`None`: there must be none), durably. `false` if the
    /// version is another one by now.
    ///
    /// # Errors
    /// [`StoreError`]: the document is unchanged, or, if a database's answer is lost, may be replaced.
    async fn replace_document(
        &self,
        name: &'static str,
        before: Option<DocumentVersion>,
        text: &str,
    ) -> Result<bool, StoreError>;
}

pub(super) fn new_version() -> Result<DocumentVersion, getrandom::Error> {
    let mut version = [0; 16];
    getrandom::fill(&mut version).map(|()| version)
}
