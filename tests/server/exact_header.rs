//! A listener whose connections show `X-Auth-Password` only where it is written so: the real swap service
//! minds the case, and a server of hyper's does not tell it.

use axum::serve::Listener;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

const WRITTEN: &[u8] = b"\r\nX-Auth-Password";
/// What the header is renamed to.
pub(super) const EXACT: &str = "x-auth-passwor*";

pub(super) struct ExactHeader(pub(super) TcpListener);

impl Listener for ExactHeader {
    type Io = Renaming;
    type Addr = SocketAddr;
    async fn accept(&mut self) -> (Renaming, SocketAddr) {
        let (stream, from) = self.0.accept().await.unwrap();
        (Renaming { stream, written: 0 }, from)
    }
    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

pub(super) struct Renaming {
    stream: TcpStream,
    /// How much of [`WRITTEN`] was read last: it may come in pieces.
    written: usize,
}

impl AsyncRead for Renaming {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, into))?;
        for byte in &mut into.filled_mut()[before..] {
            self.written = match *byte {
                byte if byte == WRITTEN[self.written] => self.written + 1,
                byte => usize::from(byte == WRITTEN[0]),
            };
            if self.written == WRITTEN.len() {
                (*byte, self.written) = (b'*', 0);
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Renaming {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
