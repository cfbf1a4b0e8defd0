//! A connection to the node, the histories loaded over it, and its notifications.

use super::pending::{Pending, TooMuch};
use super::{Memory, SyncEnd};
use crate::ledger::{Address, Vertex, VertexId};
use crate::node::{CallError, Channel, FullNode, NodeEvent};
use crate::rt::{self, Instant};
use crate::service::account::RunningAccount;
use crate::service::status::Loading;
use crate::service::status::Progress;
use crate::wallet::Event;
use std::sync::Arc;
use std::time::Duration;

/// How long the node may take to state its capabilities.
const FIRST_FRAME_LIMIT: Duration = Duration::from_secs(5);

pub(super) struct Connection<'a> {
    pub(super) wallet: &'a RunningAccount,
    pub(super) node: FullNode,
    pub(super) line: Channel,
    /// The number of addresses subscribed and loaded, in the order of derivation.
    pub(super) watched: u32,
    /// Indexes below `watched` that are not subscribed: only failed wallet ids use them.
    pub(super) left_out: Vec<u32>,
    pub(super) memory: &'a mut Memory,
    unanswered: usize,
    /// Notifications during a load: newer than its pages, so applied after them.
    pending: Pending,
    /// `None` until the node has stated it.
    can_stream: Option<bool>,
    /// `None` once the history is loaded.
    loading: Option<Loading>,
}

impl<'a> Connection<'a> {
    pub(super) async fn open(wallet: &'a RunningAccount, memory: &'a mut Memory) -> Result<Self, SyncEnd> {
        let node = wallet.loader();
        let (known, scan) = {
            let state = wallet.state.read();
            (state.addresses().len(), state.as_one())
        };
        let line = Channel::open(&node, memory.is_alone(), known).await?;
        let loading = Some(Loading::begin(Instant::now(), known as u32, scan));
        Ok(Self {
            wallet,
            node,
            line,
            watched: 0,
            left_out: Vec::new(),
            memory,
            unanswered: 0,
            pending: Pending::default(),
            can_stream: None,
            loading,
        })
    }

    /// The next event, to be processed unless the caller waits for it. Cancel safe.
    pub(super) async fn recv(&mut self) -> Result<NodeEvent, SyncEnd> {
        let next = self.line.recv().await;
        next.map_err(|failure| self.broken(failure))
    }

    fn broken(&mut self, failure: CallError) -> SyncEnd {
        self.memory.broken_in_a_row += 1;
        failure.into()
    }

    pub(super) fn was_ready(&mut self) {
        self.memory.broken_in_a_row = 0;
    }

    pub(super) fn take(&mut self, event: NodeEvent) -> Result<(), SyncEnd> {
        match event {
            NodeEvent::Vertex { vertex, .. } => {
                self.pending.push(vertex).map_err(|TooMuch| self.node.too_much_on_socket())?;
            }
            NodeEvent::BestHeight(height) => {
                self.wallet.state.apply(|state| state.set_best_height(height));
            }
            NodeEvent::Subscribed { .. } => self.unanswered = self.unanswered.saturating_sub(1),
            NodeEvent::SubscribeRefused { address, refusal } => {
                return Err(SyncEnd::Refused(address, refusal));
            }
            NodeEvent::Capabilities { history_streaming } => self.can_stream = Some(history_streaming),
            NodeEvent::NewTransaction { .. } | NodeEvent::Stream(_) => {}
        }
        Ok(())
    }

    async fn take_next(&mut self) -> Result<(), SyncEnd> {
        let event = self.recv().await?;
        self.take(event)
    }

    /// Subscribes to addresses. The node notifies of all that happens on them once this returns, so that
    /// nothing falls between a history and the first event.
    pub(super) async fn subscribe(&mut self, addresses: &[Address]) -> Result<(), SyncEnd> {
        addresses.iter().for_each(|address| self.line.subscribe(address));
        self.unanswered += addresses.len();
        while self.unanswered > 0 {
            let (node, before) = (self.node.clone(), self.unanswered);
            let answer = async {
                while self.unanswered == before {
                    self.take_next().await?;
                }
                Ok::<_, SyncEnd>(())
            };
            // The connection may work, and the node not answer.
            match rt::timeout(node.read_limit(), answer).await {
                Ok(answered) => answered?,
                Err(rt::Elapsed) => return Err(self.broken(node.no_answer_on_socket())),
            }
        }
        Ok(())
    }

    pub(super) async fn beside_events<T>(&mut self, work: impl Future<Output = T>) -> Result<T, SyncEnd> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                event = self.recv() => self.take(event?)?,
            }
        }
    }

    /// The node states it in its first frame.
    pub(super) async fn can_stream(&mut self) -> Result<bool, SyncEnd> {
        let said = async {
            while self.can_stream.is_none() {
                self.take_next().await?;
            }
            Ok(())
        };
        match rt::timeout(FIRST_FRAME_LIMIT, said).await {
            Ok(said) => said.map(|()| self.can_stream.unwrap_or(false)),
            Err(rt::Elapsed) => Ok(false),
        }
    }

    /// Waits until a stream may be requested. This may be on a new connection, which repeats no notifications
    /// of this one.
    pub(super) async fn wait_to_stream(&mut self) -> Result<(), SyncEnd> {
        #[cfg(feature = "native")]
        {
            self.apply_pending();
            self.line.wait_to_stream(&self.node).await?;
        }
        Ok(())
    }

    /// Requests no more streams, here and on later connections.
    pub(super) fn leave_stream(&mut self) {
        tracing::debug!("most of what the full node streams has come before: loading by pages");
        self.memory.repeats = true;
        self.line.stop_stream();
    }

    /// Applies the notifications received during a load. Returns their ids.
    pub(super) fn apply_pending(&mut self) -> Vec<VertexId> {
        let pending = self.pending.take();
        let ids = pending.iter().map(|vertex| vertex.id).collect();
        for vertex in pending {
            self.note_unknown(&vertex);
            let (id, mut is_news) = (vertex.id, false);
            self.wallet.state.apply(|state| {
                let update = state.apply(Arc::unwrap_or_clone(vertex));
                is_news = update.events.iter().any(Event::is_of_vertex);
                update
            });
            if !is_news {
                self.wallet.state.notify_repeated(id);
            }
        }
        self.pending.take_repeated().into_iter().for_each(|id| self.wallet.state.notify_repeated(id));
        ids
    }

    /// Applies a vertex of a requested history.
    pub(super) fn apply(&mut self, vertex: Vertex) {
        self.pending.may_differ();
        self.note_unknown(&vertex);
        self.wallet.state.apply(|state| state.apply(vertex));
    }

    /// Applies a vertex of the whole history.
    pub(super) fn apply_loaded(&mut self, vertex: Vertex) {
        self.pending.may_differ();
        self.note_unknown(&vertex);
        let time = vertex.timestamp;
        let mut further = false;
        self.wallet.state.apply(|state| {
            let before = state.current_index();
            let update = state.apply(vertex);
            further = state.current_index() > before;
            update
        });
        if further && let Some(loading) = &mut self.loading {
            loading.found(time);
        }
    }

    /// Logs once that a part of the history is of an unknown kind.
    fn note_unknown(&mut self, vertex: &Vertex) {
        if !self.memory.met_unknown && vertex.has_unknown() {
            self.memory.met_unknown = true;
            tracing::warn!(
                "the full node tells of inputs or outputs that this version does not know, first in transaction {}: they count as \
                 nothing, and balances may lack them",
                vertex.id
            );
        }
    }

    /// Reports the number of loaded addresses in the status, and sometimes in the log.
    pub(super) fn report_progress(&mut self, addresses: u32) {
        let (all, transactions) = {
            let state = self.wallet.state.read();
            (state.addresses().len() as u32, state.history_len())
        };
        let mut progress = Progress { addresses, transactions, estimated_end: None };
        if let Some(loading) = &mut self.loading {
            let (now, today) = (Instant::now(), rt::unix_seconds());
            let left = loading.seconds_left(addresses, all, now, today);
            progress.estimated_end = left.map(|seconds| today.saturating_add(seconds));
            if loading.is_log_due(now) {
                let left = left.map(|seconds| format!(", ready in about {seconds} s")).unwrap_or_default();
                tracing::info!(
                    "loading: {addresses} addresses read, {transactions} transactions known{left}"
                );
            }
        }
        self.wallet.set_progress(progress);
    }

    /// Unless it was reported within the last 100 ms.
    pub(super) fn report_progress_if_due(&mut self, addresses: u32) {
        let now = Instant::now();
        if self.loading.as_mut().is_none_or(|loading| loading.is_report_due(now)) {
            self.report_progress(addresses);
        }
    }

    pub(super) fn report_loaded(&mut self) {
        let Some(loading) = self.loading.take() else { return };
        self.report_progress(self.watched);
        let Progress { addresses, transactions, .. } = self.wallet.progress();
        let seconds = loading.took(Instant::now()).as_secs_f64();
        tracing::info!(addresses, transactions, "ready after {seconds:.1} s");
    }
}
