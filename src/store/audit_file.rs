//! The audit log as a file in a directory, one entry per line.

use super::StoreError;
use super::audit::AuditHead;
use crate::trusted_file::{open_data, open_or_create, open_to_write};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

pub(super) const NAME: &str = "audit.log";
const MAX_LINE: u64 = 64 * 1024;

/// How far the log went when this process read it last, and the byte at which that line ends.
pub(super) type Seen = Option<(AuditHead, u64)>;

/// Adds a line. Writers wait for each other. Fails if the lines that this process has seen are gone: another
/// file in the place of the log would hide what happened before.
pub(super) fn append(
    dir: &Path,
    entry: Map<String, Value>,
    seen: &mut Seen,
) -> Result<AuditHead, StoreError> {
    let path = dir.join(NAME);
    let work = || {
        let mut file = open(&path, seen.is_none())?;
        file.lock()?;
        if let Some((head, place)) = seen
            && end_before(&mut file, *place).ok() != Some((*head, *place))
        {
            return Err(replaced());
        }
        let (head, whole) = end(&mut file)?;
        // A line without an end was being written at a crash: it was never confirmed to anybody.
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let (mut text, head) = head.next(entry);
        text.push('\n');
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()) {
            // `audit verify` would report half a line as tampering.
            let _ = file.set_len(whole);
            return Err(error);
        }
        if head.count == 1 {
            File::open(dir)?.sync_all()?;
        }
        *seen = Some((head, whole + text.len() as u64));
        Ok(head)
    };
    work().map_err(|error: io::Error| failed(&path, &error))
}

/// Adds lines unchanged to a log that goes up to `before`.
pub(super) fn keep_lines(dir: &Path, before: AuditHead, lines: &[String]) -> Result<bool, StoreError> {
    let path = dir.join(NAME);
    let work = || {
        let mut file = open(&path, true)?;
        file.lock()?;
        let (head, whole) = end(&mut file)?;
        if head != before {
            return Ok(false);
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()) {
            let _ = file.set_len(whole);
            return Err(error);
        }
        File::open(dir)?.sync_all()?;
        Ok(true)
    };
    work().map_err(|error: io::Error| failed(&path, &error))
}

pub(super) fn head(dir: &Path) -> Result<AuditHead, StoreError> {
    let path = dir.join(NAME);
    match open_data(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(AuditHead::default()),
        file => file.and_then(|mut file| Ok(end(&mut file)?.0)).map_err(|error| failed(&path, &error)),
    }
}

/// Whether there is a partial line at the end: written at a crash, or left of a line that was cut.
pub(super) fn has_rest(dir: &Path) -> Result<bool, StoreError> {
    let path = dir.join(NAME);
    match open_data(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        file => file
            .and_then(|mut file| {
                // No writer is in the middle of a line while this lock is held.
                file.lock_shared()?;
                Ok(end(&mut file)?.1 < file.metadata()?.len())
            })
            .map_err(|error| failed(&path, &error)),
    }
}

/// How far the log goes, and the byte at which its last whole line ends.
fn end(file: &mut File) -> io::Result<(AuditHead, u64)> {
    let length = file.metadata()?.len();
    end_before(file, length)
}

/// The same within the first `length` bytes.
fn end_before(file: &mut File, length: u64) -> io::Result<(AuditHead, u64)> {
    let from = length.saturating_sub(2 * MAX_LINE);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length - from).read_to_end(&mut bytes)?;
    let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') else {
        return if from == 0 { Ok((AuditHead::default(), 0)) } else { Err(damaged()) };
    };
    let begin = bytes[..last].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    if begin == 0 && from > 0 {
        return Err(damaged());
    }
    let head = std::str::from_utf8(&bytes[begin..last]).ok().and_then(AuditHead::of);
    Ok((head.ok_or_else(damaged)?, from + last as u64 + 1))
}

pub(super) fn lines(dir: &Path, after: u64, most: usize) -> Result<Vec<String>, StoreError> {
    let path = dir.join(NAME);
    let read = || {
        let file = match open_data(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            file => file?,
        };
        let mut lines = Vec::new();
        let mut reader = BufReader::new(file);
        for number in 0.. {
            let mut line = String::new();
            reader.by_ref().take(MAX_LINE).read_line(&mut line)?;
            // A partial last line does not count.
            let Some(line) = line.strip_suffix('\n') else { break };
            if number >= after {
                lines.push(line.to_owned());
            }
            if lines.len() == most {
                break;
            }
        }
        Ok(lines)
    };
    read().map_err(|error: io::Error| failed(&path, &error))
}

fn open(path: &Path, may_be_new: bool) -> io::Result<File> {
    if may_be_new { open_or_create(path) } else { open_to_write(path) }
}

fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "its last line is none of an audit log: `headless-wallet audit verify` says more",
    )
}

fn replaced() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "it is another one than this server wrote: put that back, or end the server and start it anew",
    )
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed { place: path.display().to_string(), what: error.to_string() }
}
