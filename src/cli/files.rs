//! How many files and connections the process may have open.

/// As many as the system lets it have, instead of the few (1,024, often) that programs begin with: each
/// wallet has a connection, and a file where wallets are kept.
pub fn allow_many() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let maximum = getrlimit(Resource::Nofile).maximum;
        // Where it is forbidden it stays as it is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}
