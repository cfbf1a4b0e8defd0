//! Listening for those who ask a signer: at a socket of this machine, or over TLS with client certificates.

use super::client::Stream;
use super::serve::SignerServer;
use super::wire::{Answer, MAX_QUESTION, REMEDY, read_length, read_rest, write_frame};
use crate::net::serve::is_of_one_connection;
use crate::net::tls;
#[cfg(unix)]
use std::collections::HashMap;
use std::collections::VecDeque;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Most connections at a time that may ask, per user, or for all with certificates together: each may have a
/// short frame in memory.
const MOST_CONNECTIONS: usize = 32;
/// Most connections of a user, including those that wait. Others are closed.
#[cfg(unix)]
const MOST_OPEN: usize = 128;
/// A longer frame waits for other long ones: all of them together have at most the bytes of the longest
/// possible, because handling a frame takes memory in proportion to it.
const LONG_FRAME: u32 = 64 << 10;
static LONG_FRAMES: Semaphore = Semaphore::const_new(MAX_QUESTION as usize);
/// Most connections without a certificate yet. Anybody can open them, so the oldest is closed for a new one.
const MOST_HANDSHAKES: usize = 256;
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);
/// How long a client may take to read an answer.
const FRAME_LIMIT: Duration = Duration::from_secs(20);
/// How long a connection may be idle or wait, or a frame take.
const IDLE_LIMIT: Duration = Duration::from_secs(60);

pub enum Listening {
    /// At a socket in the file system, for this user and those with these ids.
    Socket { path: PathBuf, users: Vec<u32> },
    /// At an address, for clients with certificates that `roots` has signed.
    Tls { address: String, roots: PathBuf, certificate: PathBuf, key: PathBuf },
}

impl fmt::Display for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket { path, .. } => path.display().fmt(f),
            Self::Tls { address, .. } => f.write_str(address),
        }
    }
}

/// Listens until it is dropped.
pub struct Listener {
    task: tokio::task::JoinHandle<()>,
    pub address: String,
    #[cfg(unix)]
    _socket: Option<SocketFile>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn listen(server: Arc<SignerServer>, at: &Listening) -> io::Result<Listener> {
    match at {
        #[cfg(unix)]
        Listening::Socket { path, users } => {
            let (listener, file) = socket(path, !users.is_empty()).await?;
            let task = tokio::spawn(serve_users(server, listener, users.clone()));
            Ok(Listener { task, address: path.display().to_string(), _socket: Some(file) })
        }
        #[cfg(not(unix))]
        Listening::Socket { .. } => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "sockets need a Unix system"))
        }
        Listening::Tls { address, roots, certificate, key } => {
            let config = tls::mutual_server((roots, certificate, key)).map_err(io::Error::other)?;
            let listener = TcpListener::bind(address).await?;
            let address = listener.local_addr()?.to_string();
            let task = tokio::spawn(serve_certified(server, listener, TlsAcceptor::from(config)));
            Ok(Listener {
                task,
                address,
                #[cfg(unix)]
                _socket: None,
            })
        }
    }
}

#[cfg(unix)]
async fn serve_users(server: Arc<SignerServer>, listener: tokio::net::UnixListener, users: Vec<u32>) {
    let (mut places, log) = (HashMap::<u32, Places>::new(), LimitedLog::default());
    loop {
        let Some((stream, _)) = taken(listener.accept().await).await else { continue };
        let Ok(by) = stream.peer_cred().map(|peer| peer.uid()) else { continue };
        if by != 0 && by != rustix::process::geteuid().as_raw() && !users.contains(&by) {
            log.warn(&format!("the user {by} may not ask this signer"));
            continue;
        }
        // Each user has its own, so that none keeps others out.
        let Places { all, talking } = places.entry(by).or_default().clone();
        let Ok(one) = all.try_acquire_owned() else { continue };
        let server = server.clone();
        tokio::spawn(async move {
            if let Ok(Ok(_place)) = timeout(IDLE_LIMIT, talking.acquire()).await {
                talk(&server, stream).await;
            }
            drop(one);
        });
    }
}

/// A user's connections: all of them, and those that may ask now.
#[cfg(unix)]
#[derive(Clone)]
struct Places {
    all: Arc<Semaphore>,
    talking: Arc<Semaphore>,
}

#[cfg(unix)]
impl Default for Places {
    fn default() -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self { all: places(MOST_OPEN), talking: places(MOST_CONNECTIONS) }
    }
}

/// Clients without a certificate take no room of those with one, and little of each other's.
async fn serve_certified(server: Arc<SignerServer>, listener: TcpListener, acceptor: TlsAcceptor) {
    let (places, log) = (Arc::new(Semaphore::new(MOST_CONNECTIONS)), Arc::new(LimitedLog::default()));
    let mut handshakes: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Some((stream, _)) = taken(listener.accept().await).await else { continue };
        handshakes.retain(|handshake| !handshake.is_finished());
        if handshakes.len() >= MOST_HANDSHAKES
            && let Some(oldest) = handshakes.pop_front()
        {
            oldest.abort();
        }
        let (server, places) = (server.clone(), places.clone());
        let handshake = shake_hands(acceptor.clone(), stream, log.clone());
        let handshake = tokio::spawn(async move {
            let Some(stream) = handshake.await else { return };
            // A separate task, which is not closed for a new one.
            tokio::spawn(async move {
                if let Ok(Ok(_place)) = timeout(IDLE_LIMIT, places.acquire()).await {
                    talk(&server, stream).await;
                }
            });
        });
        handshakes.push_back(handshake.abort_handle());
    }
}

async fn shake_hands(acceptor: TlsAcceptor, stream: TcpStream, log: Arc<LimitedLog>) -> Option<impl Stream> {
    // Without it, answers are only slower.
    let _ = stream.set_nodelay(true);
    match timeout(HANDSHAKE_LIMIT, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => Some(stream),
        Ok(Err(error)) => {
            log.warn(&format!("somebody without a certificate: {error}"));
            None
        }
        Err(_) => None,
    }
}

/// The next connection. After a failure, mostly because too many files are open, waits a while.
async fn taken<T>(accepted: io::Result<T>) -> Option<T> {
    match accepted {
        Ok(connection) => return Some(connection),
        Err(error) if is_of_one_connection(&error) => {}
        Err(error) => {
            tracing::error!("no connection can be taken: {error}");
            sleep(Duration::from_secs(1)).await;
        }
    }
    None
}

/// Answers until the other side ends, or is too slow.
async fn talk(server: &SignerServer, stream: impl Stream) {
    let mut stream = BufReader::new(stream);
    loop {
        let (answer, is_last) = match timeout(IDLE_LIMIT, next(&mut stream)).await {
            Ok(Ok(Some((frame, _room)))) => {
                let answer = tokio::select! {
                    biased;
                    () = hung_up(&mut stream) => return,
                    answer = server.answer(&frame) => answer,
                };
                (answer, false)
            }
            // The answer may not be read.
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                let why = format!("{error}: {REMEDY}");
                (Answer::Refused { rule: "protocol".to_owned(), why }, true)
            }
            _ => return,
        };
        match timeout(FRAME_LIMIT, write_frame(&mut stream, &answer)).await {
            Ok(Ok(())) if !is_last => {}
            _ => return,
        }
    }
}

/// Waits until the other side has ended: nobody reads the answer then. Bytes that come too early are kept.
async fn hung_up(stream: &mut BufReader<impl Stream>) {
    if stream.fill_buf().await.is_ok_and(|early| !early.is_empty()) {
        std::future::pending::<()>().await;
    }
}

/// The next frame, and its permit among long ones. The other side may be idle for a while.
async fn next(stream: &mut impl Stream) -> io::Result<Option<(Vec<u8>, Option<SemaphorePermit<'static>>)>> {
    let Some(length) = read_length(stream, MAX_QUESTION).await? else { return Ok(None) };
    let room = match length > LONG_FRAME {
        true => Some(LONG_FRAMES.acquire_many(length).await.map_err(io::Error::other)?),
        false => None,
    };
    Ok(Some((read_rest(stream, length).await?, room)))
}

/// The socket's file, removed on drop.
#[cfg(unix)]
struct SocketFile(PathBuf);

#[cfg(unix)]
impl Drop for SocketFile {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(unix)]
async fn socket(path: &Path, for_others: bool) -> io::Result<(tokio::net::UnixListener, SocketFile)> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    match std::fs::symlink_metadata(path) {
        Ok(about) if !about.file_type().is_socket() => {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is a file that is no socket"));
        }
        Ok(_) if tokio::net::UnixStream::connect(path).await.is_ok() => {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another signer listens there"));
        }
        // Left behind by a killed process.
        Ok(_) => std::fs::remove_file(path)?,
        Err(_) => {}
    }
    let listener = tokio::net::UnixListener::bind(path)?;
    let file = SocketFile(path.to_owned());
    // The user of each connection is checked as well.
    let mode = if for_others { 0o666 } else { 0o600 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    Ok((listener, file))
}

// Log lines that untrusted clients can cause as often as they like.

/// Between two lines.
const PAUSE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct LimitedLog(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    logged: Option<Instant>,
    suppressed: u64,
}

impl LimitedLog {
    /// Logs a warning if it is time to, with the number of suppressed ones.
    pub(super) fn warn(&self, text: &str) {
        if let Some(suppressed) = self.due(Instant::now()) {
            tracing::warn!("{text} (logged once a minute at most: {suppressed} more before this)");
        }
    }

    /// The number of suppressed lines, if it is time for the next.
    fn due(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.logged.is_some_and(|logged| now.duration_since(logged) < PAUSE) {
            state.suppressed += 1;
            return None;
        }
        state.logged = Some(now);
        Some(std::mem::take(&mut state.suppressed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_often_is_told_once_a_minute() {
        let (log, start) = (LimitedLog::default(), Instant::now());
        let logged = [0, 1, 59, 60, 61, 200, 201].map(|second| log.due(start + Duration::from_secs(second)));
        assert_eq!(logged, [Some(0), None, None, Some(2), None, Some(1), None]);
    }
}
