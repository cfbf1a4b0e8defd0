//! Encrypted connections to a database, over the same rustls as all other connections.

use super::url::TlsMode;
use crate::net::tls;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

#[derive(Clone)]
pub(super) struct Encrypted(TlsConnector);

impl Encrypted {
    /// `None` for plain connections. The file of certificates is read each time, so that a renewed one
    /// counts.
    pub(super) fn by(mode: &TlsMode) -> Result<Option<Self>, String> {
        let config = match mode {
            TlsMode::Plain => return Ok(None),
            TlsMode::Unverified => tls::unverified(),
            TlsMode::Verified(None) => tls::of_the_world(),
            TlsMode::Verified(Some(file)) => from_file(file)?,
        };
        Ok(Some(Self(config.into())))
    }
}

fn from_file(file: &Path) -> Result<Arc<ClientConfig>, String> {
    tls::by_roots_of(file).map_err(|error| format!("can't read sslrootcert {}: {error}", file.display()))
}

pub(super) struct ToHost(TlsConnector, ServerName<'static>);

impl MakeTlsConnect<Socket> for Encrypted {
    type Stream = Stream;
    type TlsConnect = ToHost;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<ToHost, Self::Error> {
        Ok(ToHost(self.0.clone(), ServerName::try_from(host.to_owned())?))
    }
}

impl TlsConnect<Socket> for ToHost {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move { self.0.connect(self.1, socket).await.map(Stream) })
    }
}

pub(super) struct Stream(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Stream {
    // The certificate verifies the host, or nothing is to verify it.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, to)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, from)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
