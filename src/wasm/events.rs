//! Telling JavaScript what happens to a wallet.

use super::answer::to_js;
use super::failure::Failure;
use super::js_arg::JsArg;
use super::panics::log_error;
use super::wallet_failure::in_options;
use crate::api::{
    BalanceAnswer, Compat, HistoryEntry, HistoryTransaction, LoadProgress, SwapEvent, TokenBalance, Topic,
    TxEvent, WalletState, WalletStatus,
};
use crate::ledger::{TokenUid, VertexId};
use crate::node::SwapNews;
use crate::rt::{self, Instant};
use crate::service::{Phase, Progress, Status, Wallet};
use crate::wallet::Event;
use js_sys::{Function, JSON, Reflect};
use litemap::LiteMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use wasm_bindgen::JsValue;

/// A start is given up when the node can't be followed for this long: later on, a wallet waits for ever.
const PATIENCE: Duration = Duration::from_secs(20);

/// The topic that a program names.
pub(super) fn topic(event: &JsArg) -> Result<Topic, Failure> {
    Ok(Topic::named(event.one_of(Topic::NAMES)?).expect("one of the names of topics"))
}

/// Who listens to a wallet. Nothing is borrowed while a listener runs, so it may do anything, to this list
/// too.
#[derive(Default)]
pub(super) struct Listeners(RefCell<List>);

#[derive(Default)]
struct List {
    next_id: u64,
    entries: Vec<(u64, Topic, Function)>,
}

impl Listeners {
    /// Adds one; the number is for [`Self::remove`].
    pub(super) fn add(&self, topic: Topic, callback: Function) -> u64 {
        let mut list = self.0.borrow_mut();
        let id = list.next_id;
        list.next_id += 1;
        list.entries.push((id, topic, callback));
        id
    }

    /// Removes one, if it is still there.
    pub(super) fn remove(&self, id: u64) {
        self.0.borrow_mut().entries.retain(|(other, ..)| *other != id);
    }

    fn clear(&self) {
        self.0.borrow_mut().entries.clear();
    }

    fn of(&self, topic: Topic) -> Vec<u64> {
        let list = self.0.borrow();
        list.entries.iter().filter(|(_, of, _)| *of == topic).map(|(id, ..)| *id).collect()
    }

    /// Tells all who listen to `topic`; the news is made only if somebody does. `undefined` is no news.
    fn tell(&self, topic: Topic, news: impl FnOnce() -> Result<JsValue, Failure>) {
        let ids = self.of(topic);
        if ids.is_empty() {
            return;
        }
        let news = match news() {
            Ok(news) if news.is_undefined() => return,
            Ok(news) => news,
            Err(failure) => return log_error(&failure.into()),
        };
        for id in ids {
            // One that an earlier one removed is not called any more.
            let callback =
                self.0.borrow().entries.iter().find(|(other, ..)| *other == id).map(|entry| entry.2.clone());
            if let Some(callback) = callback {
                call(&callback, &news);
            }
        }
    }
}

/// A listener that throws is its owner's trouble, not the wallet's.
fn call(callback: &Function, news: &JsValue) {
    if let Err(thrown) = callback.call1(&JsValue::UNDEFINED, news) {
        log_error(&thrown);
    }
}

/// Waits until the wallet is ready, and tells how far loading has come.
pub(super) async fn until_ready(wallet: &Wallet, on_progress: Option<&Function>) -> Result<(), Failure> {
    let mut changes = wallet.watch();
    let mut told = None;
    let mut trouble_since = None;
    loop {
        let status = changes.borrow_and_update().clone();
        if let Some(callback) = on_progress
            && told != Some(status.progress)
        {
            call(callback, &progress(status.progress)?);
            told = Some(status.progress);
        }
        let problem = status.problem.as_deref().unwrap_or_default();
        match status.phase {
            Phase::Ready => return Ok(()),
            Phase::Closed => return Err(Failure::stopped()),
            Phase::Error => return Err(Failure::never_ready(problem)),
            Phase::Connecting | Phase::Syncing | Phase::Processing => {}
        }
        // A wallet that connects and breaks off again and again is in trouble all the while.
        if status.problem.is_some() {
            trouble_since.get_or_insert_with(Instant::now);
        } else if status.phase == Phase::Processing {
            trouble_since = None;
        }
        let patience = match trouble_since {
            None => Duration::MAX,
            Some(since) => PATIENCE.saturating_sub(since.elapsed()),
        };
        if patience.is_zero() {
            return Err(Failure::never_ready(problem));
        }
        // Out of patience or out of senders, the next round sees it.
        let _ = rt::timeout(patience, changes.changed()).await;
    }
}

/// Tells the listeners of everything that happens from now on, until the wallet is stopped.
pub(super) fn follow(wallet: Wallet, listeners: Rc<Listeners>) {
    let (events, swaps, changes) = (wallet.events(), wallet.swap_news(), wallet.watch());
    rt::spawn(tell_all(wallet, listeners, events, swaps, changes));
}

async fn tell_all(
    wallet: Wallet,
    listeners: Rc<Listeners>,
    mut events: broadcast::Receiver<Event>,
    mut swaps: broadcast::Receiver<SwapNews>,
    mut changes: watch::Receiver<Status>,
) {
    let mut status = changes.borrow_and_update().clone();
    let mut balances = balances(&wallet).unwrap_or_default();
    let mut news = News::default();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Ok(event) => news.add(event),
                Err(RecvError::Lagged(_)) => news.anything = true,
                Err(RecvError::Closed) => return,
            },
            swap = swaps.recv() => {
                let SwapNews { id, version } = swap.unwrap_or(SwapNews::ANY);
                listeners.tell(Topic::Swap, || to_js(&SwapEvent { id: id.as_deref(), version }));
            }
            _ = changes.changed() => {}
            () = wallet.next_unlock() => news.anything = true,
        }
        while let Ok(event) = events.try_recv() {
            news.add(event);
        }
        let before = std::mem::replace(&mut status, changes.borrow_and_update().clone());
        if before.progress != status.progress {
            listeners.tell(Topic::Progress, || progress(status.progress));
        }
        let told = |status: &Status| (status.phase, status.next_try, status.unsupported_features.clone());
        if told(&before) != told(&status) || problem(&before) != problem(&status) {
            listeners.tell(Topic::State, || to_js(&state(&status, &status.phase.to_string())));
        }
        match status.phase {
            Phase::Closed => return listeners.clear(),
            Phase::Ready => tell_news(&wallet, &listeners, std::mem::take(&mut news), &mut balances),
            // Balances that are not right yet are not told.
            _ => {}
        }
    }
}

/// What happened since it was last told.
#[derive(Default)]
struct News {
    /// In order, and whether each is new.
    vertices: Vec<(VertexId, bool)>,
    anything: bool,
}

impl News {
    fn add(&mut self, event: Event) {
        self.anything = true;
        let (id, new) = match event {
            Event::NewVertex(id) => (id, true),
            Event::UpdatedVertex { id, .. } => (id, false),
            Event::NewAddresses(_) | Event::BestHeight(_) => return,
        };
        // It is told as it is by then, so once is enough.
        if !self.vertices.iter().any(|(known, _)| *known == id) {
            self.vertices.push((id, new));
        }
    }
}

type Balances = LiteMap<TokenUid, BalanceAnswer>;

fn balances(wallet: &Wallet) -> Option<Balances> {
    let read = wallet.read(|state, now| {
        let mut balances = Balances::new();
        for token in state.tokens() {
            let balance = state.balance(token, now);
            balances.insert(token, BalanceAnswer { available: balance.available, locked: balance.locked });
        }
        balances
    });
    read.ok()
}

fn tell_news(wallet: &Wallet, listeners: &Listeners, news: News, balances: &mut Balances) {
    for (id, new) in news.vertices {
        listeners.tell(Topic::Tx, || transaction(wallet, &id, new));
    }
    let Some(now) = news.anything.then(|| self::balances(wallet)).flatten() else { return };
    let before = std::mem::replace(balances, now);
    for (token, balance) in &*balances {
        if before.get(token) != Some(balance) {
            listeners.tell(Topic::Balance, || to_js(&TokenBalance { token: *token, balance: *balance }));
        }
    }
}

/// The wallet's status, for JavaScript.
pub(super) fn status(wallet: &Wallet, node_url: &str) -> Result<JsValue, Failure> {
    let status = wallet.status();
    let name = status.phase.to_string();
    let (network, progress) = (wallet.backend().network, status.progress.into());
    let state = state(&status, &name);
    let answer = to_js(&WalletStatus { state, network, server_url: node_url, progress })?;
    // The node's own words: read by JavaScript itself.
    let server_info = JSON::parse(wallet.node_version().raw.get()).unwrap_or(JsValue::NULL);
    let _ = Reflect::set(&answer, &"serverInfo".into(), &server_info);
    Ok(answer)
}

fn state<'a>(status: &Status, name: &'a str) -> WalletState<'a> {
    let problem = problem(status).map(in_options);
    let warnings = status.warnings();
    WalletState { code: status.phase.code(), name, problem, next_try: status.next_try, warnings }
}

fn problem(status: &Status) -> Option<&str> {
    status.problem.as_deref().or(status.store_problem.as_deref())
}

fn progress(progress: Progress) -> Result<JsValue, Failure> {
    to_js(&LoadProgress::from(progress))
}

fn transaction(wallet: &Wallet, id: &VertexId, new: bool) -> Result<JsValue, Failure> {
    let network = wallet.backend().network;
    wallet.read(|state, _| {
        // Another wallet id of the account may watch addresses that this one does not.
        let Some(vertex) = state.vertex(id) else { return Ok(JsValue::UNDEFINED) };
        let entry = HistoryEntry { vertex: &vertex, network, compat: Compat::Package };
        let transaction = HistoryTransaction {
            entry,
            execution: state.execution(&vertex),
            effect: wallet.effect(state, &vertex),
        };
        to_js(&TxEvent { transaction, is_new: new })
    })?
}
