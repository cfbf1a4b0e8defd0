//! The side that has the keys.

use super::judge::{Breach, Shown, judge};
use super::limits::Limits;
use super::place::Stream;
use super::spent::Spent;
use super::wire::{Answer, Ask, Asked, Hex, What, read_frame, write_frame};
use crate::keys::{
    ADDRESS_INDEXES, AccountKeys, Previous, Purpose, Signer, SignerError, SigningRequest, ToSign,
    TransactionFacts, TransactionToSign, message_digest, message_fits,
};
use crate::ledger::{Network, Transaction};
use crate::net::tls;
use crate::rt::{self, BoxFuture};
use sha2::{Digest, Sha256};
use std::future::ready;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Most connections at a time: each may have a frame in memory.
const MOST_CONNECTIONS: usize = 32;
/// How long an answer may take to be taken, and certificates to be shown.
const FRAME_LIMIT: Duration = Duration::from_secs(20);
/// How long a connection may be idle, or a frame take to come.
const IDLE_LIMIT: Duration = Duration::from_secs(60);
/// What is signed of a transaction is the hash of a hash, and of what an oracle says its hash: so that must
/// not be as long as a hash.
const HASH_BYTES: usize = 32;

/// The keys of a seed, by its name.
type KeysOf = dyn Fn(&str) -> Option<AccountKeys> + Send + Sync;

/// What answers.
pub struct SignerServer {
    keys: Box<KeysOf>,
    limits: Limits,
    /// What was signed within the last day; needed where there are limits.
    spent: Mutex<Option<Spent>>,
}

impl SignerServer {
    /// With the keys that `keys` has, within `limits`. What is signed is counted in `spent`: without it,
    /// nothing is signed that has limits.
    pub fn new(
        keys: impl Fn(&str) -> Option<AccountKeys> + Send + Sync + 'static,
        limits: Limits,
        spent: Option<Spent>,
    ) -> Arc<Self> {
        Arc::new(Self { keys: Box::new(keys), limits, spent: Mutex::new(spent) })
    }

    /// Answers a frame. What is refused is written to the log.
    pub async fn answer(&self, frame: &[u8]) -> Answer {
        let answered = match Asked::read(frame) {
            Ok(asked) => self.carry_out(asked).await,
            Err(why) => Err(Breach::new("protocol", why)),
        };
        answered.unwrap_or_else(|Breach { rule, why }| {
            tracing::warn!("refused by rule {rule:?}: {why}");
            Answer::Refused { rule: rule.to_owned(), why }
        })
    }

    async fn carry_out(&self, Asked { seed, ask, .. }: Asked) -> Result<Answer, Breach> {
        let keys = (self.keys)(&seed);
        let keys = keys.ok_or_else(|| Breach::new("seed", format!("there is no open seed {seed:?} here")))?;
        match ask {
            Ask::Account => Ok(Answer::Account { xpub: keys.public().to_xpub() }),
            Ask::Sign { salt, what, .. } => self.sign(&seed, &keys, &salt.0, what).await,
        }
    }

    async fn sign(&self, seed: &str, keys: &AccountKeys, salt: &[u8], what: What) -> Result<Answer, Breach> {
        let allowed = self.limits.of(seed);
        let in_range = |index: u32| match index < ADDRESS_INDEXES {
            true => Ok(index),
            false => Err(Breach::new("keys", format!("there is no address {index}"))),
        };
        match what {
            What::Message { index, text } => {
                allowed.map_or(Ok(()), |allowed| allowed.check_message())?;
                message_fits(&text).map_err(|must| Breach::new("messages", format!("the message {must}")))?;
                let what = ToSign::Message { index: in_range(index)?, text: &text };
                signed(keys, what, message_digest(&text), salt).await
            }
            What::OracleData { index, data } => {
                allowed.map_or(Ok(()), |allowed| allowed.check_message())?;
                if data.0.len() <= HASH_BYTES {
                    let why = "what an oracle says has the contract's id and a value: this may be a transaction's hash";
                    return Err(Breach::new("oracle-data", why));
                }
                let what = ToSign::OracleData { index: in_range(index)?, data: &data.0 };
                signed(keys, what, Sha256::digest(&data.0).into(), salt).await
            }
            What::Transaction { bytes, inputs, caller, own, previous } => {
                let transaction = Transaction::from_bytes(&bytes.0);
                let transaction =
                    &transaction.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let digest = transaction.sighash();
                let digest = digest.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let previous: Vec<&[u8]> = previous.iter().map(|bytes| &bytes.0[..]).collect();
                let shown = Shown { transaction, inputs: &inputs, caller, own: &own, previous: &previous };
                let does = judge(shown, &keys.public()).await?;
                if let Some(allowed) = allowed {
                    allowed.check(&does)?;
                    let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
                    let spent = spent.as_mut();
                    let spent = spent
                        .ok_or_else(|| Breach::new("disk", "there is nowhere to count what is spent"))?;
                    spent.count((seed, allowed), &digest, &does, rt::unix_seconds().into())?;
                }
                let asked = TransactionToSign {
                    transaction,
                    network: Network::Mainnet,
                    inputs: &inputs,
                    caller,
                    facts: &Unasked,
                };
                signed(keys, ToSign::Transaction(asked), digest, salt).await
            }
        }
    }
}

/// Words in memory ask for nothing.
struct Unasked;

impl TransactionFacts for Unasked {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        Box::pin(ready(Ok(Vec::new())))
    }
    fn own_outputs(&self) -> Vec<(u8, u32)> {
        Vec::new()
    }
}

async fn signed(
    keys: &AccountKeys,
    what: ToSign<'_>,
    digest: [u8; 32],
    salt: &[u8],
) -> Result<Answer, Breach> {
    let request = SigningRequest { what, purpose: Purpose::Send, digest, salt };
    let signatures = Signer::sign(keys, request).await;
    let signatures = signatures.map_err(|error| Breach::new("keys", error.to_string()))?;
    let given = signatures.iter().map(|by| (Hex(by.public_key.to_vec()), Hex(by.compact.to_vec())));
    Ok(Answer::Signatures(given.collect()))
}

/// Where to listen.
pub enum Listening {
    /// At a socket in the file system, to this user and those of these numbers.
    #[allow(missing_docs)]
    Socket { path: PathBuf, users: Vec<u32> },
    /// At an address, to whom the certificates in a file have signed: roots, certificate, key.
    #[allow(missing_docs)]
    Tls { address: String, roots: PathBuf, certificate: PathBuf, key: PathBuf },
}

/// What is listening, for as long as it is kept.
pub struct Listener {
    task: tokio::task::JoinHandle<()>,
    /// Where, as whoever asks names it.
    pub address: String,
    #[cfg(unix)]
    _socket: Option<SocketFile>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Listens.
///
/// # Errors
/// The system's error, or what is wrong with a file.
pub async fn listen(server: Arc<SignerServer>, at: &Listening) -> io::Result<Listener> {
    match at {
        #[cfg(unix)]
        Listening::Socket { path, users } => {
            let (listener, file) = socket(path, !users.is_empty()).await?;
            let (users, places) = (users.clone(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
            let task = tokio::spawn(async move {
                loop {
                    let place = places.clone().acquire_owned().await;
                    let Ok((stream, _)) = listener.accept().await else {
                        sleep(Duration::from_secs(1)).await;
                        continue;
                    };
                    let Ok(by) = stream.peer_cred().map(|peer| peer.uid()) else { continue };
                    if by != 0 && by != rustix::process::geteuid().as_raw() && !users.contains(&by) {
                        tracing::warn!("the user {by} may not ask this signer");
                        continue;
                    }
                    let server = server.clone();
                    tokio::spawn(async move {
                        talk(&server, stream).await;
                        drop(place);
                    });
                }
            });
            Ok(Listener { task, address: path.display().to_string(), _socket: Some(file) })
        }
        #[cfg(not(unix))]
        Listening::Socket { .. } => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "sockets need a Unix system"))
        }
        Listening::Tls { address, roots, certificate, key } => {
            let config = tls::mutual_server((roots, certificate, key)).map_err(io::Error::other)?;
            let (listener, acceptor) = (TcpListener::bind(address).await?, TlsAcceptor::from(config));
            let (address, places) =
                (listener.local_addr()?.to_string(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
            let task = tokio::spawn(async move {
                loop {
                    let place = places.clone().acquire_owned().await;
                    let Ok((stream, _)) = listener.accept().await else {
                        sleep(Duration::from_secs(1)).await;
                        continue;
                    };
                    let (server, acceptor) = (server.clone(), acceptor.clone());
                    tokio::spawn(async move {
                        let _ = stream.set_nodelay(true);
                        match timeout(FRAME_LIMIT, acceptor.accept(stream)).await {
                            Ok(Ok(stream)) => talk(&server, stream).await,
                            Ok(Err(error)) => tracing::warn!("somebody without a certificate: {error}"),
                            Err(_) => {}
                        }
                        drop(place);
                    });
                }
            });
            Ok(Listener {
                task,
                address,
                #[cfg(unix)]
                _socket: None,
            })
        }
    }
}

/// Answers until the other side ends, or is too slow.
async fn talk(server: &SignerServer, mut stream: impl Stream) {
    while let Some(frame) = next(&mut stream).await {
        let answer = server.answer(&frame).await;
        match timeout(FRAME_LIMIT, write_frame(&mut stream, &answer)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

/// The next frame. The other side may wait for a while before it asks again.
async fn next(stream: &mut impl Stream) -> Option<Vec<u8>> {
    timeout(IDLE_LIMIT, read_frame(stream)).await.ok()?.ok().flatten()
}

/// The socket's file, which goes with this.
#[cfg(unix)]
struct SocketFile(PathBuf);

#[cfg(unix)]
impl Drop for SocketFile {
    fn drop(&mut self) {
        // It may be gone: then nothing is left to do.
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
        // What one left behind that was killed.
        Ok(_) => std::fs::remove_file(path)?,
        Err(_) => {}
    }
    let listener = tokio::net::UnixListener::bind(path)?;
    let file = SocketFile(path.to_owned());
    // Who comes is looked at as well.
    let mode = if for_others { 0o666 } else { 0o600 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    Ok((listener, file))
}
