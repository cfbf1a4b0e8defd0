//! Brings what happens on the ledger to every open WebSocket.

use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Events that may wait for one connection. One that reads slower than this is dropped, as a full node would.
const BACKLOG: usize = 16_384;

/// Most connections at a time.
const MOST_CONNECTIONS: usize = 4_096;

/// Something that connections are told.
#[derive(Clone, Debug)]
pub(super) enum Notice {
    /** A whole frame, for every connection. */
    Everyone(Arc<str>),
    /** A vertex's JSON, for the connections that watch one of these addresses. */
    Watchers { addresses: Arc<[String]>, vertex: Arc<str> },
}

#[derive(Default)]
pub(super) struct Hub(Mutex<Vec<mpsc::Sender<Notice>>>);

impl Hub {
    fn connections(&self) -> std::sync::MutexGuard<'_, Vec<mpsc::Sender<Notice>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection's notices, if there is room for it. They end when the connection has to be dropped.
    pub(super) fn join(&self) -> Option<mpsc::Receiver<Notice>> {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let mut connections = self.connections();
        if connections.len() >= MOST_CONNECTIONS {
            connections.retain(|connection| !connection.is_closed());
        }
        (connections.len() < MOST_CONNECTIONS).then(|| {
            connections.push(sender);
            receiver
        })
    }

    pub(super) fn publish(&self, notice: &Notice) {
        self.connections().retain(|connection| connection.try_send(notice.clone()).is_ok());
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.connections().iter().filter(|connection| !connection.is_closed()).count()
    }

    pub(super) fn drop_all(&self) {
        self.connections().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_have_a_number_and_make_room_when_they_end() {
        let hub = Hub::default();
        let mut all: Vec<_> = (0..MOST_CONNECTIONS).map(|_| hub.join().expect("room")).collect();
        assert!(hub.join().is_none());
        all.pop();
        assert!(hub.join().is_some());
    }
}
