//! Connections to the node that many wallets share.
//!
//! ```text
//! wallet ── Line ─┐                                          ┌─ connection ── node
//! wallet ── Line ─┼─ Switchboard ── the task that serves it ─┘
//! wallet ── Line ─┘
//! ```
//!
//! A connection is opened when there is none for a line to be on, and closed when its last line is gone. The node streams one history
//! at a time on a connection, so lines that stream at the same time are on several.

use super::switchboard::{Ask, LineId, News, Switchboard};
use super::{CallError, Fault, FullNode, ListPart, NodeEvent, NodeSocket, Service};
use crate::ledger::Address;
use crate::rt;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Histories that are streamed at once, save for slow ones: a node works on one at a time, so more only make for more connections.
const MOST_STREAMS: usize = 8;
/// Addresses of a connection that lets no more lines in: some 200 small wallets, so that a break is a matter of few, and a wallet of
/// many addresses is by itself.
const ENOUGH_ADDRESSES: usize = 5_000;
/// Events that are read at once before those who wait for them have their turn.
const READ_AT_ONCE: usize = 64;

/// A node's connections. Clones of a [`FullNode`] have the same.
pub(super) struct Lines {
    boards: Mutex<Boards>,
    turns: Arc<Semaphore>,
}

#[derive(Default)]
struct Boards {
    open: BTreeMap<u64, Switchboard>,
    last_id: u64,
}

/// One wallet's part of a connection to the node, which others may share: what it subscribes to and asks for is told to it alone. It
/// gives up its subscriptions when it is dropped.
///
/// After an error the line is of no use any more; getting another one is its owner's job, as everything may have happened in between.
pub struct Line {
    lines: Arc<Lines>,
    board: u64,
    id: LineId,
    news: mpsc::Receiver<News>,
    /// For error texts.
    url: String,
}

impl Line {
    /// A line to `node`, for some `expected` addresses; on a connection of its own if it shall be alone.
    pub async fn open(node: &FullNode, alone: bool, expected: usize) -> Result<Self, CallError> {
        let mut line = node.lines.clone().join(node, alone, expected);
        line.connected().await?;
        Ok(line)
    }

    /// Waits for its turn to ask for a stream. It may come to be on another connection, where it has subscribed to nothing.
    pub async fn wait_to_stream(&mut self, node: &FullNode) -> Result<(), CallError> {
        let turn = self.lines.turns.clone().acquire_owned().await.expect("the semaphore is never closed");
        match self.lines.clone().claim(self, node, turn) {
            None => Ok(()),
            Some(line) => {
                *self = line;
                self.connected().await
            }
        }
    }

    /// As [`NodeSocket::subscribe`].
    pub fn subscribe(&mut self, address: &Address) {
        self.lines.with(self.board, |board| board.subscribe(self.id, *address));
    }

    /// As [`NodeSocket::stream_history`], after [`Line::wait_to_stream`].
    pub fn stream_history(&mut self, xpub: &str, first_index: u32, gap_limit: u32) {
        let xpub = xpub.to_owned();
        self.ask(move |socket| socket.stream_history(&xpub, first_index, gap_limit));
    }

    /// As [`NodeSocket::stream_addresses`], after [`Line::wait_to_stream`].
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

    /// As [`NodeSocket::acknowledge`].
    pub fn acknowledge(&mut self, seq: u64, window: Option<u64>) {
        self.lines.with(self.board, |board| board.acknowledge(self.id, seq, window));
    }

    /// The next event. Nothing is lost when the future is dropped.
    pub async fn recv(&mut self) -> Result<NodeEvent, CallError> {
        loop {
            match self.news.recv().await {
                Some(News::Event(event)) => return Ok(event),
                Some(News::Connected) => {}
                Some(News::Failed(failure)) => return Err(failure),
                None => return Err(self.cut_off()),
            }
        }
    }

    /// Waits until the connection stands.
    async fn connected(&mut self) -> Result<(), CallError> {
        match self.news.recv().await {
            Some(News::Failed(failure)) => Err(failure),
            Some(_) => Ok(()),
            None => Err(self.cut_off()),
        }
    }

    fn ask(&self, ask: impl FnOnce(&mut NodeSocket) + Send + 'static) {
        self.lines.with(self.board, |board| board.ask(ask));
    }

    fn cut_off(&self) -> CallError {
        let fault = Fault::Broken("nobody listens to it any more".to_owned());
        CallError::new(Service::FullNode, self.url.clone(), fault)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let mut boards = self.lines.boards();
        let Some(board) = boards.open.get_mut(&self.board) else { return };
        board.leave(self.id);
        if board.is_empty() {
            boards.open.remove(&self.board);
        }
    }
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { boards: Mutex::default(), turns: Arc::new(Semaphore::new(MOST_STREAMS)) }
    }

    fn boards(&self) -> MutexGuard<'_, Boards> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, board: u64, act: impl FnOnce(&mut Switchboard)) {
        if let Some(board) = self.boards().open.get_mut(&board) {
            act(board);
        }
    }

    /// Puts a line on the connection with the most room, or on a new one.
    fn join(self: Arc<Self>, node: &FullNode, alone: bool, expected: usize) -> Line {
        let mut boards = self.boards();
        let board = match boards.roomiest(expected, |_| !alone) {
            Some(board) => board,
            None => self.connect(&mut boards, node, alone),
        };
        self.put_on(&mut boards, board, node, expected, None)
    }

    /// Gives a line the right to stream where it is, or gives another line that has it, where nothing streams.
    fn claim(self: Arc<Self>, line: &Line, node: &FullNode, turn: OwnedSemaphorePermit) -> Option<Line> {
        let mut boards = self.boards();
        // If it is not there any more, the line has been told so.
        let here = boards.open.get_mut(&line.board)?;
        if here.can_be_claimed() {
            here.claim(line.id, turn);
            return None;
        }
        let expected = here.expected(line.id);
        let board = match boards.roomiest(expected, Switchboard::can_be_claimed) {
            Some(board) => board,
            None => self.connect(&mut boards, node, false),
        };
        Some(self.put_on(&mut boards, board, node, expected, Some(turn)))
    }

    fn put_on(
        self: &Arc<Self>,
        boards: &mut Boards,
        board: u64,
        node: &FullNode,
        expected: usize,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Line {
        let id = boards.next_id();
        let switchboard = boards.open.get_mut(&board).expect("boards are removed when their lines are");
        let news = switchboard.join(id, expected);
        if let Some(turn) = turn {
            switchboard.claim(id, turn);
        }
        Line { lines: self.clone(), board, id, news, url: node.socket_url().printable() }
    }

    fn connect(self: &Arc<Self>, boards: &mut Boards, node: &FullNode, exclusive: bool) -> u64 {
        let (asks, asked) = mpsc::unbounded_channel();
        let board = boards.next_id();
        boards.open.insert(board, Switchboard::new(asks, exclusive));
        let serving = Serving { lines: self.clone(), board };
        rt::spawn(serving.run(node.clone(), asked));
        board
    }
}

impl Boards {
    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The connection with the most room, if some of those that will do have enough.
    fn roomiest(&self, expected: usize, will_do: impl Fn(&Switchboard) -> bool) -> Option<u64> {
        let roomy = |board: &Switchboard| board.has_room(expected, ENOUGH_ADDRESSES) && will_do(board);
        let roomy = self.open.iter().filter(|(_, board)| roomy(board));
        roomy.min_by_key(|(_, board)| board.size()).map(|(id, _)| *id)
    }
}

/// A connection that is being served: when that ends, by a panic too, nobody waits for it any more.
struct Serving {
    lines: Arc<Lines>,
    board: u64,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.take();
    }
}

impl Serving {
    async fn run(self, node: FullNode, asked: mpsc::UnboundedReceiver<Ask>) {
        let served = match NodeSocket::connect(&node).await {
            Ok(socket) => self.serve(socket, asked).await,
            Err(failure) => Err(failure),
        };
        if let (Err(failure), Some(board)) = (served, self.take()) {
            board.failed(&failure);
        }
    }

    /// Until the last line is gone.
    async fn serve(
        &self,
        mut socket: NodeSocket,
        mut asked: mpsc::UnboundedReceiver<Ask>,
    ) -> Result<(), CallError> {
        self.lines.with(self.board, Switchboard::connected);
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
                    self.lines.with(self.board, |board| board.hear(event));
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

    fn take(&self) -> Option<Switchboard> {
        self.lines.boards().open.remove(&self.board)
    }
}
