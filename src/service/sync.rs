//! Following the node: connect, load, listen, and again after every broken connection.
//!
//! An address is subscribed to before its history is asked for, and facts apply idempotently, so that nothing that happens in
//! between is lost or counted twice. The wallet is ready only when every page or stream has come to its end and every subscription
//! stands. How the history is loaded is in `stream.rs` and `load.rs`.

use super::inner::Inner;
use super::progress::Loading;
use super::told::{Told, TooMuch};
use super::{Phase, Progress};
use crate::api::texts;
use crate::ledger::{Vertex, VertexId};
use crate::node::{Backoff, CallError, FullNode, Line, NodeEvent, SubscribeRefusal, SubscribeRefusalKind};
use crate::rt::{self, Instant};
use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;

/// Runs until it is aborted, or until something happened that waiting does not mend.
pub(super) async fn run(wallet: Arc<Inner>, mut mode: SyncMode) {
    let _fuse = Fuse(&wallet);
    let mut backoff = Backoff::reconnect();
    let mut company = Company::default();
    loop {
        match Session::run(&wallet, &mut backoff, mode, &mut company).await {
            Broken::Refused(refusal) if company.crowds_out(&refusal) => {
                tracing::info!("{refusal} From now on the wallet has a connection of its own");
                wallet.set_phase(Phase::Connecting, None);
                company.too_little_room = true;
                continue;
            }
            Broken::Refused(refusal) => return wallet.set_phase(Phase::Error, Some(problem_of(refusal))),
            Broken::Hopeless(problem) => return wallet.set_phase(Phase::Error, Some(problem)),
            Broken::Call(failure) => wallet.set_phase(Phase::Connecting, Some(failure.to_string())),
            Broken::Stream(failure) => {
                tracing::info!("{failure}: loading by pages from now on");
                mode = SyncMode::Pages;
                continue;
            }
        }
        let delay = backoff.next_delay();
        wallet.set_next_try(Some(rt::unix_seconds().saturating_add(delay.as_secs() as u32 + 1)));
        let _ = rt::timeout(delay, wallet.nudge.notified()).await;
        wallet.set_next_try(None);
    }
}

/// Whether a wallet can share a connection with others.
#[derive(Default)]
pub(super) struct Company {
    /// The others leave it too little of what the node grants one connection.
    too_little_room: bool,
    /// How often a connection broke since the wallet was ready. It may be what the wallet asks for that breaks it.
    broken_in_a_row: u32,
    /// Whether the node has told of something that is not known here.
    met_unknown: bool,
}

impl Company {
    /// Without the feature `native` nothing is shared anyway.
    fn is_alone(&self) -> bool {
        !cfg!(feature = "native") || self.too_little_room || self.broken_in_a_row > 1
    }

    /// Whether a refusal may be owing to the addresses of others.
    fn crowds_out(&self, refusal: &SubscribeRefusal) -> bool {
        !self.is_alone() && refusal.kind != SubscribeRefusalKind::Other
    }
}

/// Should following the node ever end by a panic, the wallet must not go on as if it were ready.
struct Fuse<'a>(&'a Inner);

impl Drop for Fuse<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let problem = "internal error while following the full node, which the log has the details of: stop the wallet and \
                           start it again";
            self.0.set_phase(Phase::Error, Some(problem.to_owned()));
        }
    }
}

/// How a wallet's history is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// In one stream over the WebSocket, where the node can; else by pages. The node derives the addresses from the wallet's xpub; it is
    /// told them where several keys make each, or an index limit says which there are.
    #[default]
    XpubStream,
    /// As [`Self::XpubStream`], of addresses that the node is told: it doesn't learn of those to come.
    ManualStream,
    /// Page by page over HTTP, for some addresses at a time.
    Pages,
}

impl SyncMode {
    /// The names of all, for the end of a sentence.
    pub const NAMES: &str = "polling_http_api, xpub_stream_ws or manual_stream_ws";
}

impl FromStr for SyncMode {
    type Err = ();
    /// By the names of the existing service.
    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "polling_http_api" => Ok(Self::Pages),
            "xpub_stream_ws" => Ok(Self::XpubStream),
            "manual_stream_ws" => Ok(Self::ManualStream),
            _ => Err(()),
        }
    }
}

/// Why a session ended.
pub(super) enum Broken {
    /// The node can't stream, or not to this wallet: pages may do better, over a fresh connection.
    Stream(String),
    /// A call failed; another session may do better.
    Call(CallError),
    /// The node doesn't watch one of the wallet's addresses on this connection.
    Refused(SubscribeRefusal),
    /// Another session would end the same way.
    Hopeless(String),
}

impl From<CallError> for Broken {
    fn from(failure: CallError) -> Self {
        Self::Call(failure)
    }
}

/// What the owner is told of a refusal that another connection would not mend.
fn problem_of(refusal: SubscribeRefusal) -> String {
    match refusal.kind {
        SubscribeRefusalKind::EmptyAddresses => texts::too_many_empty_addresses(&refusal.message),
        SubscribeRefusalKind::Addresses => texts::too_many_addresses(&refusal.message),
        SubscribeRefusalKind::Other => {
            format!("full node: refused to watch an address: {}", refusal.message)
        }
    }
}

/// A line to the node, and what was loaded over it.
pub(super) struct Session<'a> {
    pub(super) wallet: &'a Inner,
    pub(super) node: &'a FullNode,
    pub(super) line: Line,
    company: &'a mut Company,
    /// Addresses subscribed to and loaded: those below this index.
    pub(super) watched: u32,
    /// Subscriptions not yet answered.
    pub(super) unanswered: usize,
    /// Vertices told of while a history was being loaded: newer than its pages, so applied after them.
    pub(super) told: Told,
    /// What the node said it can do, once it has.
    pub(super) can_stream: Option<bool>,
    /// How fast the history is loaded, until it is.
    loading: Option<Loading>,
}

impl<'a> Session<'a> {
    async fn run(
        wallet: &'a Inner,
        backoff: &mut Backoff,
        mode: SyncMode,
        company: &'a mut Company,
    ) -> Broken {
        let Err(broken) = Self::follow(wallet, backoff, mode, company).await;
        broken
    }

    async fn follow(
        wallet: &'a Inner,
        backoff: &mut Backoff,
        mode: SyncMode,
        company: &'a mut Company,
    ) -> Result<std::convert::Infallible, Broken> {
        let node = &wallet.backend.node;
        let known = wallet.state().addresses_to_watch(0).len();
        let line = Line::open(node, company.is_alone(), known).await?;
        let loading = Some(Loading::begin(Instant::now(), known as u32, wallet.scan));
        let mut session = Self {
            wallet,
            node,
            line,
            company,
            watched: 0,
            unanswered: 0,
            told: Told::default(),
            can_stream: None,
            loading,
        };
        wallet.set_phase(Phase::Syncing, None);
        session.check_chain().await?;
        if session.resume().await? {
            session.load_pages(&mut HashSet::new()).await?;
        } else {
            session.load_whole(mode).await?;
        }
        wallet.set_phase(Phase::Processing, None);
        wallet.state().loaded();
        session.tell_loaded();
        wallet.set_ready();
        session.company.broken_in_a_row = 0;
        backoff.reset();
        loop {
            tokio::select! {
                event = session.line.recv() => session.take_next(event)?,
                () = wallet.nudge.notified() => {}
            }
            session.apply_told();
            session.load_pages(&mut HashSet::new()).await?;
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

    /// Notes whether the line broke. (Only a shared one is worth the code.)
    pub(super) fn heard(&mut self, next: Result<NodeEvent, CallError>) -> Result<NodeEvent, CallError> {
        if cfg!(feature = "native") && next.is_err() {
            self.company.broken_in_a_row += 1;
        }
        next
    }

    /// Takes what the line gave.
    pub(super) fn take_next(&mut self, next: Result<NodeEvent, CallError>) -> Result<(), Broken> {
        let event = self.heard(next)?;
        self.take(event)
    }

    pub(super) fn take(&mut self, event: NodeEvent) -> Result<(), Broken> {
        match event {
            NodeEvent::Vertex { vertex, .. } => {
                self.told.push(*vertex).map_err(|TooMuch| self.node.too_much_on_socket())?;
            }
            NodeEvent::BestHeight(height) => {
                self.wallet.apply(|state| state.set_best_height(height));
            }
            NodeEvent::Subscribed { .. } => self.unanswered = self.unanswered.saturating_sub(1),
            NodeEvent::SubscribeRefused { refusal, .. } => return Err(Broken::Refused(refusal)),
            NodeEvent::Capabilities { history_streaming } => self.can_stream = Some(history_streaming),
            NodeEvent::NewTransaction { .. } | NodeEvent::Stream(_) => {}
        }
        Ok(())
    }

    /// Tells that the history of the addresses below an index is read: in the status, and now and then in the log.
    pub(super) fn tell_progress(&mut self, read_below: u32) {
        let (all, transactions) = {
            let state = self.wallet.state();
            (state.addresses_to_watch(0), state.history_len())
        };
        let addresses = read_below.saturating_sub(all.start);
        let mut progress = Progress { addresses, transactions, estimated_end: None };
        if let Some(loading) = &mut self.loading {
            let (now, today) = (Instant::now(), rt::unix_seconds());
            let left = loading.seconds_left(addresses, all.len() as u32, now, today);
            progress.estimated_end = left.map(|seconds| today.saturating_add(seconds));
            if loading.is_worth_a_line(now) {
                let left = left.map(|seconds| format!(", ready in about {seconds} s")).unwrap_or_default();
                tracing::info!(
                    "loading: {addresses} addresses read, {transactions} transactions known{left}"
                );
            }
        }
        self.wallet.set_progress(progress);
    }

    /// The same, if it was not just told.
    pub(super) fn tell_progress_now_and_then(&mut self, read_below: u32) {
        let now = Instant::now();
        if self.loading.as_mut().is_none_or(|loading| loading.is_worth_telling(now)) {
            self.tell_progress(read_below);
        }
    }

    /// Says that everything is loaded.
    fn tell_loaded(&mut self) {
        let Some(loading) = self.loading.take() else { return };
        self.tell_progress(self.watched);
        let Progress { addresses, transactions, .. } = self.wallet.progress();
        let seconds = loading.took(Instant::now()).as_secs_f64();
        tracing::info!("ready after {seconds:.1} s: {addresses} addresses, {transactions} transactions");
    }

    pub(super) fn apply_told(&mut self) {
        for vertex in self.told.take() {
            self.note_unknown(&vertex);
            self.wallet.apply(|state| state.apply(vertex));
        }
    }

    /// Says in the log, once, that something is not known of the history.
    pub(super) fn note_unknown(&mut self, vertex: &Vertex) {
        if !self.company.met_unknown && vertex.has_unknown() {
            self.company.met_unknown = true;
            tracing::warn!(
                "the full node tells of inputs or outputs that this version does not know, first in transaction {}: they count as \
                 nothing, and balances may lack them",
                vertex.id
            );
        }
    }

    /// Applies a vertex of the history that is being loaded.
    pub(super) fn learn(&mut self, vertex: Vertex) {
        self.note_unknown(&vertex);
        let time = vertex.timestamp;
        let mut further = false;
        self.wallet.apply(|state| {
            let update = state.apply(vertex);
            further = update.changes.current_index.is_some();
            update
        });
        if further && let Some(loading) = &mut self.loading {
            loading.found(time);
        }
    }

    /// Asks for everything, whatever is known.
    async fn load_whole(&mut self, mode: SyncMode) -> Result<(), Broken> {
        let known: Vec<VertexId> = self.wallet.state().history().map(|vertex| vertex.id).collect();
        let mut seen = match mode {
            SyncMode::XpubStream | SyncMode::ManualStream => self.load_stream(mode).await?,
            SyncMode::Pages => HashSet::new(),
        };
        self.load_pages(&mut seen).await?;
        self.void_the_vanished(known, &seen).await
    }

    /// What the wallet knew before this session and the node no longer tells of (a reorganisation dropped it, say) moves nothing.
    async fn void_the_vanished(&self, known: Vec<VertexId>, seen: &HashSet<VertexId>) -> Result<(), Broken> {
        for id in known.into_iter().filter(|id| !seen.contains(id)) {
            if self.node.transaction(&id).await?.is_some_and(|status| !status.voided) {
                continue;
            }
            let Some(mut vertex) = self.wallet.state().vertex(&id) else { continue };
            vertex.voided = true;
            self.wallet.apply(|state| state.apply(vertex));
        }
        Ok(())
    }
}
