//! Documents as files of a directory: a line with the version, then the text. A change is a new file in the
//! place of the old one, so that whoever reads has all of one or the other. Not in a redb database as wallets
//! are: that is open in one process alone, and keys are revoked by the command line while a server runs.

use super::StoreError;
use super::document::{Document, DocumentVersion, MAX_DOCUMENT_BYTES, new_version};
use crate::trusted_file::{open_data, open_or_create};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// How the names of documents end.
pub(super) const SUFFIX: &str = "document";
/// Of the version, with the end of its line.
const VERSION_BYTES: usize = 33;

/// Reads one; only the version if so asked.
pub(super) fn read(dir: &Path, name: &str, whole: bool) -> Result<Option<Document>, StoreError> {
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

/// Replaces one, if it is what it was. Writers wait for each other.
pub(super) fn replace(
    dir: &Path,
    name: &str,
    before: Option<DocumentVersion>,
    text: &str,
) -> Result<bool, StoreError> {
    let path = path_of(dir, name);
    let at = |error: io::Error| failed(&path, &error);
    // It stays, empty: one that is removed may be locked by somebody at that moment.
    let lock = open_or_create(&path.with_extension("lock")).map_err(at)?;
    lock.lock().map_err(at)?;
    let now = read(dir, name, false)?.map(|document| document.version);
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
        // So that the name is on the disk, too.
        File::open(dir)?.sync_all()
    };
    written().map_err(at)?;
    Ok(true)
}

fn path_of(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.{SUFFIX}"))
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed { place: path.display().to_string(), what: error.to_string() }
}
