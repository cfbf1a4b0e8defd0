//! Secrets that are handed over as an open file, by its number: they stand in no argument, no environment,
//! and need no file of their own.

use super::failure::Failure;
use super::words;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// The line that a file descriptor has. It is read once, and closed: what this process starts gets none of
/// it. 0 is standard input, which stays open.
pub fn one_line(number: u32) -> Result<Zeroizing<String>, Failure> {
    if number == 0 {
        return words::one_line(&PathBuf::from("-"));
    }
    // Open already; to open it anew, a pipe of another user's would have to be this one's.
    let read = words::one_line(&PathBuf::from(format!("/dev/fd/{number}")))?;
    close(number);
    Ok(read)
}

#[cfg(unix)]
fn close(number: u32) {
    if let Ok(number) = i32::try_from(number) {
        // It was read: so it is there, and nothing of this process's own has a password's line in it.
        let _ = nix::unistd::close(number);
    }
}

#[cfg(not(unix))]
fn close(_number: u32) {}
