//! The audit log: lines that are only ever added, each of which names the hash of the one before it. Whoever
//! changes or drops a line breaks the chain there, or has to make all that follow anew, and then the last
//! hash is another one than was told before.

use super::StoreError;
use crate::calendar::UtcTime;
use crate::rt;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The hash of a line, without the end of the line.
pub type AuditHash = [u8; 32];

/// How far the log goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditHead {
    /// How many lines there are.
    pub count: u64,
    /// The hash of the last one; zeros where there is none.
    pub hash: AuditHash,
}

/// A place for the log.
#[async_trait::async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds what happened (members of a JSON object): it is durable once this returns. Gives its number.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept; it may be there all the same.
    async fn append(&self, entry: Map<String, Value>) -> Result<AuditHead, StoreError>;
    /// How far it goes.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read.
    async fn head(&self) -> Result<AuditHead, StoreError>;
    /// At most so many lines after those of the first numbers, as they are kept.
    ///
    /// # Errors
    /// [`StoreError`] if they can't be read.
    async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, StoreError>;
    /// Whether there is a part of a line after the last one.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read.
    async fn has_rest(&self) -> Result<bool, StoreError> {
        Ok(false)
    }
    /// Keeps lines of a log that was kept elsewhere, as they are: after `before`, up to `head`. `false` if it
    /// goes no more up to `before`.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be kept.
    async fn keep_lines(
        &self,
        before: AuditHead,
        lines: Vec<String>,
        head: AuditHead,
    ) -> Result<bool, StoreError>;
}

/// Adds what happened (`event`), with the time of it.
///
/// # Errors
/// As [`AuditLog::append`].
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
    /// The next line, and how far the log goes with it.
    pub(super) fn next(self, mut entry: Map<String, Value>) -> (String, Self) {
        let count = self.count + 1;
        entry.insert("n".to_owned(), count.into());
        entry.insert("before".to_owned(), hex::encode(self.hash).into());
        let text = Value::Object(entry).to_string();
        let hash = Sha256::digest(&text).into();
        (text, Self { count, hash })
    }

    /// How far the log goes with a line that is there; `None` if it is none, or does not follow.
    pub fn with(self, text: &str) -> Option<Self> {
        let line = Self::of(text)?;
        let value: Value = serde_json::from_str(text).ok()?;
        let follows = line.count == self.count + 1 && value["before"] == hex::encode(self.hash);
        follows.then_some(line)
    }

    /// How far a log goes whose last line is this.
    pub(super) fn of(text: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(text).ok()?;
        Some(Self { count: line["n"].as_u64()?, hash: Sha256::digest(text).into() })
    }
}
