//! Whose a server's directory is: what is in it is for its user alone.

use headless_wallet::trusted_file::user;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Refuses a directory that is another user's, and that this one may not read.
pub fn check(dir: &Path) -> Result<(), String> {
    let denied = |result: &io::Result<()>| {
        result.as_ref().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    };
    if !denied(&readable(dir)) {
        return Ok(());
    }
    let own = rustix::process::geteuid().as_raw();
    Err(match fs::metadata(dir) {
        Ok(about) if about.uid() != own => format!(
            "{} belongs to {}, and this is {}, who may not read it: run this as the user of the server (sudo -u)",
            dir.display(),
            user(about.uid()),
            user(own)
        ),
        Ok(_) => format!("{} holds what this user, {}, may not read", dir.display(), user(own)),
        Err(_) => format!(
            "{} is in a directory that this user, {}, may not enter: run this as the user of the server (sudo -u)",
            dir.display(),
            user(own)
        ),
    })
}

/// Whether the directory, and each file of it, can be read.
fn readable(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_file() {
            fs::File::open(path)?;
        }
    }
    Ok(())
}
