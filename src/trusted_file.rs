//! Files and directories that this program trusts: settings, secrets, and the data directory.
//!
//! Whoever can write one of them decides what the program does: an API key in `keys.document` pays. So each
//! is trusted only if nobody but this process's user and root can have written it; PostgreSQL and sshd have
//! the same rule. The opened file is checked (`fstat`), so that it can't be replaced after the check.
//!
//! | | owner | links |
//! |---|---|---|
//! | a file of a data directory | this user, root; for root also the directory's owner | refused |
//! | a file of settings or a secret | this user, root | followed if this user or root made them |
//! | a data directory, and each directory above it | this user, root; see [`Role`] | followed if this user or root made them |
//!
//! Kubernetes mounts settings and secrets through links that root makes, in directories that everybody may
//! write: the owner of a link counts, not the mode of its directory.
//!
//! Systems other than Unix have no such owners and modes: nothing is checked there.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use zeroize::Zeroizing;

#[cfg(unix)]
pub use unix::{check_dir, check_listener, user};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A server or signer: trusts its own user and root.
    Service,
    /// A command that root may run beside another user's server: then it trusts the directory's owner, too.
    Tool,
}

/// Opens a file of settings or a secret for reading.
///
/// # Errors
/// The system's, or why the file is not trusted, with the remedy.
pub fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    return unix::open_through_links(path);
    #[cfg(not(unix))]
    File::open(path)
}

/// Reads a file of settings or a secret. Errors as for [`open`].
pub fn read(path: &Path) -> io::Result<Zeroizing<String>> {
    let mut file = open(path)?;
    // Allocated once, for a pipe as well: a string that grows leaves copies of a secret behind.
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
    let mut text = Zeroizing::new(String::with_capacity((length + 1).max(4096)));
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens a file of a data directory for reading. Errors as for [`open`].
pub fn open_data(path: &Path) -> io::Result<File> {
    open_in_dir(path, OpenOptions::new().read(true))
}

/// Opens a file of a data directory for reading and writing. Errors as for [`open`].
pub fn open_to_write(path: &Path) -> io::Result<File> {
    open_in_dir(path, OpenOptions::new().read(true).write(true))
}

/// Opens a file of a data directory for reading and writing, and makes it if it is not there.
///
/// A file that root makes in another user's directory belongs to that user, whose server must be able to
/// continue with it: root makes keys beside a running server.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let opened = open_to_write(path);
    if !opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return opened;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    let created = unix::create(&mut options, path);
    #[cfg(not(unix))]
    let created = options.open(path);
    match created {
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => open_to_write(path),
        created => created,
    }
}

fn open_in_dir(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    return unix::open_no_link(path, options, unix::Owners::of_dir(path)?);
    #[cfg(not(unix))]
    options.open(path)
}

#[cfg(not(unix))]
pub fn check_dir(_dir: &Path, _role: Role) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use super::Role;
    use rustix::fs::OFlags;
    use rustix::io::Errno;
    use rustix::process::geteuid;
    use std::fs::{File, Metadata, OpenOptions};
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
    use std::path::{Path, absolute};

    /// The mode bits that let the group and all others write.
    const WRITE_BY_OTHERS: u32 = 0o022;
    /// In a directory with this bit, only owners rename and remove their files.
    const STICKY: u32 = 0o1000;
    /// Most links from a path to its file, as on Linux.
    const MOST_LINKS: usize = 40;
    const ROOT: u32 = 0;

    #[derive(Clone, Copy)]
    pub(super) struct Owners {
        own: u32,
        of_dir: u32,
    }

    impl Owners {
        fn own() -> Self {
            let own = geteuid().as_raw();
            Self { own, of_dir: own }
        }

        /// For the files of a directory. Root also trusts the directory's owner: [`check_dir`] decides
        /// whether the directory may be another user's.
        pub(super) fn of_dir(path: &Path) -> io::Result<Self> {
            let own = Self::own();
            if own.own != ROOT {
                return Ok(own);
            }
            Ok(Self { of_dir: parent(path).metadata()?.uid(), ..own })
        }

        fn check(self, what: &str, path: &Path, about: &Metadata) -> io::Result<()> {
            let owner = about.uid();
            if [ROOT, self.own, self.of_dir].contains(&owner) {
                return Ok(());
            }
            let trusted = if self.own == ROOT { String::new() } else { format!("{} and ", user(self.own)) };
            let flag = if about.is_symlink() { "-h " } else { "" };
            Err(refused(format!(
                "{what} belongs to {}, and only {trusted}root may own it: chown {flag}{} {}, or run this as its owner",
                user(owner),
                self.own,
                path.display()
            )))
        }
    }

    fn refused(why: String) -> io::Error {
        io::Error::new(ErrorKind::PermissionDenied, why)
    }

    fn parent(path: &Path) -> &Path {
        path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    pub(super) fn create(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
        let file = options.mode(0o600).open(path)?;
        if geteuid().is_root() {
            let owner = parent(path).metadata()?;
            if owner.uid() != ROOT {
                fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
            }
        }
        Ok(file)
    }

    pub(super) fn open_no_link(path: &Path, options: &mut OpenOptions, owners: Owners) -> io::Result<File> {
        // Not blocking: a pipe in the file's place is refused below, not awaited.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = options.custom_flags(flags.bits().cast_signed()).open(path).map_err(|error| {
            if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) {
                refused("it is a symbolic link: put the file itself there".to_owned())
            } else {
                error
            }
        })?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(refused("it is not a regular file".to_owned()));
        }
        owners.check("it", path, &about)?;
        check_mode("it", path, &about)?;
        Ok(file)
    }

    fn check_mode(what: &str, path: &Path, about: &Metadata) -> io::Result<()> {
        let mode = about.mode() & 0o7777;
        if mode & WRITE_BY_OTHERS == 0 {
            return Ok(());
        }
        let place = path.display();
        Err(refused(format!(
            "other users than its owner can write {what} (mode {mode:04o}): chmod go-w {place}"
        )))
    }

    pub(super) fn open_through_links(path: &Path) -> io::Result<File> {
        // The parent process chose the descriptors that this one was started with.
        if ["/dev/fd", "/proc/self/fd"].iter().any(|dir| path.starts_with(dir))
            || path == Path::new("/dev/stdin")
        {
            return File::open(path);
        }
        let mut target = path.to_owned();
        for _ in 0..MOST_LINKS {
            let about = target.symlink_metadata()?;
            if !about.is_symlink() {
                return open_no_link(&target, OpenOptions::new().read(true), Owners::own());
            }
            Owners::own().check("the link", &target, &about)?;
            target = parent(&target).join(target.read_link()?);
        }
        Err(Errno::LOOP.into())
    }

    /// Trusts a data directory if no user but root and its owner, who must be this one (see [`Role`]), can
    /// write it, or put another directory in its place.
    ///
    /// # Errors
    /// The system's, or what is not trusted, with the remedy.
    /// The system's, or what is not trusted, with the remedy.
    pub fn check_dir(dir: &Path, role: Role) -> io::Result<()> {
        let about = dir.metadata()?;
        let mut owners = Owners::own();
        if role == Role::Tool && owners.own == ROOT {
            owners.of_dir = about.uid();
        }
        owners.check("it", dir, &about)?;
        check_mode("it", dir, &about)?;
        // The named path and the real one: only the first has links.
        let (named, real) = (absolute(dir)?, dir.canonicalize()?);
        for above in named.ancestors().chain(real.ancestors().skip(1)) {
            let about = above.symlink_metadata()?;
            let what = if about.is_symlink() { "the link" } else { "a directory above it" };
            owners.check(what, above, &about)?;
            if !about.is_symlink() && about.mode() & STICKY == 0 {
                check_mode(what, above, &about)?;
            }
        }
        Ok(())
    }

    /// Trusts the process that listens at a socket if it runs as this user, as root, or as the owner of the
    /// socket's directory. In a directory such as `/tmp`, anybody can listen at a free name, and would be
    /// given the password or asked for the addresses.
    /// The system's, or who listens.
    pub fn check_listener(socket: &Path, listener: u32) -> io::Result<()> {
        let of_dir = parent(socket).metadata()?.uid();
        if [geteuid().as_raw(), ROOT, of_dir].contains(&listener) {
            return Ok(());
        }
        Err(refused(format!(
            "{} listens at {}, in a directory of {}: put the socket into a directory of the user who listens",
            user(listener),
            socket.display(),
            user(of_dir)
        )))
    }

    /// The user's number, with the name if the system's list has it.
    pub fn user(id: u32) -> String {
        let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let name = list.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, number) = (fields.next()?, fields.nth(1)?);
            (number.parse() == Ok(id)).then(|| name.to_owned())
        });
        name.map_or_else(|| format!("user {id}"), |name| format!("{name} (user {id})"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::process::geteuid;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    use std::path::PathBuf;
    use tempfile::TempDir;

    const NOBODY: u32 = 65_534;

    fn mode(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).expect("the test has its files");
    }

    fn give_to_nobody(path: &Path) {
        std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("the test has its files");
    }

    fn file(dir: &TempDir, name: &str) -> PathBuf {
        let path = dir.path().join(name);
        write(&path, "kept").expect("the test has its files");
        path
    }

    fn why<T>(result: io::Result<T>) -> String {
        result.err().expect("it is refused").to_string()
    }

    /// Only root can change owners.
    fn is_root() -> bool {
        if !geteuid().is_root() {
            eprintln!("SKIPPED, as it needs root: files of other users");
        }
        geteuid().is_root()
    }

    #[test]
    fn a_file_that_others_can_write_is_refused_and_the_remedy_said() {
        let dir = TempDir::new().unwrap();
        let path = file(&dir, "f");
        for trusted in [0o600, 0o640, 0o644, 0o444] {
            mode(&path, trusted);
            assert_eq!(*read(&path).unwrap(), *"kept");
            assert!(open_data(&path).is_ok());
        }
        for (loose, shown) in [(0o664, "0664"), (0o602, "0602"), (0o666, "0666")] {
            mode(&path, loose);
            let remedy = format!(
                "other users than its owner can write it (mode {shown}): chmod go-w {}",
                path.display()
            );
            assert_eq!(why(read(&path)), remedy);
            assert_eq!(why(open_data(&path)), remedy);
            assert_eq!(why(open_to_write(&path)), remedy);
            assert_eq!(why(open_or_create(&path)), remedy);
        }
    }

    #[test]
    fn a_data_directory_has_no_links_and_nothing_but_files() {
        let (dir, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let (target, link) = (file(&elsewhere, "target"), dir.path().join("link"));
        symlink(&target, &link).unwrap();
        for refused in [open_data(&link), open_to_write(&link), open_or_create(&link)] {
            assert_eq!(why(refused), "it is a symbolic link: put the file itself there");
        }
        // No file is made through a link, either.
        let (missing, dangling) = (elsewhere.path().join("missing"), dir.path().join("dangling"));
        symlink(&missing, &dangling).unwrap();
        assert!(open_or_create(&dangling).is_err() && !missing.exists());
        // A pipe without a writer would block.
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        assert_eq!(why(open_data(&pipe)), "it is not a regular file");
        assert_eq!(why(read(&pipe)), "it is not a regular file");
        assert_eq!(why(read(dir.path())), "it is not a regular file");
    }

    #[test]
    fn a_file_of_another_user_is_refused() {
        if !is_root() {
            return;
        }
        let dir = TempDir::new().unwrap();
        let path = file(&dir, "f");
        give_to_nobody(&path);
        let remedy = format!(
            "it belongs to nobody (user 65534), and only root may own it: chown 0 {}, or run this as its owner",
            path.display()
        );
        assert_eq!(why(read(&path)), remedy);
        assert_eq!(why(open_data(&path)), remedy);
        // Beside that user's server, root continues with that user's files; settings must still be root's
        // own.
        give_to_nobody(dir.path());
        assert!(open_data(&path).is_ok() && open_or_create(&path).is_ok());
        assert_eq!(why(read(&path)), remedy);
    }

    #[test]
    fn a_file_that_is_made_is_of_the_directorys_owner_alone() {
        let dir = TempDir::new().unwrap();
        let owner = if is_root() {
            give_to_nobody(dir.path());
            NOBODY
        } else {
            geteuid().as_raw()
        };
        let path = dir.path().join("new");
        let made = open_or_create(&path).unwrap().metadata().unwrap();
        assert_eq!((made.uid(), made.mode() & 0o777, made.len()), (owner, 0o600, 0));
        write(&path, "kept").unwrap();
        assert_eq!(open_or_create(&path).unwrap().metadata().unwrap().len(), 4);
    }

    /// As the kubelet mounts a secret: a directory writable by everybody, with links to links.
    #[test]
    fn links_to_settings_are_followed_where_this_user_or_root_made_them() {
        let dir = TempDir::new().unwrap();
        std::fs::create_dir(dir.path().join("..2026")).unwrap();
        write(dir.path().join("..2026/wallet.toml"), "kept").unwrap();
        symlink("..2026", dir.path().join("..data")).unwrap();
        let link = dir.path().join("wallet.toml");
        symlink("..data/wallet.toml", &link).unwrap();
        mode(dir.path(), 0o777);
        assert_eq!(*read(&link).unwrap(), *"kept");
        let (round, loop_back) = (dir.path().join("a"), dir.path().join("b"));
        symlink(&loop_back, &round).unwrap();
        symlink(&round, &loop_back).unwrap();
        assert_eq!(why(read(&round)), "Too many levels of symbolic links (os error 40)");
        if !is_root() {
            return;
        }
        give_to_nobody(&link);
        assert_eq!(
            why(read(&link)),
            format!(
                "the link belongs to nobody (user 65534), and only root may own it: chown -h 0 {}, or run this as its owner",
                link.display()
            )
        );
    }

    #[test]
    fn a_descriptor_is_whose_it_is() {
        let dir = TempDir::new().unwrap();
        let path = file(&dir, "f");
        let open = File::open(&path).unwrap();
        mode(&path, 0o666);
        let number = std::os::fd::AsRawFd::as_raw_fd(&open);
        assert_eq!(*read(Path::new(&format!("/dev/fd/{number}"))).unwrap(), *"kept");
    }

    #[test]
    fn a_data_directory_that_others_can_write_or_replace_is_refused() {
        let above = TempDir::new().unwrap();
        let dir = above.path().join("data");
        std::fs::create_dir(&dir).unwrap();
        mode(&dir, 0o750);
        assert!(check_dir(&dir, Role::Service).is_ok());
        mode(&dir, 0o775);
        let place = dir.display();
        assert_eq!(
            why(check_dir(&dir, Role::Service)),
            format!("other users than its owner can write it (mode 0775): chmod go-w {place}")
        );
        mode(&dir, 0o700);
        mode(above.path(), 0o777);
        let place = above.path().display();
        assert_eq!(
            why(check_dir(&dir, Role::Tool)),
            format!(
                "other users than its owner can write a directory above it (mode 0777): chmod go-w {place}"
            )
        );
        // As in /tmp, others can't rename files that are not theirs.
        mode(above.path(), 0o1777);
        assert!(check_dir(&dir, Role::Service).is_ok());
        let link = above.path().join("link");
        symlink(&dir, &link).unwrap();
        assert!(check_dir(&link, Role::Service).is_ok());
        if !is_root() {
            return;
        }
        give_to_nobody(&link);
        assert_eq!(
            why(check_dir(&link, Role::Service)),
            format!(
                "the link belongs to nobody (user 65534), and only root may own it: chown -h 0 {}, or run this as its owner",
                link.display()
            )
        );
        give_to_nobody(&dir);
        assert_eq!(
            why(check_dir(&dir, Role::Service)),
            format!(
                "it belongs to nobody (user 65534), and only root may own it: chown 0 {}, or run this as its owner",
                dir.display()
            )
        );
        assert!(check_dir(&dir, Role::Tool).is_ok());
        mode(above.path(), 0o755);
        chown(above.path(), Some(1), None).unwrap();
        assert!(why(check_dir(&dir, Role::Tool)).starts_with("a directory above it belongs to "));
    }

    #[test]
    fn a_socket_is_trusted_if_its_directorys_owner_listens() {
        let dir = TempDir::new().unwrap();
        let socket = dir.path().join("socket");
        assert!(check_listener(&socket, geteuid().as_raw()).is_ok() && check_listener(&socket, 0).is_ok());
        let owner = user(dir.path().metadata().unwrap().uid());
        assert_eq!(
            why(check_listener(&socket, NOBODY)),
            format!(
                "nobody (user 65534) listens at {}, in a directory of {owner}: put the socket into a directory of the user who \
                 listens",
                socket.display()
            )
        );
        if is_root() {
            give_to_nobody(dir.path());
            assert!(check_listener(&socket, NOBODY).is_ok());
        }
    }
}
