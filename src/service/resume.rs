//! Going on from a history that is known already: the node is asked for what is new, not for everything.
//!
//! ```text
//! subscribe to every address → ask each used one what the node counts there ──── as we do → nothing new
//!                                                                          └─ otherwise → its history from the last
//!                                      settled transaction on → as we do now → done
//!                                                                          └─ otherwise → its whole history → as we do now → done
//!                                                                          └─ otherwise → the known history is wrong: load it all
//! ```
//!
//! What a node counts is the number of an address's transactions and what came and left of each token. Something that is new, gone,
//! voided or un-voided changes one of these, save for what moves authorities alone; such a transaction is voided only for the sake of
//! a rival on the same address, which is either new or among those that are asked for again.

use super::progress::PROGRESS_EVERY;
use super::sync::{Broken, Session};
use crate::ledger::{Address, Vertex, VertexId};
use crate::node::{AddressBalance, CallError, FullNode, HistoryPages, TokenSums};
use crate::wallet::{AddressRecord, Sums, Tally};
use futures_util::{StreamExt, stream};
use std::collections::{BTreeSet, HashMap};

/// Requests under way at once.
const AT_ONCE: usize = 8;
/// What a request about one address costs a node, in transactions sent in one stream: a history with fewer for each address is loaded
/// whole for less.
const REQUEST_COSTS: u64 = 3;

/// How the wallet's addresses stood when it was asked.
struct Known {
    addresses: Vec<Address>,
    records: Vec<AddressRecord>,
    /// The index after that of the last address.
    end: u32,
}

impl Session<'_> {
    /// Brings a known history up to date. `false` when it must be loaded whole: because that is cheaper, because the node does not
    /// answer so many questions, or because what is known is wrong.
    pub(super) async fn resume(&mut self) -> Result<bool, Broken> {
        let known = self.known();
        let used: Vec<usize> =
            (0..known.records.len()).filter(|i| known.records[*i].tally.transactions > 0).collect();
        let streamed: u64 = known.records.iter().map(|record| record.tally.transactions).sum();
        if used.is_empty() || used.len() as u64 * REQUEST_COSTS > streamed {
            return Ok(false);
        }
        self.subscribe(&known.addresses).await?;
        self.watched = known.end;
        let outcome = self.catch_up(&known, &used).await?;
        self.apply_told();
        match outcome {
            Outcome::UpToDate => {}
            Outcome::TooMuch(failure) => {
                tracing::info!("{failure}: loading the whole history instead");
                self.watched = 0;
                return Ok(false);
            }
            Outcome::Drifted(address) => {
                tracing::warn!(
                    "what was kept of {address} is not what the full node says: loading the whole history anew"
                );
                self.watched = 0;
                self.wallet.forget_if_never_ready();
                return Ok(false);
            }
        }
        self.tell_progress(self.watched);
        Ok(true)
    }

    fn known(&self) -> Known {
        let state = self.wallet.state();
        Known {
            addresses: state.addresses().collect(),
            records: state.address_records(),
            end: state.addresses_to_watch(0).end,
        }
    }

    async fn catch_up(&mut self, known: &Known, used: &[usize]) -> Result<Outcome, Broken> {
        // The node's counts; and of what happened there, what is asked for again.
        let counted = match self.count(known, used.iter().copied(), 0).await? {
            Ok(counted) => counted,
            Err(failure) => return Ok(Outcome::TooMuch(failure)),
        };
        let stale = |i: &usize| known.records[*i].has_unconfirmed || counted[i] != known.records[*i].tally;
        let node = self.node.clone();
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
        // A cursor that the node doesn't know any more is no failure: that address is asked whole below.
        let loaded = self.load_all(pages).await?;
        let unvoided = self.no_longer_voided(known).await?;
        let looked_again;
        let now = if loaded.vertices == 0 {
            &known.records
        } else {
            looked_again = self.known().records;
            &looked_again
        };
        let whole: Vec<usize> =
            used.iter().copied().filter(|i| counted[i] != now[*i].tally || unvoided.contains(i)).collect();
        if whole.is_empty() {
            return Ok(Outcome::UpToDate);
        }
        let pages = whole.iter().map(|i| node.history(vec![known.addresses[*i]])).collect();
        if let Some(failure) = self.load_all(pages).await?.failed {
            return Ok(Outcome::TooMuch(failure));
        }
        let fine = known.addresses.len() - whole.len();
        let counted = match self.count(known, whole.iter().copied(), fine).await? {
            Ok(counted) => counted,
            Err(failure) => return Ok(Outcome::TooMuch(failure)),
        };
        let now = self.known().records;
        Ok(match whole.iter().find(|i| counted[i] != now[**i].tally) {
            None => Outcome::UpToDate,
            Some(i) => Outcome::Drifted(known.addresses[*i]),
        })
    }

    /// What the node counts on some addresses, when so many others are known to be fine.
    async fn count(
        &mut self,
        known: &Known,
        which: impl Iterator<Item = usize>,
        fine: usize,
    ) -> Result<Result<HashMap<usize, Tally>, CallError>, Broken> {
        let node = self.node.clone();
        let mut answers = stream::iter(which.map(|i| {
            let (node, address) = (node.clone(), known.addresses[i]);
            async move { node.address_balance(&address).await.map(|balance| (i, tally(balance))) }
        }))
        .buffer_unordered(AT_ONCE);
        let mut counted = HashMap::new();
        while let Some(answer) = self.beside_events(answers.next()).await? {
            match answer {
                Ok((i, tally)) => counted.insert(i, tally),
                Err(failure) => return Ok(Err(failure)),
            };
            let read = (fine + counted.len()) as u32;
            if read.is_multiple_of(PROGRESS_EVERY) {
                self.tell_progress(known.end - known.addresses.len() as u32 + read);
            }
        }
        Ok(Ok(counted))
    }

    /// Applies all pages of several histories; when one fails, the others are applied all the same.
    async fn load_all(&mut self, pages: Vec<HistoryPages>) -> Result<Loaded, Broken> {
        let mut histories = stream::iter(pages.into_iter().map(whole)).buffer_unordered(AT_ONCE);
        let mut loaded = Loaded::default();
        while let Some(history) = self.beside_events(histories.next()).await? {
            match history {
                Ok(vertices) => {
                    loaded.vertices += vertices.len();
                    for vertex in vertices {
                        self.note_unknown(&vertex);
                        self.wallet.apply(|state| state.apply(vertex));
                    }
                }
                Err(failure) => loaded.failed = Some(failure),
            }
        }
        Ok(loaded)
    }

    /// The addresses of transactions that were voided and, the node says, are valid now.
    async fn no_longer_voided(&mut self, known: &Known) -> Result<BTreeSet<usize>, Broken> {
        let mut places: HashMap<VertexId, Vec<usize>> = HashMap::new();
        for (i, record) in known.records.iter().enumerate() {
            record.voided.iter().for_each(|id| places.entry(*id).or_default().push(i));
        }
        let node: FullNode = self.node.clone();
        let mut answers = stream::iter(places.into_iter().map(|(id, places)| {
            let node = node.clone();
            async move { node.transaction(&id).await.map(|status| (places, status)) }
        }))
        .buffer_unordered(AT_ONCE);
        let mut unvoided = BTreeSet::new();
        while let Some(answer) = self.beside_events(answers.next()).await? {
            let (places, status) = answer?;
            if status.is_some_and(|status| !status.voided) {
                unvoided.extend(places);
            }
        }
        Ok(unvoided)
    }
}

/// What came of some histories.
#[derive(Default)]
struct Loaded {
    vertices: usize,
    /// The last failure, if any of them failed.
    failed: Option<CallError>,
}

/// How catching up ended.
enum Outcome {
    UpToDate,
    /// A question was not answered, which the whole history may be all the same.
    TooMuch(CallError),
    /// What is known of this address is not what the node says.
    Drifted(Address),
}

async fn whole(mut pages: HistoryPages) -> Result<Vec<Vertex>, CallError> {
    let mut vertices = Vec::new();
    while let Some(page) = pages.next().await? {
        vertices.extend(page);
    }
    Ok(vertices)
}

/// The node's counts in the wallet's terms.
fn tally(balance: AddressBalance) -> Tally {
    let mut tally = Tally { transactions: balance.total_transactions, ..Tally::default() };
    for (token, TokenSums { received, spent }) in balance.tokens {
        if (received, spent) != (0, 0) {
            tally.sums.insert(token, Sums { received, spent });
        }
    }
    tally
}
