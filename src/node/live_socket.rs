//! A WebSocket that keeps itself alive as wallet-lib's do, by pings in JSON: full nodes and swap services
//! answer the same.

use super::{CallError, Fault, Service};
use crate::net::{HttpClient, Url, WebSocket};
use crate::rt::{self, Instant};
use std::ops::Deref;
use std::time::Duration;

/// A ping goes out when none did for this long.
const PING_EVERY: Duration = Duration::from_secs(3);
/// The connection is dead if nothing came for this long after a ping.
const PONG_LIMIT: Duration = Duration::from_secs(5);
/// How long a connection is still listened to when its owner comes back to it late: what has come is read
/// before the clock is believed.
const GRACE: Duration = Duration::from_millis(250);

/// A connection that says when it is dead. Whoever owns it must keep calling [`LiveSocket::recv`]: that is
/// also what writes frames and pings.
pub(super) struct LiveSocket {
    socket: WebSocket,
    service: Service,
    url: String,
    ping_every: Duration,
    pong_limit: Duration,
    next_ping: Instant,
    /// When the connection counts as dead, while a ping is unanswered.
    dead_at: Option<Instant>,
    /// When its owner last came to listen.
    attended: Instant,
}

impl LiveSocket {
    /// Connects to a service. A frame of more than `max_frame` bytes ends the connection, where that is known
    /// before it is read.
    ///
    /// # Errors
    /// [`CallError`] if the service can't be reached, does not take the WebSocket, or needs longer than
    /// `limit`.
    pub(super) async fn connect(
        service: Service,
        client: &HttpClient,
        url: &Url,
        limit: Duration,
        max_frame: Option<usize>,
    ) -> Result<Self, CallError> {
        let printable = url.printable();
        match WebSocket::connect_within(client, url, limit, max_frame).await {
            Ok(socket) => Ok(Self {
                socket,
                service,
                url: printable,
                ping_every: PING_EVERY,
                pong_limit: PONG_LIMIT,
                next_ping: Instant::now() + PING_EVERY,
                dead_at: None,
                attended: Instant::now(),
            }),
            Err(failure) => Err(CallError::new(service, printable, failure)),
        }
    }

    pub(super) fn with_keep_alive(mut self, ping_every: Duration, pong_limit: Duration) -> Self {
        (self.ping_every, self.pong_limit) = (ping_every, pong_limit);
        self.next_ping = Instant::now() + ping_every;
        self
    }

    pub(super) fn send(&mut self, text: String) {
        self.socket.send(text);
    }

    /// The next frame. After an error the connection is of no use any more. Nothing is lost when the future
    /// is dropped.
    ///
    /// # Errors
    /// [`Fault::Broken`] if the connection ends, [`Fault::TimedOut`] if a ping has no answer.
    pub(super) async fn recv(&mut self) -> Result<impl Deref<Target = str> + use<>, CallError> {
        let now = Instant::now();
        if now.saturating_duration_since(self.attended) > GRACE {
            self.dead_at = self.dead_at.map(|dead_at| dead_at.max(now + GRACE));
        }
        self.attended = now;
        loop {
            let wake_at = self.dead_at.unwrap_or(self.next_ping);
            let wait = wake_at.saturating_duration_since(Instant::now());
            let text = match rt::timeout(wait, self.socket.recv()).await {
                Ok(Some(Ok(text))) => text,
                Ok(Some(Err(failure))) => return Err(self.error(failure)),
                Ok(None) => {
                    return Err(self.error(Fault::Broken(format!("closed by the {}", self.other_side()))));
                }
                Err(rt::Elapsed) if self.dead_at.is_some() => {
                    return Err(self.error(Fault::TimedOut(self.pong_limit)));
                }
                Err(rt::Elapsed) => {
                    self.socket.send(r#"{"type":"ping"}"#.to_owned());
                    self.dead_at = Some(Instant::now() + self.pong_limit);
                    continue;
                }
            };
            if self.dead_at.take().is_some() {
                self.next_ping = Instant::now() + self.ping_every;
            }
            return Ok(text);
        }
    }

    /// Ends the connection politely.
    pub(super) async fn close(self) {
        self.socket.close().await;
    }

    pub(super) fn error(&self, fault: impl Into<Fault>) -> CallError {
        CallError::new(self.service, self.url.clone(), fault)
    }

    const fn other_side(&self) -> &'static str {
        match self.service {
            Service::FullNode => "node",
            Service::MiningService | Service::SwapService => "service",
        }
    }
}
