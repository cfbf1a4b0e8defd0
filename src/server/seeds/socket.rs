//! Unlocking by a user of this machine, while the server runs: a socket in the file system, which takes a
//! password in a line and answers with a line of JSON. It belongs to the server's user, and accepts that user
//! and root.

use super::opened::Opened;
use super::store::SeedError;
use crate::rt::BoxFuture;
use rustix::process::geteuid;
use serde::Serialize;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::{sleep, timeout};
use zeroize::Zeroizing;

const MAX_PASSWORD_BYTES: usize = 4096;
const READ_LIMIT: Duration = Duration::from_secs(10);
/// How long no password is accepted after a wrong one.
const AFTER_WRONG: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct Answer<'a> {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    open: &'a [String],
    locked: &'a [String],
}

/// The socket's file, removed on drop.
pub struct UnlockSocket(PathBuf);

impl Drop for UnlockSocket {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = std::fs::remove_file(&self.0);
    }
}

pub type Unlock =
    Box<dyn Fn(Zeroizing<String>) -> BoxFuture<'static, Result<Opened, SeedError>> + Send + Sync>;

/// Listens at `path` until the result is dropped, one connection at a time.
///
/// # Errors
/// The system's error. A socket in use, and a file that is no socket, are left alone.
pub async fn listen(unlock: Unlock, path: &Path) -> io::Result<UnlockSocket> {
    match std::fs::symlink_metadata(path) {
        Ok(about) if !about.file_type().is_socket() => {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "there is a file that is no socket"));
        }
        Ok(_) if UnixStream::connect(path).await.is_ok() => {
            return Err(io::Error::new(ErrorKind::AddrInUse, "another server listens there"));
        }
        // Left behind by a killed server.
        Ok(_) => std::fs::remove_file(path)?,
        Err(_) => {}
    }
    let listener = UnixListener::bind(path)?;
    let socket = UnlockSocket(path.to_owned());
    // Users that connect before this are checked as well.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    if let Err(error) = serve(&unlock, stream).await {
                        tracing::debug!("an unlock request broke off: {error}");
                    }
                }
                Err(error) => {
                    tracing::warn!("unlock requests can't be taken: {error}");
                    sleep(AFTER_WRONG).await;
                }
            }
        }
    });
    Ok(socket)
}

async fn serve(unlock: &Unlock, mut stream: UnixStream) -> io::Result<()> {
    let uid = stream.peer_cred()?.uid();
    if uid != 0 && uid != geteuid().as_raw() {
        tracing::warn!("the user {uid} may not unlock seeds");
        return Ok(());
    }
    let password = match timeout(READ_LIMIT, password(&mut stream)).await {
        Ok(password) => password?,
        Err(_) => return Ok(()),
    };
    let unlocked = unlock(password).await;
    let nothing = Opened::default();
    let (opened, error) = match &unlocked {
        Ok(opened) => (opened, None),
        Err(error) => (&nothing, Some(error.to_string())),
    };
    if error.is_some() {
        sleep(AFTER_WRONG).await;
    }
    let Opened { open, locked } = opened;
    let answer = Answer { success: error.is_none(), error, open, locked };
    let mut line = serde_json::to_vec(&answer).map_err(io::Error::other)?;
    line.push(b'\n');
    stream.write_all(&line).await
}

/// The first line.
async fn password(stream: &mut UnixStream) -> io::Result<Zeroizing<String>> {
    // Allocated once: growing leaves copies of the secret behind.
    let mut bytes = Zeroizing::new(vec![0; MAX_PASSWORD_BYTES + 1]);
    let mut length = 0;
    while length < bytes.len() {
        let read = stream.read(&mut bytes[length..]).await?;
        let end = bytes[length..length + read].iter().position(|byte| *byte == b'\n');
        length += end.unwrap_or(read);
        if end.is_some() || read == 0 {
            let text = std::str::from_utf8(&bytes[..length]).map_err(io::Error::other)?;
            return Ok(Zeroizing::new(text.to_owned()));
        }
    }
    Err(io::Error::new(ErrorKind::InvalidData, "the password is too long"))
}
