//! Clients of the services that a wallet needs: the full node and the mining service, and for those who swap,
//! the swap service.
//!
//! Every failure names the service, its address and the remedy; none is passed over. Reads are repeated with
//! care (bounded in number and time, slower when the service asks for it), writes never without knowing what
//! became of them.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use headless_wallet::{ledger::{Address, Network}, net::HttpClient, node::FullNode};
//!
//! let node = FullNode::new(HttpClient::shared(), "http://localhost:8080/v1a/")?;
//! node.version().await?.check_network("privatenet")?;
//! let address = Address::parse("WTjhJXzQJETVx7BVXdyZmvk396DRRsubdw", Network::Privatenet)?;
//! let mut pages = node.history(vec![address]);
//! while let Some(vertices) = pages.next().await? {
//!     println!("{} transactions and blocks", vertices.len());
//! }
//! # Ok(()) }
//! ```

#[cfg(feature = "native")]
mod connection_pool;
mod endpoint;
mod error;
mod event;
mod features;
mod full_node;
mod history;
mod in_cents;
mod lanes;
mod miner;
mod mining_service;
mod nano;
mod object;
mod push;
#[cfg(feature = "native")]
mod shared_connection;
mod socket;
#[cfg(feature = "native")]
mod stats;
mod swap_service;
mod transaction;
mod wire;

#[cfg(feature = "native")]
pub use connection_pool::Channel;
pub use endpoint::Backoff;
pub use error::{BadUrl, CallError, Fault, Service};
pub use event::{NodeEvent, StreamEvent, SubscribeRefusal, SubscribeRefusalKind, parse as parse_event};
pub use features::{FeatureState, UnsupportedFeature};
pub use full_node::{FullNode, Health, NodeVersion, WrongNetwork};
pub use history::{AddressBalance, HistoryCursor, HistoryPage, HistoryPages, TokenSums};
pub use lanes::{KeyGuard, KeyLocks, Lane, Tenant};
pub(crate) use miner::is_far_ahead;
pub use miner::{Miner, Mining, mine_locally};
pub use mining_service::{Job, JobState, JobTx, MiningError, MiningService};
pub use nano::{ConfirmedCall, Methods, StateQuery};
pub use push::PushError;
/// Without the feature `native` a wallet's connection is its own.
#[cfg(not(feature = "native"))]
pub use socket::NodeSocket as Channel;
pub use socket::{ListPart, NodeSocket};
#[cfg(feature = "native")]
pub use stats::{BUCKETS, ConnectionCounts, Counts, Durations, POW_OUTCOMES, REQUEST_OUTCOMES};
pub use swap_service::{
    PastProposal, SwapNews, SwapProposal, SwapService, SwapServiceError, SwapSubscription, SwapUpdate,
};
pub use transaction::{TokenDescription, TxStatus};
pub use wire::parse_vertex;
