//! The events of each wallet, kept for a while and numbered, so that a listener that was cut off can go on
//! where it was.

use super::App;
use super::approvals::News;
use super::outbox::{self, Heard, Next, Reader};
use crate::api::{Compat, EventAnswer, EventBalance, EventBody, HistoryEntry};
use crate::ledger::{Network, Vertex, VertexId};
use crate::node::SwapNews;
use crate::rt;
use crate::service::{Phase, Progress, Status, Wallet};
use crate::store::EventRecord;
use crate::wallet::Event;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

/// Events kept of each wallet.
const KEPT: usize = 2_048;
/// How many of the events in the store are kept here as well, so that not each listener asks the store for
/// them.
const RECENT: usize = 32;
/// How long a listener waits for a journal to begin.
const BEGIN_LIMIT: Duration = Duration::from_secs(5);

/// One wallet's events. What they say of a transaction is looked up when they are told.
pub(super) struct Journal {
    wallet_id: String,
    wallet: Wallet,
    /// Tells this journal's numbers from those of one before it.
    epoch: String,
    /// Each with what was heard by then of the events that are kept in the store.
    notes: Mutex<VecDeque<(JournalEntry, Heard)>>,
    /// What was heard of those so far.
    heard: Mutex<Heard>,
    /// The last ones of those, oldest first.
    recent: Mutex<VecDeque<EventRecord>>,
    /// How many there were so far.
    count: watch::Sender<u64>,
    /// Whether everything that happens is noted from now on.
    has_begun: watch::Sender<bool>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum JournalEntry {
    State(Phase),
    Node(u8),
    Loading(Progress),
    New(VertexId),
    Updated(VertexId),
    /// The node told of it again, as it is.
    Repeated(VertexId),
    BestBlock(u32),
    Swap(SwapNews),
    /// What becomes of what waits for approval.
    Approval(String, &'static str),
    /// The hash of the audit log's last line.
    AuditHead(String),
    /// The one of a number among those that are kept in the store.
    Kept(u64),
    Missed(Option<u64>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// `GET /wallet/events`.
    Clients,
    /// The plugins, which are those of hathor-wallet-headless.
    Plugins,
}

impl JournalEntry {
    /// Whether nothing comes after it.
    pub fn is_end(&self) -> bool {
        *self == Self::State(Phase::Closed)
    }
    /// Whether `audience` is told of it.
    pub fn is_for(&self, audience: Audience, compat: Compat) -> bool {
        match (audience, compat.tells_plugins_as_0_39()) {
            (Audience::Plugins, true) => {
                !matches!(self, Self::Swap(_) | Self::Approval(..) | Self::AuditHead(_) | Self::Kept(_))
            }
            _ => !matches!(self, Self::Repeated(_)),
        }
    }
}

impl Journal {
    /// Begins to keep the events of a wallet, until it is stopped.
    pub fn begin(app: &App, wallet_id: &str, wallet: &Wallet) -> Arc<Self> {
        let journal = Arc::new(Self {
            wallet_id: wallet_id.to_owned(),
            wallet: wallet.unguarded(),
            epoch: format!("{:08x}", getrandom::u32().unwrap_or_default()),
            notes: Mutex::default(),
            heard: Mutex::default(),
            recent: Mutex::default(),
            count: watch::Sender::new(0),
            has_begun: watch::Sender::new(false),
        });
        tokio::spawn(journal.clone().keep(app.weak()));
        journal
    }
    /// Whose events these are.
    pub fn is_of(&self, wallet: &Wallet) -> bool {
        self.wallet.is(wallet)
    }
    /// Waits until everything that happens is noted: who listens from then on misses nothing.
    pub async fn begun(&self) {
        // The sender is held here. While the store can't be read, its events are noted later.
        let _ = rt::timeout(BEGIN_LIMIT, self.has_begun.subscribe().wait_for(|begun| *begun)).await;
    }
    /// Tells when there are more.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    async fn keep(self: Arc<Self>, app: impl Fn() -> Option<App>) {
        let mut events = self.wallet.events();
        let mut repeated = self.wallet.repeated();
        let mut swaps = self.wallet.swap_news();
        let mut statuses = self.wallet.watch();
        let Some(server) = app() else { return };
        let notes_repeated = server.config().tells_plugins_of_repeated();
        let mut of_server = server.server_news().await;
        drop(server);
        let mut kept = Reader::new(&self.wallet, None);
        // Where the store can't be read now, it begins later.
        let _ = kept.begin().await;
        self.has_begun.send_replace(true);
        let mut told: Option<Status> = None;
        loop {
            *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = kept.heard;
            // What a load brings is no news: it is passed over before the wallet counts as ready.
            let ready = told.as_ref().is_some_and(|status| status.phase == Phase::Ready);
            while let Ok(event) = events.try_recv() {
                self.note_event(&event, ready);
            }
            let status = statuses.borrow_and_update().clone();
            self.note_status(told.as_ref(), &status);
            let (closed, ready) = (status.phase == Phase::Closed, status.phase == Phase::Ready);
            told = Some(status);
            if closed {
                return;
            }
            tokio::select! {
                event = events.recv() => match event {
                    Ok(event) => self.note_event(&event, ready),
                    Err(RecvError::Lagged(count)) => self.note(JournalEntry::Missed(Some(count))),
                    Err(RecvError::Closed) => return,
                },
                // Clients that missed some of these missed nothing new.
                Ok(id) = repeated.recv(), if ready && notes_repeated => {
                    // What made it known was told before.
                    while let Ok(event) = events.try_recv() {
                        self.note_event(&event, ready);
                    }
                    self.note(JournalEntry::Repeated(id));
                }
                news = swaps.recv() => match news {
                    Ok(news) => self.note(JournalEntry::Swap(news)),
                    Err(RecvError::Lagged(_)) => self.note(JournalEntry::Swap(SwapNews::ANY)),
                    Err(RecvError::Closed) => return,
                },
                news = of_server.recv() => match news {
                    Ok(News::Approval { wallet, id, status }) if wallet == self.wallet_id => {
                        self.note(JournalEntry::Approval(id, status));
                    }
                    Ok(News::Approval { .. }) => {}
                    Ok(News::AuditHead(hash)) => self.note(JournalEntry::AuditHead(hash)),
                    Err(RecvError::Lagged(_)) => self.note(JournalEntry::Missed(None)),
                    Err(RecvError::Closed) => return,
                },
                next = kept.next() => {
                    let note = match next {
                        Next::Event(event) => self.remember(event),
                        Next::Missed(count) => JournalEntry::Missed(count),
                    };
                    *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = kept.heard;
                    self.note(note);
                }
                changed = statuses.changed() => if changed.is_err() { return },
            }
        }
    }

    fn note_status(&self, before: Option<&Status>, now: &Status) {
        let loads = |status: &Status| status.phase == Phase::Syncing;
        if before.is_some_and(|before| before.progress != now.progress && (loads(before) || loads(now))) {
            self.note(JournalEntry::Loading(now.progress));
        }
        if before.map(|status| node_state(status.phase)) != Some(node_state(now.phase)) {
            self.note(JournalEntry::Node(node_state(now.phase)));
        }
        if before.map(|status| status.phase) != Some(now.phase) {
            self.note(JournalEntry::State(now.phase));
        }
    }
    fn note_event(&self, event: &Event, ready: bool) {
        match event {
            Event::NewVertex(_) | Event::UpdatedVertex { .. } if !ready => {}
            Event::NewVertex(id) => self.note(JournalEntry::New(*id)),
            Event::UpdatedVertex { id, .. } => self.note(JournalEntry::Updated(*id)),
            Event::BestHeight(height) => self.note(JournalEntry::BestBlock(*height)),
            Event::NewAddresses(_) => {}
        }
    }
    fn note(&self, note: JournalEntry) {
        let heard = self.heard();
        let mut notes = self.notes();
        if notes.len() == KEPT {
            notes.pop_front();
        }
        notes.push_back((note, heard));
        self.count.send_modify(|count| *count += 1);
    }

    fn remember(&self, event: EventRecord) -> JournalEntry {
        let note = JournalEntry::Kept(event.seq);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() == RECENT {
            recent.pop_front();
        }
        recent.push_back(event);
        note
    }

    /// The event of a number in the store; `None` if it is kept no more, or the wallet is stopped.
    pub async fn of_store(&self, seq: u64) -> Option<EventRecord> {
        let is_it = |event: &&EventRecord| event.seq == seq;
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner).iter().rfind(is_it).cloned();
        match recent {
            None => outbox::event(&self.wallet, seq).await,
            recent => recent,
        }
    }

    /// What was heard so far of the events that are kept in the store.
    pub fn heard(&self) -> Heard {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn notes(&self) -> MutexGuard<'_, VecDeque<(JournalEntry, Heard)>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a listener goes on that has seen everything up to the event `last`, and whether it missed some.
    pub fn resume(&self, last: Option<&str>) -> (u64, bool) {
        let (oldest, count) = self.kept(&self.notes());
        let Some(last) = last else { return (count, false) };
        let number =
            last.strip_prefix(&*self.epoch).and_then(|rest| rest.rsplit_once('-')?.1.parse::<u64>().ok());
        match number.and_then(|number| number.checked_add(1)) {
            Some(next) if (oldest..=count).contains(&next) => (next, false),
            _ => (oldest, true),
        }
    }

    /// The event of a number, and what was heard by then of those in the store; `None` if there is none yet.
    /// In place of those that are no longer kept: the last one's number, and how many were missed.
    pub fn event(&self, number: u64) -> Option<(u64, JournalEntry, Heard)> {
        let notes = self.notes();
        let (oldest, _) = self.kept(&notes);
        match number.checked_sub(oldest) {
            Some(place) => {
                let (note, heard) = notes.get(usize::try_from(place).ok()?)?.clone();
                Some((number, note, heard))
            }
            None => {
                let heard = notes.front().map(|(_, heard)| *heard).unwrap_or_default();
                Some((oldest - 1, JournalEntry::Missed(Some(oldest - number)), heard))
            }
        }
    }

    /// The numbers of the oldest event that is kept and of the next one to come. Both are told under the lock
    /// of the notes.
    fn kept(&self, notes: &VecDeque<(JournalEntry, Heard)>) -> (u64, u64) {
        let count = *self.count.borrow();
        (count - notes.len() as u64, count)
    }

    /// An event's id, which a listener shows to go on after it: its number here, and what was heard by then
    /// of the events in the store, by which it can go on at another server.
    pub fn id(&self, number: u64, heard: Heard) -> String {
        format!("{}.{heard}-{number}", self.epoch)
    }

    /// An event in words; `None` if it is of a transaction that is gone, or in the store.
    pub fn tell(
        &self,
        note: &JournalEntry,
        network: Network,
        compat: Compat,
    ) -> Option<(&'static str, String)> {
        match note {
            JournalEntry::State(phase) => {
                Some(self.words(EventBody::WalletState { code: phase.code(), name: &phase.to_string() }))
            }
            JournalEntry::Node(state) => Some(self.words(EventBody::NodeState(*state))),
            JournalEntry::Loading(progress) => {
                let estimated_end = progress.estimated_end.filter(|_| compat.tells_progress());
                Some(self.words(EventBody::Loading(Progress { estimated_end, ..*progress }.into())))
            }
            JournalEntry::BestBlock(height) => Some(self.words(EventBody::BestBlock(*height))),
            JournalEntry::Swap(SwapNews { id, version }) => {
                let (id, version) = (id.as_deref(), *version);
                Some(self.words(EventBody::SwapProposal { id, version }))
            }
            JournalEntry::Approval(id, status) => Some(self.words(EventBody::Approval { id, status })),
            JournalEntry::AuditHead(hash) => Some(self.words(EventBody::AuditHead(hash))),
            JournalEntry::Missed(count) => Some(self.words(EventBody::Missed(*count))),
            JournalEntry::Kept(_) => None,
            JournalEntry::New(id) | JournalEntry::Updated(id) | JournalEntry::Repeated(id) => {
                let (vertex, balance) = self.effect(id)?;
                let entry = HistoryEntry { vertex: &vertex, network, compat };
                Some(self.words(EventBody::Transaction {
                    is_new: matches!(note, JournalEntry::New(_)),
                    entry,
                    balance,
                }))
            }
        }
    }
    /// That a listener missed events: so many, where that is known.
    pub fn tell_missed(&self, count: Option<u64>) -> (&'static str, String) {
        self.words(EventBody::Missed(count))
    }
    fn words(&self, body: EventBody<'_>) -> (&'static str, String) {
        let name = body.name();
        let answer = EventAnswer { wallet_id: &self.wallet_id, body };
        (name, serde_json::to_string(&answer).expect("answers have text keys and no failing parts"))
    }

    /// A transaction and what it did to the wallet.
    fn effect(&self, id: &VertexId) -> Option<(Vertex, EventBalance)> {
        self.wallet.look(|state, now| {
            let vertex = state.vertex(id)?;
            let balance = EventBalance(state.changes(&vertex, now));
            Some((vertex, balance))
        })
    }
}

/// The connection to the node: 0 closed, 1 connecting, 2 connected.
const fn node_state(phase: Phase) -> u8 {
    match phase {
        Phase::Closed | Phase::Error => 0,
        Phase::Connecting => 1,
        Phase::Syncing | Phase::Processing | Phase::Ready => 2,
    }
}
