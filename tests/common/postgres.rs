//! A PostgreSQL of the process's own: one cluster for all tests that need it at the same time, and a schema
//! for each.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

const SCRIPT: &str = include_str!("postgres.sh");
const CERTIFICATE: &str = include_str!("../vectors/tls/localhost.pem");
const KEY: &str = include_str!("../vectors/tls/localhost.key");

/// Runs until it is dropped, or the process has ended, however that comes.
pub struct Postgres {
    process: Child,
    /// Where its socket is.
    pub dir: String,
    port: AtomicU16,
    /// Has the programs of a shell have another clock, if it has.
    clock: String,
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
        Self::start_by(String::new(), port)
    }

    /// The same; a shell does something before.
    fn start_by(clock: String, port: Option<u16>) -> Self {
        let mut command = shell();
        let listen = port.map(|port| port.to_string()).unwrap_or_default();
        command.args(["-c", &format!("{clock}{SCRIPT}"), "postgres"]).arg(programs()).args([
            CERTIFICATE,
            KEY,
            &listen,
        ]);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut dir = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut dir).unwrap();
        assert!(!dir.is_empty(), "PostgreSQL did not start: scripts/setup postgres installs it");
        Self { process, dir: dir.trim().to_owned(), port: port.unwrap_or(5432).into(), clock }
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
            &self.port.load(Ordering::SeqCst).to_string(),
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

/// What only some tests do with theirs.
#[allow(dead_code, reason = "other test binaries have no use for it")]
impl Postgres {
    /// One whose clock is not the machine's.
    pub fn with_other_clock(port: u16, clock: &OtherClock) -> Self {
        let set = clock.variables().map(|(name, value)| format!("export {name}={value}; "));
        Self::start_by(set.concat(), Some(port))
    }

    /// Ends without writing what it has in memory, and begins again.
    pub fn kill_and_start(&self) {
        self.shell("pg_ctl -D data -m immediate -w restart -l log");
    }

    /// Answers nothing for some time, as a machine does that is out of breath.
    pub fn hang(&self, seconds: f64) {
        self.shell(&format!(
            "first=$(head -n 1 data/postmaster.pid); kill -s STOP \"$first\"; others=$(pgrep -P \"$first\"); \
             for other in $others; do kill -s STOP \"$other\" || true; done; sleep {seconds}; \
             for other in $others; do kill -s CONT \"$other\" || true; done; kill -s CONT \"$first\""
        ));
    }

    /// Has another one, at a port, follow every commit before it is answered.
    pub fn add_synchronous_standby(&self, port: u16) {
        let own = self.port.load(Ordering::SeqCst);
        self.shell(&format!(
            "pg_basebackup -h \"$PWD\" -p {own} -U test -D standby -R -X stream --no-sync && \
             echo 'port = {port}' >>standby/postgresql.conf && \
             pg_ctl -D standby -l standby.log -w start && \
             psql -h \"$PWD\" -p {own} -U test -d postgres -X -q \
                 -c \"alter system set synchronous_standby_names = '*'\" -c 'select pg_reload_conf()'"
        ));
        let in_step = "select count(*) from pg_stat_replication where sync_state = 'sync'";
        let url = self.url();
        while self.sql(&url, in_step) != "1" {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Ends the first one without a word, and has the one at a port take its place.
    pub fn promote_standby(&self, port: u16) {
        self.shell("pg_ctl -D data -m immediate -w stop && pg_ctl -D standby -w promote");
        self.port.store(port, Ordering::SeqCst);
    }

    /// Locks a table in the schema of a URL until the lock is let go.
    pub fn lock_table(self: &Arc<Self>, url: &str, table: &'static str) -> TableLock {
        let (postgres, locked_in) = (self.clone(), url.to_owned());
        let session = std::thread::spawn(move || {
            postgres.sql(&locked_in, &format!("begin; lock table {table}; select pg_sleep(600)"));
        });
        let lock = TableLock { postgres: self.clone(), url: url.to_owned(), table, session };
        while lock.sessions("granted and mode = 'AccessExclusiveLock'").is_empty() {
            assert!(!lock.session.is_finished(), "the table is not locked");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        lock
    }

    /// Runs a script where its data are, as who they belong to.
    fn shell(&self, script: &str) {
        let path = std::env::var("PATH").unwrap_or_default();
        let output = shell()
            .args(["-c", &format!("{}{script}", self.clock)])
            .env("PATH", format!("{}:{path}", programs().display()))
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The clock of a program that is so many minutes ahead of the machine's, by libfaketime; that which only
/// counts is not.
#[allow(dead_code, reason = "other test binaries have no use for it")]
pub struct OtherClock {
    library: PathBuf,
    minutes: u32,
}

#[allow(dead_code, reason = "other test binaries have no use for it")]
impl OtherClock {
    /// `None` where libfaketime is not installed (`scripts/setup postgres` does that).
    pub fn ahead(minutes: u32) -> Option<Self> {
        let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
        let library = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
        Some(Self { library: { library }.find(|library| library.exists())?, minutes })
    }

    pub fn variables(&self) -> [(&'static str, String); 3] {
        [
            ("LD_PRELOAD", self.library.display().to_string()),
            ("FAKETIME", format!("+{}m", self.minutes)),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ]
    }
}

/// A port that nobody listens at, and none of those that the system gives to connections by itself (Linux:
/// from 32768 on), which may take one before it is used here.
#[allow(dead_code, reason = "other test binaries have no use for it")]
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        // Each test may be a process of its own.
        let next = std::process::id().wrapping_mul(7).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 10_000 + (next % 22_000) as u16;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A table that nobody else can read or write.
#[allow(dead_code, reason = "other test binaries have no use for it")]
pub struct TableLock {
    postgres: Arc<Postgres>,
    url: String,
    table: &'static str,
    session: std::thread::JoinHandle<()>,
}

#[allow(dead_code, reason = "other test binaries have no use for it")]
impl TableLock {
    /// The sessions that wait for the table.
    pub fn waiting(&self) -> Vec<u32> {
        self.sessions("not granted")
    }

    fn sessions(&self, which: &str) -> Vec<u32> {
        let sessions = format!(
            "select pid from pg_locks where relation = '{}'::regclass and {which} order by pid",
            self.table
        );
        self.postgres.sql(&self.url, &sessions).lines().map(|pid| pid.parse().unwrap()).collect()
    }

    /// Lets it go.
    pub fn release(self) {
        let sessions = self.sessions("granted and mode = 'AccessExclusiveLock'");
        let [session] = sessions[..] else { panic!("{sessions:?}") };
        assert_eq!(self.postgres.sql(&self.url, &format!("select pg_terminate_backend({session})")), "t");
        // As a session that was ended by another one.
        assert!(self.session.join().is_err());
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
