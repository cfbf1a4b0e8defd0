//! A PostgreSQL of the process's own: one cluster for all tests that need it at the same time, and a schema
//! for each.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

const SCRIPT: &str = include_str!("postgres.sh");
const CERTIFICATE: &str = include_str!("../vectors/tls/localhost.pem");
const KEY: &str = include_str!("../vectors/tls/localhost.key");

/// Runs until it is dropped, or the process has ended, however that comes.
pub struct Postgres {
    process: Child,
    /// Where its socket is.
    pub dir: String,
    port: u16,
}

impl Postgres {
    /// That of the process, on a Unix socket.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let new = Arc::new(Self::start(None));
            *shared = Arc::downgrade(&new);
            new
        })
    }

    /// One of the test's own, which listens on a port of this machine, too, if one is given.
    pub fn start(port: Option<u16>) -> Self {
        let mut command = shell();
        let listen = port.map(|port| port.to_string()).unwrap_or_default();
        command.args(["-c", SCRIPT, "postgres"]).arg(programs()).args([CERTIFICATE, KEY, &listen]);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut dir = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut dir).unwrap();
        assert!(!dir.is_empty(), "PostgreSQL did not start: scripts/setup postgres installs it");
        Self { process, dir: dir.trim().to_owned(), port: port.unwrap_or(5432) }
    }

    /// The URL of a schema that nobody has used yet.
    pub fn url(&self) -> String {
        static SCHEMAS: AtomicU32 = AtomicU32::new(0);
        let number = SCHEMAS.fetch_add(1, Ordering::Relaxed);
        format!("postgres://test@/postgres?host={}&schema=test{number}", self.dir)
    }

    /// Does something in the schema of a URL, by itself, and gives what comes of it: a line a row.
    pub fn sql(&self, url: &str, sql: &str) -> String {
        let schema = url.rsplit("schema=").next().unwrap();
        let mut command = Command::new(programs().join("psql"));
        command.args(["-h", &self.dir, "-U", "test", "-d", "postgres", "-X", "-q", "-t", "-A"]);
        command.args([
            "-p",
            &self.port.to_string(),
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            &format!("set search_path = {schema}"),
            "-c",
            sql,
        ]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// A shell of somebody who is not root, as whom PostgreSQL does not run: Debian's package has made a user for
/// it.
pub fn shell() -> Command {
    let own_uid = std::fs::metadata("/proc/self").or_else(|_| std::fs::metadata(".")).unwrap().uid();
    if own_uid != 0 {
        return Command::new("sh");
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
    command
}

/// The folder of PostgreSQL's programs: Debian has them outside of the PATH. Empty where that has them.
fn programs() -> PathBuf {
    let found = std::fs::read_dir("/usr/lib/postgresql").ok();
    let versions = found.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    versions.filter(|bin| bin.join("initdb").exists()).max().unwrap_or_default()
}
