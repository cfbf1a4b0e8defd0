//! The audit log as a file of a directory, a line each.

use super::StoreError;
use super::audit::AuditHead;
use crate::trusted_file::{open_data, open_or_create, open_to_write};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

pub(super) const NAME: &str = "audit.log";
const MAX_LINE: u64 = 64 * 1024;

/// How far it went when this process looked last, and where that line ends in the file.
pub(super) type Seen = Option<(AuditHead, u64)>;

/// Adds a line. Writers wait for each other. What this process has seen of the file must be there still:
/// another file in its place would be a log that says nothing of what was before.
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
        // A line that has no end was being written at a crash: nobody was told that it is kept.
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let (mut text, head) = head.next(entry);
        text.push('\n');
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()) {
            // A part of a line is for `audit verify` what somebody has cut.
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

/// Adds lines as they are, where the log goes up to `before`.
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

/// How far it goes.
pub(super) fn head(dir: &Path) -> Result<AuditHead, StoreError> {
    let path = dir.join(NAME);
    match open_data(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(AuditHead::default()),
        file => file.and_then(|mut file| Ok(end(&mut file)?.0)).map_err(|error| failed(&path, &error)),
    }
}

/// Whether something stands after the last whole line: one that was being written at a crash, or what is left
/// of one that was cut.
pub(super) fn has_rest(dir: &Path) -> Result<bool, StoreError> {
    let path = dir.join(NAME);
    match open_data(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        file => file
            .and_then(|mut file| {
                // Nobody is writing one then.
                file.lock_shared()?;
                Ok(end(&mut file)?.1 < file.metadata()?.len())
            })
            .map_err(|error| failed(&path, &error)),
    }
}

/// The end of the file: how far the log goes, and where its last whole line ends.
fn end(file: &mut File) -> io::Result<(AuditHead, u64)> {
    let length = file.metadata()?.len();
    end_before(file, length)
}

/// The same of the first so many bytes of it.
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

/// Lines after those of the first numbers.
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
            // The last one, if it is not whole, counts for nothing.
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
