//! The history of addresses, page by page.

use super::object::{self, Object};
use super::wire::{AnyVertex, WireVertex, amount_of};
use super::{CallError, Fault, FullNode, Lane};
use crate::ledger::{Address, Amount, TokenUid, Vertex, VertexId};
use crate::net::{DEFAULT_MAX_BODY, Response};
use crate::rt;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// Most addresses in one request. A page has each transaction once, so the more the better; a node sets no
/// limit, but what stands before it seldom takes a line of more than 8 kB.
const ADDRESSES_PER_REQUEST: usize = 100;
/// Most pages in a row with nothing on them: a node leaves out what it has told of another address of the
/// same request.
const MAX_IDLE_PAGES: u32 = 1_000;
const PATH: &str = "thin_wallet/address_history";

/// One page of history.
#[derive(Clone, Debug)]
pub struct HistoryPage {
    /// In the order of their timestamps for each address; no vertex twice on a page.
    pub vertices: Vec<Vertex>,
    /// Where the next page starts, if there is one.
    pub next: Option<HistoryCursor>,
}

/// Where a page starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryCursor {
    /// The addresses before this one are done.
    pub first_address: Address,
    /// The page starts with this vertex of that address.
    pub first_hash: VertexId,
}

/// What the node counts on an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressBalance {
    /// Transactions and blocks that have it in an input or output, voided ones too.
    pub total_transactions: u64,
    /// Amounts of those that are not voided.
    pub tokens: BTreeMap<TokenUid, TokenSums>,
}

/// Amounts of one token that came to an address and left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct TokenSums {
    #[serde(deserialize_with = "amount")]
    pub received: Amount,
    #[serde(deserialize_with = "amount")]
    pub spent: Amount,
}

fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    amount_of(&Value::deserialize(deserializer)?).ok_or_else(|| Error::custom("a sum is no amount"))
}

#[derive(Deserialize)]
struct WirePage<V> {
    history: Vec<V>,
    has_more: bool,
    #[serde(default)]
    first_hash: Option<VertexId>,
    #[serde(default)]
    first_address: Option<String>,
}

impl FullNode {
    /// One page of the history of at most 100 `addresses`, from `first_hash` of the first address on.
    ///
    /// # Errors
    /// [`CallError`] if the node can't be asked, with [`Fault::InvalidAnswer`] if a vertex on the page can't
    /// be read or the place of the next page is not said, or lies outside of `addresses`.
    pub async fn address_history(
        &self,
        addresses: &[Address],
        first_hash: Option<VertexId>,
    ) -> Result<HistoryPage, CallError> {
        let texts: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        let first_hash = first_hash.map(|h| h.to_string());
        let mut query: Vec<(&str, &str)> = texts.iter().map(|a| ("addresses[]", a.as_str())).collect();
        query.push(("paginate", "true"));
        query.extend(first_hash.as_deref().map(|h| ("hash", h)));
        let response = self.endpoint.in_lane(Lane::Load).get_within(PATH, &query, DEFAULT_MAX_BODY).await?;
        let page = self.read_page(&response)?;
        let next = match (page.has_more, page.first_address, page.first_hash) {
            (false, _, _) => None,
            (true, Some(address), Some(first_hash)) => {
                let place = texts.iter().position(|asked| *asked == address).ok_or_else(|| {
                    self.invalid_answer(format!("`first_address` {address} is none of those asked for"))
                })?;
                Some(HistoryCursor { first_address: addresses[place], first_hash })
            }
            (true, _, _) => {
                return Err(
                    self.invalid_answer("`has_more` without `first_address` and `first_hash`".to_owned())
                );
            }
        };
        Ok(HistoryPage { vertices: page.history.into_iter().map(|wire| wire.0).collect(), next })
    }

    fn read_page(&self, response: &Response) -> Result<WirePage<AnyVertex>, CallError> {
        if rt::MUST_BE_SMALL {
            return self.endpoint.parse(PATH, response);
        }
        // Nearly always all is known, and then read in one pass.
        match self.endpoint.parse::<WirePage<WireVertex>>(PATH, response) {
            Ok(WirePage { history, has_more, first_hash, first_address }) => {
                let history = history.into_iter().map(|WireVertex(vertex)| AnyVertex(vertex)).collect();
                Ok(WirePage { history, has_more, first_hash, first_address })
            }
            Err(failure) => object::read(&response.body).map_err(|_| failure),
        }
    }

    /// The whole history of any number of addresses.
    pub fn history(&self, addresses: Vec<Address>) -> HistoryPages {
        HistoryPages {
            node: self.clone(),
            addresses,
            done: 0,
            cursor: None,
            visited: HashSet::new(),
            idle: 0,
        }
    }

    /// The history of one address from `first_hash` on, by timestamp.
    pub fn history_from(&self, address: Address, first_hash: VertexId) -> HistoryPages {
        let cursor = Some(first_hash);
        HistoryPages { cursor, ..self.history(vec![address]) }
    }

    /// What the node counts on an address. Tried once.
    ///
    /// # Errors
    /// [`CallError`] if the node does not answer this once, or refuses, with [`Fault::InvalidAnswer`] if a
    /// token or a sum can't be read.
    pub async fn address_balance(&self, address: &Address) -> Result<AddressBalance, CallError> {
        const PATH: &str = "thin_wallet/address_balance";
        #[derive(Deserialize)]
        struct Wire {
            total_transactions: u64,
            #[serde(deserialize_with = "object::entries")]
            tokens_data: Vec<(String, Object<TokenSums>)>,
        }
        let text = address.to_string();
        let query = [("address", &*text)];
        let answer = self.endpoint.get_once(PATH, &query).await;
        let response = self.endpoint.or_in_decimals(answer, PATH, &query).await?;
        let wire: Wire = self.endpoint.parse(PATH, &response)?;
        let mut sums = BTreeMap::new();
        for (token, Object(amounts)) in wire.tokens_data {
            let uid: TokenUid = token.parse().map_err(|_| {
                self.endpoint
                    .error(PATH, Fault::InvalidAnswer(format!("`tokens_data` has a token {token:?}")))
            })?;
            sums.insert(uid, amounts);
        }
        Ok(AddressBalance { total_transactions: wire.total_transactions, tokens: sums })
    }

    fn invalid_answer(&self, what: String) -> CallError {
        self.endpoint.error(PATH, Fault::InvalidAnswer(what))
    }
}

/// The pages of a history still to be asked for. A vertex may come more than once.
///
/// Only `Ok(None)` means that the history is complete; after an error the same page can be asked for again.
pub struct HistoryPages {
    node: FullNode,
    addresses: Vec<Address>,
    /// Addresses whose history is complete.
    done: usize,
    /// Where to go on with the first address that is not.
    cursor: Option<VertexId>,
    /// Where pages of that address began.
    visited: HashSet<VertexId>,
    /// How many pages in a row brought nothing.
    idle: u32,
}

impl HistoryPages {
    /// How many of the addresses are done.
    pub fn addresses_done(&self) -> u32 {
        u32::try_from(self.done).unwrap_or(u32::MAX)
    }

    /// The next page, which may be empty; `None` after the last.
    ///
    /// # Errors
    /// [`CallError`] if [`FullNode::address_history`] fails, or with [`Fault::InvalidAnswer`] if the node
    /// leads in a circle or through too many empty pages. The next call asks for the same page.
    pub async fn next(&mut self) -> Result<Option<Vec<Vertex>>, CallError> {
        let rest = &self.addresses[self.done..];
        let batch = &rest[..rest.len().min(ADDRESSES_PER_REQUEST)];
        if batch.is_empty() {
            return Ok(None);
        }
        let page = self.node.address_history(batch, self.cursor).await?;
        match page.next {
            None => {
                self.done += batch.len();
                self.cursor = None;
                self.visited.clear();
            }
            Some(next) => {
                let place = batch.iter().position(|a| *a == next.first_address).unwrap_or(0);
                self.idle = if page.vertices.is_empty() { self.idle + 1 } else { 0 };
                if self.idle > MAX_IDLE_PAGES {
                    return Err(self
                        .node
                        .invalid_answer(format!("{} pages in a row have nothing on them", self.idle)));
                }
                if place > 0 {
                    self.visited.clear();
                }
                self.visited.extend(self.cursor.filter(|_| place == 0));
                if !self.visited.insert(next.first_hash) {
                    return Err(self
                        .node
                        .invalid_answer("the next page is one that was there before".to_owned()));
                }
                self.done += place;
                self.cursor = Some(next.first_hash);
            }
        }
        Ok(Some(page.vertices))
    }
}
