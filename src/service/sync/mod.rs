//! Following the node: connect, load, listen, and again after every broken connection.
//!
//! An address is subscribed to before its history is requested, and facts apply idempotently, so that nothing
//! that happens in between is lost or counted twice. The wallet is ready only when every page or stream has
//! ended and every subscription is confirmed.
//!
//! ```text
//!                     ┌─ catch_up: what is new, where the history is known
//! mod ── connection ──┼─ loading: all of it in one stream; the rest and later addresses by pages
//!                     │    └─ costs: whether pages would be less
//!                     └─ calls: which calls of contracts a new block has
//! ```

use super::account::RunningAccount;
use super::options::SyncMode;
use super::status::Phase;
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
use std::sync::Arc;

mod calls;
mod catch_up;
mod connection;
mod costs;
mod feed;
mod loading;
mod pending;
mod stream;

/// After this many broken connections in a row the history is loaded without streams.
const BREAKS_BEFORE_PAGES: u32 = 3;

/// Runs until it is aborted, or until a failure that waiting does not fix.
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

/// Follows the node over one connection, until it breaks.
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
        loading::by_pages(&mut connection, &mut HashSet::new()).await?;
    } else {
        load_whole(&mut connection, mode).await?;
    }
    wallet.set_phase(Phase::Processing, None);
    wallet.state.write().loaded();
    connection.report_loaded();
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
            Ok(()) = features.changed() => wallet.announce_features(),
            never = follow_features.as_mut() => match never {},
        }
        connection.apply_pending();
        loading::by_pages(&mut connection, &mut HashSet::new()).await?;
        wallet.set_loaded(connection.watched);
        if asking.is_terminated() {
            let due = calls.due(wallet);
            if !due.is_empty() {
                asking.set(calls::ask(wallet, due).fuse());
            }
        }
    }
}

/// If the node was replaced by one of another chain, the known history is wrong.
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

/// Loads the whole history, even if it is known.
async fn load_whole(connection: &mut Connection<'_>, mode: SyncMode) -> Result<(), SyncEnd> {
    let wallet = connection.wallet;
    let known: Vec<VertexId> = wallet.state.read().history().map(|vertex| vertex.id).collect();
    // A stream brings all addresses in order.
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
    loading::by_pages(connection, &mut seen).await?;
    void_missing(wallet, known, &seen).await
}

/// Loads the whole history in one stream, if the node can. Returns its vertices. [`loading::by_pages`] loads
/// the rest.
async fn load_by_stream(
    connection: &mut Connection<'_>,
    mode: SyncMode,
) -> Result<HashSet<VertexId>, SyncEnd> {
    if !connection.can_stream().await? {
        tracing::info!("the full node does not stream histories: loading by pages");
        return Ok(HashSet::new());
    }
    connection.wait_to_stream().await?;
    // With one key, the node derives the addresses until they are unused; otherwise it needs a list.
    let xpub = connection.wallet.public.xpub().filter(|_| mode == SyncMode::XpubStream);
    let scan = connection.wallet.state.read().as_one();
    let mut seen = match (scan, xpub) {
        (Some(Scan::GapLimit(gap_limit)), Some(xpub)) => {
            loading::by_key(connection, &xpub, gap_limit.max(1)).await?
        }
        _ => loading::by_list(connection, mode == SyncMode::Auto).await?,
    };
    seen.extend(connection.apply_pending());
    if connection.wallet.state.read().as_one().is_none() {
        // The stream's progress says nothing about these addresses.
        let what = "a wallet id of this account was started whose addresses lie apart from the others";
        return Err(SyncEnd::Stream(what.to_owned()));
    }
    connection.report_progress(connection.watched);
    Ok(seen)
}

/// Voids transactions that the wallet knew before this connection and the node no longer has, for example
/// after a reorganisation.
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

/// What is kept from one connection to the next.
#[derive(Default)]
struct Memory {
    /// Other wallets on a shared connection leave too little of the node's limit per connection.
    too_little_room: bool,
    /// Broken connections since the wallet was ready last. The wallet's requests may be the cause.
    broken_in_a_row: u32,
    met_unknown: bool,
    /// Whether a stream would bring most transactions several times.
    repeats: bool,
}

impl Memory {
    /// Whether the wallet needs a connection of its own. Without the feature `native` connections are never
    /// shared.
    fn is_alone(&self) -> bool {
        !cfg!(feature = "native") || self.too_little_room || self.broken_in_a_row > 1
    }

    /// Whether streams, which always begin anew, might never end.
    fn breaks_streams(&self) -> bool {
        self.broken_in_a_row >= BREAKS_BEFORE_PAGES
    }

    /// Whether a refusal may be caused by other wallets' addresses.
    fn may_be_crowded_out(&self, refusal: &SubscribeRefusal) -> bool {
        !self.is_alone() && refusal.kind != SubscribeRefusalKind::Other
    }
}

/// If the task panics, the wallet must not stay ready.
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

enum SyncEnd {
    /// The node can't stream, or not to this wallet: pages may work over a new connection.
    Stream(String),
    /// A call failed; a new connection may work.
    Call(CallError),
    /// The node doesn't watch this address of the wallet on this connection.
    Refused(Option<Address>, SubscribeRefusal),
    /// A new connection would end the same way.
    Fatal(String),
}

impl From<CallError> for SyncEnd {
    fn from(failure: CallError) -> Self {
        Self::Call(failure)
    }
}

/// The text for a refusal that a new connection would not change.
fn problem_of(refusal: SubscribeRefusal) -> String {
    match refusal.kind {
        SubscribeRefusalKind::EmptyAddresses => texts::too_many_empty_addresses(&refusal.message),
        SubscribeRefusalKind::Addresses => texts::too_many_addresses(&refusal.message),
        SubscribeRefusalKind::Other => {
            format!("full node: refused to watch an address: {}", refusal.message)
        }
    }
}
