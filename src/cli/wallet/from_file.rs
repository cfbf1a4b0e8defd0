//! Texts that a file holds.

use super::words::{BYTE_ORDER_MARK, reason};
use std::fs::File;
use std::io::Read;

/// More than any request may have.
const MAX_BYTES: u64 = 1024 * 1024;

/// What a file holds, or standard input where it is called `-`, without a byte order mark.
pub fn read(path: &str) -> Result<String, String> {
    let mut text = String::new();
    let most = MAX_BYTES + 1;
    let read = match path {
        "-" => std::io::stdin().lock().take(most).read_to_string(&mut text),
        _ => File::open(path).and_then(|file| file.take(most).read_to_string(&mut text)),
    };
    match read {
        Ok(length) if length as u64 > MAX_BYTES => Err(format!("holds more than {MAX_BYTES} bytes")),
        Ok(_) => Ok(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text)),
        Err(error) => Err(format!("can't be read: {}", reason(&error))),
    }
}
