//! Where a signer is: a socket of this machine, or a port of another, with certificates on both sides.

use crate::net::tls;
#[cfg(unix)]
use crate::trusted_file::check_listener;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// A connection of either kind.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Where a signer is.
#[derive(Clone)]
pub enum SignerPlace {
    /// A socket in the file system.
    Socket(PathBuf),
    Tls {
        address: String,
        host: ServerName<'static>,
        config: Arc<ClientConfig>,
    },
}

impl SignerPlace {
    /// At `address` (host and port); files (PEM) of whom to trust, and of the certificate and key to show.
    ///
    /// # Errors
    /// What can't be used, and why.
    pub fn tls(address: &str, roots: &Path, certificate: &Path, key: &Path) -> Result<Self, String> {
        let (host, port) = address.rsplit_once(':').ok_or("the address must be host:port")?;
        port.parse::<u16>().map_err(|_| "the address must end in a port")?;
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let host = ServerName::try_from(bare).map_err(|error| error.to_string())?;
        let config = tls::mutual_client((roots, certificate, key))?;
        Ok(Self::Tls { address: address.to_owned(), host, config })
    }

    pub(super) async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        match self {
            #[cfg(unix)]
            Self::Socket(path) => {
                let stream = tokio::net::UnixStream::connect(path).await?;
                check_listener(path, stream.peer_cred()?.uid())?;
                Ok(Box::new(stream))
            }
            #[cfg(not(unix))]
            Self::Socket(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "sockets need a Unix system")),
            Self::Tls { address, host, config } => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Ok(Box::new(TlsConnector::from(config.clone()).connect(host.clone(), stream).await?))
            }
        }
    }
}

impl fmt::Display for SignerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => path.display().fmt(f),
            Self::Tls { address, .. } => f.write_str(address),
        }
    }
}

impl fmt::Debug for SignerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
