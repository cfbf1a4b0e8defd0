//! Following the node: connect, load, listen, and again after every broken connection.
//!
//! An address is subscribed to before its history is asked for, and facts apply idempotently, so that nothing
//! that happens in between is lost or counted twice. The wallet is ready only when every page or stream has
//! come to its end and every subscription stands.
//!
//! ```text
//!                     ┌─ catch_up: what is new, where the history is known
//! mod ── connection ──┼─ by_key, by_list: all of it in one stream
//!                     │    └─ costs: whether pages would be less
//!                     ├─ by_pages: what is left, and addresses that turn up later
//!                     └─ calls: which calls of contracts a new block has
//! ```

use super::Phase;
use super::account::RunningAccount;
use crate::api::texts;
use crate::ledger::{Address, VertexId};
use crate::node::{Backoff, CallError, SubscribeRefusal, SubscribeRefusalKind};
use crate::rt;
use crate::wallet::Scan;
use calls::AskedCalls;
use catch_up::catch_up;
use connection::Connection;
use futures_util::FutureExt;
use futures_util::future::{Fuse, FusedFuture};
use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;

mod by_key;
mod by_list;
mod by_pages;
mod calls;
mod catch_up;
mod connection;
mod costs;
mod feed;
mod pending;
mod stream;

/// Connections that break one after the other before the history is loaded without streams.
const BREAKS_BEFORE_PAGES: u32 = 3;

/// Runs until it is aborted, or until something happened that waiting does not mend.
pub(super) async fn run(wallet: Arc<RunningAccount>, mut mode: SyncMode) {
    let _guard = PanicGuard(&wallet);
    let mut backoff = Backoff::reconnect();
    let mut memory = Memory::default();
    loop {
        let Err(end) = follow(&wallet, &mut backoff, mode, &mut memory).await;
        match end {
            SyncEnd::Refused(_, refusal) if memory.may_be_crowded_out(&refusal) => {
                tracing::info!("{refusal} From now on the wallet has a connection of its own");
                wallet.set_phase(Phase::Connecting, None);
                memory.too_little_room = true;
                continue;
            }
            SyncEnd::Refused(address, refusal) => {
                let problem = problem_of(refusal);
                if !wallet.refuse(address, &problem) {
                    return wallet.set_phase(Phase::Error, Some(problem));
                }
                tracing::warn!("{problem} The account's other wallet ids go on");
                wallet.set_phase(Phase::Connecting, None);
                continue;
            }
            SyncEnd::Fatal(problem) => return wallet.set_phase(Phase::Error, Some(problem)),
            SyncEnd::Call(failure) => wallet.set_phase(Phase::Connecting, Some(failure.to_string())),
            SyncEnd::Stream(failure) => {
                tracing::info!("{failure}: loading by pages from now on");
                mode = SyncMode::Pages;
                continue;
            }
        }
        let delay = backoff.next_delay();
        wallet.set_next_try(Some(rt::unix_seconds().saturating_add(delay.as_secs() as u32 + 1)));
        let _ = rt::timeout(delay, wallet.wake.notified()).await;
        wallet.set_next_try(None);
    }
}

/// Follows the node over one connection, for as long as that holds.
async fn follow(
    wallet: &RunningAccount,
    backoff: &mut Backoff,
    mode: SyncMode,
    memory: &mut Memory,
) -> Result<std::convert::Infallible, SyncEnd> {
    let mut connection = Connection::open(wallet, memory).await?;
    wallet.set_phase(Phase::Syncing, None);
    check_chain(wallet).await?;
    let is_narrowed = wallet.ids.narrowed().is_some();
    if !is_narrowed && catch_up(&mut connection).await? {
        by_pages::load(&mut connection, &mut HashSet::new()).await?;
    } else {
        load_whole(&mut connection, mode).await?;
    }
    wallet.set_phase(Phase::Processing, None);
    wallet.state.write().loaded();
    connection.tell_loaded();
    let (node, mut features) = (wallet.loader(), wallet.loader().watch_features());
    wallet.set_loaded(connection.watched);
    wallet.set_ready();
    connection.was_ready();
    backoff.reset();
    let mut calls = AskedCalls::default();
    let mut asking = std::pin::pin!(Fuse::terminated());
    let mut follow_features = std::pin::pin!(node.follow_features());
    loop {
        tokio::select! {
            event = connection.recv() => connection.take(event?)?,
            () = wallet.wake.notified() => {}
            last = asking.as_mut() => calls.note(last),
            Ok(()) = features.changed() => wallet.tell_features(),
            never = follow_features.as_mut() => match never {},
        }
        connection.apply_pending();
        by_pages::load(&mut connection, &mut HashSet::new()).await?;
        wallet.set_loaded(connection.watched);
        if asking.is_terminated() {
            let due = calls.due(wallet);
            if !due.is_empty() {
                asking.set(calls::ask(wallet, due).fuse());
            }
        }
    }
}

/// A node that was replaced by one of another chain would make the history kept so far a lie.
async fn check_chain(wallet: &RunningAccount) -> Result<(), SyncEnd> {
    let (node, then) = (wallet.loader(), &wallet.version);
    let now = node.version().await?;
    if now.genesis_block != then.genesis_block || now.network != then.network {
        let what = match (&now.network, &then.network) {
            (now, then) if now == then => format!("another chain of the network {now} than"),
            (now, then) => format!("the network {now}, and was on {then}"),
        };
        return Err(SyncEnd::Fatal(format!(
            "full node: it is now on {what} at this wallet's start: check `server`, then stop the wallet and start it again"
        )));
    }
    let height = node.best_height().await?;
    wallet.state.apply(|state| state.set_best_height(height));
    Ok(())
}

/// Asks for everything, whatever is known.
async fn load_whole(connection: &mut Connection<'_>, mode: SyncMode) -> Result<(), SyncEnd> {
    let wallet = connection.wallet;
    let known: Vec<VertexId> = wallet.state.read().history().map(|vertex| vertex.id).collect();
    // A stream brings all addresses, in their order.
    let is_one = wallet.ids.narrowed().is_none() && wallet.state.read().as_one().is_some();
    let mut seen = match if is_one { mode } else { SyncMode::Pages } {
        _ if connection.memory.breaks_streams() => {
            tracing::info!(
                "connections broke {} times in a row: loading by pages",
                connection.memory.broken_in_a_row
            );
            HashSet::new()
        }
        SyncMode::Auto if connection.memory.repeats => HashSet::new(),
        SyncMode::Auto | SyncMode::XpubStream | SyncMode::ManualStream => {
            load_by_stream(connection, mode).await?
        }
        SyncMode::Pages => HashSet::new(),
    };
    by_pages::load(connection, &mut seen).await?;
    void_missing(wallet, known, &seen).await
}

/// Loads the whole history in one stream, if the node can. Gives the vertices that it brought; what it left
/// out is left to [`by_pages`].
async fn load_by_stream(
    connection: &mut Connection<'_>,
    mode: SyncMode,
) -> Result<HashSet<VertexId>, SyncEnd> {
    if !connection.can_stream().await? {
        tracing::info!("the full node does not stream histories: loading by pages");
        return Ok(HashSet::new());
    }
    connection.wait_to_stream().await?;
    // A node derives the addresses from one key, until they are unused; it is told all others.
    let xpub = connection.wallet.public.xpub().filter(|_| mode == SyncMode::XpubStream);
    let scan = connection.wallet.state.read().as_one();
    let mut seen = match (scan, xpub) {
        (Some(Scan::GapLimit(gap_limit)), Some(xpub)) => {
            by_key::load(connection, &xpub, gap_limit.max(1)).await?
        }
        _ => by_list::load(connection, mode == SyncMode::Auto).await?,
    };
    seen.extend(connection.apply_pending());
    if connection.wallet.state.read().as_one().is_none() {
        // How far the stream came says nothing of them.
        let what = "a wallet id of this account was started whose addresses lie apart from the others";
        return Err(SyncEnd::Stream(what.to_owned()));
    }
    connection.tell_progress(connection.watched);
    Ok(seen)
}

/// What the wallet knew before this connection and the node no longer tells of (a reorganisation dropped it,
/// say) moves nothing.
async fn void_missing(
    wallet: &RunningAccount,
    known: Vec<VertexId>,
    seen: &HashSet<VertexId>,
) -> Result<(), SyncEnd> {
    let node = wallet.loader();
    for id in known.into_iter().filter(|id| !seen.contains(id)) {
        if node.transaction(&id).await?.is_some_and(|status| !status.voided) {
            continue;
        }
        let Some(mut vertex) = wallet.state.read().vertex(&id) else { continue };
        vertex.voided = true;
        wallet.state.apply(|state| state.apply(vertex));
    }
    Ok(())
}

/// What is remembered from one connection to the next.
#[derive(Default)]
struct Memory {
    /// The others on a shared connection leave the wallet too little of what the node grants one.
    too_little_room: bool,
    /// How often a connection broke since the wallet was ready. It may be what the wallet asks for that
    /// breaks it.
    broken_in_a_row: u32,
    /// Whether the node has told of something that is not known here.
    met_unknown: bool,
    /// Whether a stream would bring most transactions several times.
    repeats: bool,
}

impl Memory {
    /// Whether the wallet shall share its connection with no other. Without the feature `native` nothing is
    /// shared anyway.
    fn is_alone(&self) -> bool {
        !cfg!(feature = "native") || self.too_little_room || self.broken_in_a_row > 1
    }

    /// Whether a stream, which begins anew each time, would perhaps never come to its end.
    fn breaks_streams(&self) -> bool {
        self.broken_in_a_row >= BREAKS_BEFORE_PAGES
    }

    /// Whether a refusal may be owing to the addresses of others.
    fn may_be_crowded_out(&self, refusal: &SubscribeRefusal) -> bool {
        !self.is_alone() && refusal.kind != SubscribeRefusalKind::Other
    }
}

/// Should following the node ever end by a panic, the wallet must not go on as if it were ready.
struct PanicGuard<'a>(&'a RunningAccount);

impl Drop for PanicGuard<'_> {
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
    /// As with [`Self::ManualStream`] or [`Self::Pages`], whichever is faster: a node streams a transaction
    /// once for each address that it pays, and has it once on a page of at most 900 inputs and outputs. So it
    /// begins with a stream, and goes on by pages from where these would bring less.
    #[default]
    Auto,
    /// In one stream over the WebSocket, where the node can; else by pages. The node derives the addresses
    /// from the wallet's xpub; it is told them where several keys make each, or an index limit says which
    /// there are.
    XpubStream,
    /// In one stream as with [`Self::XpubStream`], but always of addresses that the node is told: it doesn't
    /// learn of those to come.
    ManualStream,
    /// Page by page over HTTP, for some addresses at a time.
    Pages,
}

impl SyncMode {
    /// The names of all, for the end of a sentence.
    pub const NAMES: &str = "auto, polling_http_api, xpub_stream_ws or manual_stream_ws";
}

impl FromStr for SyncMode {
    type Err = ();
    /// By the names of hathor-wallet-headless, which knows all but `auto`.
    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "auto" => Ok(Self::Auto),
            "polling_http_api" => Ok(Self::Pages),
            "xpub_stream_ws" => Ok(Self::XpubStream),
            "manual_stream_ws" => Ok(Self::ManualStream),
            _ => Err(()),
        }
    }
}

/// Why a connection is followed no longer.
enum SyncEnd {
    /// The node can't stream, or not to this wallet: pages may do better, over a fresh connection.
    Stream(String),
    /// A call failed; another connection may do better.
    Call(CallError),
    /// The node doesn't watch one of the wallet's addresses on this connection.
    Refused(Option<Address>, SubscribeRefusal),
    /// Another connection would end the same way.
    Fatal(String),
}

impl From<CallError> for SyncEnd {
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
