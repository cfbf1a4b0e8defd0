//! The audit log: lines are only added, and each contains the hash of the one before. Changing or deleting a
//! line breaks the chain there, or changes the last hash, which users may have noted.

use super::StoreError;
use crate::calendar::UtcTime;
use crate::rt;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Without the end of the line.
pub type AuditHash = [u8; 32];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditHead {
    pub count: u64,
    /// The hash of the last line; zeros without any.
    pub hash: AuditHash,
}

#[async_trait::async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds an entry (members of a JSON object), durably. Returns the log's new head.
    ///
    /// # Errors
    /// [`StoreError`]: the entry may have been written nevertheless.
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError>;
    async fn head(&self) -> Result<AuditHead, StoreError>;
    /// At most `most` lines, without the first `after`, as they are kept.
    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError>;
    /// Whether there is a partial line after the last one.
    async fn has_rest(&self) -> Result<bool, StoreError> {
        Ok(false)
    }
    /// Adds lines of another log unchanged: after `before`, up to `head`. `false` if the log's head is not
    /// `before`.
    async fn keep_lines(
        &self,
        before: AuditHead,
        lines: Vec<String>,
        head: AuditHead,
    ) -> Result<bool, StoreError>;
}

/// Adds an entry of kind `event`, with the time.
pub async fn write_audit(
    log: &dyn AuditLog,
    event: &str,
    mut entry: Map<String, Value>,
) -> Result<AuditHead, StoreError> {
    let now = rt::unix_millis();
    let time = format!("{}.{:03}Z", UtcTime::from_unix(now / 1_000).iso(), now % 1_000);
    entry.insert("event".to_owned(), event.into());
    entry.insert("time".to_owned(), time.into());
    log.append(entry).await
}

impl AuditHead {
    /// The next line, and the head after it.
    pub(super) fn next(self, mut entry: Map<String, Value>) -> (String, Self) {
        let count = self.count + 1;
        entry.insert("n".to_owned(), count.into());
        entry.insert("before".to_owned(), hex::encode(self.hash).into());
        let text = Value::Object(entry).to_string();
        let hash = Sha256::digest(&text).into();
        (text, Self { count, hash })
    }

    /// The head after a given line; `None` if it is no entry or does not follow.
    pub fn with(self, text: &str) -> Option<Self> {
        let line = Self::of(text)?;
        let value: Value = serde_json::from_str(text).ok()?;
        let follows = line.count == self.count + 1 && value["before"] == hex::encode(self.hash);
        follows.then_some(line)
    }

    /// The head of a log whose last line this is.
    pub(super) fn of(text: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(text).ok()?;
        Some(Self { count: line["n"].as_u64()?, hash: Sha256::digest(text).into() })
    }
}
