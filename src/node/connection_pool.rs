//! Connections to the node that many wallets share.
//!
//! ```text
//! wallet ── Channel ─┐
//! wallet ── Channel ─┼─ SharedConnection ── the task that serves it ── connection ── node
//! wallet ── Channel ─┘
//! ```
//!
//! A connection is opened when there is none for a channel to be on, and closed when its last channel is
//! gone. The node streams one history at a time on a connection, so channels that stream at the same time are
//! on several.

use super::shared_connection::{ChannelId, Command, Message, SharedConnection};
use super::stats::{ConnectionCounter, ConnectionCounts};
use super::{CallError, Fault, FullNode, ListPart, NodeEvent, NodeSocket, Service};
use crate::ledger::Address;
use crate::rt;
use litemap::LiteMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Histories that are streamed at once, save for slow ones: a node works on one at a time, so more only make
/// for more connections.
const MOST_STREAMS: usize = 8;
/// Addresses of a connection that lets no more channels in: some 200 small wallets, so that a break is a
/// matter of few, and a wallet of many addresses is by itself.
const ENOUGH_ADDRESSES: usize = 5_000;
/// Events that are read at once before those who wait for them have their turn.
const READ_AT_ONCE: usize = 64;

/// A node's connections. Clones of a [`FullNode`] have the same.
pub(super) struct ConnectionPool {
    connections: Mutex<OpenConnections>,
    turns: Arc<Semaphore>,
}

#[derive(Default)]
struct OpenConnections {
    open: LiteMap<u64, SharedConnection>,
    last_id: u64,
    counter: ConnectionCounter,
}

/// One wallet's part of a connection to the node, which others may share: what it subscribes to and commands
/// for is told to it alone. It gives up its subscriptions when it is dropped.
///
/// After an error the channel is of no use any more; getting another one is its owner's job, as everything
/// may have happened in between.
pub struct Channel {
    channels: Arc<ConnectionPool>,
    connection: u64,
    id: ChannelId,
    messages: mpsc::Receiver<Message>,
    url: String,
}

impl Channel {
    /// A channel to `node`, for some `expected` addresses; on a connection of its own if it shall be alone.
    pub async fn open(node: &FullNode, alone: bool, expected: usize) -> Result<Self, CallError> {
        let mut channel = node.connections.clone().join(node, alone, expected);
        channel.connected().await?;
        Ok(channel)
    }

    /// Waits for its turn to ask for a stream. It may come to be on another connection, where it has
    /// subscribed to nothing.
    ///
    /// # Errors
    /// [`CallError`] if it has to be on another connection and that can't be made: the channel is of no use
    /// any more.
    pub async fn wait_to_stream(&mut self, node: &FullNode) -> Result<(), CallError> {
        let turn = self.channels.turns.clone().acquire_owned().await.expect("the semaphore is never closed");
        match self.channels.clone().claim(self, node, turn) {
            None => Ok(()),
            Some(channel) => {
                *self = channel;
                self.connected().await
            }
        }
    }

    /// Asks to be told of `address`; the answer is an event.
    pub fn subscribe(&mut self, address: &Address) {
        self.channels.with(self.connection, |connection| connection.subscribe(self.id, *address));
    }

    /// Asks for the whole history of an account, when it is the channel's turn: see
    /// [`NodeSocket::stream_history`] and [`Channel::wait_to_stream`].
    pub fn stream_history(&mut self, xpub: &str, first_index: u32, gap_limit: u32) {
        let xpub = xpub.to_owned();
        self.ask(move |socket| socket.stream_history(&xpub, first_index, gap_limit));
    }

    /// Asks for the whole history of addresses, when it is the channel's turn: see
    /// [`NodeSocket::stream_addresses`] and [`Channel::wait_to_stream`].
    pub fn stream_addresses(
        &mut self,
        first_index: u32,
        addresses: &[Address],
        gap_limit: u32,
        part: ListPart,
    ) {
        let addresses = addresses.to_vec();
        self.ask(move |socket| socket.stream_addresses(first_index, &addresses, gap_limit, part));
    }

    /// Tells the node which frame of a stream was the last one read, and how many more it may send: see
    /// [`NodeSocket::acknowledge`].
    pub fn acknowledge(&mut self, seq: u64, window: Option<u64>) {
        self.channels.with(self.connection, |connection| connection.acknowledge(self.id, seq, window));
    }

    /// Asks the node to stream no more, before the end of the channel's stream. What it has sent already
    /// still comes.
    pub fn stop_stream(&mut self) {
        self.channels.with(self.connection, |connection| connection.stop_stream(self.id));
    }

    /// The next event. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    /// [`CallError`] once its connection is broken, silent, or has brought a frame that can't be read.
    pub async fn recv(&mut self) -> Result<NodeEvent, CallError> {
        loop {
            match self.messages.recv().await {
                Some(Message::Event(event)) => return Ok(event),
                Some(Message::Connected) => {}
                Some(Message::Failed(failure)) => return Err(failure),
                None => return Err(self.cut_off()),
            }
        }
    }

    /// Waits until the connection stands.
    async fn connected(&mut self) -> Result<(), CallError> {
        match self.messages.recv().await {
            Some(Message::Failed(failure)) => Err(failure),
            Some(_) => Ok(()),
            None => Err(self.cut_off()),
        }
    }

    fn ask(&self, ask: impl FnOnce(&mut NodeSocket) + Send + 'static) {
        self.channels.with(self.connection, |connection| connection.ask(ask));
    }

    fn cut_off(&self) -> CallError {
        let fault = Fault::Broken("nobody listens to it any more".to_owned());
        CallError::new(Service::FullNode, self.url.clone(), fault)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        let mut connections = self.channels.connections();
        let Some(connection) = connections.open.get_mut(&self.connection) else { return };
        connection.leave(self.id);
        if connection.is_empty() {
            connections.open.remove(&self.connection);
        }
    }
}

impl ConnectionPool {
    pub(super) fn new() -> Self {
        Self { connections: Mutex::default(), turns: Arc::new(Semaphore::new(MOST_STREAMS)) }
    }

    /// What became of the connections so far.
    pub(super) fn counts(&self) -> ConnectionCounts {
        let connections = self.connections();
        let open = connections.open.values().filter(|connection| connection.is_connected()).count();
        connections.counter.counts(open)
    }

    fn connections(&self) -> MutexGuard<'_, OpenConnections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, connection: u64, act: impl FnOnce(&mut SharedConnection)) {
        if let Some(connection) = self.connections().open.get_mut(&connection) {
            act(connection);
        }
    }

    /// Puts a channel on the connection with the most room, or on a new one.
    fn join(self: Arc<Self>, node: &FullNode, alone: bool, expected: usize) -> Channel {
        let mut connections = self.connections();
        let connection = match connections.roomiest(expected, |_| !alone) {
            Some(connection) => connection,
            None => self.connect(&mut connections, node, alone),
        };
        self.put_on(&mut connections, connection, node, expected, None)
    }

    /// Gives a channel the right to stream where it is, or gives another channel that has it, where nothing
    /// streams.
    fn claim(
        self: Arc<Self>,
        channel: &Channel,
        node: &FullNode,
        turn: OwnedSemaphorePermit,
    ) -> Option<Channel> {
        let mut connections = self.connections();
        // If it is not there any more, the channel has been told so.
        let here = connections.open.get_mut(&channel.connection)?;
        if here.can_be_claimed() {
            here.claim(channel.id, turn);
            return None;
        }
        let expected = here.expected(channel.id);
        let connection = match connections.roomiest(expected, SharedConnection::can_be_claimed) {
            Some(connection) => connection,
            None => self.connect(&mut connections, node, false),
        };
        Some(self.put_on(&mut connections, connection, node, expected, Some(turn)))
    }

    fn put_on(
        self: &Arc<Self>,
        connections: &mut OpenConnections,
        connection: u64,
        node: &FullNode,
        expected: usize,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Channel {
        let id = connections.next_id();
        let shared =
            connections.open.get_mut(&connection).expect("connections are removed when their channels are");
        let messages = shared.join(id, expected);
        if let Some(turn) = turn {
            shared.claim(id, turn);
        }
        Channel { channels: self.clone(), connection, id, messages, url: node.socket_url().printable() }
    }

    fn connect(self: &Arc<Self>, connections: &mut OpenConnections, node: &FullNode, exclusive: bool) -> u64 {
        let (commands, asked) = mpsc::unbounded_channel();
        let connection = connections.next_id();
        connections.open.insert(connection, SharedConnection::new(commands, exclusive));
        let serving = Serving { channels: self.clone(), connection };
        rt::spawn(serving.run(node.clone(), asked));
        connection
    }
}

impl OpenConnections {
    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The connection with the most room, if some of those that will do have enough.
    fn roomiest(&self, expected: usize, will_do: impl Fn(&SharedConnection) -> bool) -> Option<u64> {
        let roomy = |connection: &SharedConnection| {
            connection.has_room(expected, ENOUGH_ADDRESSES) && will_do(connection)
        };
        let roomy = self.open.iter().filter(|(_, connection)| roomy(connection));
        roomy.min_by_key(|(_, connection)| connection.size()).map(|(id, _)| *id)
    }
}

/// A connection that is being served: when that ends, by a panic too, nobody waits for it any more.
struct Serving {
    channels: Arc<ConnectionPool>,
    connection: u64,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.take();
    }
}

impl Serving {
    async fn run(self, node: FullNode, asked: mpsc::UnboundedReceiver<Command>) {
        let count = |note: fn(&mut ConnectionCounter)| note(&mut self.channels.connections().counter);
        let served = match NodeSocket::connect(&node).await {
            Ok(socket) => {
                count(|counter| counter.made += 1);
                let served = self.serve(socket, asked).await;
                served.inspect_err(|_| count(|counter| counter.broken += 1))
            }
            Err(failure) => {
                count(|counter| counter.failed += 1);
                Err(failure)
            }
        };
        if let (Err(failure), Some(connection)) = (served, self.take()) {
            connection.failed(&failure);
        }
    }

    /// Until the last channel is gone.
    async fn serve(
        &self,
        mut socket: NodeSocket,
        mut asked: mpsc::UnboundedReceiver<Command>,
    ) -> Result<(), CallError> {
        self.channels.with(self.connection, SharedConnection::connected);
        let mut read = 0;
        loop {
            tokio::select! {
                ask = asked.recv() => match ask {
                    Some(ask) => {
                        ask(&mut socket);
                        // What comes together is written together.
                        while let Ok(ask) = asked.try_recv() {
                            ask(&mut socket);
                        }
                    }
                    None => break,
                },
                event = socket.recv() => {
                    let event = event?;
                    if let NodeEvent::BestHeight(height) = event {
                        self.channels.connections().counter.hear_height(height);
                    }
                    self.channels.with(self.connection, |connection| connection.hear(event));
                    read += 1;
                    if read % READ_AT_ONCE == 0 {
                        tokio::task::yield_now().await;
                    }
                }
            }
        }
        socket.close().await;
        Ok(())
    }

    fn take(&self) -> Option<SharedConnection> {
        self.channels.connections().open.remove(&self.connection)
    }
}
