//! Continuing from a known history: the node is asked for changes, not for everything.
//!
//! ```text
//! subscribe to every address → ask each used one what the node counts there ──── as we do → nothing new
//!                                                                          └─ otherwise → its history from the last
//!                                      settled transaction on → as we do now → done
//!                                                                          └─ otherwise → its whole history → as we do now → done
//!                                                                          └─ otherwise → the known history is wrong: load it all
//! ```
//!
//! A node counts, per address, the transactions and the amounts received and spent of each token. Any
//! transaction that is new, gone, voided or valid again changes one of these, except transactions that move
//! only authorities. Such a transaction is voided only by a rival on the same address, which is either new or
//! among those asked for again.

use super::SyncEnd;
use super::connection::Connection;
use crate::ledger::{Address, Vertex, VertexId};
use crate::node::{AddressBalance, CallError, HistoryPages, TokenSums};
use crate::service::account::RunningAccount;
use crate::service::status::PROGRESS_EVERY;
use crate::wallet::{AddressRecord, AddressTotals, Sums};
use futures_util::{StreamExt, stream};
use std::collections::{HashMap, HashSet};

const AT_ONCE: usize = 8;
/// What a request for one address costs a node, in streamed transactions. A history with fewer per address is
/// cheaper to load whole.
const REQUEST_COSTS: u64 = 3;

/// The totals of the wallet's addresses when the comparison began.
struct Known {
    addresses: Vec<Address>,
    records: Vec<AddressRecord>,
}

impl Known {
    fn of(wallet: &RunningAccount) -> Self {
        let state = wallet.state.read();
        Self { addresses: state.addresses().collect(), records: state.address_records() }
    }
}

/// Brings a known history up to date. `false` if it must be loaded whole: because that is cheaper, the node
/// does not answer so many requests, or the known history is wrong.
pub(super) async fn catch_up(connection: &mut Connection<'_>) -> Result<bool, SyncEnd> {
    let known = Known::of(connection.wallet);
    let used: Vec<usize> =
        (0..known.records.len()).filter(|i| known.records[*i].tally.transactions > 0).collect();
    let streamed: u64 = known.records.iter().map(|record| record.tally.transactions).sum();
    if used.is_empty() || used.len() as u64 * REQUEST_COSTS > streamed {
        return Ok(false);
    }
    connection.subscribe(&known.addresses).await?;
    connection.watched = known.addresses.len() as u32;
    let compared = match compare(connection, &known, &used).await {
        Ok(drifted) => Ok(drifted),
        Err(Stop::Unanswered(failure)) => Err(failure),
        Err(Stop::End(end)) => return Err(end),
    };
    connection.apply_pending();
    match compared {
        Ok(None) => {
            connection.report_progress(connection.watched);
            return Ok(true);
        }
        Ok(Some(address)) => {
            tracing::warn!(
                "what was kept of {address} is not what the full node says: loading the whole history anew"
            );
            connection.wallet.forget_if_never_ready();
        }
        Err(failure) => tracing::info!("{failure}: loading the whole history instead"),
    }
    connection.watched = 0;
    Ok(false)
}

enum Stop {
    End(SyncEnd),
    /// The node did not answer; loading the whole history may work nevertheless.
    Unanswered(CallError),
}

impl From<SyncEnd> for Stop {
    fn from(end: SyncEnd) -> Self {
        Self::End(end)
    }
}

/// Compares with the node's counts, and loads the differences. Returns an address that still differs, if any.
async fn compare(
    connection: &mut Connection<'_>,
    known: &Known,
    used: &[usize],
) -> Result<Option<Address>, Stop> {
    // The node's counts, and the histories to be loaded again.
    let counted = count(connection, known, used.iter().copied(), 0).await?;
    let stale = |i: &usize| known.records[*i].has_unconfirmed || counted[i] != known.records[*i].tally;
    let node = connection.node.clone();
    let mut pages: Vec<HistoryPages> = used
        .iter()
        .filter(|i| stale(i))
        .map(|i| match known.records[*i].settled {
            Some(cursor) => node.history_from(known.addresses[*i], cursor),
            None => node.history(vec![known.addresses[*i]]),
        })
        .collect();
    let unused = (0..known.addresses.len()).filter(|i| known.records[*i].tally.transactions == 0);
    pages.push(node.history(unused.map(|i| known.addresses[i]).collect()));
    // The node may no longer know a cursor: the address's whole history is loaded below.
    let loaded = load_all(connection, pages).await?;
    let unvoided = no_longer_voided(connection, known).await?;
    let looked_again;
    let now = if loaded.vertices == 0 {
        &known.records
    } else {
        looked_again = Known::of(connection.wallet).records;
        &looked_again
    };
    let whole: Vec<usize> =
        used.iter().copied().filter(|i| counted[i] != now[*i].tally || unvoided.contains(i)).collect();
    if whole.is_empty() {
        return Ok(None);
    }
    let pages = whole.iter().map(|i| node.history(vec![known.addresses[*i]])).collect();
    if let Some(failure) = load_all(connection, pages).await?.failed {
        return Err(Stop::Unanswered(failure));
    }
    let fine = known.addresses.len() - whole.len();
    let counted = count(connection, known, whole.iter().copied(), fine).await?;
    let now = Known::of(connection.wallet).records;
    Ok(whole.iter().find(|i| counted[i] != now[**i].tally).map(|i| known.addresses[*i]))
}

/// The node's counts for some addresses; `fine` others are known to agree.
async fn count(
    connection: &mut Connection<'_>,
    known: &Known,
    which: impl Iterator<Item = usize>,
    fine: usize,
) -> Result<HashMap<usize, AddressTotals>, Stop> {
    let node = connection.node.clone();
    let mut answers = stream::iter(which.map(|i| {
        let (node, address) = (node.clone(), known.addresses[i]);
        async move { node.address_balance(&address).await.map(|balance| (i, tally(balance))) }
    }))
    .buffer_unordered(AT_ONCE);
    let mut counted = HashMap::new();
    while let Some(answer) = connection.beside_events(answers.next()).await? {
        let (i, tally) = answer.map_err(Stop::Unanswered)?;
        counted.insert(i, tally);
        let read = (fine + counted.len()) as u32;
        if read.is_multiple_of(PROGRESS_EVERY) {
            connection.report_progress(read);
        }
    }
    Ok(counted)
}

/// Applies all pages of several histories; a failure of one does not stop the others.
async fn load_all(connection: &mut Connection<'_>, pages: Vec<HistoryPages>) -> Result<Loaded, SyncEnd> {
    let mut histories = stream::iter(pages.into_iter().map(whole)).buffer_unordered(AT_ONCE);
    let mut loaded = Loaded::default();
    while let Some(history) = connection.beside_events(histories.next()).await? {
        match history {
            Ok(vertices) => {
                loaded.vertices += vertices.len();
                vertices.into_iter().for_each(|vertex| connection.apply(vertex));
            }
            Err(failure) => loaded.failed = Some(failure),
        }
    }
    Ok(loaded)
}

/// The addresses of voided transactions that are valid by now, according to the node.
async fn no_longer_voided(connection: &mut Connection<'_>, known: &Known) -> Result<HashSet<usize>, SyncEnd> {
    let mut places: HashMap<VertexId, Vec<usize>> = HashMap::new();
    for (i, record) in known.records.iter().enumerate() {
        record.voided.iter().for_each(|id| places.entry(*id).or_default().push(i));
    }
    let node = connection.node.clone();
    let mut answers = stream::iter(places.into_iter().map(|(id, places)| {
        let node = node.clone();
        async move { node.transaction(&id).await.map(|status| (places, status)) }
    }))
    .buffer_unordered(AT_ONCE);
    let mut unvoided = HashSet::new();
    while let Some(answer) = connection.beside_events(answers.next()).await? {
        let (places, status) = answer?;
        if status.is_some_and(|status| !status.voided) {
            unvoided.extend(places);
        }
    }
    Ok(unvoided)
}

#[derive(Default)]
struct Loaded {
    vertices: usize,
    failed: Option<CallError>,
}

async fn whole(mut pages: HistoryPages) -> Result<Vec<Vertex>, CallError> {
    let mut vertices = Vec::new();
    while let Some(page) = pages.next().await? {
        vertices.extend(page);
    }
    Ok(vertices)
}

fn tally(balance: AddressBalance) -> AddressTotals {
    let mut tally = AddressTotals { transactions: balance.total_transactions, ..AddressTotals::default() };
    for (token, TokenSums { received, spent }) in balance.tokens {
        if !received.is_zero() || !spent.is_zero() {
            tally.sums.insert(token, Sums { received, spent });
        }
    }
    tally
}
