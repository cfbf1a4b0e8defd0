//! Following the node: connect, load, listen, and again after every broken connection.
//!
//! An address is subscribed to before its history is asked for, and facts apply idempotently, so that nothing that happens in
//! between is lost or counted twice. The wallet is ready only when every page was read to its end and every subscription stands.

use super::Phase;
use super::running::Inner;
use crate::api::texts;
use crate::ledger::{Address, Vertex, VertexId};
use crate::node::{
    Backoff, CallError, FullNode, HistoryPages, NodeEvent, NodeSocket, SubscribeRefusal, SubscribeRefusalKind,
};
use crate::rt;
use std::collections::HashSet;
use std::sync::Arc;

/// Runs until it is aborted, or until something happened that waiting does not mend.
pub(super) async fn run(wallet: Arc<Inner>) {
    let mut backoff = Backoff::reconnect();
    loop {
        match Session::run(&wallet, &mut backoff).await {
            Broken::Hopeless(problem) => return wallet.set_phase(Phase::Error, Some(problem)),
            Broken::Call(failure) => wallet.set_phase(Phase::Connecting, Some(failure.to_string())),
        }
        rt::sleep(backoff.next_delay()).await;
    }
}

/// Why a session ended.
enum Broken {
    /// A call failed; another session may do better.
    Call(CallError),
    /// Another session would end the same way.
    Hopeless(String),
}

impl From<CallError> for Broken {
    fn from(failure: CallError) -> Self {
        Self::Call(failure)
    }
}

impl From<SubscribeRefusal> for Broken {
    fn from(refusal: SubscribeRefusal) -> Self {
        Self::Hopeless(match refusal.kind {
            SubscribeRefusalKind::EmptyAddresses => texts::too_many_empty_addresses(&refusal.message),
            SubscribeRefusalKind::Addresses => texts::too_many_addresses(&refusal.message),
            SubscribeRefusalKind::Other => {
                format!("full node: refused to watch an address: {}", refusal.message)
            }
        })
    }
}

/// One connection to the node, and what was loaded over it.
struct Session<'a> {
    wallet: &'a Inner,
    node: &'a FullNode,
    socket: NodeSocket,
    /// Addresses subscribed to and loaded: those below this index.
    watched: u32,
    /// Subscriptions not yet answered.
    unanswered: usize,
    /// Vertices told of while a history was being loaded: newer than its pages, so applied after them.
    told: Vec<Vertex>,
}

impl<'a> Session<'a> {
    async fn run(wallet: &'a Inner, backoff: &mut Backoff) -> Broken {
        let Err(broken) = Self::follow(wallet, backoff).await;
        broken
    }

    async fn follow(wallet: &'a Inner, backoff: &mut Backoff) -> Result<std::convert::Infallible, Broken> {
        let node = &wallet.backend.node;
        let socket = NodeSocket::connect(node).await?;
        let mut session = Self { wallet, node, socket, watched: 0, unanswered: 0, told: Vec::new() };
        wallet.set_phase(Phase::Syncing, None);
        session.check_chain().await?;
        let known: Vec<VertexId> = wallet.state().history().map(|vertex| vertex.id).collect();
        let seen = session.load().await?;
        session.void_the_vanished(known, &seen).await?;
        wallet.set_phase(Phase::Processing, None);
        wallet.state().loaded();
        wallet.set_phase(Phase::Ready, None);
        backoff.reset();
        loop {
            let event = session.socket.recv().await?;
            session.take(event)?;
            session.apply_told();
            session.load().await?;
        }
    }

    /// A node that was replaced by one of another chain would make the history kept so far a lie.
    async fn check_chain(&mut self) -> Result<(), Broken> {
        let then = &self.wallet.version;
        let now = self.node.version().await?;
        if now.genesis_block != then.genesis_block || now.network != then.network {
            return Err(Broken::Hopeless(format!(
                "full node: it is now on another chain (network {}) than at this wallet's start (network {}): check `server`, \
                 then stop the wallet and start it again",
                now.network, then.network
            )));
        }
        let height = self.node.best_height().await?;
        self.wallet.apply(|state| state.set_best_height(height));
        Ok(())
    }

    /// Subscribes to and loads every address that the gap limit asks for. Gives the vertices it came across.
    async fn load(&mut self) -> Result<HashSet<VertexId>, Broken> {
        let mut seen = HashSet::new();
        loop {
            let range = self.wallet.state().addresses_to_watch(self.watched);
            if range.is_empty() {
                return Ok(seen);
            }
            let addresses: Vec<Address> = {
                let state = self.wallet.state();
                range.clone().filter_map(|index| state.address(index)).collect()
            };
            for address in &addresses {
                self.socket.subscribe(address);
            }
            self.unanswered += addresses.len();
            let mut pages = self.node.history(addresses);
            while let Some(page) = self.next_page(&mut pages).await? {
                for vertex in page {
                    seen.insert(vertex.id);
                    self.wallet.apply(|state| state.apply(vertex));
                }
                self.wallet.set_progress(range.start);
            }
            while self.unanswered > 0 {
                let event = self.socket.recv().await?;
                self.take(event)?;
            }
            self.watched = range.end;
            seen.extend(self.told.iter().map(|vertex| vertex.id));
            self.apply_told();
            self.wallet.set_progress(self.watched);
        }
    }

    /// The next page, while the socket is being served.
    async fn next_page(&mut self, pages: &mut HistoryPages) -> Result<Option<Vec<Vertex>>, Broken> {
        let mut page = std::pin::pin!(pages.next());
        loop {
            tokio::select! {
                page = &mut page => return Ok(page?),
                event = self.socket.recv() => self.take(event?)?,
            }
        }
    }

    fn take(&mut self, event: NodeEvent) -> Result<(), Broken> {
        match event {
            NodeEvent::Vertex { vertex, .. } => self.told.push(*vertex),
            NodeEvent::BestHeight(height) => {
                self.wallet.apply(|state| state.set_best_height(height));
            }
            NodeEvent::Subscribed { .. } => self.unanswered = self.unanswered.saturating_sub(1),
            NodeEvent::SubscribeRefused { refusal, .. } => return Err(refusal.into()),
            NodeEvent::Capabilities { .. } | NodeEvent::NewTransaction { .. } => {}
        }
        Ok(())
    }

    fn apply_told(&mut self) {
        for vertex in self.told.drain(..) {
            self.wallet.apply(|state| state.apply(vertex));
        }
    }

    /// What the wallet knew before this session and the node no longer tells of (a reorganisation dropped it, say) moves nothing.
    async fn void_the_vanished(&self, known: Vec<VertexId>, seen: &HashSet<VertexId>) -> Result<(), Broken> {
        for id in known.into_iter().filter(|id| !seen.contains(id)) {
            if self.node.transaction(&id).await?.is_some() {
                continue;
            }
            let Some(mut vertex) = self.wallet.state().vertex(&id) else { continue };
            vertex.voided = true;
            self.wallet.apply(|state| state.apply(vertex));
        }
        Ok(())
    }
}
