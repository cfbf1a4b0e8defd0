//! Files that their owner alone can read.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a file for reading and writing, and makes it if it is not there.
///
/// One that root makes in a directory of somebody else's is that one's: whose directory it is must be able to
/// go on with it, as a server does beside which root gives out keys.
///
/// # Errors
/// The system's.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let opened = options.open(path);
    if !opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return opened;
    }
    match create(&options, path) {
        // Somebody else was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => options.open(path),
        created => created,
    }
}

#[cfg(unix)]
fn create(options: &OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
    // Only what is new, and no link to a file elsewhere, is given away.
    let file = options.clone().create_new(true).mode(0o600).open(path)?;
    if rustix::process::geteuid().is_root() {
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let owner = dir.metadata()?;
        if owner.uid() != 0 {
            fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    Ok(file)
}

#[cfg(not(unix))]
fn create(options: &OpenOptions, path: &Path) -> io::Result<File> {
    options.clone().create_new(true).open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::open_or_create;
    use std::os::unix::fs::{MetadataExt, chown, symlink};

    #[test]
    fn what_is_made_is_its_owners_alone_and_of_whom_the_directory_is() {
        let dir = tempfile::tempdir().unwrap();
        // Nobody else can give anything away.
        let owner = if rustix::process::geteuid().is_root() {
            chown(dir.path(), Some(65_534), Some(65_534)).unwrap();
            65_534
        } else {
            rustix::process::geteuid().as_raw()
        };
        let path = dir.path().join("new");
        let made = open_or_create(&path).unwrap().metadata().unwrap();
        assert_eq!((made.uid(), made.mode() & 0o777, made.len()), (owner, 0o600, 0));
        std::fs::write(&path, "kept").unwrap();
        assert_eq!(open_or_create(&path).unwrap().metadata().unwrap().len(), 4);
        // What a link leads to stays whose it is.
        let (elsewhere, link) = (tempfile::NamedTempFile::new().unwrap(), dir.path().join("link"));
        symlink(elsewhere.path(), &link).unwrap();
        let linked = open_or_create(&link).unwrap().metadata().unwrap();
        assert_eq!(linked.uid(), rustix::process::geteuid().as_raw());
    }
}
