//! Documents: small texts of the server, such as the list of its API keys. Each is read and replaced as a
//! whole, by several servers and the command line at the same time.

use super::StoreError;
use crate::trusted_file::{open_data, open_or_create};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

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

// Documents as files in a directory: a line with the version, then the text. A change replaces the whole
// file, so that a reader sees one version or the other. Not in a redb database, which only one process can
// open: the command line revokes keys while a server runs.

pub(super) const DOCUMENT_SUFFIX: &str = "document";
/// The version in hexadecimal and the end of its line.
const VERSION_BYTES: usize = 33;

/// Reads a document; unless `whole`, only its version.
pub(super) fn read_file(dir: &Path, name: &str, whole: bool) -> Result<Option<Document>, StoreError> {
    let path = path_of(dir, name);
    let at = |error: io::Error| failed(&path, &error);
    let file = match open_data(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(at)?,
    };
    let limit = if whole { MAX_DOCUMENT_BYTES + VERSION_BYTES } else { VERSION_BYTES };
    let mut bytes = Zeroizing::new(Vec::with_capacity(VERSION_BYTES));
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(at)?;
    let damaged = || StoreError::Damaged { place: path.display().to_string(), what: "it is damaged".into() };
    let (line, text) = bytes.split_at_checked(VERSION_BYTES).ok_or_else(damaged)?;
    let mut version = [0; 16];
    hex::decode_to_slice(&line[..32], &mut version).map_err(|_| damaged())?;
    if line[32] != b'\n' || whole && text.len() > MAX_DOCUMENT_BYTES {
        return Err(damaged());
    }
    let text = if whole { std::str::from_utf8(text).map_err(|_| damaged())? } else { "" };
    Ok(Some(Document { version, text: text.to_owned() }))
}

/// Replaces a document if its version is still `before`. Writers wait for each other.
pub(super) fn replace_file(
    dir: &Path,
    name: &str,
    before: Option<DocumentVersion>,
    text: &str,
) -> Result<bool, StoreError> {
    let path = path_of(dir, name);
    let at = |error: io::Error| failed(&path, &error);
    // The empty lock file stays: another process may be locking it while it is removed.
    let lock = open_or_create(&path.with_extension("lock")).map_err(at)?;
    lock.lock().map_err(at)?;
    let now = read_file(dir, name, false)?.map(|document| document.version);
    if now != before {
        return Ok(false);
    }
    let version = new_version().map_err(|error| at(io::Error::other(error.to_string())))?;
    let next = path.with_extension("new");
    let written = || {
        let mut file = open_or_create(&next)?;
        file.set_len(0)?;
        file.write_all(hex::encode(version).as_bytes())?;
        file.write_all(b"\n")?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&next, &path)?;
        // The rename is on the disk, too.
        File::open(dir)?.sync_all()
    };
    written().map_err(at)?;
    Ok(true)
}

fn path_of(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.{DOCUMENT_SUFFIX}"))
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed { place: path.display().to_string(), what: error.to_string() }
}
